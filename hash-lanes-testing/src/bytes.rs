//! Bytes for tests.

/// Bytes with a period of 251, so that no two blocks are equal; another `seed` gives other bytes.
#[must_use]
pub fn painted(seed: usize, length: usize) -> Vec<u8> {
    let step = 1 + seed / 251;
    (0..length).map(|i| ((seed + i * step) % 251) as u8).collect()
}
