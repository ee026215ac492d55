//! Hashes messages of different lengths: lanes whose message has ended take the next one.

use alloc::boxed::Box;

use arrayvec::ArrayVec;

use super::one::hash_one;
use super::pass::{Blocks, Suspects, compress};
use crate::backend::Backend;
use crate::blocks::block_bytes;
use crate::ending::{Ending, body_blocks};
use crate::erase::{ERASES, erase};
use crate::hash::{GROUP, Group, LaneHash, Sink};
use crate::kernel::Pass;
use crate::lanes::MAX_LANES;
use crate::padding::Padding;
use crate::plan::Plan;
use crate::rows::zero_row;
use crate::word::{Block, Row, Word};

/// Messages that are not alike, in lanes, each as far as it is still to be hashed.
///
/// When a message ends, its lane takes the next one. When there is none, the message of the last
/// lane moves into its place. The active messages are therefore always in the first lanes, and a
/// narrower kernel can take over.
#[derive(Debug)]
pub(super) struct MixedLanes<H: LaneHash> {
    /// The number of active messages, which are in the first lanes.
    pub(super) count: usize,
    /// They grow to as many as are used, like the rows of the stream.
    slots: ArrayVec<Slot<H::Word>, MAX_LANES>,
    /// The states of the messages.
    rows: ArrayVec<Row<H::Word>, MAX_LANES>,
}

/// The message of a lane.
#[derive(Clone, Debug)]
struct Slot<W: Word> {
    /// Its place in the group.
    place: usize,
    /// Its number in the stream.
    number: usize,
    /// The number of its bytes.
    len: usize,
    /// The number of its whole blocks, and of those that are left. The last one of a hash that
    /// flags it is padding.
    body: usize,
    body_left: usize,
    /// The number of bytes up to the end of its whole blocks.
    body_end: u64,
    /// The last blocks, and how many of them are left.
    padding: Padding<W>,
    padding_left: usize,
    /// Whether a suspicion about it was right, in an earlier group.
    is_confirmed: bool,
}

impl<W: Word> Slot<W> {
    fn idle() -> Self {
        let padding = Padding::none();
        let (place, number, len, body, body_left, body_end, padding_left) = (0, 0, 0, 0, 0, 0, 0);
        let is_confirmed = false;
        Self { place, number, len, body, body_left, body_end, padding, padding_left, is_confirmed }
    }

    /// The blocks that can be hashed in one pass, of the message with these `bytes`.
    #[inline]
    fn blocks<'b>(&'b self, bytes: &'b [u8]) -> &'b [Block<W>] {
        match self.body_left {
            0 => {
                let blocks = self.padding.blocks();
                &blocks[blocks.len() - self.padding_left..]
            }
            left => {
                let blocks = &W::blocks_of(bytes).0[..self.body];
                &blocks[self.body - left..]
            }
        }
    }

    /// The offset of the first of these blocks.
    #[inline]
    fn offset<E: Ending>(&self) -> E::Offset {
        if self.body_left > 0 {
            let after = (self.body_left - 1) as u64 * block_bytes::<W>() as u64;
            E::offset(self.body_end.wrapping_sub(after), false)
        } else {
            E::offset(self.padding.message_bytes(), true)
        }
    }

    /// The number of blocks that can be hashed in one pass.
    #[inline]
    fn run(&self) -> usize {
        if self.body_left > 0 { self.body_left } else { self.padding_left }
    }

    #[inline]
    fn advance(&mut self, blocks: usize) {
        let left = if self.body_left > 0 { &mut self.body_left } else { &mut self.padding_left };
        *left -= blocks;
    }

    #[inline]
    fn has_ended(&self) -> bool {
        self.body_left == 0 && self.padding_left == 0
    }
}

impl<H: LaneHash> Drop for MixedLanes<H> {
    fn drop(&mut self) {
        if ERASES {
            // Places that were never used, too: boxing copied what was on the stack to them.
            while self.slots.try_push(Slot::idle()).is_ok() {}
            while self.rows.try_push(zero_row::<H>()).is_ok() {}
        }
        erase(&mut self.rows);
        self.slots.iter_mut().for_each(|slot| slot.padding.erase());
    }
}

impl<H: LaneHash> MixedLanes<H> {
    /// Without messages. Boxed because it is large and most calls never need it.
    // Inlined, its construction would take the stack of all calls.
    #[inline(never)]
    pub(super) fn boxed() -> Box<Self> {
        let (slots, rows) = (ArrayVec::new(), ArrayVec::new());
        Box::new(Self { count: 0, slots, rows })
    }
}

impl<H: LaneHash> MixedLanes<H> {
    /// Hashes the messages of a group, the first of which are in lanes. Once no message of a full
    /// group waits, it returns those left in lanes as bits, because others may follow that take
    /// part in their passes.
    pub(super) fn hash_in_turns(
        &mut self,
        backend: Backend,
        plan: &Plan,
        group: &Group<'_, Row<H::Word>>,
        suspects: &mut Suspects<H>,
        sink: &mut dyn Sink<Row<H::Word>>,
    ) -> u64 {
        // Messages that have ended, about which there are suspicions: place, number and state.
        let mut held: ArrayVec<(usize, usize, Row<H::Word>), GROUP> = ArrayVec::new();
        let alone =
            |place: usize| hash_one::<H>(backend, *group.starts.of(place), group.bytes[place]);
        let mut waiting = self.count..group.bytes.len();
        let may_others_follow = group.bytes.len() == GROUP;
        for lane in 0..self.count {
            let Slot { place, number, len, .. } = self.slots[lane];
            // The bytes of a message that is kept are asked for again. If there are others, it
            // begins again.
            if group.bytes[place].len() != len {
                self.begin(group, lane, place);
                self.slots[lane].number = number;
            }
        }
        loop {
            let left = self.count + waiting.len();
            let kernel = if may_others_follow { plan.bulk() } else { plan.first(left).0 };
            let pass = backend.pass(kernel);
            while self.count < pass.messages::<H::Word>()
                && let Some(place) = waiting.next()
            {
                if self.count == self.slots.len() {
                    self.slots.push(Slot::idle());
                    self.rows.push(zero_row::<H>());
                }
                self.begin(group, self.count, place);
                self.count += 1;
            }
            if self.count == 0 || waiting.is_empty() && may_others_follow {
                break;
            }
            let taken = self.count.min(pass.messages::<H::Word>());
            self.run_pass(group, pass, taken, suspects);
            // From the last lane down, because `remove` moves the last message into the free lane.
            for lane in (0..taken).rev() {
                let Slot { place, number, is_confirmed, .. } = self.slots[lane];
                if self.slots[lane].has_ended() {
                    if is_confirmed || suspects.is_confirmed(place) {
                        sink.finished(number, &[alone(place)]);
                    } else if suspects.is_suspected(place) {
                        held.push((place, number, self.rows[lane]));
                    } else {
                        sink.finished(number, &[self.rows[lane]]);
                    }
                    match waiting.next() {
                        Some(place) => self.begin(group, lane, place),
                        None => self.remove(lane),
                    }
                }
            }
        }
        let slots = &mut self.slots[..self.count];
        if H::SUSPECTS {
            suspects.look_into();
            for &(place, number, row) in &held {
                let row = if suspects.is_confirmed(place) { alone(place) } else { row };
                sink.finished(number, &[row]);
            }
            for slot in &mut *slots {
                slot.is_confirmed |= suspects.is_confirmed(slot.place);
            }
            suspects.clear();
        }
        let kept = slots.iter().fold(0, |kept, slot| kept | 1 << slot.place);
        for slot in slots {
            // Those kept move to the front of the next group.
            slot.place = (kept & !(u64::MAX << slot.place)).count_ones() as usize;
        }
        kept
    }

    /// Puts a message into a lane.
    #[inline]
    fn begin(&mut self, group: &Group<'_, Row<H::Word>>, lane: usize, place: usize) {
        let slot = &mut self.slots[lane];
        let (bytes, start) = (group.bytes[place], group.starts.of(place));
        (slot.place, slot.number, slot.len) = (place, group.first + place, bytes.len());
        let body = body_blocks::<H::Ending, H::Word>(bytes.len(), start.ends);
        (slot.body, slot.body_left) = (body, body);
        slot.body_end = start.before.wrapping_add((body * block_bytes::<H::Word>()) as u64);
        if start.ends {
            slot.padding.end::<H::Ending>(H::ORDER, start.before, bytes);
        } else {
            slot.padding.clear();
        }
        slot.padding_left = slot.padding.blocks().len();
        slot.is_confirmed = false;
        self.rows[lane] = start.row::<H>();
    }

    /// Removes the message of a lane; the last message moves into that lane.
    fn remove(&mut self, lane: usize) {
        self.count -= 1;
        if lane < self.count {
            self.rows[lane] = self.rows[self.count];
            self.slots.swap(lane, self.count);
        }
    }

    /// Advances the first `taken` lanes by their shortest run of blocks.
    fn run_pass(
        &mut self,
        group: &Group<'_, Row<H::Word>>,
        pass: Pass,
        taken: usize,
        suspects: &mut Suspects<H>,
    ) {
        let (slots, rows) = (&mut self.slots[..taken], &mut self.rows[..taken]);
        let run = slots.iter().map(Slot::run).min().unwrap_or(0);
        {
            let mut blocks = Blocks::<H>::new();
            blocks.extend(
                slots.iter().map(|slot| &slot.blocks(group.bytes[slot.place])[..run]),
                slots.iter().map(Slot::offset::<H::Ending>),
            );
            let mut places: ArrayVec<usize, MAX_LANES> = ArrayVec::new();
            if H::SUSPECTS {
                places.extend(slots.iter().map(|slot| slot.place));
            }
            let tails = &mut Blocks::<H>::new();
            compress::<H>(pass, &mut blocks, tails, rows, &places, suspects);
        }
        for slot in slots {
            slot.advance(run);
        }
    }
}
