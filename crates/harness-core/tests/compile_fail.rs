//! What cannot be written: each file must fail to compile with exactly its message.

#[test]
fn what_cannot_be_written() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
