//! A grant comes from the approval service and from nowhere else.
use harness_core::ask::Grant;

fn main() {
    let _ = Grant { made_by_the_service: () };
}
