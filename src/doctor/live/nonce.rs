//! Words nobody else has said: keys, session ids, canaries.

use std::hash::{BuildHasher, Hasher, RandomState};

/// 32 hex digits, fresh each time, from the seed the standard library takes from the
/// system for its maps. Not for secrets that must last.
#[must_use]
pub fn hex() -> String {
    let draw = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", draw(), draw())
}

/// A fresh UUID, as clients want session ids, that the log knows for a probe's.
#[must_use]
pub fn uuid() -> String {
    crate::journal::probe::session(&hex())
}

#[cfg(test)]
mod tests {
    use super::{hex, uuid};

    #[test]
    fn no_two_are_alike_and_an_id_has_its_shape() {
        assert_ne!(hex(), hex());
        let id = uuid();
        let lengths = id.split('-').map(str::len).collect::<Vec<_>>();
        assert_eq!(lengths, [8, 4, 4, 4, 12], "{id}");
        assert_ne!(id, uuid());
    }
}
