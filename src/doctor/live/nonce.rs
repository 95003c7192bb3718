//! Words nobody else has said: keys, session ids, canaries.

use std::hash::{BuildHasher, Hasher, RandomState};

/// 32 hex digits, fresh each time, from the seed the standard library takes from the
/// system for its maps. Not for secrets that must last.
#[must_use]
pub fn hex() -> String {
    let draw = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", draw(), draw())
}

/// A fresh random UUID, as clients want session ids.
#[must_use]
pub fn uuid() -> String {
    let hex = hex();
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!("{}-{}-4{}-a{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32))
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
        assert_eq!(id.as_bytes().get(14), Some(&b'4'), "{id}");
    }
}
