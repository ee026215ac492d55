//! Digests out of the lanes.

use hash_lanes::Lanes;

use crate::rounds::State;

/// Writes the digest of each lane: the hash value's words, the most significant byte of each first.
///
/// # Panics
///
/// If there are fewer digests than lanes.
#[inline(always)]
pub fn store_digests<V: Lanes>(mut state: State<V>, digests: &mut [[u8; 32]]) {
    // The bytes are swapped while they are still in vectors.
    for word in &mut state {
        *word = word.swap_bytes();
    }
    let digests = &mut digests[..V::COUNT];
    V::store_rows(
        state,
        #[inline(always)]
        |lane, words| {
            let (bytes, _) = digests[lane].as_chunks_mut::<4>();
            for i in 0..8 {
                bytes[i] = words[i].swap_bytes().to_be_bytes();
            }
        },
    );
}
