//! The working memory for messages of equal shape, and the states of messages in lanes.

use arrayvec::ArrayVec;

use crate::lanes::{Lanes, MAX_LANES};
use crate::padding::Padding;

/// The working memory for messages of equal shape. What a message shares with its predecessor in
/// the lane is written only once, so keep it from group to group.
#[derive(Debug)]
pub struct Scratch<'m, const WORDS: usize> {
    pub(crate) initial: InitialStates<'m, WORDS>,
    pub(crate) paddings: ArrayVec<Padding, MAX_LANES>,
}

/// The initial states of the lanes.
#[derive(Debug)]
pub(crate) struct InitialStates<'m, const WORDS: usize> {
    /// Created when lanes are first filled.
    pub(crate) states: Option<States<WORDS>>,
    /// Where each comes from; `None` is the IV.
    pub(crate) origins: [Option<&'m [u32; WORDS]>; MAX_LANES],
}

impl<const WORDS: usize> Scratch<'_, WORDS> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self {
            initial: InitialStates { states: None, origins: [None; MAX_LANES] },
            paddings: ArrayVec::new_const(),
        }
    }
}

/// One row per word of the state, one column per lane.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct States<const WORDS: usize>([[u32; MAX_LANES]; WORDS]);

impl<const WORDS: usize> States<WORDS> {
    /// The same state in every lane.
    #[inline]
    pub(crate) fn splat(state: &[u32; WORDS]) -> Self {
        Self(state.map(|word| [word; MAX_LANES]))
    }

    #[inline]
    pub(crate) fn set(&mut self, lane: usize, state: &[u32; WORDS]) {
        for (row, &word) in self.0.iter_mut().zip(state) {
            row[lane] = word;
        }
    }

    #[inline]
    pub(crate) fn get(&self, lane: usize) -> [u32; WORDS] {
        let mut state = [0; WORDS];
        for (word, row) in state.iter_mut().zip(&self.0) {
            *word = row[lane];
        }
        state
    }

    #[inline(always)]
    pub(crate) fn load<V: Lanes>(&self, token: V::Token) -> [V; WORDS] {
        let mut state = [V::splat(token, 0); WORDS];
        for i in 0..WORDS {
            state[i] = V::from_words(token, &self.0[i]);
        }
        state
    }

    #[inline(always)]
    pub(crate) fn store<V: Lanes>(&mut self, state: [V; WORDS]) {
        for i in 0..WORDS {
            state[i].to_words(&mut self.0[i]);
        }
    }
}
