//! Formats whose checksums are linear codes over 32 symbols, which restore characters. The case of
//! their letters carries no information.

pub(crate) mod checksum;

use checksum::{BECH32, Code, Syndromes, Text};

use super::Corrected;
use crate::damage::BLOCK;
use crate::damage::WRONG_CASE;
use crate::edits::{self, Edit, blocks};
use crate::evidence::Estimate;
use crate::evidence::{DOUBTFUL, DOUBTFUL_GUESS};

/// The 32 characters of Bech32 and CashAddr (BIP 173).
pub(crate) const BECH32_ALPHABET: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// The number of symbols.
const ALPHABET: u8 = 32;

/// The maximum number of unreadable characters that a checksum restores: the last one of them takes
/// no search, and each other one 32 times as long.
const MAX_UNREADABLE: usize = 5;

/// Wrong and unreadable characters that the checksum can restore, if there is no other error.
const MAX_WRONG: usize = 2;

/// The maximum number of unreadable characters of a text that is [nearly
/// intact](Linear::is_nearly_intact).
const MAX_NEARLY: usize = 3;

/// The maximum number of residues that are looked up for a text: a second at most.
const MAX_LOOKUPS: f64 = (1_u64 << 24) as f64;

/// Stands for a hidden part.
pub(super) const GAP: char = '…';

/// The note on a text that has no other damage than its case.
pub(super) const MIXED: &str =
    "letters of both cases are not allowed; the checksum is right in lower case";

/// The maximum number of missing `q` before the last `p`.
const MAX_ZEROS: usize = 4;

/// How symbols are spelled.
pub(super) struct Spelling {
    /// The 32 characters, in lower case.
    pub(super) alphabet: &'static str,
    /// Whether addresses are in upper case.
    pub(super) is_upper: bool,
}

pub(super) const BECH32_SPELLING: Spelling =
    Spelling { alphabet: BECH32_ALPHABET, is_upper: false };

impl Spelling {
    /// The symbol of a character in lower case.
    pub(super) fn symbol(&self, character: char) -> Option<u8> {
        self.alphabet.find(character).map(|symbol| symbol as u8)
    }

    fn character(&self, symbol: u8) -> char {
        self.alphabet.as_bytes().get(usize::from(symbol)).map_or('?', |&c| char::from(c))
    }
}

/// A format, and the checksums that its addresses may have.
pub(super) struct Linear {
    pub(super) name: &'static str,
    pub(super) codes: Vec<Code>,
    /// One in this many texts is correct.
    pub(super) checksums: u64,
    /// The numbers of characters that the checksum protects.
    pub(super) lengths: [usize; 2],
    /// The number of characters before them in what was typed.
    pub(super) before: usize,
    /// How many wrong characters to restore.
    pub(super) max_wrong: usize,
    /// What was wrong before them.
    pub(super) what_was_wrong: Option<&'static str>,
    pub(super) spelling: Spelling,
    /// What is said if nothing is wrong but the case of letters.
    pub(super) wrong_case: Option<&'static str>,
}

/// Bech32 without a network.
impl Default for Linear {
    fn default() -> Self {
        Self {
            name: "Bech32",
            codes: Vec::new(),
            checksums: 1 << BECH32.bits,
            lengths: [0; 2],
            before: 0,
            max_wrong: MAX_WRONG,
            what_was_wrong: None,
            spelling: BECH32_SPELLING,
            wrong_case: None,
        }
    }
}

impl Linear {
    /// Whether symbols, which are those of a text in lower case, have a right checksum.
    pub(super) fn is_intact(&self, symbols: Option<Vec<u8>>, small: &str) -> bool {
        symbols.is_some_and(|symbols| {
            self.codes
                .iter()
                .any(|code| code.residue(&symbols) == 0 && (code.is_address)(&code.address(small)))
        })
    }

    /// Whether the checksum restores the text, in lower case, if only few of its characters are
    /// unreadable or a single one is wrong: hardly any other text has that form.
    pub(super) fn is_nearly_intact(&self, small: &str) -> bool {
        let read: Text = small.chars().map(|c| self.spelling.symbol(c)).collect();
        let unreadable = read.iter().filter(|it| it.is_none()).count();
        let wrong = usize::from(unreadable < MAX_NEARLY);
        unreadable <= MAX_NEARLY && !self.corrected(&[read], wrong).is_empty()
    }

    /// Reads the text, corrects it or, if that fails, tries likely damage: up to two faults, then
    /// more as long as few addresses fit by chance.
    pub(super) fn answer(&self, data: &str) -> Option<Corrected> {
        if let Some((before, after)) = data.split_once(GAP) {
            let known = before.chars().count() + after.chars().count();
            let hidden = self.lengths.iter().filter_map(|length| length.checked_sub(known));
            let whole = |count| format!("{before}{}{after}", "?".repeat(count));
            let mut hidden = hidden.filter(|count| (1..=MAX_UNREADABLE).contains(count));
            return hidden.find_map(|count| self.answer(&whole(count)));
        }
        let read: Text = data.chars().map(|character| self.spelling.symbol(character)).collect();
        let length = read.len();
        let (mut by_chance, mut lookups_left, mut answer) = (0.0, MAX_LOOKUPS, None);
        for Attempt { repair, texts, wrong } in self.attempts(&read) {
            let texts = texts();
            let more = texts.iter().map(|text| candidates(text, wrong)).sum::<f64>();
            let is_right =
                repair.is_none() || self.lengths.contains(&texts.first().map_or(0, Vec::len));
            // An address of another length is none of Bitcoin's, and hides no other.
            let all = if is_right { by_chance + more } else { more };
            let max = repair.map_or(f64::INFINITY, |it| it.max_by_chance);
            let work = texts.iter().map(|text| lookups(text, wrong)).sum::<f64>();
            let work = work * self.codes.len() as f64;
            if texts.is_empty() || all / self.checksums as f64 > max || work > lookups_left {
                continue;
            }
            lookups_left -= work;
            if is_right && repair.is_some() {
                by_chance = all;
            }
            let found = self.corrected(&texts, wrong);
            if !found.is_empty() {
                answer = Some((repair, found, all));
                break;
            }
        }
        let (repair, found, candidates) = answer?;
        let (first, code) = &found[0];
        let differ = |&at: &usize| first.chars().nth(at) != data.chars().nth(at);
        let places = (0..=length).filter(differ).map(|at| self.before + at + 1);
        // After one that is missing or extra, all may differ.
        let places = places.take(if first.len() == length { length } else { 1 });
        let (estimate, note) = match repair {
            None => match self.what_was_wrong {
                Some(what) => self.completed(&format!("{what}; the checksum is right with it")),
                None => self.wrong_case.map_or((None, None), |note| self.completed(note)),
            },
            Some(it) => repaired(candidates, self.checksums, it.restores, places),
        };
        let mut pairs = read.iter().zip(data.chars().zip(first.chars()));
        let is_guess =
            first.len() != length || pairs.any(|(it, (c, own))| it.is_some() && c != own);
        let guess = repair.map(|it| (it.damage, it.faults)).filter(|_| is_guess);
        let guess = match guess {
            _ if self.wrong_case.is_none() => guess,
            Some((damage, faults)) => Some((damage, faults + 1)),
            None => Some((WRONG_CASE, 1)),
        };
        Some(Corrected {
            addresses: found.iter().map(|(data, code)| self.spelled(code.address(data))).collect(),
            format: format!("{}, {}", code.name, self.name),
            network: code.id,
            estimate,
            note,
            guess,
        })
    }

    fn spelled(&self, address: String) -> String {
        if self.spelling.is_upper { address.to_ascii_uppercase() } else { address }
    }

    /// The estimate and the note for a text with no other damage than the note says.
    fn completed(&self, note: &str) -> (Option<Estimate>, Option<String>) {
        let estimate = Estimate {
            candidates: 1.0,
            hashes: 0.0,
            expected_by_chance: 1.0 / self.checksums as f64,
        };
        (Some(estimate), Some(note.to_owned()))
    }

    /// What may have happened to a text, in the order in which it is tried.
    fn attempts<'a>(&'a self, read: &'a Text) -> Vec<Attempt<'a>> {
        let unreadable = read.iter().filter(|it| it.is_none()).count();
        let is_short = |count: usize| self.lengths.contains(&(read.len() + count));
        let is_long = |count: usize| self.lengths.contains(&read.len().saturating_sub(count));
        let edits = move |count: Count| {
            let length =
                (read.len() + usize::from(count.missing)).saturating_sub(count.extra.into());
            if self.lengths.contains(&length) { edited(read, count, length) } else { Vec::new() }
        };
        let as_read = move || vec![read.clone()];
        let attempt = |restores, damage, faults, wrong, texts: Texts<'a>| {
            let repair = Repair { restores, damage, faults, max_by_chance: DOUBTFUL_GUESS };
            Attempt { repair: Some(repair), texts, wrong }
        };
        let certain = |it: Attempt<'a>| {
            let repair = it.repair.map(|it| Repair { max_by_chance: DOUBTFUL, ..it });
            Attempt { repair, ..it }
        };
        let mut attempts = Vec::new();
        if unreadable == 0 {
            attempts.push(Attempt { repair: None, texts: Box::new(as_read), wrong: 0 });
        }
        let wrong = self.max_wrong.saturating_sub(unreadable);
        let restores = "restores the character{s}";
        let one = Count::default();
        // With so many networks or so short a checksum, more would be doubtful.
        if self.max_wrong < MAX_WRONG {
            let swapped = move || edits(Count { swapped: 1, ..one });
            let extra = move || edits(Count { extra: 1, ..one });
            let missing = move || edits(Count { missing: 1, ..one });
            let cut = move || {
                let ends = [&read[..], &[None; 2]].concat();
                if is_short(2) { vec![ends] } else { Vec::new() }
            };
            let mut steps = [
                (
                    "restores the order of the pair",
                    "two swapped characters",
                    0,
                    Box::new(swapped) as Texts<'a>,
                ),
                ("is right without the character", "one extra character", 0, Box::new(extra)),
                (restores, "one wrong character", wrong, Box::new(as_read)),
                ("restores the character missing", "one missing character", 0, Box::new(missing)),
            ];
            let cut_off = attempt(
                "restores the two characters cut off",
                "two missing characters",
                2,
                0,
                Box::new(cut),
            );
            // Those that are unreadable are no guess.
            if unreadable > 0 {
                steps.swap(0, 2);
            }
            for (restores, damage, wrong, texts) in steps {
                attempts.push(certain(attempt(restores, damage, 1, wrong, texts)));
            }
            attempts.push(certain(cut_off));
            return attempts;
        }
        attempts.push(certain(attempt(
            restores,
            "up to two wrong characters",
            2,
            wrong,
            Box::new(as_read),
        )));
        for (restores, damage, count) in [
            (
                "restores the character missing",
                "one missing character",
                Count { missing: 1, ..one },
            ),
            ("is right without the character", "one extra character", Count { extra: 1, ..one }),
        ] {
            let texts = Box::new(move || edits(count));
            attempts.push(certain(attempt(restores, damage, 1, 0, texts)));
        }
        let zeros = move || {
            self.lengths.iter().filter_map(|&length| with_other_zeros(read, length)).collect()
        };
        attempts.push(certain(attempt(
            "restores the number of `q` before the last `p`",
            "missing or extra `q`",
            1,
            0,
            Box::new(zeros),
        )));
        let offset = self.before % BLOCK;
        attempts.push(attempt(
            "restores the order of two blocks",
            "two blocks of four characters swapped",
            2,
            0,
            Box::new(move || in_blocks(read, offset, blocks::swapped)),
        ));
        for Two { restores, damage, count, wrong } in &TWO_FAULTS {
            let texts = Box::new(move || edits(*count));
            attempts.push(attempt(restores, damage, 2, *wrong, texts));
        }
        let once = move || blocks::ordered(read, None, &blocks::once(read));
        let repeated = move || if is_long(BLOCK) { once() } else { Vec::new() };
        attempts.push(attempt(
            "is right without the block",
            "a block of four characters repeated",
            1,
            0,
            Box::new(repeated),
        ));
        let with_lost = move || in_blocks(read, offset, blocks::lost);
        let lost = move || if is_short(BLOCK) { with_lost() } else { Vec::new() };
        attempts.push(attempt(
            "restores the missing block",
            "a block of four characters missing",
            1,
            0,
            Box::new(lost),
        ));
        let damage = "up to three wrong characters";
        attempts.push(attempt(restores, damage, 3, wrong + 1, Box::new(as_read)));
        attempts
    }

    /// What some texts may have been with their unreadable symbols and up to `wrong` others
    /// restored.
    fn corrected(&self, texts: &[Text], wrong: usize) -> Vec<(String, &Code)> {
        let mut found = Vec::new();
        let of_lengths = texts.chunk_by(|one, other| one.len() == other.len());
        for (texts, code) in
            of_lengths.flat_map(|texts| self.codes.iter().map(move |it| (texts, it)))
        {
            let length = texts[0].len();
            let syndromes = Syndromes::of(code, length);
            let of_zeros = code.residue(&vec![0; length]);
            for text in texts {
                syndromes.restore(text, wrong, of_zeros, |symbols| {
                    let data: String =
                        symbols.iter().map(|&symbol| self.spelling.character(symbol)).collect();
                    let is_address = (code.is_address)(&code.address(&data));
                    found.extend(is_address.then_some((data, code)));
                });
            }
        }
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        found.dedup_by(|(a, _), (b, _)| a == b);
        found
    }
}

/// How many edits a text has had.
#[derive(Clone, Copy, Default)]
struct Count {
    missing: u8,
    extra: u8,
    swapped: u8,
}

/// Two faults, of which at most one is a wrong character.
struct Two {
    restores: &'static str,
    damage: &'static str,
    count: Count,
    wrong: usize,
}

const fn two(
    restores: &'static str,
    damage: &'static str,
    [missing, extra, swapped, wrong]: [u8; 4],
) -> Two {
    Two { restores, damage, count: Count { missing, extra, swapped }, wrong: wrong as usize }
}

/// Those with the fewest candidates first.
const TWO_FAULTS: [Two; 9] = [
    two("is right without two characters, the first", "two extra characters", [0, 2, 0, 0]),
    two(
        "restores the order of two pairs, the first",
        "two pairs of swapped characters",
        [0, 0, 2, 0],
    ),
    two(
        "is right without a character, with a pair in order, first",
        "one extra character and a swapped pair",
        [0, 1, 1, 0],
    ),
    two(
        "is right without an extra character, with a wrong one restored, first",
        "one extra and one wrong character",
        [0, 1, 0, 1],
    ),
    two(
        "restores a missing character, and is right without an extra one, first",
        "one missing and one extra character",
        [1, 1, 0, 0],
    ),
    two(
        "restores a missing character and the order of a pair, first",
        "one missing character and a swapped pair",
        [1, 0, 1, 0],
    ),
    two(
        "restores a wrong character and the order of a pair, first",
        "one wrong character and a swapped pair",
        [0, 0, 1, 1],
    ),
    two("restores two missing characters, the first", "two missing characters", [2, 0, 0, 0]),
    two(
        "restores a missing and a wrong character, first",
        "one missing and one wrong character",
        [1, 0, 0, 1],
    ),
];

/// Makes the texts that some damage may have made of an address, with unreadable symbols where it
/// is to be restored.
type Texts<'a> = Box<dyn Fn() -> Vec<Text> + 'a>;

/// Damage to try.
struct Attempt<'a> {
    /// None for the text as it is.
    repair: Option<Repair>,
    texts: Texts<'a>,
    /// How many symbols may be wrong besides the unreadable ones.
    wrong: usize,
}

/// How an address is repaired.
#[derive(Clone, Copy)]
struct Repair {
    /// What the checksum does.
    restores: &'static str,
    /// The damage, and its number of faults.
    damage: &'static str,
    faults: usize,
    /// If more addresses fit by chance, with those that were tried before, it is not tried.
    max_by_chance: f64,
}

/// How many texts may have become one with so many wrong symbols, whatever their checksums.
fn candidates(text: &Text, wrong: usize) -> f64 {
    let unreadable = text.iter().filter(|it| it.is_none()).count();
    let read = text.len() - unreadable;
    // Each number of wrong symbols has a binomial coefficient of places.
    let changed = (1..=wrong).scan(1.0, |ways, count| {
        *ways *= (read + 1).saturating_sub(count) as f64 * 31.0 / count as f64;
        Some(*ways)
    });
    (1.0 + changed.sum::<f64>()) * f64::from(ALPHABET).powi(unreadable as i32)
}

/// How many residues are looked up for the texts that [`candidates`] counts: the last change of
/// each is not tried.
fn lookups(text: &Text, wrong: usize) -> f64 {
    let Some(others) = wrong.checked_sub(1) else {
        let unreadable = text.iter().filter(|it| it.is_none()).count();
        return f64::from(ALPHABET).powi(unreadable.saturating_sub(1) as i32);
    };
    candidates(text, others)
}

/// The texts of a length with some adjacent symbols swapped, some left out, and others, which are
/// unreadable, inserted.
fn edited(read: &Text, Count { missing, extra, swapped }: Count, length: usize) -> Vec<Text> {
    let edits = [
        (Edit::Missing, missing..=missing),
        (Edit::Surplus, extra..=extra),
        (Edit::Swapped, swapped..=swapped),
    ];
    // Two faults of 59 characters make fewer.
    edits::texts(read, None, &edits, &[length], usize::MAX).unwrap_or_default()
}

/// The texts with two blocks swapped, or with one that was lost, if an address is written in blocks
/// of four characters, with or without its prefix.
fn in_blocks(
    read: &Text,
    offset: usize,
    orders: fn(usize, usize) -> Vec<blocks::Order>,
) -> Vec<Text> {
    let mut firsts = vec![0, (BLOCK - offset) % BLOCK];
    firsts.dedup();
    let orders = firsts.into_iter().flat_map(|first| orders(read.len(), first));
    let mut texts = blocks::ordered(read, None, &orders.collect::<Vec<_>>());
    texts.retain(|text| text != read);
    texts
}

/// The text with as many zeros (`q`) before a `p` at its end as it needs for a length. The checksum
/// of BIP 173 does not notice how many there are.
fn with_other_zeros(text: &Text, length: usize) -> Option<Text> {
    let (last, rest) = text.split_last()?;
    let zeros = rest.iter().rev().take_while(|symbol| **symbol == Some(0)).count();
    let (head, count) = (rest.len() - zeros, (length - 1).checked_sub(rest.len() - zeros)?);
    let is_other = text.len() != length && *last == Some(1) && count <= zeros + MAX_ZEROS;
    is_other.then(|| [&rest[..head], &vec![Some(0); count], &[*last]].concat())
}

/// The estimate and the note for a repair of some places, counted from 1, if one in `checksums`
/// candidates has the right checksum by chance.
fn repaired(
    candidates: f64,
    checksums: u64,
    repair: &str,
    places: impl Iterator<Item = usize>,
) -> (Option<Estimate>, Option<String>) {
    let estimate =
        Estimate { candidates, hashes: 0.0, expected_by_chance: candidates / checksums as f64 };
    let places: Vec<String> = places.map(|at| at.to_string()).collect();
    let plural = if places.len() == 1 { "" } else { "s" };
    let (repair, places) = (repair.replace("{s}", plural), places.join(", "));
    let note = format!("the checksum {repair} at {places}, right only if all others are");
    (Some(estimate), Some(note))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cash_addr, restored};

    /// From BIP 173, BIP 350 and the specification of CashAddr.
    const ADDRESSES: [&str; 7] = [
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        "tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7",
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
        "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
        "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
        "bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq",
        "bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37",
    ];

    /// The number of characters before those that the checksum protects.
    fn before(address: &str) -> usize {
        address.find([':', '1']).unwrap() + 1
    }

    /// The answer to a text, of which a reader leaves out the prefix of CashAddr.
    fn read(text: &str) -> Option<Corrected> {
        restored(None, text, text.rsplit(':').next().unwrap())
    }

    fn replaced(address: &str, places: &[(usize, char)]) -> String {
        let mut characters: Vec<char> = address.chars().collect();
        places.iter().for_each(|&(place, character)| characters[place] = character);
        characters.into_iter().collect()
    }

    #[test]
    fn two_wrong_and_three_unreadable_characters_are_restored() {
        for address in ADDRESSES {
            for first in (before(address) + 1..address.len() - 9).step_by(5) {
                let second = first + 1 + first % 7;
                let other = |at: usize| if address.as_bytes()[at] == b'q' { 'p' } else { 'q' };
                for places in [
                    vec![(first, other(first))],
                    vec![(first, other(first)), (second, other(second))],
                    vec![(first, '?'), (second, '?'), (address.len() - 1, '?')],
                    vec![(first, 'b'), (second, 'o')],
                    vec![(first, '?'), (second, other(second))],
                ] {
                    let damaged = replaced(address, &places);
                    let answer = read(&damaged).unwrap();
                    assert_eq!(answer.addresses, [address], "{damaged}");
                    let mut wrong: Vec<usize> = places.iter().map(|(at, _)| at + 1).collect();
                    wrong.sort_unstable();
                    let (_, note) =
                        repaired(1.0, 1, "restores the character{s}", wrong.into_iter());
                    assert_eq!(answer.note, note, "{damaged}");
                    // Any symbol in place of each unreadable one, and up to two changes in all.
                    let unread = damaged[before(address)..].matches(['?', 'b', 'o']).count();
                    let read = (address.len() - before(address) - unread) as u64;
                    let changed = [1, 31 * read, 31 * 31 * read * (read - 1) / 2];
                    let max_wrong = MAX_WRONG.saturating_sub(unread);
                    let candidates =
                        32_u64.pow(unread as u32) * changed[..=max_wrong].iter().sum::<u64>();
                    let expected = candidates as f64;
                    assert_eq!(answer.estimate.unwrap().candidates, expected, "{damaged}");
                }
            }
        }
    }

    #[test]
    fn a_missing_or_an_extra_character_is_restored() {
        // One has a length that no other address has.
        for address in ADDRESSES.into_iter().filter(|address| address.len() < 70) {
            for at in (before(address) + 1..address.len()).step_by(5) {
                let (first, rest) = address.split_at(at);
                let mut texts = vec![format!("{first}{}", &rest[1..])];
                texts.extend(['p', 'b'].map(|extra| format!("{first}{extra}{rest}")));
                for text in texts {
                    let answer = read(&text).unwrap();
                    assert!(answer.addresses.iter().any(|found| found == address), "{text}");
                    let note = answer.note.unwrap();
                    let words = note.split([' ', ',']);
                    let place: usize = words.filter_map(|word| word.parse().ok()).next().unwrap();
                    // Without its character there, the longer one is the shorter one.
                    let mut both = [answer.addresses[0].clone(), text.clone()];
                    both.sort_by_key(String::len);
                    both[1].remove(place - 1);
                    assert_eq!(both[0], both[1], "{text}: {note}");
                    let candidates = answer.estimate.unwrap().candidates;
                    assert!((40.0..2000.0).contains(&candidates), "{text}");
                }
            }
        }
    }

    /// Two faults of which a character is missing or extra, and three wrong ones if the checksum is
    /// long enough.
    #[test]
    fn more_damage_is_undone_if_few_addresses_fit_by_chance() {
        let other = |c: u8| if c == b'q' { 'p' } else { 'q' };
        for address in [ADDRESSES[0], ADDRESSES[1], ADDRESSES[2], ADDRESSES[4], ADDRESSES[5]] {
            let (before, bytes) = (before(address), address.as_bytes());
            for first in (before + 2..address.len() - 12).step_by(7) {
                let second = first + 2 + first % 8;
                let wrong = replaced(address, &[(second, other(bytes[second]))]);
                let (begin, rest) = wrong.split_at(first);
                let (intact, end) = address.split_at(first);
                let (middle, end) = end.split_at(second - first);
                let swap = |at: usize| {
                    replaced(address, &[(at, bytes[at + 1].into()), (at + 1, bytes[at].into())])
                };
                let swapped = swap(second);
                let (before_swap, swapped_end) = swapped.split_at(first);
                let mut texts = vec![
                    (format!("{before_swap}{}", &swapped_end[1..]), "missing and swapped"),
                    (format!("{before_swap}x{swapped_end}"), "extra and swapped"),
                    (format!("{begin}{}", &rest[1..]), "one missing and one wrong character"),
                    (format!("{begin}p{rest}"), "one extra and one wrong character"),
                    (format!("{intact}{}{}", &middle[1..], &end[1..]), "two missing characters"),
                    (format!("{intact}x{middle}z{end}"), "two extra characters"),
                    (
                        format!("{intact}{}z{end}", &middle[1..]),
                        "one missing and one extra character",
                    ),
                ];
                if address.len() > 90 || before > 4 {
                    let third = (second + 3, other(bytes[second + 3]));
                    let places = [(first, other(bytes[first])), third];
                    texts.push((replaced(&wrong, &places), "up to three wrong characters"));
                    let at = before + (first - before) / BLOCK * BLOCK;
                    let lost = format!("{}{}", &address[..at], &address[at + BLOCK..]);
                    texts.push((lost, "a block of four characters missing"));
                }
                for (text, damage) in texts {
                    let answer = read(&text).unwrap_or_else(|| panic!("{text}: {damage}"));
                    assert!(answer.addresses.contains(&address.to_owned()), "{text}: {answer:?}");
                    assert!(answer.guess.is_some(), "{text}");
                    let expected = answer.estimate.unwrap().expected_by_chance;
                    assert!(expected > 0.0 && expected < DOUBTFUL_GUESS, "{text}: {expected}");
                }
            }
            // Blocks of four, with the prefix of Bech32.
            let data = &address[if before > 4 { before } else { 0 }..];
            let blocks: Vec<&str> =
                (0..data.len() / 4).map(|at| &data[4 * at..4 * at + 4]).collect();
            let rest = &data[blocks.len() * 4..];
            let prefix = &address[..address.len() - data.len()];
            let mut swapped = blocks.clone();
            swapped.swap(3, 6);
            let mut repeated = blocks.clone();
            repeated.insert(4, blocks[4]);
            for blocks in [swapped, repeated] {
                let text = format!("{prefix}{}{rest}", blocks.concat());
                let answer = read(&text).unwrap_or_else(|| panic!("{text}"));
                assert_eq!(answer.addresses, [address], "{text}");
            }
        }
    }

    #[test]
    fn hidden_parts_of_up_to_five_characters_are_restored() {
        for address in [ADDRESSES[0], ADDRESSES[2], ADDRESSES[4]] {
            for (at, hidden) in [(24, 1), (25, 4), (30, 5)] {
                let text = format!("{}…{}", &address[..at], &address[at + hidden..]);
                let answer = read(&text).unwrap_or_else(|| panic!("{text}"));
                assert!(answer.addresses.contains(&address.to_owned()), "{text}: {answer:?}");
                let candidates = answer.estimate.unwrap().candidates;
                assert!(candidates >= 32_f64.powi(hidden as i32), "{text}: {candidates}");
            }
        }
    }

    #[test]
    fn other_texts_are_not_answered() {
        let six = |address| {
            let places = [16, 19, 22, 30, 33, 35].map(|at| (at, '?'));
            replaced(address, &places)
        };
        for text in [
            "xy1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
            &ADDRESSES[4].replace("bitcoincash", "bchtest"),
            &six(ADDRESSES[0]),
            &six(ADDRESSES[4]),
            &"q".repeat(42),
            &("bc1p".to_owned() + &"q".repeat(86)),
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    /// Encoded by the crate `bech32`. BIP 173 says that its checksum does not notice a `q` more or
    /// less before a `p` at the end.
    #[test]
    fn zeros_before_the_end_are_counted() {
        let hrp = bech32::Hrp::parse("bc").unwrap();
        let of = |number: u32| {
            let program: Vec<u8> =
                (0..20).map(|at| (number >> (at % 4 * 8)) as u8 ^ at as u8).collect();
            bech32::segwit::encode_v0(hrp, &program).unwrap()
        };
        let address = (0..).map(of).find(|address| address.ends_with('p')).unwrap();
        for count in 1..=4 {
            let text = format!("{}{}p", &address[..address.len() - 1], "q".repeat(count));
            let answer = read(&text).unwrap();
            assert!(answer.addresses.contains(&address), "{text}: {answer:?}");
            assert!(answer.guess.is_some());
        }
    }

    /// The table in docs/damage.md: the lookups for what may be an address of Bech32 with 39
    /// symbols after its prefix, and what fits it by chance, and one of CashAddr with 42.
    #[test]
    fn the_table_in_the_documentation_has_the_counts() {
        let table = [
            ("up to two wrong characters", &["up to two wrong characters"][..], false),
            (
                "one missing character, or one extra",
                &["one missing character", "one extra character"],
                false,
            ),
            ("two blocks of four swapped", &["two blocks of four characters swapped"], false),
            (
                "two extra characters, or two pairs swapped",
                &["two extra characters", "two pairs of swapped characters"],
                false,
            ),
            ("one extra, and a pair swapped", &["one extra character and a swapped pair"], false),
            ("one extra and one wrong", &["one extra and one wrong character"], false),
            (
                "one missing, and one extra or a pair swapped",
                &[
                    "one missing and one extra character",
                    "one missing character and a swapped pair",
                ],
                false,
            ),
            ("one wrong, and a pair swapped", &["one wrong character and a swapped pair"], false),
            ("two missing", &["two missing characters"], false),
            ("one missing and one wrong", &["one missing and one wrong character"], false),
            ("a block of four missing", &["a block of four characters missing"], true),
            ("up to three wrong characters", &["up to three wrong characters"], true),
        ];
        // The texts of each length that has the damage.
        let counts = |whole: usize, before: usize, damage: &str| {
            let format = Linear { lengths: [whole; 2], before, ..Linear::default() };
            let of_length = |length: usize| {
                // No symbol is that of its neighbour.
                let read: Text = (0..length).map(|at| Some((at * 7 % 31) as u8)).collect();
                let attempts = format.attempts(&read).into_iter();
                let mut attempts =
                    attempts.filter(|it| it.repair.is_some_and(|it| it.damage == damage));
                let Attempt { texts, wrong, .. } = attempts.next()?;
                let sum = |of: fn(&Text, usize) -> f64| {
                    texts().iter().map(|text| of(text, wrong)).sum::<f64>()
                };
                Some((sum(lookups), sum(candidates))).filter(|it| it.0 > 0.0)
            };
            let typed = [whole, whole - 1, whole + 1, whole - 2, whole + 2, whole - BLOCK];
            typed.into_iter().find_map(of_length).unwrap()
        };
        let grouped = |count: f64| match (count / 1000.0).trunc() {
            0.0 => format!("{count}"),
            thousands => format!("{thousands},{:03}", count % 1000.0),
        };
        let documented = include_str!("../../docs/damage.md");
        for (row, damages, is_too_much) in table {
            let sum = |whole, before| {
                damages
                    .iter()
                    .map(|it| counts(whole, before, it))
                    .fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
            };
            let (of_bech32, of_cash_addr) = (sum(39, 3), sum(42, 0));
            let by_chance = |candidates: f64, bits: i32| match candidates / 2_f64.powi(bits) {
                it if it < 1e-4 => format!("{it:.0e}"),
                it => format!("{it:.4}").trim_end_matches('0').to_owned(),
            };
            let bech32 = by_chance(of_bech32.1, 30);
            let bech32 = if is_too_much { format!("{bech32}: not tried") } else { bech32 };
            let cash_addr = by_chance(of_cash_addr.1, 40);
            let (of_bech32, of_cash_addr) = (grouped(of_bech32.0), grouped(of_cash_addr.0));
            let line = format!("| {row} | {of_bech32} | {of_cash_addr} | {bech32} | {cash_addr} |");
            assert!(documented.contains(&line), "{line}");
        }
    }

    #[test]
    fn a_prefix_is_completed() {
        let address = ADDRESSES[0];
        for text in [&address[3..], &address.replacen('1', "", 1)] {
            let answer = read(text).unwrap();
            assert_eq!(answer.addresses, [address], "{text}");
            assert!(answer.note.unwrap().contains("missing"));
            assert!(answer.estimate.unwrap().expected_by_chance < 1e-6);
        }
        // With another wrong character, one of 14 networks is right.
        let wrong = address[3..].replacen("508", "50q", 1);
        assert!(read(&wrong).unwrap().addresses.contains(&address.to_owned()));
    }

    /// The addresses of the documentation of the Cosmos SDK, and of NIP-19.
    #[test]
    fn bech32_of_other_networks_is_corrected() {
        for address in [
            "cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh",
            "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6",
        ] {
            assert_eq!(read(address).unwrap().estimate, None, "{address}");
            for at in before(address)..address.len() {
                let other = if address.as_bytes()[at] == b'q' { 'p' } else { 'q' };
                let answer = read(&replaced(address, &[(at, other)])).unwrap();
                assert_eq!(answer.addresses, [address]);
            }
        }
    }

    /// From the specification of CashAddr: the same hash with the prefix of SLP tokens has another
    /// checksum.
    #[test]
    fn addresses_of_slp_have_a_prefix_of_their_own() {
        const LENGTH: usize = 42;
        let data = &ADDRESSES[4]["bitcoincash:".len()..];
        let symbols: Vec<u8> = data.chars().flat_map(|c| BECH32_SPELLING.symbol(c)).collect();
        let format = cash_addr::linear("simpleledger:", data).unwrap();
        let payload = [&symbols[..LENGTH - 8], &[0; 8]].concat();
        let residue = format.codes[0].residue(&payload);
        let checksum = (0..8).rev().map(|at| (residue >> (5 * at)) as u8 & 31);
        let all: Vec<u8> = payload[..LENGTH - 8].iter().copied().chain(checksum).collect();
        let spelled: String = all.iter().map(|&it| BECH32_SPELLING.character(it)).collect();
        let address = format!("simpleledger:{spelled}");
        assert_eq!(read(&address).unwrap().addresses, [&*address]);
        let damaged = replaced(&address, &[(20, 'b')]);
        assert_eq!(read(&damaged).unwrap().addresses, [&*address]);
        assert_ne!(spelled, data);
    }
}
