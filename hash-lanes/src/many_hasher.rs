//! Many messages that arrive in parts.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::backend::Backend;
use crate::hash::LaneHash;
use crate::lanes::BLOCK_BYTES;
use crate::many::InitialState;
use crate::message::{Hashing, Message};

/// How many bytes of a message wait for the other messages before all are hashed: enough that a
/// pass over the lanes is long, and few enough that 16 messages' stay in the first-level cache.
const WAITING_BYTES: usize = 16 * BLOCK_BYTES;

/// Hashes a fixed number of messages that arrive in parts: files that are read a piece at a time,
/// say.
///
/// [`update`](Self::update) gives bytes to one message; they wait until one message's 1024 bytes
/// are full, and then all messages that have whole blocks are hashed together. When a part of
/// *every* message is at hand, [`update_all`](Self::update_all) hashes the parts where they lie.
pub struct ManyHasher<H, const WORDS: usize> {
    backend: Backend,
    initial: InitialState<WORDS>,
    messages: Box<[Waiting<WORDS>]>,
    hash: PhantomData<fn() -> H>,
}

/// A message of which a part has been hashed and a part waits.
#[derive(Clone)]
struct Waiting<const WORDS: usize> {
    state: [u32; WORDS],
    /// Bytes hashed into `state`, all blocks whole.
    hashed: u64,
    /// The bytes behind those: the first `waiting` of these.
    bytes: [u8; WAITING_BYTES],
    waiting: usize,
}

impl<const WORDS: usize> Waiting<WORDS> {
    fn begin(&mut self, initial: &InitialState<WORDS>) {
        self.state = *initial.words();
        self.hashed = initial.prefix_len();
        self.waiting = 0;
    }

    /// How many of the waiting bytes are whole blocks.
    fn whole(&self) -> usize {
        self.waiting - self.waiting % BLOCK_BYTES
    }

    /// Appends bytes as far as there is room, and returns those for which there is none.
    fn append<'b>(&mut self, bytes: &'b [u8], room: usize) -> &'b [u8] {
        let (fitting, rest) = bytes.split_at(bytes.len().min(room - self.waiting));
        self.bytes[self.waiting..][..fitting.len()].copy_from_slice(fitting);
        self.waiting += fitting.len();
        rest
    }

    /// Forgets the whole blocks, which are hashed now.
    fn drop_whole(&mut self) {
        let whole = self.whole();
        self.bytes.copy_within(whole..self.waiting, 0);
        self.waiting -= whole;
        self.hashed += whole as u64;
    }
}

impl<H: LaneHash<WORDS>, const WORDS: usize> ManyHasher<H, WORDS> {
    /// A hasher of `count` messages, all empty as yet.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self::with_backend(Backend::detect(), count)
    }

    /// The same with a backend of one's choice.
    #[must_use]
    pub fn with_backend(backend: Backend, count: usize) -> Self {
        Self::with_initial_state(backend, InitialState::of::<H>(), count)
    }

    /// The same for messages whose common beginning is hashed already.
    #[must_use]
    pub fn with_initial_state(
        backend: Backend,
        initial: InitialState<WORDS>,
        count: usize,
    ) -> Self {
        let message = Waiting {
            state: *initial.words(),
            hashed: initial.prefix_len(),
            bytes: [0; WAITING_BYTES],
            waiting: 0,
        };
        Self { backend, initial, messages: alloc::vec![message; count].into(), hash: PhantomData }
    }

    /// How many messages it hashes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether it hashes no messages.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Appends bytes to message `index`. What is longer than 1024 bytes is hashed by itself, beside
    /// no other message; where parts are that long, [`Self::update_all`] is faster.
    ///
    /// # Panics
    ///
    /// If there is no such message.
    #[track_caller]
    pub fn update(&mut self, index: usize, mut bytes: &[u8]) {
        self.check_index(index);
        loop {
            bytes = self.messages[index].append(bytes, WAITING_BYTES);
            if bytes.is_empty() {
                return;
            }
            self.hash_whole_blocks();
            // What is longer than the waiting room is hashed where it lies, after the block that
            // was begun.
            if bytes.len() >= WAITING_BYTES {
                let begun = self.messages[index].waiting;
                bytes = self.messages[index].append(bytes, begun.next_multiple_of(BLOCK_BYTES));
                self.hash_whole_blocks();
                let (blocks, rest) = bytes.split_at(bytes.len() - bytes.len() % BLOCK_BYTES);
                self.hash_in_place(core::iter::once((index, blocks)));
                bytes = rest;
            }
        }
    }

    /// Appends the `i`-th part to the `i`-th message, for every message.
    ///
    /// # Panics
    ///
    /// If there are not as many parts as messages.
    #[track_caller]
    pub fn update_all<P: AsRef<[u8]>>(&mut self, parts: &[P]) {
        let count = self.messages.len();
        assert!(parts.len() == count, "{} parts for {count} messages", parts.len());
        self.hash_whole_blocks();
        // Every message is brought to the edge of a block, so that its part can be hashed in place.
        let mut rests = Vec::with_capacity(count);
        for (message, part) in self.messages.iter_mut().zip(parts) {
            rests
                .push(message.append(part.as_ref(), message.waiting.next_multiple_of(BLOCK_BYTES)));
        }
        self.hash_whole_blocks();
        self.hash_in_place(rests.iter().copied().enumerate());
        for (message, rest) in self.messages.iter_mut().zip(rests) {
            message.append(&rest[rest.len() - rest.len() % BLOCK_BYTES..], WAITING_BYTES);
        }
    }

    /// The digest of each message.
    #[must_use]
    pub fn finalize(self) -> Vec<H::Digest> {
        let mut digests = alloc::vec![H::Digest::default(); self.messages.len()];
        self.finish(&self.messages, &mut digests);
        digests
    }

    /// The digest of message `index`, which is empty afterwards and can take another message.
    ///
    /// # Panics
    ///
    /// If there is no such message.
    #[track_caller]
    #[must_use]
    pub fn finalize_one(&mut self, index: usize) -> H::Digest {
        self.check_index(index);
        let mut digest = [H::Digest::default()];
        self.finish(&self.messages[index..=index], &mut digest);
        self.messages[index].begin(&self.initial);
        digest[0]
    }

    /// Makes every message empty again.
    pub fn reset(&mut self) {
        for message in &mut self.messages {
            message.begin(&self.initial);
        }
    }

    #[track_caller]
    fn check_index(&self, index: usize) {
        let count = self.messages.len();
        assert!(index < count, "no message {index} among {count}");
    }

    /// Hashes what waits of `messages`, padding it.
    fn finish(&self, messages: &[Waiting<WORDS>], digests: &mut [H::Digest]) {
        H::hash_messages(
            self.backend,
            Hashing::Single,
            &mut messages.iter().map(|message| Message {
                state: Some(&message.state),
                bytes: &message.bytes[..message.waiting],
                ends_after: Some(message.hashed),
            }),
            &mut |first, rows| {
                for (digest, row) in digests[first..].iter_mut().zip(rows) {
                    *digest = H::digest(row);
                }
            },
        );
    }

    /// Hashes the whole blocks that wait, of all messages together.
    fn hash_whole_blocks(&mut self) {
        let due: Vec<usize> =
            (0..self.messages.len()).filter(|&i| self.messages[i].whole() > 0).collect();
        let mut states = Vec::with_capacity(due.len());
        H::hash_messages(
            self.backend,
            Hashing::Single,
            &mut due.iter().map(|&index| {
                let message = &self.messages[index];
                Message {
                    state: Some(&message.state),
                    bytes: &message.bytes[..message.whole()],
                    ends_after: None,
                }
            }),
            &mut |first, rows| states.extend((first..).zip(rows.iter().map(H::state))),
        );
        for (nth, state) in states {
            let message = &mut self.messages[due[nth]];
            message.state = state;
            message.drop_whole();
        }
    }

    /// Hashes the whole blocks of `parts`, which belong to messages of which nothing waits.
    fn hash_in_place<'p>(
        &mut self,
        parts: impl ExactSizeIterator<Item = (usize, &'p [u8])> + Clone,
    ) {
        let indices: Vec<usize> = parts.clone().map(|(index, _)| index).collect();
        let mut states = Vec::with_capacity(indices.len());
        H::hash_messages(
            self.backend,
            Hashing::Single,
            &mut parts.clone().map(|(index, bytes)| Message {
                state: Some(&self.messages[index].state),
                bytes,
                ends_after: None,
            }),
            &mut |first, rows| states.extend((first..).zip(rows.iter().map(H::state))),
        );
        for (nth, state) in states {
            self.messages[indices[nth]].state = state;
        }
        for (index, bytes) in parts {
            self.messages[index].hashed += (bytes.len() - bytes.len() % BLOCK_BYTES) as u64;
        }
    }
}

impl<H, const WORDS: usize> Clone for ManyHasher<H, WORDS> {
    fn clone(&self) -> Self {
        Self {
            backend: self.backend,
            initial: self.initial,
            messages: self.messages.clone(),
            hash: PhantomData,
        }
    }
}

impl<H, const WORDS: usize> fmt::Debug for ManyHasher<H, WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ManyHasher")
            .field("backend", &self.backend)
            .field("count", &self.messages.len())
            .finish_non_exhaustive()
    }
}
