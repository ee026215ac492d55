//! Private keys that are written as a number without a checksum: 64 hexadecimal digits, or 32 bytes
//! in Base58. Only the address tells which one is right.

use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use addr_recover::{Damage, ParseError};
use ethnum::U256;
use k256::Scalar;
use zeroize::{Zeroize, Zeroizing};

use super::secrets::Sequence;

/// The maximum number of characters of a text that are no digits.
const MAX_FOREIGN: usize = 4;

/// The maximum number of texts of some digits with damage.
const MAX_TEXTS: usize = 1 << 20;

/// A digit that is unreadable.
const UNKNOWN: u8 = 0xff;

/// Added to the value of a capital letter that may be a small one.
const EITHER_CASE: u8 = 0x40;

/// What keys in the wallet import format begin with, in lower case: without their last characters
/// they are as long.
const FIRST_OF_WIF: &str = "5kl";

/// The texts that one more edit makes of a text.
type Edit = fn(&Digits) -> Edited<'_>;

type Edited<'a> = Box<dyn ExactSizeIterator<Item = Digits> + 'a>;

/// The greatest private key: the order of secp256k1 less one.
pub(super) static MAX: LazyLock<U256> =
    LazyLock::new(|| U256::from_be_bytes((-Scalar::ONE).to_bytes().into()));

/// How a private key is written.
#[derive(PartialEq, Eq)]
struct Notation {
    /// In the order of their values.
    digits: &'static str,
    /// The numbers of digits. Few private keys have fewer in Base58.
    lengths: [usize; 2],
    /// The maximum number of digits that are missing or extra.
    max_difference: usize,
}

static HEXADECIMAL: Notation =
    Notation { digits: "0123456789abcdef", lengths: [64, 64], max_difference: 4 };

static BASE58: Notation = Notation {
    digits: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    lengths: [43, 44],
    max_difference: 1,
};

/// The digits of a private key, some of them unknown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Digits {
    notation: &'static Notation,
    places: Zeroizing<Vec<u8>>,
}

impl Notation {
    fn base(&self) -> usize {
        self.digits.len()
    }

    fn value(&self, character: char) -> Option<u8> {
        self.digits.find(character).map(|value| value as u8)
    }

    /// The values that a place may have, one bit each.
    fn values(&self, place: u8) -> u64 {
        let value = place & !EITHER_CASE;
        match place {
            UNKNOWN => (1 << self.base()) - 1,
            _ if value == place => 1 << value,
            _ => {
                let capital = char::from(self.digits.as_bytes()[usize::from(value)]);
                let small = self.value(capital.to_ascii_lowercase());
                small.map_or(0, |small| 1 << small) | 1 << value
            }
        }
    }

    fn count(&self, place: u8) -> U256 {
        U256::from(self.values(place).count_ones())
    }

    /// Whether a text is nearly as long as a private key, and enough of it is readable.
    fn is_readable(&self, digits: &[u8], foreign: usize) -> bool {
        let [shortest, longest] = self.lengths;
        let lengths = shortest - self.max_difference..=longest + self.max_difference;
        let unknown = digits.iter().filter(|&&digit| digit == UNKNOWN).count();
        // No other key has this length: the answer should say how many may be unknown.
        let is_length = shortest == longest && digits.len() == shortest;
        lengths.contains(&digits.len())
            && foreign <= MAX_FOREIGN
            && (is_length || unknown <= shortest / 2)
    }
}

impl Digits {
    /// The digits of a text in which hardly anything else is but white space, dashes and `0x`
    /// before them.
    pub(crate) fn hexadecimal(text: &str) -> Option<Self> {
        let text = without_label(text);
        let text = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
        let of_look_alike = |character| match character {
            'o' | 'O' => Some(0),
            'l' | 'I' | 'i' => Some(1),
            _ => HEXADECIMAL.value(character.to_ascii_lowercase()),
        };
        Self::read(&HEXADECIMAL, text, of_look_alike)
    }

    /// The digits of a text that is as long as 32 bytes in Base58, and not a part of a key in the
    /// wallet import format. Letters of one case may have lost the other one.
    pub(crate) fn base58(text: &str) -> Option<Self> {
        let text = without_label(text);
        let bytes = text.as_bytes();
        let has_both_cases =
            bytes.iter().any(u8::is_ascii_lowercase) && bytes.iter().any(u8::is_ascii_uppercase);
        let in_its_case = |character: char| {
            let value = BASE58.value(character);
            let capital = BASE58.value(character.to_ascii_uppercase());
            let small = BASE58.value(character.to_ascii_lowercase());
            match (capital, small) {
                _ if has_both_cases => value,
                (Some(capital), Some(small)) if capital != small => Some(capital | EITHER_CASE),
                _ => capital.or(small),
            }
        };
        let is_wif = text.starts_with(|c: char| FIRST_OF_WIF.contains(c.to_ascii_lowercase()));
        Self::read(&BASE58, text, in_its_case).filter(|_| !is_wif)
    }

    /// The digits of the 32 bytes that a text in Base58 without a checksum has.
    pub(crate) fn of_bytes(text: &str) -> Option<Self> {
        let mut bytes = Zeroizing::new([0; 32]);
        let length = bs58::decode(without_label(text)).onto(&mut *bytes).ok()?;
        let mut places = Zeroizing::new(Vec::with_capacity(2 * bytes.len()));
        places.extend(bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]));
        (length == bytes.len()).then_some(Self { notation: &HEXADECIMAL, places })
    }

    fn read(
        notation: &'static Notation,
        text: &str,
        value: impl Fn(char) -> Option<u8>,
    ) -> Option<Self> {
        let mut places = Zeroizing::new(Vec::with_capacity(text.len()));
        let mut foreign = 0;
        for character in text.chars().filter(|c| !(c.is_whitespace() || matches!(c, '-' | ':'))) {
            let value = value(character);
            foreign += usize::from(value.is_none() && !matches!(character, '?' | '_' | '*'));
            places.push(value.unwrap_or(UNKNOWN));
        }
        notation.is_readable(&places, foreign).then_some(Self { notation, places })
    }

    /// The number of digits that there are.
    pub(crate) fn base(&self) -> usize {
        self.notation.base()
    }

    /// The texts of the right length that these may be if they have some damage.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError::TooComplex`] if they are too many.
    pub(super) fn damaged(&self, damage: &Damage) -> Result<Vec<Self>, ParseError> {
        // A wrong digit may be right, so the texts with one fewer are among those with more.
        let edits: [(u8, bool, Edit); 5] = [
            (damage.surplus, true, |text| text.edited(0..text.len(), 1, &[])),
            (damage.swapped, true, |text| {
                let swapped =
                    move |at| text.spliced(at, 2, &[text.places[at + 1], text.places[at]]);
                Box::new((0..text.len().saturating_sub(1)).map(swapped))
            }),
            (damage.typos, false, |text| text.edited(0..text.len(), 1, &[UNKNOWN])),
            (damage.missing, true, |text| text.edited(0..text.len() + 1, 0, &[UNKNOWN])),
            (damage.cut, true, |text| text.edited([0, text.len()], 0, &[UNKNOWN])),
        ];
        let mut texts = vec![self.clone()];
        for (count, keeps, edit) in edits {
            for _ in 0..count {
                let count: usize = texts.iter().map(|text| edit(text).len()).sum();
                if texts.len() + count > MAX_TEXTS {
                    return Err(ParseError::TooComplex);
                }
                let order = |one: &Self, other: &Self| one.places[..].cmp(&other.places[..]);
                let mut edited: Vec<Self> = texts.iter().flat_map(edit).collect();
                if keeps {
                    edited.append(&mut texts);
                } else {
                    // Without those in which the wrong digit is one that was unknown.
                    edited.retain(|text| texts.binary_search_by(|it| order(it, text)).is_err());
                }
                if edited.is_empty() {
                    break;
                }
                edited.sort_unstable_by(order);
                edited.dedup();
                texts = edited;
            }
        }
        texts.retain(|text| self.notation.lengths.contains(&text.len()));
        Ok(texts)
    }

    fn len(&self) -> usize {
        self.places.len()
    }

    /// The texts with other digits in the place of some, at each of some places.
    fn edited<'a>(
        &'a self,
        places: impl IntoIterator<Item = usize, IntoIter: ExactSizeIterator + 'a>,
        count: usize,
        with: &'a [u8],
    ) -> Edited<'a> {
        Box::new(places.into_iter().map(move |at| self.spliced(at, count, with)))
    }

    /// The text with other digits in the place of `count`.
    fn spliced(&self, at: usize, count: usize, with: &[u8]) -> Self {
        let (before, after) = (&self.places[..at], &self.places[at + count..]);
        let places = Zeroizing::new([before, with, after].concat());
        Self { notation: self.notation, places }
    }

    /// The number of private keys that these may be.
    pub(super) fn count(&self) -> U256 {
        let [_, longest] = self.notation.lengths;
        let zeros = longest.saturating_sub(self.len());
        let places = || (0..zeros).map(|_| 0).chain(self.places.iter().copied());
        // How many numbers the places after each may be.
        let mut after: Vec<U256> = Vec::with_capacity(longest);
        let mut product = U256::ONE;
        for place in self.places.iter().rev() {
            after.push(product);
            // Only that of all places may be too great, which none is before.
            product = product.wrapping_mul(self.notation.count(*place));
        }
        after.resize(longest, product);
        let (mut count, mut is_max_possible) = (U256::ZERO, true);
        for ((place, after), limit) in places().zip(after.into_iter().rev()).zip(self.max()) {
            let values = self.notation.values(place);
            let below = (values & ((1 << limit) - 1)).count_ones();
            if below > 0 {
                count += U256::from(below) * after;
            }
            if values >> limit & 1 == 0 {
                is_max_possible = false;
                break;
            }
        }
        let is_zero_possible = places().all(|place| self.notation.values(place) & 1 == 1);
        count + U256::from(is_max_possible) - U256::from(is_zero_possible)
    }

    /// The digits of the greatest private key.
    fn max(&self) -> Vec<u32> {
        let [_, longest] = self.notation.lengths;
        let base = U256::from(self.base() as u64);
        let mut rest = *MAX;
        let mut digits: Vec<u32> = Vec::with_capacity(longest);
        for _ in 0..longest {
            digits.push((rest % base).as_u32());
            rest /= base;
        }
        digits.reverse();
        digits
    }

    /// The legal private keys that these may be. Each sequence has all digits in the places of the
    /// longest run of unknown ones.
    pub(super) fn sequences(&self) -> Sequences {
        let run = self.longest_run();
        let base = U256::from(self.base() as u64);
        let weight = |at: usize| base.pow((self.len() - 1 - at) as u32);
        let others = (0..self.len()).filter(|at| !run.contains(at));
        let mut places = Vec::new();
        let mut known = U256::ZERO;
        for at in others {
            let values = self.notation.values(self.places[at]);
            let mut each = Zeroizing::new(Vec::with_capacity(self.base()));
            each.extend((0..64).filter(|value| values >> value & 1 == 1));
            match each[..] {
                // More than 256 bits are no private key.
                [value] => match weight(at).checked_mul(U256::from(value)) {
                    Some(product) => known = known.saturating_add(product),
                    None => known = U256::MAX,
                },
                _ => places.push((weight(at), each)),
            }
        }
        let step = if run.is_empty() { U256::ONE } else { weight(run.end - 1) };
        let len = base.checked_pow(run.len() as u32).unwrap_or(U256::MAX);
        let chosen = Zeroizing::new(vec![0; places.len()]);
        let mut sums = Vec::with_capacity(places.len() + 1);
        sums.push(known);
        let mut sequences =
            Sequences { places, chosen, sums: Sums(sums), step, len, is_done: false };
        sequences.add_from(0);
        sequences
    }

    fn longest_run(&self) -> Range<usize> {
        let (mut longest, mut begin) = (0..0, 0);
        for (at, place) in self.places.iter().enumerate() {
            if *place != UNKNOWN {
                begin = at + 1;
            } else if at + 1 - begin > longest.len() {
                longest = begin..at + 1;
            }
        }
        longest
    }
}

/// Shows only how many digits there are.
impl fmt::Debug for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Digits").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// See [`Digits::sequences`].
pub(super) struct Sequences {
    /// The weights and the values of places that may have several, besides the run.
    places: Vec<(U256, Zeroizing<Vec<u8>>)>,
    /// The index of the value of each.
    chosen: Zeroizing<Vec<usize>>,
    /// The sums of the known digits and of those that are chosen for the first places.
    sums: Sums,
    step: U256,
    len: U256,
    is_done: bool,
}

/// Numbers that are wiped from memory. The maximum stands for any that is greater.
struct Sums(Vec<U256>);

impl Drop for Sums {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|sum| sum.0.zeroize());
    }
}

impl Sequences {
    /// Adds up what was chosen, from one place on.
    fn add_from(&mut self, at: usize) {
        self.sums.0.truncate(at + 1);
        for ((weight, values), &chosen) in self.places.iter().zip(self.chosen.iter()).skip(at) {
            let sum = self.sums.0[self.sums.0.len() - 1];
            let product = weight.checked_mul(U256::from(values[chosen]));
            let sum = product.and_then(|product| sum.checked_add(product)).unwrap_or(U256::MAX);
            self.sums.0.push(sum);
        }
    }

    /// Chooses the next values of the first places. The last of them changes first.
    fn advance(&mut self, count: usize) {
        self.chosen[count..].fill(0);
        for at in (0..count).rev() {
            self.chosen[at] += 1;
            if self.chosen[at] < self.places[at].1.len() {
                return self.add_from(at);
            }
            self.chosen[at] = 0;
        }
        self.is_done = true;
    }

    /// The legal private keys of what is chosen.
    fn legal(&self) -> Option<Sequence> {
        let Self { step, mut len, .. } = *self;
        let mut first = self.sums.0[self.places.len()];
        if first == U256::ZERO {
            (first, len) = (step, len - U256::ONE);
        }
        let room = MAX.checked_sub(first)?;
        // A division takes longer than most sequences need.
        let last = len.checked_sub(U256::ONE)?.checked_mul(step);
        if last.is_none_or(|last| last > room) {
            len = room / step + U256::ONE;
        }
        Some(Sequence { first, step, len })
    }
}

impl Iterator for Sequences {
    type Item = Sequence;

    fn next(&mut self) -> Option<Sequence> {
        while !self.is_done {
            let sequence = self.legal();
            // Whatever follows places that make too great a number, it stays too great.
            let is_too_great = |sum: &U256| *sum > *MAX;
            let are_legal = sequence.is_some();
            let all = self.places.len();
            let too_great = || self.sums.0.iter().position(is_too_great);
            self.advance(if are_legal { all } else { too_great().unwrap_or(all) });
            if are_legal {
                return sequence;
            }
        }
        None
    }
}

/// The text without quotation marks, and without words and a colon or an equals sign before it.
fn without_label(text: &str) -> &str {
    let text = text.trim();
    let is_label = |c: char| c.is_alphabetic() || c.is_whitespace();
    let rest = text.trim_start_matches(is_label);
    // Digits are letters, too, but their groups are shorter than most labels.
    let has_label = rest.len() < text.len() && rest.starts_with([':', '=']);
    let is_digits = text[..text.len() - rest.len()].chars().all(|c| c.is_ascii_hexdigit());
    let text = if has_label && !is_digits { &rest[1..] } else { text };
    text.trim().trim_matches(['"', '\'', '`'])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Some texts of few digits in the last places, all values of which are enumerated one by one.
    #[test]
    fn sequences_are_all_numbers_that_the_digits_may_be() {
        let zeros = "0".repeat(60);
        for text in ["0000", "000?", "1??0", "?1?2", "??0?", "f?e?", "0?00", "????"] {
            let digits = Digits::hexadecimal(&format!("{zeros}{text}")).unwrap();
            let fits = |number: &u64| {
                let spelled = format!("{number:04x}");
                spelled.chars().zip(text.chars()).all(|(own, c)| c == '?' || c == own)
            };
            check(&digits, &(1..1 << 16).filter(fits).collect());
        }
        let ones = "1".repeat(41);
        for text in ["111", "11?", "2?3", "??2", "?9?", "???"] {
            let digits = Digits::base58(&format!("{ones}{text}")).unwrap();
            let fits = |number: &u64| {
                let places = [number / 3364, number / 58 % 58, number % 58];
                let value = |c| BASE58.value(c).map(u64::from);
                places
                    .iter()
                    .zip(text.chars())
                    .all(|(&own, c)| value(c).is_none_or(|value| value == own))
            };
            check(&digits, &(1..195_112).filter(fits).collect());
        }
    }

    fn check(digits: &Digits, expected: &BTreeSet<u64>) {
        let numbers = |it: Sequence| {
            (0..it.len.as_u64()).map(move |at| (it.first + it.step * U256::from(at)).as_u64())
        };
        let all: Vec<u64> = digits.sequences().flat_map(numbers).collect();
        assert_eq!(digits.count(), U256::from(all.len() as u64));
        assert_eq!(all.len(), expected.len(), "each once");
        assert_eq!(&all.into_iter().collect::<BTreeSet<_>>(), expected);
    }

    /// Only numbers up to the greatest private key, whatever the digits.
    #[test]
    fn sequences_end_with_the_greatest_private_key() {
        let hexadecimal = |text: &str| Digits::hexadecimal(text).unwrap();
        let greatest = format!("{:x}", *MAX);
        for (digits, count) in [
            (hexadecimal(&format!("{}?", &greatest[..63])), U256::ONE),
            (hexadecimal(&format!("{}??", &greatest[..62])), U256::from(0x41_u32)),
            (hexadecimal(&"?".repeat(64)), *MAX),
            (hexadecimal(&"f".repeat(64)), U256::ZERO),
            (hexadecimal(&format!("?{}", "f".repeat(63))), U256::from(15_u32)),
            (Digits::base58(&"z".repeat(44)).unwrap(), U256::ZERO),
            (Digits::base58(&format!("?Z{}", "z".repeat(42))).unwrap(), U256::from(17_u32)),
        ] {
            assert_eq!(digits.count(), count, "{digits:?}");
            let sum = digits.sequences().fold(U256::ZERO, |sum, it| {
                let last = it.first + it.step * (it.len - U256::ONE);
                assert!(it.first > U256::ZERO && last <= *MAX);
                sum + it.len
            });
            assert_eq!(sum, count, "{digits:?}");
        }
    }

    #[test]
    fn letters_of_one_case_may_have_lost_the_other() {
        let text = "a".repeat(40) + "1oli";
        let digits = Digits::base58(&text).unwrap();
        // All letters, of which o, L and i are digits in one case.
        assert_eq!(digits.places[40..], [0, 46, 19, 41]);
        assert_eq!(BASE58.values(digits.places[0]), 1 << 9 | 1 << 33);
        assert!(Digits::base58(&format!("K{}", "a".repeat(43))).is_none());
        assert!(Digits::hexadecimal(&format!("key: {}", "0a".repeat(32))).is_some());
        assert!(Digits::hexadecimal(&["ab"; 32].join(":")).is_some());
    }

    /// Two wrong digits make as many texts as pairs of places.
    #[test]
    fn no_text_is_among_another() {
        let digits = Digits::hexadecimal(&"0a".repeat(32)).unwrap();
        let damaged = |typos| digits.damaged(&Damage { typos, ..Damage::default() });
        assert_eq!([0, 1, 2].map(|typos| damaged(typos).unwrap().len()), [1, 64, 2016]);
        assert_eq!(damaged(4), Err(ParseError::TooComplex));
    }
}
