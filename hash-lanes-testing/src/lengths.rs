//! Tests lengths above 512 MiB, whose high word is not zero, on every kernel: messages that resume
//! from a given state.

use hash_lanes::ManyHasher;
use hash_lanes::engine::{
    Array, ByteOrder, CompiledHash, LaneHash, RowOf, Start, Word, hash_stream,
};

use crate::{Subject, backends, painted, unwritten};

/// Above 512 MiB, just before, at and above 4 GiB, and the greatest.
const LENGTHS: [u64; 7] =
    [1 << 29, 3 << 30, (1 << 32) - 192, (1 << 32) - 64, 1 << 32, 1 << 40, (1 << 61) - (1 << 16)];

/// [`Subject::resumed`] of a hash whose padding has the length: padded here, and compressed block
/// by block with portable code.
pub fn resumed_with_length<S: Subject>(
    state: &RowOf<S::Hash>,
    before: u64,
    message: &[u8],
) -> S::Digest {
    let word = <S::Hash as LaneHash>::Word::BYTES;
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 2 * word).next_multiple_of(16 * word) - 2 * word, 0);
    let bits = u128::from(before + message.len() as u64) * 8;
    match S::Hash::ORDER {
        ByteOrder::Big => padded.extend_from_slice(&bits.to_be_bytes()[16 - 2 * word..]),
        ByteOrder::Little => padded.extend_from_slice(&bits.to_le_bytes()[..2 * word]),
    }
    let portable = "portable".parse().unwrap();
    let mut row = *state;
    for block in padded.chunks(16 * word) {
        row = S::Hash::hash_one(portable, Start::continuing(Some(&row), 0), block);
    }
    S::Hash::digest(&row)
}

/// Messages of equal lengths around each boundary, and of different lengths; one to more than all
/// lanes.
pub fn high_words<S: Subject>() {
    let state: RowOf<S::Hash> = S::Hash::row(&Array::filled(Default::default()));
    let lengths: [fn(usize) -> usize; 9] = [
        |_| 3,
        |_| 20,
        |_| 32,
        |_| 55,
        |_| 64,
        |_| 93,
        |_| 127,
        |i| 3 + i % 2 * 90,
        |i| i * 31 % 300,
    ];
    for before in LENGTHS {
        for length in lengths {
            for count in [1, 2, 3, 4, 7, 40] {
                let messages: Vec<_> = (0..count).map(|i| painted(i, length(i))).collect();
                let expected: Vec<_> =
                    messages.iter().map(|message| S::resumed(&state, before, message)).collect();
                for backend in backends() {
                    let start = Start::ending(Some(&state), before);
                    let mut digests = vec![unwritten(); count];
                    let mut sink = |first: usize, rows: &[RowOf<S::Hash>]| {
                        for (digest, row) in digests[first..].iter_mut().zip(rows) {
                            *digest = S::Hash::digest(row);
                        }
                    };
                    hash_stream::<S::Hash, _>(backend, start, messages.iter(), &mut sink);
                    let context = format!("{backend}, {count} messages after {before} bytes");
                    assert!(digests == expected, "{context}");

                    let mut hasher =
                        ManyHasher::<S::Hash>::after_prefix(backend, state, before, count);
                    hasher.update_all(&messages);
                    assert!(hasher.finalize() == expected, "{context}, in parts");
                }
            }
        }
    }
}
