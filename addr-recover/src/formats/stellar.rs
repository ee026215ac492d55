//! The addresses of Stellar (SEP-23): accounts `G...`, contracts `C...` and multiplexed accounts
//! `M...`, in the alphabet of RFC 4648 with a CRC of 16 bits.

use zeroize::Zeroizing;

use super::linear::checksum::{Checksum, Code};
use super::linear::{GAP, Linear, Spelling};
use super::{AddressFormat, Corrected, Typed, WRONG, near};
use crate::parse_error::Foreign;

const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz234567";

/// The numbers of characters: of 35 bytes, and of the 43 bytes of a multiplexed account.
const LENGTHS: [usize; 2] = [56, 69];

/// The first characters of addresses of each length. Those of a secret seed begin with `s`.
const FIRST: [&str; 2] = ["gc", "m"];

/// What the second character is below: the three bits of the version that are zero, and two others.
const MAX_SECOND: u8 = 4;

/// One in so many texts has a right checksum.
const CHECKSUMS: u64 = 1 << 16;

pub(crate) const FOREIGN: Foreign = Foreign::Damaged {
    what: "a Stellar address",
    restores: "its checksum of 16 bits restores two unreadable characters, the first two letters, \
               an extra one or a swapped pair, and lists what a wrong or a missing one, or the \
               last two, may have been",
};

const SMALL: &str = "the address is written in upper case; the checksum is right in it";

pub(crate) struct Stellar;

impl AddressFormat for Stellar {
    fn networks(&self) -> Vec<&'static str> {
        vec!["stellar"]
    }

    fn foreign(&self) -> Option<Foreign> {
        Some(FOREIGN)
    }

    fn cost(&self, text: &Typed<'_>) -> Option<i32> {
        let may_be = text.prefix.is_none() && !text.has_both_cases;
        let of_length = |(length, first): (usize, &str)| {
            let begins = text.small.starts_with(|c| first.contains(c) || c == '?');
            near(text.small, length, ALPHABET, WRONG).filter(|_| begins)
        };
        LENGTHS.into_iter().zip(FIRST).find_map(of_length).filter(|_| may_be)
    }

    /// Prose and parts of keys may have this form. A right checksum says more.
    fn may_be_in_groups(&self, _: &Typed<'_>) -> bool {
        false
    }

    fn is_intact(&self, small: &str) -> bool {
        is_checked(small) || Begun::of(small).is_some()
    }

    fn restored(&self, _: &str, word: &str) -> Option<Corrected> {
        let small = word.to_ascii_lowercase();
        let is_near = LENGTHS.iter().any(|length| small.len().abs_diff(*length) <= 2);
        let begins = small.starts_with(|c| FIRST.concat().contains(c) || c == '?');
        let may_be = begins && (is_near || small.contains(GAP));
        match Begun::of(&small) {
            Some(Begun { whole, checksums, what_was_wrong, damage }) => {
                let what_was_wrong = Some(what_was_wrong);
                let linear = Linear { checksums, what_was_wrong, ..linear(word) };
                Some(Corrected { guess: Some(damage), ..linear.answer(&whole)? })
            }
            None if may_be => linear(word).answer(&small),
            None => None,
        }
    }
}

/// Whether a text in lower case is an address whose checksum is right.
fn is_checked(small: &str) -> bool {
    let format = linear(small);
    let symbols = small.chars().map(|c| format.spelling.symbol(c)).collect();
    LENGTHS.contains(&small.len()) && format.is_intact(symbols, small)
}

/// Whether a text in lower case is a secret seed, perhaps without its first two letters, of which
/// the checksum is right: it is as long as an address and begins like one in some cases.
pub(crate) fn is_secret_seed(small: &str) -> bool {
    let Some(missing) = LENGTHS[0].checked_sub(small.len()).filter(|it| *it <= 2) else {
        return false;
    };
    let mut begins = ALPHABET.chars().take(MAX_SECOND.into()).map(|second| format!("s{second}"));
    small.is_ascii()
        && begins.any(|begin| {
            let whole = Zeroizing::new(format!("{}{small}", &begin[..missing]));
            let format = Linear { codes: vec![code(|_| true)], ..linear(&whole) };
            let symbols = whole.chars().map(|c| format.spelling.symbol(c)).collect();
            whole.starts_with(&begin) && format.is_intact(symbols, &whole)
        })
}

/// The first letters of the texts that may be addresses.
fn firsts() -> impl Iterator<Item = char> {
    FIRST.iter().flat_map(|firsts| firsts.chars())
}

/// An address whose beginning was damaged.
struct Begun {
    whole: String,
    /// One in so many texts would be an address with another beginning, too.
    checksums: u64,
    what_was_wrong: &'static str,
    /// The damage, and its number of faults.
    damage: (&'static str, usize),
}

impl Begun {
    /// The address that a text in lower case is with another beginning, if the checksum is right:
    /// with its first letters if they are missing, with another first letter, or with the first two
    /// swapped. A secret seed has the same form and begins with `s`, which is never replaced.
    fn of(small: &str) -> Option<Self> {
        let missing = LENGTHS.iter().find_map(|length| length.checked_sub(small.len()))?;
        if is_checked(small) {
            return None;
        }
        let [first, second] = small.as_bytes().first_chunk::<2>().filter(|_| small.is_ascii())?;
        let [first, second] = [first, second].map(|&c| char::from(c));
        let swapped = format!("{second}{first}");
        let other = || firsts().map(|first| format!("{first}{second}")).collect();
        let one = || firsts().map(|other| format!("{other}{first}{second}")).collect();
        let seconds = || ALPHABET.chars().take(MAX_SECOND.into());
        let both = |before| seconds().map(move |c| format!("{before}{c}{first}{second}"));
        let two = || firsts().flat_map(both).collect();
        let (was_wrong, was_missing) = ("one wrong character", "one missing character");
        let ways: Vec<(Vec<String>, _, _)> = match missing {
            0 if first == 's' => Vec::new(),
            0 => vec![
                (
                    vec![swapped],
                    "the first two letters were swapped",
                    ("two swapped characters", 1),
                ),
                (other(), "the first letter was wrong", (was_wrong, 1)),
            ],
            1 => vec![(one(), "the first letter was missing", (was_missing, 1))],
            2 => vec![(two(), "the first two letters were missing", ("two missing characters", 2))],
            _ => Vec::new(),
        };
        let checksums = CHECKSUMS / ways.iter().map(|it| it.0.len() as u64).sum::<u64>().max(1);
        ways.into_iter().find_map(|(begins, what_was_wrong, damage)| {
            let mut wholes = begins.iter().map(|begin| format!("{begin}{}", &small[2..]));
            let whole = wholes.find(|whole| is_checked(whole))?;
            Some(Self { whole, checksums, what_was_wrong, damage })
        })
    }
}

fn code(is_address: fn(&str) -> bool) -> Code {
    let (id, name) = ("stellar", "Stellar");
    Code { id, name, is_address, prefix: String::new(), checksum: Checksum::Crc16 }
}

fn linear(word: &str) -> Linear {
    Linear {
        name: "StrKey",
        codes: vec![code(is_address)],
        checksums: CHECKSUMS,
        lengths: LENGTHS,
        before: 0,
        max_wrong: 1,
        spelling: Spelling { alphabet: ALPHABET, is_upper: true },
        wrong_case: word.bytes().any(|c| c.is_ascii_lowercase()).then_some(SMALL),
        ..Linear::default()
    }
}

/// Whether the version of an address of this length is known, and its unused bit is zero.
fn is_address(small: &str) -> bool {
    let kind = LENGTHS.into_iter().zip(FIRST).find(|(length, _)| *length == small.len());
    let symbol = |c: char| ALPHABET.find(c).unwrap_or(usize::from(MAX_SECOND)) as u8;
    let mut characters = small.chars();
    let (first, second, last) = (characters.next(), characters.next(), characters.next_back());
    let is_first = kind.zip(first).is_some_and(|((_, own), first)| own.contains(first));
    let is_padded = small.len() == LENGTHS[0] || last.is_some_and(|last| symbol(last) & 1 == 0);
    is_first && is_padded && second.is_some_and(|second| symbol(second) < MAX_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Certainty, Evidence};
    use crate::formats::restored;

    /// The valid and some of the invalid test cases of SEP-23.
    const VALID: [&str; 4] = [
        "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
        "CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA",
        "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ",
        "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK",
    ];
    const INVALID: [&str; 10] = [
        "GAAAAAAAACGC6",
        "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR",
        "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZA",
        "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUACUSI",
        "G47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I",
        "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLKA",
        "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAAV75I",
        "M47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ",
        "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUK===",
        "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUO",
    ];

    fn read(text: &str) -> Option<Corrected> {
        restored(None, text, text)
    }

    fn certainty(answer: &Corrected) -> Certainty {
        let expected_by_chance = answer.estimate.unwrap().expected_by_chance;
        let faults = answer.guess.map_or(0, |(_, faults)| faults);
        let likelihood = crate::evidence::likelihood(faults);
        Evidence { hits: answer.addresses.len(), expected_by_chance, likelihood }.certainty()
    }

    #[test]
    fn the_test_cases_of_sep_23_are_accepted_and_rejected() {
        for address in VALID {
            let answer = read(address).unwrap();
            assert_eq!((&answer.addresses[..], answer.estimate), (&[address.to_owned()][..], None));
            assert_eq!(answer.format, "Stellar, StrKey");
            assert!(Stellar.is_intact(&address.to_lowercase()));
        }
        for address in INVALID {
            assert!(!Stellar.is_intact(&address.to_lowercase()), "{address}");
            assert!(read(address).is_none_or(|it| it.estimate.is_some()), "{address}");
        }
        // The secret seed with the same bytes is of another kind, whatever was wrong.
        assert!(read(&VALID[0].replacen('G', "S", 1)).is_none());
    }

    #[test]
    fn letters_in_lower_case_are_damage() {
        for address in VALID {
            for text in [address.to_lowercase(), address.replacen('Q', "q", 1)] {
                let answer = read(&text).unwrap();
                assert_eq!(answer.addresses, [address], "{text}");
                assert_eq!(answer.guess, Some((crate::damage::WRONG_CASE, 1)), "{text}");
                assert_eq!(certainty(&answer), Certainty::Certain, "{text}");
            }
        }
    }

    #[test]
    fn damage_is_undone_as_far_as_16_bits_tell() {
        for address in VALID {
            for at in (2..address.len() - 3).step_by(7) {
                let with = |range: std::ops::Range<usize>, text: &str| {
                    let mut damaged = address.to_owned();
                    damaged.replace_range(range, text);
                    damaged
                };
                let [a, b] = [&address[at..=at], &address[at + 1..at + 2]];
                let other = if a == "X" { "Y" } else { "X" };
                for (text, sure) in [
                    (with(at..at + 1, "?"), true),
                    (with(at..at + 1, "1"), true),
                    (with(at..at, other), true),
                    (with(at..at + 2, &[b, a].concat()), a != b),
                    (with(at..at + 1, other), false),
                    (with(at..at + 1, ""), false),
                ] {
                    if text == address {
                        continue;
                    }
                    let answer = read(&text).unwrap_or_else(|| panic!("{text}"));
                    assert!(answer.addresses.iter().any(|it| it == address), "{text}");
                    if answer.addresses.len() == 1 && sure {
                        assert!(certainty(&answer) < Certainty::Uncertain, "{text}: {answer:?}");
                    } else if !sure {
                        assert_eq!(certainty(&answer), Certainty::Uncertain, "{text}: {answer:?}");
                    }
                }
            }
        }
    }
}
