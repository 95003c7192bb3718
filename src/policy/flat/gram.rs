//! Finds which of many literals may occur in a text, in one pass over it.
//!
//! Each literal is filed under its first four bytes. A literal shorter than that is
//! looked at for every call.

/// The length of a gram.
pub(super) const LEN: usize = 4;

/// The gram a literal is filed under; `None` if it is too short.
pub(super) fn of(literal: &str) -> Option<u32> {
    let head: [u8; LEN] = literal.as_bytes().get(..LEN)?.try_into().ok()?;
    Some(u32::from_le_bytes(head))
}

/// Every gram of a text, in order.
pub(super) fn all(text: &str) -> impl Iterator<Item = u32> {
    text.as_bytes().windows(LEN).filter_map(|w| w.try_into().ok().map(u32::from_le_bytes))
}

/// Its bit in a filter of `bits` (a power of two).
pub(super) const fn bit(gram: u32, bits: u32) -> u32 {
    (gram.wrapping_mul(0x9e37_79b1) >> 7) & bits.wrapping_sub(1)
}
