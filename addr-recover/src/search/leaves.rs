//! The tails that follow a state, as a list that is walked faster than the DFA.

use std::collections::HashMap;
use std::rc::Rc;

use zeroize::{Zeroize, Zeroizing};

use crate::format::Anchor;
use crate::number::{CHECKSUMS, Natural, TAIL_PLACES};
use crate::search_space::dfa::{Dfa, Node, StateId};

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
        self.first.zeroize();
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
    /// Whether the leaves of a node are to be listed.
    pub(crate) fn are_few(dfa: &Dfa<N>, node: Node<N>) -> bool {
        node.places <= BLOCK_PLACES || dfa.heads(node.state) <= MAX_HEADS
    }

    /// The leaves of a node whose base is zero, in numeric order.
    pub(crate) fn of(&mut self, part: usize, dfa: &Dfa<N>, node: Node<N>) -> List<N> {
        if let Some(leaves) = self.lists.get(&(part, node.state)) {
            return Rc::clone(leaves);
        }
        let mut leaves = Vec::new();
        append(dfa, node, &mut leaves);
        for at in 1..leaves.len() {
            let before: &Leaf<N> = &leaves[at - 1];
            let last = before.first + u64::from(before.span).into();
            leaves[at].is_near = leaves[at].first - last < N::from(CHECKSUMS);
        }
        if self.kept + leaves.len() > MAX_KEPT {
            *self = Self::default();
        }
        self.kept += leaves.len();
        let leaves = Rc::new(Zeroizing::new(leaves));
        self.lists.insert((part, node.state), Rc::clone(&leaves));
        leaves
    }
}

/// Appends all leaves of a node.
fn append<N: Natural>(dfa: &Dfa<N>, node: Node<N>, leaves: &mut Vec<Leaf<N>>) {
    if node.places > TAIL_PLACES && dfa.heads(node.state) == 1 {
        // Most candidates of damage that may be anywhere come through here.
        let (state, head) = dfa.only_head(node.state);
        let tail = Node { state, places: TAIL_PLACES, base: node.base + head };
        append_block(dfa, tail, None, leaves);
    } else if node.places <= BLOCK_PLACES {
        append_block(dfa, node, None, leaves);
    } else {
        dfa.longer(node).for_each(|longer| append(dfa, longer, leaves));
    }
}

/// Appends the leaves of a node that are within the bounds, if there are any. They have one anchor:
/// its state.
pub(crate) fn append_block<N: Natural>(
    dfa: &Dfa<N>,
    node: Node<N>,
    bounds: Option<(N, N)>,
    leaves: &mut Vec<Leaf<N>>,
) {
    let anchor = Anchor { state: node.state, places: node.places, base: node.base.low() };
    let mut append_tails = |tail| {
        let tails = match bounds {
            Some(bounds) => dfa.within(tail, bounds),
            None => Some(dfa.numbers(tail)),
        };
        if let Some(tails) = tails {
            let span = (tails.last - tails.first).low() as u32;
            leaves.push(Leaf { first: tails.first, span, is_near: true, anchor });
        }
    };
    if node.places <= TAIL_PLACES {
        append_tails(node);
    } else {
        dfa.longer(node).for_each(append_tails);
    }
}
