//! The floor: a plain Rust program that reads its standard input and exits. What a hook
//! costs is told as a multiple of this.

use std::io::Read;

#[expect(clippy::disallowed_methods, reason = "reading standard input is what it is for")]
fn main() {
    let mut input = Vec::new();
    let read = std::io::stdin().read_to_end(&mut input);
    std::hint::black_box(&input);
    drop(read);
}
