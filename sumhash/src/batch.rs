//! Many messages in step.

use alloc::vec;

use crate::padding::{bits, pad, padded_len};
use crate::{BLOCK_BYTES, Block, State};

/// Messages of a batch at most.
pub(crate) const MOST_MESSAGES: usize = 64;

/// Compresses a block of each of many messages at once.
pub(crate) trait Batch {
    /// From how many messages on that is quicker than one after another.
    const LEAST_MESSAGES: usize;

    /// Compresses a block into each state, for up to [`MOST_MESSAGES`]. At the start of the messages the
    /// states are zero, and are left out of the sums.
    fn compress<'b>(&mut self, states: &mut [State], block: impl Fn(usize) -> &'b Block, is_start: bool);
}

/// Compresses a block into each of any number of states.
pub(crate) fn compress_many<B: Batch>(batch: &mut B, states: &mut [State], blocks: &[Block]) {
    for (states, blocks) in states.chunks_mut(MOST_MESSAGES).zip(blocks.chunks(MOST_MESSAGES)) {
        batch.compress(states, |i| &blocks[i], false);
    }
}

/// Hashes any number of messages: those in a row with the same number of blocks together, and where
/// these are too few, each with `one`. There is a digest for each message, which `store` writes.
pub(crate) fn hash_many<'m, B: Batch, D>(
    batch: &mut B,
    mut messages: impl Iterator<Item = &'m [u8]>,
    mut digests: &mut [D],
    one: impl Fn(&[u8]) -> State,
    store: impl Fn(&mut D, State),
) {
    let mut next: [&[u8]; MOST_MESSAGES] = [&[]; MOST_MESSAGES];
    while !digests.is_empty() {
        let count = digests.len().min(MOST_MESSAGES);
        for (place, message) in next.iter_mut().zip(messages.by_ref().take(count)) {
            *place = message;
        }
        for alike in next[..count].chunk_by(|a, b| blocks(a) == blocks(b)) {
            let (places, rest) = digests.split_at_mut(alike.len());
            digests = rest;
            if alike.len() < B::LEAST_MESSAGES {
                for (message, digest) in alike.iter().zip(places) {
                    store(digest, one(message));
                }
            } else {
                hash_in_step(batch, alike, |i, state| store(&mut places[i], state));
            }
        }
    }
}

/// How many blocks a message has with its padding.
fn blocks(message: &[u8]) -> usize {
    padded_len(message.len(), BLOCK_BYTES) / BLOCK_BYTES
}

/// Hashes up to [`MOST_MESSAGES`] messages with the same number of blocks.
fn hash_in_step<B: Batch>(batch: &mut B, messages: &[&[u8]], mut store: impl FnMut(usize, State)) {
    let mut ends = vec![[[0; BLOCK_BYTES]; 2]; messages.len()];
    for (end, message) in ends.iter_mut().zip(messages) {
        let (_, rest) = message.as_chunks::<BLOCK_BYTES>();
        let end = &mut end.as_flattened_mut()[..padded_len(rest.len(), BLOCK_BYTES)];
        end[..rest.len()].copy_from_slice(rest);
        pad(end, rest.len(), bits(message.len() as u128));
    }
    let mut states = [[0; BLOCK_BYTES]; MOST_MESSAGES];
    let states = &mut states[..messages.len()];
    for at in 0..blocks(messages[0]) {
        let block = |i: usize| {
            let (whole, _) = messages[i].as_chunks::<BLOCK_BYTES>();
            whole.get(at).unwrap_or_else(|| &ends[i][at - whole.len()])
        };
        batch.compress(states, block, at == 0);
    }
    for (i, state) in states.iter().enumerate() {
        store(i, *state);
    }
}
