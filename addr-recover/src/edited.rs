//! The texts that edits make of a text of any alphabet: for searches that need each text by itself.
//! Base58 has more of them than can be listed, and an automaton instead (`dfa/edits.rs`).

use std::cmp::Ordering;
use std::ops::Range;

/// A text whose characters may be unknown.
pub(crate) trait Editable: Clone {
    fn length(&self) -> usize;

    /// The text with some unknown characters in the place of others.
    fn spliced(&self, range: Range<usize>, unknown: usize) -> Self;

    /// The text with a character and the one after it in the other order.
    fn swapped(&self, at: usize) -> Self;

    fn order(&self, other: &Self) -> Ordering;
}

/// The symbols of a text; `None` if unreadable.
impl<S: Copy + Ord> Editable for Vec<Option<S>> {
    fn length(&self) -> usize {
        self.len()
    }

    fn spliced(&self, range: Range<usize>, unknown: usize) -> Self {
        [&self[..range.start], &vec![None; unknown], &self[range.end..]].concat()
    }

    fn swapped(&self, at: usize) -> Self {
        let mut text = self.clone();
        text.swap(at, at + 1);
        text
    }

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}

/// One edit of a text, which undoes one of its faults.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edit {
    /// A character is wrong: another one is unknown.
    #[cfg_attr(not(feature = "curve"), allow(dead_code, reason = "of keys"))]
    Wrong,
    /// An unknown one is missing.
    Missing,
    /// One is too many.
    Extra,
    /// Two neighbours are swapped.
    Swapped,
    /// An unknown one was cut off at either end.
    Cut,
}

/// Which texts there are after an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// Those before it, too.
    All,
    /// Only those that it makes.
    Edited,
    /// Only those that it makes, and that were not there before.
    #[cfg_attr(not(feature = "curve"), allow(dead_code, reason = "of keys"))]
    New,
}

impl Edit {
    /// How many texts it makes of one, some of which may be the same.
    fn count(self, length: usize) -> usize {
        match self {
            Self::Wrong | Self::Extra => length,
            Self::Missing => length + 1,
            Self::Swapped => length.saturating_sub(1),
            Self::Cut => 2,
        }
    }

    fn of<T: Editable>(self, text: &T, at: usize) -> T {
        match self {
            Self::Wrong => text.spliced(at..at + 1, 1),
            Self::Missing => text.spliced(at..at, 1),
            Self::Extra => text.spliced(at..at + 1, 0),
            Self::Swapped => text.swapped(at),
            Self::Cut if at == 0 => text.spliced(0..0, 1),
            Self::Cut => text.spliced(text.length()..text.length(), 1),
        }
    }
}

/// The texts that edits make of one, sorted: each so many times, one after another. `None` if there
/// are more than `max` at any time.
pub(crate) fn texts<T: Editable>(
    text: &T,
    edits: &[(Edit, u8, Kept)],
    max: usize,
) -> Option<Vec<T>> {
    let mut texts = vec![text.clone()];
    for &(edit, count, kept) in edits {
        for _ in 0..count {
            let made = |text: &T| edit.count(text.length());
            if texts.len() + texts.iter().map(made).sum::<usize>() > max {
                return None;
            }
            let all = texts.iter().flat_map(|it| (0..made(it)).map(move |at| edit.of(it, at)));
            let mut edited: Vec<T> = all.collect();
            match kept {
                Kept::All => edited.append(&mut texts),
                Kept::New => {
                    edited.retain(|text| texts.binary_search_by(|it| it.order(text)).is_err());
                }
                Kept::Edited => {}
            }
            if edited.is_empty() {
                break;
            }
            edited.sort_unstable_by(T::order);
            edited.dedup_by(|one, other| one.order(other).is_eq());
            texts = edited;
        }
    }
    Some(texts)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Beside all texts that a text of two symbols may become, one edit at a time.
    #[test]
    fn all_texts_are_listed_once() {
        let text = vec![Some(1_u8), Some(2), Some(1)];
        let all = |edits: &[(Edit, u8, Kept)]| texts(&text, edits, 1000).unwrap();
        for (edit, kept, count) in [
            (Edit::Wrong, Kept::All, 4),
            (Edit::Wrong, Kept::New, 3),
            (Edit::Missing, Kept::Edited, 4),
            (Edit::Extra, Kept::Edited, 3),
            (Edit::Swapped, Kept::All, 3),
            (Edit::Cut, Kept::Edited, 2),
        ] {
            let found = all(&[(edit, 1, kept)]);
            assert_eq!(found.len(), count, "{edit:?}");
            let once: BTreeSet<_> = found.iter().collect();
            assert_eq!(once.len(), count, "{edit:?}");
        }
        // Of two extra characters, any one is left.
        let left = all(&[(Edit::Extra, 2, Kept::Edited)]);
        assert_eq!(left, [vec![Some(1)], vec![Some(2)]]);
        let cut = all(&[(Edit::Cut, 2, Kept::All)]);
        assert_eq!(cut.len(), 6, "none, one or two at each end");
        assert_eq!(texts(&text, &[(Edit::Missing, 2, Kept::All)], 10), None);
    }
}
