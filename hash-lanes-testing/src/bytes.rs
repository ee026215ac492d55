//! Bytes for tests.

/// Bytes with a period of 251, so that no two blocks are equal; another `seed` gives other bytes.
#[must_use]
pub fn painted(seed: usize, length: usize) -> Vec<u8> {
    let step = 1 + seed / 251;
    (0..length).map(|i| ((seed + i * step) % 251) as u8).collect()
}

/// Decodes hexadecimal digits.
///
/// # Panics
///
/// Panics if `digits` is not a sequence of pairs of hexadecimal digits.
#[must_use]
pub fn hex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}
