//! A fast checksum against torn and decayed bytes. Not against malice: whoever can
//! write the snapshot can write the policy.

const K: u64 = 0x9e37_79b9_7f4a_7c15;

/// The checksum of bytes.
pub(super) fn of(bytes: &[u8]) -> u64 {
    let mut lanes = [K, K ^ 1, K ^ 2, K ^ 3];
    let (blocks, tail) = bytes.as_chunks::<32>();
    for block in blocks {
        // Written out, since this crate is built for size: a loop here costs twice as much.
        if let ([a, b, c, d], _) = block.as_chunks::<8>() {
            lanes[0] = mix(lanes[0], u64::from_le_bytes(*a));
            lanes[1] = mix(lanes[1], u64::from_le_bytes(*b));
            lanes[2] = mix(lanes[2], u64::from_le_bytes(*c));
            lanes[3] = mix(lanes[3], u64::from_le_bytes(*d));
        }
    }
    let mut sum = bytes.len() as u64;
    for lane in lanes {
        sum = mix(sum, lane);
    }
    for byte in tail {
        sum = mix(sum, u64::from(*byte));
    }
    sum
}

const fn mix(lane: u64, word: u64) -> u64 {
    (lane ^ word).wrapping_mul(K).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn each_bit_counts() {
        let mut bytes: Vec<u8> = (0..100).collect();
        let first = of(&bytes);
        for i in 0..bytes.len() {
            bytes[i] ^= 1;
            assert_ne!(of(&bytes), first, "{i}");
            bytes[i] ^= 1;
        }
        assert_ne!(of(&bytes[..99]), first);
        assert_eq!(of(&bytes), first);
    }
}
