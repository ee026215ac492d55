//! What follows a state of the automaton of a key: counts, and the ends of tails.

use zeroize::Zeroize;

use super::wide::{LIMBS, Wide, weight};
use crate::number::{Number, SMALL_WEIGHTS, TAIL_PLACES};
use crate::pattern::alphabet::BASE;
use crate::search_space::dfa::{Rests, StateId};

/// The rests of texts of any length.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    /// The number of rests; saturating.
    pub(crate) count: Number,
    /// The number of heads, which are rests without their tails; saturating.
    pub(crate) heads: u64,
    /// If there is only one head: the state that it leads to, and the number that it makes.
    pub(crate) only_head: (StateId, Wide),
    /// Within the tail, the smallest and the greatest number that the rests make.
    pub(crate) ends: (u64, u64),
}

impl Zeroize for Counts {
    fn zeroize(&mut self) {
        self.only_head.1.zeroize();
        self.ends.zeroize();
    }
}

impl Rests for Counts {
    const ENDING: Self =
        Self { count: Number::ONE, heads: 1, only_head: (0, Wide::ZERO), ends: (0, 0) };

    fn new<'a>(
        state: StateId,
        place: usize,
        target: impl Fn(usize) -> Option<&'a Self>,
    ) -> Option<Self> {
        let rests = || (0..BASE).filter_map(|digit| Some((digit as u64, target(digit)?)));
        let ((first, first_rests), (last, last_rests)) = (rests().next()?, rests().last()?);
        let (mut heads, mut only_head, mut ends) = (1, (state, Wide::ZERO), (0, 0));
        if place >= TAIL_PLACES {
            let (state, head) = last_rests.only_head;
            only_head = (state, head.plus_product(last, weight(place), LIMBS));
            heads = rests().fold(0, |sum: u64, (_, next)| sum.saturating_add(next.heads));
        } else {
            let weight = SMALL_WEIGHTS[place];
            ends = (first * weight + first_rests.ends.0, last * weight + last_rests.ends.1);
        }
        let count = rests().fold(Number::ZERO, |sum, (_, next)| sum.saturating_add(next.count));
        Some(Self { count, heads, only_head, ends })
    }
}
