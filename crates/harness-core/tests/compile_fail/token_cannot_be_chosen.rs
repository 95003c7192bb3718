//! A token is minted by the pipeline.
use harness_core::execute::Token;

fn main() {
    let _ = Token(7);
}
