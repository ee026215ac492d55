//! Writes the digests of the lanes.

use hash_lanes::Lanes;

use crate::rounds::State;

/// Writes the digest of each lane: the words of its hash value, most significant byte first.
///
/// # Panics
///
/// Panics if `digests.len() < V::COUNT`.
#[inline(always)]
pub fn store_digests<V: Lanes>(mut state: State<V>, digests: &mut [[u8; 32]]) {
    // Swap the bytes while they are still in vectors.
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
