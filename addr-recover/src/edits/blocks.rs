//! Texts that were copied in blocks of four characters, in the orders in which they may be read.

use crate::damage::BLOCK;

/// The places of a text in the order in which they are read. `None` is a symbol that was lost.
pub(crate) type Order = Vec<Option<usize>>;

/// The orders in which two blocks are swapped. The first block begins at `first`, and the last one
/// may be shorter.
pub(crate) fn swapped(length: usize, first: usize) -> Vec<Order> {
    let places: Order = (0..length).map(Some).collect();
    let (before, rest) = places.split_at(first.min(length));
    let blocks: Vec<&[Option<usize>]> = rest.chunks(BLOCK).collect();
    let mut orders = Vec::new();
    for later in 1..blocks.len() {
        for earlier in 0..later {
            let mut swapped = blocks.clone();
            swapped.swap(earlier, later);
            orders.push([before, &swapped.concat()].concat());
        }
    }
    orders
}

/// The orders without a block that repeats the one before it, wherever these are.
pub(crate) fn once<S: PartialEq>(text: &[S]) -> Vec<Order> {
    let begins = BLOCK..(text.len() + 1).saturating_sub(BLOCK);
    let repeats = begins.filter(|&at| text[at - BLOCK..at] == text[at..at + BLOCK]);
    let without = |at: usize| (0..at).chain(at + BLOCK..text.len()).map(Some).collect();
    repeats.map(without).collect()
}

/// The orders with a block that was lost. The first block begins at `first`.
pub(crate) fn lost(length: usize, first: usize) -> Vec<Order> {
    let with = |at: usize| {
        let lost = std::iter::repeat_n(None, BLOCK);
        (0..at).map(Some).chain(lost).chain((at..length).map(Some)).collect()
    };
    (first..=length).step_by(BLOCK).map(with).collect()
}

/// The texts that some orders make of one, sorted. `unknown` stands for a symbol that was lost.
pub(crate) fn ordered<S: Copy + Ord>(text: &[S], unknown: S, orders: &[Order]) -> Vec<Vec<S>> {
    let of = |order: &Order| order.iter().map(|at| at.map_or(unknown, |at| text[at])).collect();
    let mut texts: Vec<Vec<S>> = orders.iter().map(of).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}
