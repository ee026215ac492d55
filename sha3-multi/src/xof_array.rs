//! Outputs of any length for a number of messages that is known at compile time, without memory
//! from the heap.

use core::fmt;

use arrayvec::ArrayVec;
use hash_lanes::Parts;
use hash_lanes::engine::{GROUP, erase};

use crate::costs::pass_of;
use crate::jobs::{Advance, Block, EMPTY, Function, MAX_MESSAGES, MAX_RATE, State, run};
use crate::squeeze::{Passes, squeeze};
use crate::xof_lanes::XofLanes;

impl XofLanes {
    /// The first `LEN` bytes of the output for each of `N` messages, whose parts are hashed one
    /// after the other. A message in one part is a tuple of one value.
    ///
    /// Nothing is allocated. The kernel is chosen by costs that were measured on Zen 4, not on the
    /// running CPU.
    ///
    /// PRF of ML-KEM (FIPS 203 §4.1) for `k` counters at a time:
    ///
    /// ```
    /// use sha3_multi::XofLanes;
    ///
    /// fn prf_eta_2<const K: usize>(seed: &[u8; 32], first: u8) -> [[u8; 128]; K] {
    ///     let messages = core::array::from_fn(|i| (seed, [first + i as u8]));
    ///     XofLanes::shake256().xof_array::<128, K>(&messages)
    /// }
    ///
    /// let [first, second, third] = prf_eta_2(&[7; 32], 0);
    /// assert_eq!(second, prf_eta_2::<1>(&[7; 32], 1)[0]);
    /// ```
    #[must_use]
    pub fn xof_array<const LEN: usize, const N: usize>(
        &self,
        messages: &[impl Parts; N],
    ) -> [[u8; LEN]; N] {
        self.reader_array(messages).read()
    }

    /// Absorbs `N` messages in parts, and returns readers of their outputs, which have no end. See
    /// [`Self::xof_array`].
    ///
    /// The polynomials of a row of ML-KEM's matrix (FIPS 203 algorithm 7), which read on until they
    /// have enough coefficients:
    ///
    /// ```
    /// use sha3_multi::XofLanes;
    ///
    /// let rho = [7; 32];
    /// let row: [_; 3] = core::array::from_fn(|j| (rho, [j as u8, 0]));
    /// let mut readers = XofLanes::shake128().reader_array(&row);
    /// let blocks: [[u8; 504]; 3] = readers.read();
    /// let more: [[u8; 168]; 3] = readers.read();
    /// # let mut all = [[0; 672]; 3];
    /// # XofLanes::shake128().reader_array(&row).read_into(&mut all);
    /// # assert_eq!(all[2][..], [&blocks[2][..], &more[2]].concat());
    /// ```
    #[must_use]
    pub fn reader_array<const N: usize>(&self, messages: &[impl Parts; N]) -> XofReaderArray<N> {
        let initial = self.initial.unwrap_or(EMPTY);
        let mut readers =
            XofReaderArray { function: self.function, states: [initial; N], used: [0; N] };
        let groups = readers.states.chunks_mut(MAX_MESSAGES).zip(messages.chunks(MAX_MESSAGES));
        groups.for_each(|(states, messages)| absorb(self.function, states, messages));
        readers
    }
}

/// The outputs of `N` messages, read on and on, without memory from the heap.
///
/// With the feature `zeroize` it is erased when it is dropped. Where it was before it was moved is
/// not erased: put it behind a pointer if that matters.
#[derive(Clone)]
pub struct XofReaderArray<const N: usize> {
    function: Function,
    states: [State; N],
    /// How many bytes of the block in each state have been read.
    used: [usize; N],
}

impl<const N: usize> XofReaderArray<N> {
    /// Returns the next `LEN` bytes of each output.
    #[must_use]
    pub fn read<const LEN: usize>(&mut self) -> [[u8; LEN]; N] {
        let mut outputs = [[0; LEN]; N];
        self.read_into(&mut outputs);
        outputs
    }

    /// Fills `outputs[i]` with the next bytes of the `i`-th output: any number, and different ones
    /// if need be.
    pub fn read_into<D: AsMut<[u8]>>(&mut self, outputs: &mut [D; N]) {
        let groups = self.states.chunks_mut(GROUP).zip(self.used.chunks_mut(GROUP));
        for ((states, used), outputs) in groups.zip(outputs.chunks_mut(GROUP)) {
            let mut places: ArrayVec<&mut [u8], GROUP> = ArrayVec::new();
            places.extend(outputs.iter_mut().map(AsMut::as_mut));
            squeeze(self.function, Passes::Fixed, states, used, &mut places);
        }
    }
}

/// Omits the states.
impl<const N: usize> fmt::Debug for XofReaderArray<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("XofReaderArray")
            .field("backend", &self.function.backend)
            .field("count", &N)
            .finish_non_exhaustive()
    }
}

impl<const N: usize> Drop for XofReaderArray<N> {
    fn drop(&mut self) {
        erase(&mut self.states);
    }
}

/// How far a message in parts has been absorbed.
#[derive(Clone, Copy, Default)]
struct Cursor {
    part: usize,
    /// The bytes of this part that were absorbed.
    taken: usize,
}

impl Cursor {
    /// Copies the next bytes of a message into a block. Returns how many, fewer than there is room
    /// for if the message ends.
    fn fill(&mut self, message: &impl Parts, count: usize, mut block: &mut [u8]) -> usize {
        let room = block.len();
        while self.part < count && !block.is_empty() {
            // A part may have other bytes than before.
            let rest = message.part(self.part).get(self.taken..).unwrap_or_default();
            let copied = rest.len().min(block.len());
            let Some(to) = block.split_off_mut(..copied) else { break };
            to.copy_from_slice(&rest[..copied]);
            if copied == rest.len() {
                *self = Self { part: self.part + 1, taken: 0 };
            } else {
                self.taken += copied;
            }
        }
        room - block.len()
    }
}

/// Absorbs at most [`MAX_MESSAGES`] messages and their padding.
fn absorb<P: Parts>(function: Function, states: &mut [State], messages: &[P]) {
    let Function { backend, sponge } = function;
    let mut cursors = [Cursor::default(); MAX_MESSAGES];
    let mut blocks: [Block; MAX_MESSAGES] = [[0; MAX_RATE]; MAX_MESSAGES];
    let mut lanes = [EMPTY; MAX_MESSAGES];
    let mut active: ArrayVec<usize, MAX_MESSAGES> = (0..messages.len()).collect();
    while !active.is_empty() {
        let mut has_ended = [false; MAX_MESSAGES];
        for ((&i, block), lane) in active.iter().zip(&mut blocks).zip(&mut lanes) {
            let len = cursors[i].fill(&messages[i], P::COUNT, &mut block[..sponge.rate]);
            if len < sponge.rate {
                block[len..].fill(0);
                block[len] = sponge.suffix;
                block[sponge.rate - 1] |= 0x80;
                has_ended[i] = true;
            }
            *lane = states[i];
        }
        let mut slices: ArrayVec<&[u8], MAX_MESSAGES> = ArrayVec::new();
        slices.extend(blocks[..active.len()].iter().map(|block| &block[..]));
        let lanes = &mut lanes[..active.len()];
        let pass = pass_of(backend, active.len());
        run(pass, Advance { sponge, states: lanes, blocks: &slices, outputs: &mut [], count: 1 });
        for (&i, lane) in active.iter().zip(lanes) {
            states[i] = *lane;
        }
        active.retain(|i| !has_ended[*i]);
    }
    erase(&mut blocks);
    erase(&mut lanes);
}
