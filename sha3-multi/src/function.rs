//! A function of the family on a backend, which hashes messages of all kinds.

use alloc::vec::Vec;
use core::iter::repeat_with;

use arrayvec::ArrayVec;
use hash_lanes::Parts;
use hash_lanes::engine::{Begun, Digests, Erased, GROUP, RowsOf, in_groups};

pub(crate) use crate::jobs::Function;
use crate::jobs::{Block, LongRow, MAX_RATE, ShortRow, State};
use crate::stream::{Group, Output, Stream};

/// The maximum size of messages that are held on the stack, by value, while they are hashed.
const MAX_INLINE_BYTES: usize = 32;

impl Function {
    /// Hashes messages that begin with the state `initial`.
    pub(crate) fn run<I: Iterator<Item: AsRef<[u8]>>>(
        self,
        initial: Option<&State>,
        mut messages: I,
        mut output: Output<'_>,
    ) {
        let mut stream = Stream::new(self.backend, self.sponge, initial);
        let mut hash = |items: &[Option<I::Item>], first| {
            let mut slices: ArrayVec<&[u8], GROUP> = ArrayVec::new();
            slices.extend(items.iter().flatten().map(AsRef::as_ref));
            stream.hash_group(&Group::of(&slices, first), &mut output)
        };
        if size_of::<I::Item>() <= MAX_INLINE_BYTES {
            in_groups([None, None], &mut messages, &mut [const { None }; GROUP], &mut hash);
        } else {
            let mut held = Vec::from_iter(repeat_with(|| None).take(GROUP));
            in_groups([None, None], &mut messages, &mut held, &mut hash);
        }
    }

    /// Hashes messages in parts.
    pub(crate) fn run_concat<P: Parts>(
        self,
        initial: Option<&State>,
        mut messages: impl Iterator<Item = P>,
        mut output: Output<'_>,
    ) {
        let mut stream = Stream::new(self.backend, self.sponge, initial);
        let mut held = Vec::from_iter(repeat_with(|| None).take(GROUP));
        let (mut copies, mut rests) = (Erased::<Block>::new(), Erased::new());
        in_groups([None, None], &mut messages, &mut held, |items: &[Option<P>], first| {
            // The parts of a short message are joined, so that it takes the path of a message in
            // one part. A longer one keeps its first part in place; only later parts are copied.
            copies.resize(items.len());
            rests.clear();
            let mut places = [(None, 0); GROUP];
            for ((copy, place), message) in
                copies.iter_mut().zip(&mut places).zip(items.iter().flatten())
            {
                place.0 = join(copy, message);
                if place.0.is_none() && P::COUNT > 2 {
                    (1..P::COUNT).for_each(|i| rests.extend_from_slice(message.part(i)));
                }
                place.1 = rests.len();
            }
            let mut messages: ArrayVec<&[u8], GROUP> = ArrayVec::new();
            let mut seconds: ArrayVec<&[u8], GROUP> = ArrayVec::new();
            let mut begin = 0;
            for ((copy, (len, end)), message) in
                copies.iter().zip(places).zip(items.iter().flatten())
            {
                let parts = match (len, P::COUNT) {
                    (Some(len), _) => [&copy[..len], &[]],
                    (None, 1) => [message.part(0), &[]],
                    (None, 2) => [message.part(0), message.part(1)],
                    (None, _) => [message.part(0), &rests[begin..end]],
                };
                begin = end;
                messages.push(parts[0]);
                seconds.push(parts[1]);
            }
            let group = Group { seconds: &seconds, ..Group::of(&messages, first) };
            stream.hash_group(&group, &mut output)
        });
    }

    /// Hashes messages that begin with a state each.
    pub(crate) fn run_parts<'p>(
        self,
        mut parts: impl Iterator<Item = Begun<'p, State>>,
        mut output: Output<'_>,
    ) {
        let mut stream = Stream::new(self.backend, self.sponge, None);
        in_groups([None, None], &mut parts, &mut [const { None }; GROUP], |items, first| {
            let mut messages: ArrayVec<&[u8], GROUP> = ArrayVec::new();
            let mut starts: ArrayVec<&State, GROUP> = ArrayVec::new();
            for (start, _, bytes) in items.iter().flatten() {
                starts.push(start);
                messages.push(bytes);
            }
            let group = Group { starts: &starts, ..Group::of(&messages, first) };
            stream.hash_group(&group, &mut output)
        });
    }

    /// Hashes one message.
    pub(crate) fn run_one(self, initial: Option<&State>, message: &[u8], mut output: Output<'_>) {
        let mut stream = Stream::new(self.backend, self.sponge, initial);
        stream.hash_group(&Group::of(&[message], 0), &mut output);
    }
}

/// Joins the parts of a message in a block and returns its length, or `None` if it is longer. Each
/// part is asked for its bytes once, because they may be others the next time.
fn join<P: Parts>(block: &mut Block, message: &P) -> Option<usize> {
    let mut room = &mut block[..];
    for i in 0..P::COUNT {
        let part = message.part(i);
        room.split_off_mut(..part.len())?.copy_from_slice(part);
    }
    Some(MAX_RATE - room.len())
}

/// Hashes into digests of `bytes` bytes, which are not more than [`LongRow`] has: `hash` gets what
/// becomes of the messages.
pub(crate) fn into_digests(bytes: usize, digests: &mut dyn Digests, hash: impl FnOnce(Output<'_>)) {
    debug_assert!(bytes <= size_of::<LongRow>(), "digests of {bytes} bytes");
    let mut rows = RowsOf(digests);
    hash(if bytes <= size_of::<ShortRow>() {
        Output::Short(&mut rows)
    } else {
        Output::Long(&mut rows)
    });
}

/// A message after some bytes that are not absorbed.
pub(crate) struct After<'r, P> {
    rest: &'r [u8],
    message: P,
}

impl<P: Parts> Parts for After<'_, P> {
    const COUNT: usize = P::COUNT + 1;

    #[inline]
    fn part(&self, i: usize) -> &[u8] {
        i.checked_sub(1).map_or(self.rest, |i| self.message.part(i))
    }
}

impl Function {
    /// [`Self::run_concat`] of messages after some bytes.
    pub(crate) fn run_concat_after<P: Parts>(
        self,
        initial: Option<&State>,
        rest: &[u8],
        messages: impl Iterator<Item = P>,
        output: Output<'_>,
    ) {
        if rest.is_empty() {
            self.run_concat(initial, messages, output);
        } else {
            let after = messages.map(|message| After { rest, message });
            self.run_concat(initial, after, output);
        }
    }
}
