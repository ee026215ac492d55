//! Loads the states of messages into lanes, and stores them.

use arrayvec::ArrayVec;

use crate::hash::{GROUP, LaneHash};
use crate::lanes::Lanes;
use crate::word::{Array, ByteOrder, ROW_WORDS, Row, Word};

/// A row of zeros.
#[inline(always)]
pub(crate) fn zero_row<H: LaneHash>() -> Row<H::Word> {
    Array::filled(0)
}

/// The first `count` of some rows, which grow as needed.
///
/// # Panics
///
/// Panics if `count` is above [`GROUP`].
#[inline]
pub fn first_rows<R: Array<u8>>(rows: &mut ArrayVec<R, GROUP>, count: usize) -> &mut [R] {
    // By one `memset`: `extend` takes nine instructions for each row.
    let missing = count.saturating_sub(rows.len());
    rows.try_extend_from_slice(&[R::filled(0); GROUP][..missing]).expect("at most a group");
    &mut rows[..count]
}

/// The state of each lane, from its row; mark the closure `#[inline(always)]`.
#[inline(always)]
pub(crate) fn load_states<'r, V: Lanes, H: LaneHash<Word = V::Word>>(
    token: V::Token,
    row: impl Fn(usize) -> &'r Row<V::Word>,
) -> H::State<V> {
    let words = V::load_rows(token, H::ORDER, row);
    let mut state: H::State<V> = Array::filled(words[0]);
    state.elements_mut().copy_from_slice(&words[..H::STATE_WORDS]);
    state
}

/// Stores the state of each lane.
///
/// # Panics
///
/// Panics if `rows.len() < V::COUNT`.
#[inline(always)]
pub fn store_rows<V: Lanes, H: LaneHash<Word = V::Word>>(
    token: V::Token,
    state: H::State<V>,
    rows: &mut [Row<V::Word>],
) {
    let mut words = [V::splat(token, V::Word::default()); ROW_WORDS];
    for i in 0..H::STATE_WORDS {
        let word = state.elements()[i];
        words[i] = if H::ORDER.is_foreign() { word.swap_bytes() } else { word };
    }
    store_words(words, ByteOrder::NATIVE, rows);
}

/// Stores eight words of each lane, as bytes in `order`.
///
/// # Panics
///
/// Panics if `rows.len() < V::COUNT`.
#[inline(always)]
pub(crate) fn store_words<V: Lanes>(
    words: [V; ROW_WORDS],
    order: ByteOrder,
    rows: &mut [Row<V::Word>],
) {
    let rows = &mut rows[..V::COUNT];
    V::store_rows(
        words,
        #[inline(always)]
        |lane, words| rows[lane] = V::Word::row_of(words, order),
    );
}
