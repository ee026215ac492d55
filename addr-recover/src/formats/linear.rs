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
mod tests;
