use std::collections::BTreeSet;

use proptest::prelude::*;

use super::blocks::{lost, once, ordered, swapped};
use super::*;

/// Stands for an unknown symbol.
const UNKNOWN: u8 = 9;

const KINDS: [Edit; 5] = [Edit::Typo, Edit::Missing, Edit::Surplus, Edit::Swapped, Edit::Cut];

/// Every text that up to so many edits of each kind make of one, one after another in any order,
/// and how many of each are left.
fn tried(text: &[u8], counts: [u8; 5]) -> BTreeSet<(Vec<u8>, [u8; 5])> {
    let mut all = BTreeSet::from([(text.to_vec(), counts)]);
    let mut todo: Vec<(Vec<u8>, [u8; 5])> = all.iter().cloned().collect();
    while let Some((text, left)) = todo.pop() {
        for kind in (0..5).filter(|&kind| left[kind] > 0) {
            let mut left = left;
            left[kind] -= 1;
            for at in 0..=text.len() {
                let mut text = text.clone();
                match KINDS[kind] {
                    Edit::Typo if at < text.len() => text[at] = UNKNOWN,
                    Edit::Missing => text.insert(at, UNKNOWN),
                    Edit::Surplus if at < text.len() => drop(text.remove(at)),
                    Edit::Swapped if at + 1 < text.len() => text.swap(at, at + 1),
                    Edit::Cut if at == 0 || at == text.len() => text.insert(at, UNKNOWN),
                    _ => continue,
                }
                if all.insert((text.clone(), left)) {
                    todo.push((text, left));
                }
            }
        }
    }
    all
}

/// The texts of all lengths that the automaton lists, each of which is there once and in order.
fn listed(text: &[u8], counts: [RangeInclusive<u8>; 5]) -> BTreeSet<Vec<u8>> {
    let counts: Vec<_> = KINDS.into_iter().zip(counts).collect();
    let of_length = |length| {
        let listed = texts(text, UNKNOWN, &counts, &[length], usize::MAX).unwrap();
        assert!(listed.is_sorted_by(|one, next| one < next), "{text:?} {counts:?}");
        let less = texts(text, UNKNOWN, &counts, &[length], listed.len().saturating_sub(1));
        assert_eq!(less.is_none(), !listed.is_empty());
        listed
    };
    (0..text.len() + 10).flat_map(of_length).collect()
}

/// Texts of three symbols, one of which may be unknown, and up to four edits.
fn asked() -> impl Strategy<Value = (Vec<u8>, [u8; 5])> {
    let symbols = prop::collection::vec(prop::sample::select(vec![1, 2, 3, UNKNOWN]), 1..7);
    let counts = prop::collection::vec(0..5_usize, 0..5).prop_map(|kinds| {
        let mut counts = [0; 5];
        kinds.into_iter().for_each(|kind| counts[kind] += 1);
        counts
    });
    (symbols, counts)
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(300)
    })]

    #[test]
    fn the_texts_are_those_of_all_edits_in_any_order((text, counts) in asked()) {
        let all: BTreeSet<Vec<u8>> =
            tried(&text, counts).into_iter().map(|(text, _)| text).collect();
        let listed = listed(&text, counts.map(|count| 0..=count));
        let lost: Vec<_> = all.difference(&listed).collect();
        prop_assert!(lost.is_empty(), "lost: {:?}", lost);
        // What was cut off costs too few swaps if characters beside it are surplus.
        if counts[2..].contains(&0) {
            let more: Vec<_> = listed.difference(&all).collect();
            prop_assert!(more.is_empty(), "too many: {:?}", more);
        }
    }

    /// If edits are needed, what fewer of them make is left out, unless it takes as many, too.
    #[test]
    fn edits_that_are_needed_are_made((text, counts) in asked()) {
        let counts = [counts[0], counts[1], counts[2], counts[3], 0];
        let all = tried(&text, counts);
        let exact: BTreeSet<Vec<u8>> =
            all.iter().filter(|(_, left)| *left == [0; 5]).map(|(text, _)| text.clone()).collect();
        let fewer: BTreeSet<Vec<u8>> =
            all.into_iter().filter(|(_, left)| *left != [0; 5]).map(|(text, _)| text).collect();
        let listed = listed(&text, counts.map(|count| count..=count));
        prop_assert!(listed.is_subset(&exact), "{:?}", listed.difference(&exact));
        prop_assert!(exact.difference(&fewer).all(|text| listed.contains(text)));
    }
}

/// The second and the third of three characters before the first, in two swaps.
#[test]
fn a_character_may_be_swapped_twice() {
    let two_swaps = [(Edit::Swapped, 2..=2)];
    let texts = texts(&[1, 2, 3, 4], UNKNOWN, &two_swaps, &[4], 100).unwrap();
    let expected = [[1, 3, 4, 2], [1, 4, 2, 3], [2, 1, 4, 3], [2, 3, 1, 4], [3, 1, 2, 4]];
    assert_eq!(texts, expected);
}

#[test]
fn blocks_are_swapped_lost_or_read_once() {
    let text: Vec<u8> = (10..20).collect();
    let spelled = |orders: Vec<Order>| ordered(&text, UNKNOWN, &orders);
    // Two whole blocks and half a one, or half a one first.
    assert_eq!(swapped(10, 0).len(), 3);
    let [last] = &spelled(swapped(10, 2))[..] else { panic!("one pair") };
    assert_eq!(last[..], [10, 11, 16, 17, 18, 19, 12, 13, 14, 15]);
    assert_eq!(lost(10, 0).len(), 3);
    assert_eq!(spelled(lost(10, 2))[1], [&text[..6], &[UNKNOWN; 4], &text[6..]].concat());
    let repeated = [&text[..5], &text[1..]].concat();
    assert_eq!(ordered(&repeated, UNKNOWN, &once(&repeated)), [&text[..]]);
    assert!(once(&text).is_empty());
}
