//! Hashes many messages in lockstep.

use alloc::vec;
use alloc::vec::Vec;

use crate::padding::{pad_last_blocks, padded_len};
use crate::{BLOCK_BYTES, Block, State};

/// The maximum number of messages in a batch.
pub(crate) const MAX_MESSAGES: usize = 64;

/// Compresses one block of each of many messages at once.
pub(crate) trait Batch {
    /// The minimum number of messages at which this is faster than one after another.
    const MIN_MESSAGES: usize;

    /// Compresses a block into each state, for up to [`MAX_MESSAGES`] states.
    ///
    /// At the start of the messages the states are zero, so the sums skip them.
    fn compress_batch<'b>(
        &mut self,
        states: &mut [State],
        block: impl Fn(usize) -> &'b Block,
        is_start: bool,
    );
}

/// Compresses a block into each state, for any number of states.
pub(crate) fn compress_many<B: Batch>(batch: &mut B, states: &mut [State], blocks: &[Block]) {
    for (states, blocks) in states.chunks_mut(MAX_MESSAGES).zip(blocks.chunks(MAX_MESSAGES)) {
        batch.compress_batch(states, |i| &blocks[i], false);
    }
}

/// Hashes any number of messages, and passes each digest to `store`, in order.
///
/// A run of consecutive messages with the same number of blocks is hashed together. In a run that
/// is too short, each message is hashed with `hash_one`.
pub(crate) fn hash_many<B: Batch>(
    batch: &mut B,
    mut messages: impl Iterator<Item: AsRef<[u8]>>,
    hash_one: impl Fn(&[u8]) -> State,
    mut store: impl FnMut(State),
) {
    // Some were held over from the last round, because their run may continue.
    let mut group = Vec::with_capacity(MAX_MESSAGES);
    // The number of blocks of the previous messages, if they were hashed together. The end of their
    // run is then hashed the same way, however short it is, so that a whole run is constant time.
    let mut previous = None;
    loop {
        let room = MAX_MESSAGES - group.len();
        group.extend(messages.by_ref().take(room));
        let slices: Vec<&[u8]> = group.iter().map(AsRef::as_ref).collect();
        let are_last = group.len() < MAX_MESSAGES;
        let mut begin = 0;
        for alike in slices.chunk_by(|a, b| blocks(a) == blocks(b)) {
            if begin > 0 && begin + alike.len() == group.len() && !are_last {
                break;
            }
            begin += alike.len();
            let shape = blocks(alike[0]);
            if alike.len() >= B::MIN_MESSAGES || previous == Some(shape) {
                hash_in_lockstep(batch, alike, &mut store);
                previous = Some(shape);
            } else {
                for message in alike {
                    store(hash_one(message));
                }
                previous = None;
            }
        }
        group.drain(..begin);
        if are_last {
            return;
        }
    }
}

/// The number of blocks of a message with its padding.
fn blocks(message: &[u8]) -> usize {
    padded_len(message.len(), BLOCK_BYTES) / BLOCK_BYTES
}

/// Hashes up to [`MAX_MESSAGES`] messages with the same number of blocks.
fn hash_in_lockstep<B: Batch>(batch: &mut B, messages: &[&[u8]], mut store: impl FnMut(State)) {
    let mut ends = vec![[[0; BLOCK_BYTES]; 2]; messages.len()];
    for (end, message) in ends.iter_mut().zip(messages) {
        let (_, rest) = message.as_chunks::<BLOCK_BYTES>();
        pad_last_blocks(end, rest, message.len() as u128);
    }
    let mut states = [[0; BLOCK_BYTES]; MAX_MESSAGES];
    let states = &mut states[..messages.len()];
    for at in 0..blocks(messages[0]) {
        let block = |i: usize| {
            let (whole, _) = messages[i].as_chunks::<BLOCK_BYTES>();
            whole.get(at).unwrap_or_else(|| &ends[i][at - whole.len()])
        };
        batch.compress_batch(states, block, at == 0);
    }
    for state in states {
        store(*state);
    }
}

#[cfg(test)]
mod tests {
    use core::cell::RefCell;

    use super::*;

    /// Records the size of each batch, and hashes nothing.
    struct Recorder<'c>(&'c RefCell<Vec<usize>>);

    impl Batch for Recorder<'_> {
        const MIN_MESSAGES: usize = 8;

        fn compress_batch<'b>(
            &mut self,
            states: &mut [State],
            _: impl Fn(usize) -> &'b Block,
            is_start: bool,
        ) {
            if is_start {
                self.0.borrow_mut().push(states.len());
            }
        }
    }

    /// The sizes of the batches for runs of messages, and the number of messages hashed alone. Each
    /// run is given as its number of messages and their length.
    fn counts(runs: &[(usize, usize)]) -> (Vec<usize>, usize) {
        let lengths = runs.iter().flat_map(|&(count, length)| core::iter::repeat_n(length, count));
        let messages: Vec<Vec<u8>> = lengths.map(|length| vec![7; length]).collect();
        let (together, alone) = (RefCell::default(), RefCell::new(0));
        let mut digests = 0;
        let hash_one = |_: &[u8]| {
            *alone.borrow_mut() += 1;
            [0; BLOCK_BYTES]
        };
        hash_many(&mut Recorder(&together), messages.iter(), hash_one, |_| digests += 1);
        assert_eq!(digests, messages.len());
        (together.into_inner(), alone.into_inner())
    }

    #[test]
    fn whole_runs_are_hashed_together() {
        assert_eq!(counts(&[(7, 2)]), (vec![], 7));
        assert_eq!(counts(&[(8, 2)]), (vec![8], 0));
        // The end of a run is hashed like the rest of it.
        assert_eq!(counts(&[(67, 2)]), (vec![64, 3], 0));
        assert_eq!(counts(&[(128, 2), (1, 130)]), (vec![64, 64], 1));
        // A run that begins at the end of a round is not split.
        assert_eq!(counts(&[(60, 2), (10, 130)]), (vec![60, 10], 0));
        assert_eq!(counts(&[(3, 2), (70, 130), (3, 2)]), (vec![64, 6], 6));
        assert_eq!(counts(&[(60, 2), (4, 130), (60, 2)]), (vec![60, 60], 4));
        assert_eq!(counts(&[(64, 2), (3, 130), (64, 2)]), (vec![64, 64], 3));
    }
}
