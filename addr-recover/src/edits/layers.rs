//! The deterministic edit automaton: all texts of one length, each of which is one path.

use std::collections::HashMap;

use zeroize::{Zeroize, Zeroizing};

use super::{Edits, Position, Symbols};

/// The index of a state.
pub(crate) type StateId = u32;

/// The maximum number of states: some ten megabytes, and more than any damage needs that is
/// feasible to search.
const MAX_STATES: usize = 40_000;

/// The maximum number of positions in all states: less than a second.
const MAX_POSITIONS: usize = 1 << 20;

/// Which symbols lead from a state to which one of the next layer.
type Row = Vec<(Symbols, StateId)>;

/// The states after each number of symbols. The first layer has one state.
pub(crate) struct Layers {
    /// The rows of the states of each layer but the last. Wiped, and none of its parts grows: they
    /// spell what may be a key.
    pub(crate) rows: Zeroizing<Vec<Vec<Row>>>,
    /// Which states of the last layer end a text.
    pub(crate) accepted: Vec<bool>,
}

impl Layers {
    /// The subset construction. `None` if there are too many states.
    pub(crate) fn new(edits: &Edits, length: usize) -> Option<Self> {
        let mut rows = Zeroizing::new(Vec::with_capacity(length));
        let mut layer: Vec<Vec<Position>> = vec![edits.start(length)];
        let mut ids: HashMap<Vec<Position>, StateId> = HashMap::new();
        let (mut states, mut positions) = (1, 0);
        for at in 0..length {
            let mut of_layer = Vec::with_capacity(layer.len());
            for subset in &layer {
                let classes = Zeroizing::new(edits.classes(subset));
                let mut row = Row::with_capacity(classes.len());
                for &class in &*classes {
                    let symbol = class.trailing_zeros() as usize;
                    let next = edits.step(subset, symbol, length - at - 1);
                    if next.is_empty() {
                        continue;
                    }
                    let new = ids.len() as StateId;
                    let id = *ids.entry(next).or_insert_with_key(|next| {
                        positions += next.len();
                        new
                    });
                    row.push((class, id));
                }
                of_layer.push(row);
                if states + ids.len() > MAX_STATES || positions > MAX_POSITIONS {
                    of_layer.zeroize();
                    return None;
                }
            }
            states += ids.len();
            rows.push(of_layer);
            layer = vec![Vec::new(); ids.len()];
            ids.drain().for_each(|(subset, id)| layer[id as usize] = subset);
        }
        let accepts = |subset: &Vec<Position>| subset.iter().any(|&it| edits.is_at_end(it));
        Some(Self { rows, accepted: layer.iter().map(accepts).collect() })
    }

    /// The number of texts after each state, of the last layer first; saturating.
    fn counts(&self) -> Vec<Vec<usize>> {
        let mut counts = vec![self.accepted.iter().map(|&yes| usize::from(yes)).collect()];
        for rows in self.rows.iter().rev() {
            let after: &Vec<usize> = &counts[counts.len() - 1];
            let of = |&(symbols, next): &(Symbols, StateId)| {
                after[next as usize].saturating_mul(symbols.count_ones() as usize)
            };
            let of_row = |row: &Row| row.iter().map(of).fold(0, usize::saturating_add);
            counts.push(rows.iter().map(of_row).collect());
        }
        counts
    }

    /// The number of texts; saturating.
    pub(crate) fn count(&self) -> usize {
        self.counts().last().and_then(|first| first.first()).copied().unwrap_or(0)
    }

    /// Appends all texts, in ascending order.
    pub(crate) fn append_texts<S: Copy + Zeroize>(&self, symbols: &[S], texts: &mut Vec<Vec<S>>) {
        let mut counts = self.counts();
        counts.reverse();
        let mut text = Zeroizing::new(Vec::with_capacity(self.rows.len()));
        self.append_after(0, &counts, symbols, &mut text, texts);
    }

    /// Appends the texts that begin with `text`, after which the automaton is in this state.
    fn append_after<S: Copy + Zeroize>(
        &self,
        state: StateId,
        counts: &[Vec<usize>],
        symbols: &[S],
        text: &mut Vec<S>,
        texts: &mut Vec<Vec<S>>,
    ) {
        let at = text.len();
        if counts[at][state as usize] == 0 {
            return;
        }
        let Some(rows) = self.rows.get(at) else { return texts.push(text.clone()) };
        let row = &rows[state as usize];
        let mut left = row.iter().fold(0, |all, (symbols, _)| all | symbols);
        while left != 0 {
            let symbol = left.trailing_zeros() as usize;
            left &= left - 1;
            let next = row.iter().find(|(symbols, _)| symbols >> symbol & 1 == 1);
            if let Some(&(_, next)) = next {
                text.push(symbols[symbol]);
                self.append_after(next, counts, symbols, text, texts);
                text.truncate(at);
            }
        }
    }
}
