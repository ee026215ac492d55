//! The tails that follow a state, as a list that is walked faster than the DFA.

use std::collections::HashMap;
use std::rc::Rc;

use crate::candidate_hasher::pending::Anchor;
use crate::number::{CHECKSUMS, Number, TAIL_PLACES, product};
use crate::search_space::dfa::{Dfa, StateId};

/// The places whose candidates have one anchor: candidates that differ only here may share a
/// prefix.
pub(crate) const BLOCK_PLACES: usize = TAIL_PLACES + 1;

/// The maximum number of heads that are listed, unless they are those of a block.
const MAX_HEADS: u64 = 4096;

/// The maximum number of leaves that a thread keeps: 16 MiB.
const MAX_KEPT: usize = 1 << 18;

/// Bounds that exclude nothing.
const EVERYTHING: (Number, Number) = (Number::ZERO, Number::MAX);

/// The tails that follow one head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// The smallest number, above that of the state where the list begins.
    pub(crate) first: Number,
    /// The difference between the greatest and the smallest.
    pub(crate) span: u32,
    /// Whether they may share a prefix with the leaf before.
    pub(crate) is_near: bool,
    /// A state that they pass through.
    pub(crate) anchor: Anchor,
}

/// The lists of leaves that a thread has made, by part and state.
#[derive(Debug, Default)]
pub(crate) struct Leaves {
    lists: HashMap<(usize, StateId), Rc<[Leaf]>>,
    kept: usize,
}

impl Leaves {
    /// Whether the leaves after a state are to be listed.
    pub(crate) fn are_few(dfa: &Dfa, state: StateId, places: usize) -> bool {
        places <= BLOCK_PLACES || dfa.heads(state) <= MAX_HEADS
    }

    /// The leaves after a state, in numeric order.
    pub(crate) fn of(
        &mut self,
        part: usize,
        dfa: &Dfa,
        state: StateId,
        places: usize,
    ) -> Rc<[Leaf]> {
        if let Some(leaves) = self.lists.get(&(part, state)) {
            return Rc::clone(leaves);
        }
        let mut leaves = Vec::new();
        append(dfa, state, places, Number::ZERO, &mut leaves);
        for at in 1..leaves.len() {
            let before: &Leaf = &leaves[at - 1];
            let last = before.first + Number::from(before.span);
            leaves[at].is_near = leaves[at].first - last < CHECKSUMS;
        }
        if self.kept + leaves.len() > MAX_KEPT {
            *self = Self::default();
        }
        self.kept += leaves.len();
        let leaves: Rc<[Leaf]> = leaves.into();
        self.lists.insert((part, state), Rc::clone(&leaves));
        leaves
    }
}

/// Appends all leaves that begin with the digits of `base`.
fn append(dfa: &Dfa, state: StateId, places: usize, base: Number, leaves: &mut Vec<Leaf>) {
    if places > TAIL_PLACES && dfa.heads(state) == 1 {
        // Most candidates of damage that may be anywhere come through here.
        let (state, head) = dfa.only_head(state);
        append_block(dfa, state, TAIL_PLACES, base + head, EVERYTHING, leaves);
    } else if places <= BLOCK_PLACES {
        append_block(dfa, state, places, base, EVERYTHING, leaves);
    } else {
        for (digit, next) in dfa.digits(state) {
            append(dfa, next, places - 1, base + product(digit, places - 1), leaves);
        }
    }
}

/// Appends the leaves that begin with the digits of `base` and are within the bounds. They have one
/// anchor: the state after these digits.
pub(crate) fn append_block(
    dfa: &Dfa,
    state: StateId,
    places: usize,
    base: Number,
    bounds: (Number, Number),
    leaves: &mut Vec<Leaf>,
) {
    let anchor = Anchor { state, places, base: base.as_u64() };
    let mut append_tails = |state, places, base| {
        if let Some(tails) = dfa.within(state, places, base, bounds) {
            let span = (tails.last - tails.first).as_u32();
            leaves.push(Leaf { first: tails.first, span, is_near: true, anchor });
        }
    };
    if places <= TAIL_PLACES {
        append_tails(state, places, base);
    } else {
        for (digit, next) in dfa.digits(state) {
            append_tails(next, TAIL_PLACES, base + product(digit, TAIL_PLACES));
        }
    }
}
