//! Represents all texts of one length that a pattern allows as a minimal DFA.
//!
//! Each text is one path through it, however many kinds of damage could have led to it. So nothing
//! is counted or searched twice.

use std::collections::HashMap;

use zeroize::Zeroize;

use crate::alphabet::{Alphabet, BASE};
use crate::edits::{Edits, Layers, StateId};
use crate::number::{CHECKSUMS, Natural, Number, TAIL_PLACES};
use crate::parse_error::ParseError;
use crate::pattern::Pattern;

/// The target of digits that no text has.
const DEAD: StateId = StateId::MAX;

/// A state: the rests of texts that may follow some first digits.
#[derive(Clone, Debug)]
pub(crate) struct State<N> {
    /// The state that each digit leads to.
    next: [StateId; BASE],
    /// The numbers that the rests make.
    numbers: NumberSet<N>,
    /// The number of heads, which are rests without their tails; saturating.
    pub(crate) heads: u64,
    /// If there is only one head: the state that it leads to, and the number that it makes.
    pub(crate) only_head: (StateId, N),
}

/// The texts that begin with some digits.
#[derive(Clone, Copy, Debug)]
pub struct Node<N = Number> {
    /// The state that the digits lead to.
    pub(crate) state: StateId,
    /// The number of digits that follow.
    pub(crate) places: usize,
    /// The number that the digits make, if only zeros follow.
    pub(crate) base: N,
}

/// A set of texts of one length.
#[derive(Clone, Debug)]
pub struct Dfa<N = Number> {
    states: Vec<State<N>>,
    /// The initial state; `None` if there are no texts.
    root: Option<StateId>,
    /// The number of characters of every text.
    pub(crate) length: usize,
    pub(crate) alphabet: Alphabet,
}

impl<N: Natural> Dfa<N> {
    /// Builds the DFA of the texts of this length that a pattern allows. The digits have their
    /// values in an alphabet.
    pub(crate) fn new(
        pattern: &Pattern,
        length: usize,
        alphabet: Alphabet,
    ) -> Result<Self, ParseError> {
        let layers = Layers::new(
            &Edits::of(&pattern.damage, &pattern.places.digits, pattern.places.gap, alphabet),
            length,
        );
        Ok(Self::merged(&layers.ok_or(ParseError::TooComplex)?, alphabet))
    }

    /// Minimises the DFA: merges states with the same rests, and removes those without any.
    fn merged(layers: &Layers, alphabet: Alphabet) -> Self {
        let mut states = Vec::with_capacity(1 + layers.rows.iter().map(Vec::len).sum::<usize>());
        // After the last digit, in state 0: one empty rest.
        states.push(State {
            next: [DEAD; BASE],
            numbers: NumberSet::zero(),
            heads: 1,
            only_head: (0, N::from(0)),
        });
        let mut merged: Vec<StateId> =
            layers.accepted.iter().map(|&yes| if yes { 0 } else { DEAD }).collect();
        for (place, rows) in layers.rows.iter().rev().enumerate() {
            let mut ids = HashMap::new();
            let mut now = Vec::new();
            for row in rows {
                let mut next = [DEAD; BASE];
                for &(mut digits, target) in row {
                    while digits != 0 {
                        next[digits.trailing_zeros() as usize] = merged[target as usize];
                        digits &= digits - 1;
                    }
                }
                now.push(*ids.entry(next).or_insert_with(|| {
                    let id = states.len() as StateId;
                    let state = State::new(id, next, place, &states);
                    let exists = state.is_some();
                    states.extend(state);
                    if exists { id } else { DEAD }
                }));
            }
            merged = now;
        }
        let root = Some(merged[0]).filter(|&root| root != DEAD);
        Self { states, root, length: layers.rows.len(), alphabet }
    }

    /// All texts; `None` if there are none.
    pub(crate) fn root(&self) -> Option<Node<N>> {
        self.root.map(|state| Node { state, places: self.length, base: N::from(0) })
    }

    /// Whether a text is one of these.
    pub(crate) fn spells(&self, text: &str) -> bool {
        let next = |state: StateId, character| {
            self.next(state, usize::from(self.alphabet.value(character)?))
        };
        text.len() == self.length
            && self.root.and_then(|root| text.chars().try_fold(root, next)).is_some()
    }

    pub(crate) fn next(&self, state: StateId, digit: usize) -> Option<StateId> {
        Some(self.states[state as usize].next[digit]).filter(|&next| next != DEAD)
    }

    /// The node with one more digit.
    pub(crate) fn after(&self, node: Node<N>, digit: usize) -> Option<Node<N>> {
        let places = node.places - 1;
        let state = self.next(node.state, digit)?;
        Some(Node { state, places, base: node.base + N::product(digit, places) })
    }

    /// The digits that may follow a state, ascending, and the states that they lead to.
    pub(crate) fn digits(&self, state: StateId) -> impl Iterator<Item = (usize, StateId)> {
        let next = &self.states[state as usize].next;
        next.iter().copied().enumerate().filter(|&(_, next)| next != DEAD)
    }

    /// The nodes with one more digit, in ascending order.
    pub(crate) fn longer(&self, node: Node<N>) -> impl Iterator<Item = Node<N>> {
        (0..BASE).filter_map(move |digit| self.after(node, digit))
    }

    /// Whether a state may be followed by exactly `places` digits that make `number`: those of the
    /// tail, and at most one more.
    pub(crate) fn accepts(&self, state: StateId, places: usize, mut number: u64) -> bool {
        let mut digits = [0; TAIL_PLACES + 1];
        for digit in digits[..places].iter_mut().rev() {
            (*digit, number) = ((number % BASE as u64) as usize, number / BASE as u64);
        }
        let mut digits = digits[..places].iter();
        number == 0 && digits.try_fold(state, |state, &digit| self.next(state, digit)).is_some()
    }

    /// Wipes the digits and the numbers of the texts.
    pub(crate) fn wipe(&mut self) {
        for state in &mut self.states {
            state.next.zeroize();
            state.numbers.first.zeroize();
            state.numbers.last.zeroize();
            state.only_head.1.zeroize();
        }
    }

    /// The numbers of a node.
    pub(crate) fn numbers(&self, node: Node<N>) -> NumberSet<N> {
        self.states[node.state as usize].numbers.shifted(node.base)
    }

    pub(crate) fn state(&self, state: StateId) -> &State<N> {
        &self.states[state as usize]
    }

    /// The texts of a node whose numbers are from `low` to `high`, as a node with a state of its
    /// own unless these are all.
    pub(crate) fn clip(&mut self, node: Node<N>, (low, high): (N, N)) -> Option<Node<N>> {
        let all = self.numbers(node);
        if all.last < low || all.first > high {
            return None;
        }
        if all.first >= low && all.last <= high {
            return Some(node);
        }
        let mut next = [DEAD; BASE];
        for digit in 0..BASE {
            let longer = self.after(node, digit).and_then(|longer| self.clip(longer, (low, high)));
            next[digit] = longer.map_or(DEAD, |longer| longer.state);
        }
        let state = self.states.len() as StateId;
        let clipped = State::new(state, next, node.places - 1, &self.states)?;
        if self.states.len() == self.states.capacity() {
            // A vector that grows by itself leaves a copy of what may be a key behind.
            let mut states = Vec::with_capacity(2 * self.states.len());
            states.extend_from_slice(&self.states);
            self.wipe();
            self.states = states;
        }
        self.states.push(clipped);
        Some(Node { state, ..node })
    }
}

impl<N: Natural> State<N> {
    /// The state whose rests begin with a digit in `place`. `None` if there are none.
    fn new(id: StateId, next: [StateId; BASE], place: usize, states: &[Self]) -> Option<Self> {
        let in_tail = place < TAIL_PLACES;
        let mut numbers: Option<NumberSet<N>> = None;
        let (mut heads, mut only_head) = (u64::from(in_tail), (id, N::from(0)));
        let mut digit = 0;
        // Mostly, many digits in a row lead to the same state.
        for run in next.chunk_by(|a, b| a == b) {
            // `DEAD` is out of range.
            if let Some(target) = states.get(run[0] as usize) {
                let (first, apart) = (N::product(digit, place), N::product(1, place));
                let set = target.numbers.shifted(first).repeated(run.len(), apart);
                numbers = Some(match numbers.take() {
                    None => set,
                    Some(earlier) => earlier.followed_by(set),
                });
                if !in_tail {
                    let more = target.heads.saturating_mul(run.len() as u64);
                    heads = heads.saturating_add(more);
                    let (state, head) = target.only_head;
                    only_head = (state, head + N::product(digit + run.len() - 1, place));
                }
            }
            digit += run.len();
        }
        Some(Self { next, numbers: numbers?, heads, only_head })
    }
}

/// A summary of a set of numbers: its size, its ends, and how many prefixes it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberSet<N = Number> {
    /// The number of elements.
    pub(crate) count: N,
    /// The number of integers that are less than 2^32 above an element, or equal to one.
    ///
    /// Divided by 2^32, it is the number of prefixes: exactly on average over all shifts of the
    /// set, and within about a hundredth of a percent for a set of a million numbers.
    pub(crate) reach: N,
    pub(crate) first: N,
    pub(crate) last: N,
}

impl<N: Natural> NumberSet<N> {
    /// The set that contains only 0.
    pub(crate) fn zero() -> Self {
        let zero = N::from(0);
        let reach = N::from(CHECKSUMS);
        Self { count: N::from(1), reach, first: zero, last: zero }
    }

    /// The set with `by` added to each number.
    pub(crate) fn shifted(self, by: N) -> Self {
        Self { first: self.first + by, last: self.last + by, ..self }
    }

    /// The union with a set whose numbers are all greater.
    pub(crate) fn followed_by(self, later: Self) -> Self {
        Self {
            count: self.count + later.count,
            reach: self.reach + later.reach - self.reached_twice(later.first),
            first: self.first,
            last: later.last,
        }
    }

    /// The union of some copies of the set, each `apart` above the one before.
    pub(crate) fn repeated(self, copies: usize, apart: N) -> Self {
        let (copies, again) = (copies as u64, copies as u64 - 1);
        let reached_twice = self.reached_twice(self.first + apart).times(again);
        Self {
            count: self.count.times(copies),
            reach: self.reach.times(copies) - reached_twice,
            first: self.first,
            last: self.last + apart.times(again),
        }
    }

    /// How much of the reach is that of a greater set, too, which begins with `first`. Only the
    /// nearest numbers of both matter.
    fn reached_twice(self, first: N) -> N {
        let (gap, checksums) = (first - self.last, N::from(CHECKSUMS));
        if gap < checksums { checksums - gap } else { N::from(0) }
    }

    /// The approximate number of prefixes.
    pub(crate) fn prefixes(self) -> f64 {
        self.reach.rounded() / CHECKSUMS as f64
    }
}
