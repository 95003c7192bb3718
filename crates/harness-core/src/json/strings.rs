//! Runs of plain bytes in a JSON string, eight at a time.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// How many bytes from the start are neither a quote, a backslash nor a control
/// character.
pub(super) fn plain_run(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut run = 0;
    for word in words {
        let special = special(u64::from_le_bytes(*word));
        if special != 0 {
            return run + (special.trailing_zeros() / 8) as usize;
        }
        run += 8;
    }
    run + rest.iter().take_while(|byte| !matches!(byte, 0..=0x1F | b'"' | b'\\')).count()
}

/// The high bit of each byte that is special. Only the lowest one set is exact: a borrow
/// can mark bytes above it, never below.
const fn special(word: u64) -> u64 {
    let control = word.wrapping_sub(LOW * 0x20) & !word;
    (control | zero(word ^ (LOW * b'"' as u64)) | zero(word ^ (LOW * b'\\' as u64))) & HIGH
}

const fn zero(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word
}

#[cfg(test)]
mod tests {
    use super::plain_run;
    use alloc::vec::Vec;

    #[test]
    fn every_byte_at_every_place() {
        for special in 0..=255u8 {
            for at in 0..20 {
                let mut bytes = Vec::from([b'x'; 24]);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = special);
                let stops = matches!(special, 0..=0x1F | b'"' | b'\\');
                assert_eq!(plain_run(&bytes), if stops { at } else { 24 }, "{special} at {at}");
            }
        }
    }
}
