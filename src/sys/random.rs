//! Bytes that nobody can guess.

use std::fs::File;
use std::io::{self, Read};

/// Fills a buffer with them.
///
/// # Errors
/// The system has none to give.
pub fn fill(bytes: &mut [u8]) -> io::Result<()> {
    File::open("/dev/urandom")?.read_exact(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_two_are_alike() {
        let some = || {
            let mut bytes = [0; 16];
            super::fill(&mut bytes).expect("the system has some");
            bytes
        };
        assert_ne!(some(), some());
    }
}
