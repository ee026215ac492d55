//! Encodings of deterministic signatures of Falcon-1024. Nothing is verified here.

use alloc::vec::Vec;

/// The header of a compressed signature: deterministic, and 2^10 coefficients.
const COMPRESSED: u8 = 0xba;

/// The header of a signature of constant length.
const CONSTANT_LENGTH: u8 = 0xda;

/// The number of coefficients.
const COEFFICIENTS: usize = 1024;

/// The maximum absolute value of a coefficient.
const MAX_MAGNITUDE: u32 = 2047;

/// Encodes the coefficients of a compressed signature in 12 bits each, as they are hashed. `None`
/// if it is not the one compressed form of such coefficients.
pub(super) fn constant_length(compressed: &[u8]) -> Option<Vec<u8>> {
    let [COMPRESSED, salt_version, coefficients @ ..] = compressed else { return None };
    let mut bits = Bits { bytes: coefficients, taken: 0 };
    let mut values = [0_u32; COEFFICIENTS];
    for value in &mut values {
        // A sign, the low seven bits, and the high bits in unary, ended by a one.
        let is_negative = bits.next()?;
        let mut magnitude = 0;
        for _ in 0..7 {
            magnitude = magnitude << 1 | u32::from(bits.next()?);
        }
        while !bits.next()? {
            magnitude += 1 << 7;
            if magnitude > MAX_MAGNITUDE {
                return None;
            }
        }
        if is_negative && magnitude == 0 {
            return None;
        }
        *value = (if is_negative { magnitude.wrapping_neg() } else { magnitude }) & 0xfff;
    }
    if !bits.are_used_up() {
        return None;
    }
    let mut bytes = Vec::from([CONSTANT_LENGTH, *salt_version]);
    for pair in values.as_chunks().0 {
        let [first, second]: [u32; 2] = *pair;
        bytes.extend_from_slice(&(first << 12 | second).to_be_bytes()[1..]);
    }
    Some(bytes)
}

/// The bits of bytes, the most significant of each first.
struct Bits<'a> {
    bytes: &'a [u8],
    taken: usize,
}

impl Bits<'_> {
    fn next(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.taken / 8)?;
        let bit = byte >> (7 - self.taken % 8) & 1;
        self.taken += 1;
        Some(bit == 1)
    }

    /// Whether no byte is left, and only zeros of the last one.
    fn are_used_up(&mut self) -> bool {
        if self.taken.div_ceil(8) != self.bytes.len() {
            return false;
        }
        while !self.taken.is_multiple_of(8) {
            if self.next() != Some(false) {
                return false;
            }
        }
        true
    }
}
