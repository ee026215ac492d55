//! The tails that follow a state, as a list that is walked faster than the DFA.

use std::collections::HashMap;
use std::rc::Rc;

use zeroize::{Zeroize, Zeroizing};

use crate::format::Anchor;
use crate::number::{CHECKSUM_BITS, Natural, TAIL_PLACES};
use crate::search_space::dfa::{Dfa, StateId};

/// The places whose candidates have one anchor: candidates that differ only here may share a
/// prefix.
pub(crate) const BLOCK_PLACES: usize = TAIL_PLACES + 1;

/// The maximum number of heads that are listed, unless they are those of a block.
const MAX_HEADS: u64 = 4096;

/// The maximum number of leaves that a thread keeps: 16 MiB.
const MAX_KEPT: usize = 1 << 18;

/// The tails that follow one head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf<N> {
    /// The smallest number, above that of the state where the list begins.
    pub(crate) first: N,
    /// The difference between the greatest and the smallest.
    pub(crate) span: u32,
    /// Whether they may share a prefix with the leaf before.
    pub(crate) is_near: bool,
    /// A state that they pass through.
    pub(crate) anchor: Anchor,
}

impl<N: Natural> Zeroize for Leaf<N> {
    fn zeroize(&mut self) {
        self.first.wipe();
        self.anchor.base.zeroize();
    }
}

/// Leaves, which are wiped: they may be those of keys.
type List<N> = Rc<Zeroizing<Vec<Leaf<N>>>>;

/// The lists of leaves that a thread has made, by part and state.
#[derive(Debug)]
pub(crate) struct Leaves<N: Natural> {
    lists: HashMap<(usize, StateId), List<N>>,
    kept: usize,
}

impl<N: Natural> Default for Leaves<N> {
    fn default() -> Self {
        Self { lists: HashMap::new(), kept: 0 }
    }
}

impl<N: Natural> Leaves<N> {
    /// Whether the leaves after a state are to be listed.
    pub(crate) fn are_few(dfa: &Dfa<N>, state: StateId, places: usize) -> bool {
        places <= BLOCK_PLACES || dfa.heads(state) <= MAX_HEADS
    }

    /// The leaves after a state, in numeric order.
    pub(crate) fn of(
        &mut self,
        part: usize,
        dfa: &Dfa<N>,
        state: StateId,
        places: usize,
    ) -> List<N> {
        if let Some(leaves) = self.lists.get(&(part, state)) {
            return Rc::clone(leaves);
        }
        let mut leaves = Vec::new();
        append(dfa, state, places, 0.into(), &mut leaves);
        for at in 1..leaves.len() {
            let before: &Leaf<N> = &leaves[at - 1];
            let last = before.first + u64::from(before.span).into();
            leaves[at].is_near = leaves[at].first - last < N::from(1 << CHECKSUM_BITS);
        }
        if self.kept + leaves.len() > MAX_KEPT {
            *self = Self::default();
        }
        self.kept += leaves.len();
        let leaves = Rc::new(Zeroizing::new(leaves));
        self.lists.insert((part, state), Rc::clone(&leaves));
        leaves
    }
}

/// Appends all leaves that begin with the digits of `base`.
fn append<N: Natural>(
    dfa: &Dfa<N>,
    state: StateId,
    places: usize,
    base: N,
    leaves: &mut Vec<Leaf<N>>,
) {
    if places > TAIL_PLACES && dfa.heads(state) == 1 {
        // Most candidates of damage that may be anywhere come through here.
        let (state, head) = dfa.only_head(state);
        append_block(dfa, state, TAIL_PLACES, base + head, None, leaves);
    } else if places <= BLOCK_PLACES {
        append_block(dfa, state, places, base, None, leaves);
    } else {
        for (digit, next) in dfa.digits(state) {
            append(dfa, next, places - 1, base + N::product(digit, places - 1), leaves);
        }
    }
}

/// Appends the leaves that begin with the digits of `base` and are within the bounds, if there are
/// any. They have one anchor: the state after these digits.
pub(crate) fn append_block<N: Natural>(
    dfa: &Dfa<N>,
    state: StateId,
    places: usize,
    base: N,
    bounds: Option<(N, N)>,
    leaves: &mut Vec<Leaf<N>>,
) {
    let anchor = Anchor { state, places, base: base.low() };
    let mut append_tails = |state, places, base| {
        let tails = match bounds {
            Some(bounds) => dfa.within(state, places, base, bounds),
            None => Some(dfa.numbers(state).shifted(base)),
        };
        if let Some(tails) = tails {
            let span = (tails.last - tails.first).low() as u32;
            leaves.push(Leaf { first: tails.first, span, is_near: true, anchor });
        }
    };
    if places <= TAIL_PLACES {
        append_tails(state, places, base);
    } else {
        for (digit, next) in dfa.digits(state) {
            append_tails(next, TAIL_PLACES, base + N::product(digit, TAIL_PLACES));
        }
    }
}
