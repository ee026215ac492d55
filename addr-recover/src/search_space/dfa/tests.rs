//! Tests of the automata.

use super::*;
use crate::pattern::alphabet::DigitSet;
use crate::pattern::damage::{Case, Damage, LookAlikes};

/// The pattern of a text of any length.
fn pattern(text: &str, damage: Damage) -> Pattern {
    Pattern::short(text, damage)
}

fn texts(dfa: &Dfa) -> Vec<String> {
    fn collect(dfa: &Dfa, state: StateId, text: &str, texts: &mut Vec<String>) {
        if text.len() == dfa.length() {
            texts.push(text.to_owned());
        }
        for (digit, next) in dfa.digits(state) {
            let digit = Alphabet::Bitcoin.character(digit);
            collect(dfa, next, &format!("{text}{digit}"), texts);
        }
    }
    let mut texts = Vec::new();
    if let Some(root) = dfa.root() {
        collect(dfa, root.state, "", &mut texts);
    }
    texts
}

fn kept() -> Damage {
    Damage::default().case(Case::Kept)
}

/// At most this many characters are confused with a look-alike.
fn confused(max: u8) -> Damage {
    kept().look_alikes(LookAlikes::everywhere("2Zz,5Ss,7T").at_most(max))
}

fn sets(text: &str, damage: &Damage) -> Vec<DigitSet> {
    pattern(text, damage.clone()).places().to_vec()
}

/// Enumerates all texts by trying every edit on every list of sets, then every spelling.
fn naive(text: &str, damage: &Damage, length: usize) -> Vec<String> {
    let mut forms = vec![sets(text, damage)];
    let given = pattern(text, damage.clone());
    let extend = |forms: &mut Vec<Vec<DigitSet>>,
                  edit: &dyn Fn(&[DigitSet]) -> Vec<Vec<DigitSet>>| {
        let more: Vec<_> = forms.iter().flat_map(|form| edit(form)).collect();
        forms.extend(more);
    };
    for _ in 0..damage.look_alikes.max.unwrap_or(0) {
        extend(&mut forms, &|form| {
            let confuse = |at: usize| {
                let mut confused = form.to_vec();
                confused[at] = given.look_alikes()[at];
                confused
            };
            (0..form.len()).map(confuse).collect()
        });
    }
    if let Some(gap) = pattern(text, damage.clone()).gap() {
        for _ in forms[0].len()..length {
            extend(&mut forms, &|form| {
                vec![[&form[..gap], &[DigitSet::ALL], &form[gap..]].concat()]
            });
        }
    }
    if damage.blocks {
        extend(&mut forms, &|form| {
            let blocks: Vec<&[DigitSet]> = form.chunks(4).collect();
            let mut all = Vec::new();
            for first in 0..blocks.len() {
                for second in first + 1..blocks.len() {
                    let mut swapped = blocks.clone();
                    swapped.swap(first, second);
                    all.push(swapped.concat());
                }
            }
            for at in 1..blocks.len() {
                if blocks[at] == blocks[at - 1] {
                    all.push([&blocks[..at], &blocks[at + 1..]].concat().concat());
                }
            }
            all
        });
    }
    for _ in 0..damage.surplus {
        extend(&mut forms, &|form| {
            (0..form.len()).map(|at| [&form[..at], &form[at + 1..]].concat()).collect()
        });
    }
    // No character is swapped twice, so all swaps start from the forms without any.
    let unswapped = forms.clone();
    for count in 1..=usize::from(damage.swapped) {
        for form in &unswapped {
            let last = form.len().saturating_sub(1);
            let apart = |at: &Vec<usize>| at.windows(2).all(|pair| pair[0] + 1 < pair[1]);
            let places = (0..count).fold(vec![vec![]], |all: Vec<Vec<usize>>, _| {
                let longer = |at: &Vec<usize>| {
                    (0..last).map(|next| [&at[..], &[next]].concat()).collect::<Vec<_>>()
                };
                all.iter().flat_map(longer).collect()
            });
            forms.extend(places.into_iter().filter(apart).map(|at| {
                let mut swapped = form.clone();
                at.into_iter().for_each(|at| swapped.swap(at, at + 1));
                swapped
            }));
        }
    }
    for _ in 0..damage.typos {
        extend(&mut forms, &|form| {
            let replace = |at| {
                let mut replaced = form.to_vec();
                replaced[at] = DigitSet::ALL;
                replaced
            };
            (0..form.len()).map(replace).collect()
        });
    }
    for _ in 0..damage.missing {
        extend(&mut forms, &|form| {
            (0..=form.len())
                .map(|at| [&form[..at], &[DigitSet::ALL], &form[at..]].concat())
                .collect()
        });
    }
    for _ in 0..damage.cut {
        extend(&mut forms, &|form| {
            vec![[&[DigitSet::ALL], form].concat(), [form, &[DigitSet::ALL]].concat()]
        });
    }
    let mut texts: Vec<String> = forms
        .iter()
        .filter(|form| form.len() == length)
        .flat_map(|form| {
            form.iter().fold(vec![String::new()], |texts, digits| {
                let longer = |text: &String| {
                    let text = text.clone();
                    digits.characters().map(move |digit| format!("{text}{digit}"))
                };
                texts.iter().flat_map(longer).collect()
            })
        })
        .collect();
    texts.sort();
    texts.dedup();
    texts
}

#[test]
fn texts_match_a_naive_enumeration() {
    for (text, damage) in [
        ("ab1", Damage::default()),
        ("ab1", kept()),
        ("[ab]?", kept()),
        ("a…b", kept()),
        ("…ba", Damage::default()),
        ("a…", kept().typos(1)),
        ("aab", kept().missing(1)),
        ("aab", kept().surplus(1)),
        ("abba", kept().swapped(1)),
        ("aB", Damage::default().case(Case::Lost).swapped(1).surplus(1)),
        ("ab", kept().typos(1)),
        ("aab", kept().typos(2)),
        ("aab", kept().typos(1).surplus(1)),
        ("aa", kept().missing(1).surplus(1).swapped(1)),
        ("abc", kept().surplus(1).swapped(1)),
        ("abcd", kept().surplus(1).swapped(1)),
        ("abc", kept().surplus(1).swapped(1).typos(1)),
        ("ab", kept().missing(1).typos(1)),
        ("aba", kept().swapped(1).typos(1)),
        ("abc", kept().swapped(1).missing(1)),
        ("ab", kept().missing(2)),
        ("abca", kept().surplus(2)),
        ("abcde", kept().swapped(2)),
        ("ab1", kept().cut(2)),
        ("b", kept().cut(1).typos(1).missing(1)),
        ("abcdefgha", kept().blocks(true)),
        ("abcdabcdab", kept().blocks(true).swapped(1)),
        ("1111111", kept().blocks(true).typos(1)),
        ("2zS", confused(1)),
        ("2zS", confused(2).case(Case::Lost)),
        ("[2a]5z", confused(1).typos(1)),
        ("25T", confused(1).swapped(1).surplus(1)),
        ("2Z5", confused(2).missing(1).typos(1)),
        ("1l0", Damage::default().look_alikes(LookAlikes::everywhere("0oO,1IlLi")).surplus(1)),
    ] {
        let given = sets(text, &damage).len();
        for length in given.saturating_sub(4).max(1)..given + 2 {
            let expected = naive(text, &damage, length);
            let dfa = Dfa::new(&pattern(text, damage.clone()), length, Alphabet::Bitcoin).unwrap();
            assert_eq!(texts(&dfa), expected, "{text} {damage:?} {length}");
            let count = dfa.root().map_or(Number::ZERO, |root| dfa.numbers(root).count);
            assert_eq!(count, Number::from(expected.len() as u64));
        }
    }
}

fn number(text: &str) -> u64 {
    text.chars().fold(0, |sum, digit| sum * 58 + u64::from(Alphabet::Bitcoin.value(digit).unwrap()))
}

#[test]
fn number_sets_within_bounds_match_an_enumeration() {
    for (text, damage) in [
        ("aB9ha?zzbA", Damage::default()),
        ("1[1z]?[7ZT]11z2", kept()),
        ("19zzzzzz", kept().typos(1)),
        ("2abcdef", kept().missing(1)),
    ] {
        let length = sets(text, &damage).len() + usize::from(damage.missing);
        let dfa = Dfa::new(&pattern(text, damage), length, Alphabet::Bitcoin).unwrap();
        let numbers: Vec<u64> = texts(&dfa).iter().map(|text| number(text)).collect();
        let root = dfa.root().unwrap();
        for bounds in [(0, 4), (1, 3), (2, 3), (3, 3)] {
            let at = |part: usize| numbers[part * (numbers.len() - 1) / 4];
            for nudge in [0, 1] {
                let (low, high) = (at(bounds.0) + nudge, at(bounds.1) + nudge);
                let inside: Vec<u64> =
                    numbers.iter().copied().filter(|n| (low..=high).contains(n)).collect();
                let numbers = dfa.within(root, (low.into(), high.into()));
                let Some(numbers) = numbers else {
                    assert!(inside.is_empty(), "{text}");
                    continue;
                };
                assert_eq!(numbers.count, Number::from(inside.len() as u64), "{text}");
                assert_eq!(numbers.first, Number::from(inside[0]), "{text}");
                assert_eq!(numbers.last, Number::from(inside[inside.len() - 1]), "{text}");
                let reach =
                    inside.windows(2).map(|pair| (pair[1] - pair[0]).min(1 << 32)).sum::<u64>();
                assert_eq!(numbers.reach, Number::from(reach + (1 << 32)), "{text}");
            }
        }
    }
}

#[test]
fn excessive_damage_is_refused_instead_of_computed() {
    let damage = kept().typos(40).missing(1).surplus(1).swapped(1);
    let result =
        <Dfa>::new(&pattern("1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71", damage), 34, Alphabet::Bitcoin);
    assert!(result.is_ok() || matches!(result, Err(ParseError::TooComplex)));
}
