//! Private keys that are written as a number without a checksum: 64 hexadecimal digits, or 32 bytes
//! in Base58. Only the address tells which one is right.

use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use ethnum::U256;
use k256::Scalar;
use zeroize::{Zeroize, Zeroizing};

use crate::damage::Damage;
use crate::edits::{self, Edit};
use crate::parse_error::ParseError;
use crate::pattern::Pattern;

/// The maximum number of characters of a text that are no digits.
const MAX_FOREIGN: usize = 4;

/// The maximum number of texts of some digits with damage.
const MAX_TEXTS: usize = 600_000;

/// Stands in a text for a hidden part.
const GAP: char = '…';

/// What divides groups of digits besides white space, dashes and colons.
const SEPARATORS: &str = ".,/|;";

/// Half a key has no fewer digits.
const MIN_PART: usize = 16;

/// The values that a place may have, one bit each.
type Values = u64;

/// What keys in the wallet import format begin with, in lower case: without their last characters
/// they are as long.
const FIRST_OF_WIF: &str = "5kl";

/// The greatest private key: the order of secp256k1 less one.
pub(super) static MAX: LazyLock<U256> =
    LazyLock::new(|| U256::from_be_bytes((-Scalar::ONE).to_bytes().into()));

/// The number of hexadecimal digits of a private key.
pub(super) const LENGTH: usize = 64;

/// How a private key is written.
#[derive(PartialEq, Eq)]
struct Notation {
    /// In the order of their values.
    digits: &'static str,
    /// The numbers of digits. Few private keys have fewer in Base58.
    lengths: [usize; 2],
    /// The maximum number of digits that are missing or extra.
    max_difference: usize,
    /// A place that is unreadable.
    unknown: [Values; 1],
}

static HEXADECIMAL: Notation = Notation {
    digits: "0123456789abcdef",
    lengths: [LENGTH; 2],
    max_difference: 4,
    unknown: [(1 << 16) - 1],
};

static BASE58: Notation = Notation {
    digits: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    lengths: [43, 44],
    max_difference: 1,
    unknown: [(1 << 58) - 1],
};

/// The digits of a private key, some of them unknown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Digits {
    notation: &'static Notation,
    places: Zeroizing<Vec<Values>>,
    /// Where a hidden part ends that is filled up to the greatest length.
    gap: Option<usize>,
}

/// What is read of a text: its places, the end of a hidden part, and how many places are no digits.
struct Read {
    places: Zeroizing<Vec<Values>>,
    gap: Option<usize>,
    foreign: usize,
}

/// Private keys at the same distances.
#[derive(Clone, Copy)]
pub(super) struct Sequence {
    pub(super) first: U256,
    pub(super) step: U256,
    /// At least 1.
    pub(super) len: U256,
}

impl Notation {
    fn base(&self) -> usize {
        self.digits.len()
    }

    /// The value of a digit, as a bit.
    fn value(&self, character: char) -> Option<Values> {
        self.digits.find(character).map(|value| 1 << value)
    }

    fn count(place: Values) -> U256 {
        U256::from(place.count_ones())
    }

    /// Whether a text is nearly as long as a private key, and enough of it is readable.
    fn is_readable(&self, Read { places: digits, foreign, .. }: &Read) -> bool {
        let [shortest, longest] = self.lengths;
        let lengths = shortest - self.max_difference..=longest + self.max_difference;
        let unknown = digits.iter().filter(|&&digit| digit == self.unknown[0]).count();
        // No other key has this length: the answer should say how many may be unknown.
        let is_length = shortest == longest && digits.len() == shortest;
        lengths.contains(&digits.len())
            && *foreign <= MAX_FOREIGN
            && (is_length || unknown <= shortest / 2)
    }
}

impl Digits {
    /// The digits of a text in which hardly anything else is but sets, separators and `0x` before
    /// them.
    pub(crate) fn hexadecimal(text: &str) -> Option<Self> {
        let (_, read) = Self::of_text(text);
        Self::checked(&HEXADECIMAL, read)
    }

    /// The digits of a part of a private key, whose first or last ones are lost, and how many these
    /// are. Nothing but digits is one.
    pub(crate) fn part(text: &str) -> Option<(Self, u8)> {
        let (text, Read { places, gap, foreign }) = Self::of_text(text);
        let [length, _] = HEXADECIMAL.lengths;
        let lost = u8::try_from(length.checked_sub(places.len())?).ok()?;
        let has = |is: fn(&char) -> bool| text.chars().any(|c| is(&c));
        let is_part = foreign == 0
            && places.len() >= MIN_PART
            && text.chars().all(|c| c.is_ascii_hexdigit())
            && has(char::is_ascii_alphabetic)
            // Base58 has no zero, and nearly all of so many digits have one.
            && text.contains('0');
        is_part.then_some((Self { notation: &HEXADECIMAL, places, gap }, lost))
    }

    /// The text of hexadecimal digits without its separators, and what is read of it.
    fn of_text(text: &str) -> (Zeroizing<String>, Read) {
        let text = Pattern::key_text(text);
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(&text);
        let mut whole = Zeroizing::new(String::with_capacity(digits.len()));
        whole.extend(digits.chars().filter(|&c| !SEPARATORS.contains(c)));
        let of_look_alike = |character| match character {
            'o' | 'O' => Some(1),
            'l' | 'I' | 'i' => Some(2),
            _ => HEXADECIMAL.value(char::to_ascii_lowercase(&character)),
        };
        let read = Self::read(&HEXADECIMAL, &whole, of_look_alike);
        if read.places.len() == HEXADECIMAL.lengths[0] || whole.len() == digits.len() {
            return (whole, read);
        }
        // Such a character may also be an unreadable one.
        let with = Self::read(&HEXADECIMAL, digits, of_look_alike);
        if HEXADECIMAL.is_readable(&with) {
            return (Zeroizing::new(digits.to_owned()), with);
        }
        (whole, read)
    }

    /// The digits of a text that is as long as 32 bytes in Base58. Letters of one case may have
    /// lost the other one.
    pub(crate) fn base58(text: &str) -> Option<Self> {
        let text = Pattern::key_text(text);
        let bytes = text.as_bytes();
        let has_both_cases =
            bytes.iter().any(u8::is_ascii_lowercase) && bytes.iter().any(u8::is_ascii_uppercase);
        let in_its_case = |character: char| {
            let value = BASE58.value(character);
            let capital = BASE58.value(character.to_ascii_uppercase());
            let small = BASE58.value(character.to_ascii_lowercase());
            match (capital, small) {
                _ if has_both_cases => value,
                (None, None) => None,
                _ => Some(capital.unwrap_or(0) | small.unwrap_or(0)),
            }
        };
        let read = Self::read(&BASE58, &text, in_its_case);
        Self::checked(&BASE58, read)
    }

    /// The digits of the 32 bytes that a text in Base58 without a checksum has.
    pub(crate) fn of_bytes(text: &str) -> Option<Self> {
        let mut bytes = Zeroizing::new([0; 32]);
        let length = bs58::decode(Pattern::key_text(text).as_str()).onto(&mut *bytes).ok()?;
        let mut places = Zeroizing::new(Vec::with_capacity(2 * bytes.len()));
        places.extend(bytes.iter().flat_map(|byte| [1 << (byte >> 4), 1 << (byte & 15)]));
        (length == bytes.len()).then_some(Self { notation: &HEXADECIMAL, places, gap: None })
    }

    /// What is read of a text. Unknown digits fill a gap.
    fn read(
        notation: &'static Notation,
        text: &str,
        value: impl Fn(char) -> Option<Values>,
    ) -> Read {
        let [unknown] = notation.unknown;
        let longest = notation.lengths[1];
        let mut places = Zeroizing::new(Vec::with_capacity(text.len() + longest));
        let (mut foreign, mut set, mut gap) = (0, None, None);
        for character in text.chars() {
            let value = value(character);
            let is_foreign = value.is_none() && !matches!(character, '?' | '_' | '*');
            match (character, &mut set) {
                ('[', _) => set = Some(0),
                (']', Some(values)) => {
                    places.push(if *values == 0 { unknown } else { *values });
                    set = None;
                }
                (_, Some(values)) => {
                    *values |= value.unwrap_or(0);
                    foreign += usize::from(is_foreign);
                }
                (GAP, None) if gap.is_none() => gap = Some(places.len()),
                (_, None) => {
                    foreign += usize::from(is_foreign);
                    places.push(value.unwrap_or(unknown));
                }
            }
        }
        let gap = gap.map(|gap: usize| {
            let lost = longest.saturating_sub(places.len());
            places.splice(gap..gap, std::iter::repeat_n(unknown, lost));
            gap + lost
        });
        Read { places, gap, foreign }
    }

    fn checked(notation: &'static Notation, read: Read) -> Option<Self> {
        let is_readable = notation.is_readable(&read);
        is_readable.then_some(Self { notation, places: read.places, gap: read.gap })
    }

    /// The places with fewer unknown ones for a hidden part: those of shorter private keys.
    fn shorter(&self) -> Option<Zeroizing<Vec<Values>>> {
        let [shortest, longest] = self.notation.lengths;
        let end = self.gap.filter(|_| self.len() == longest)?;
        let begin = end - (longest - shortest).min(end);
        // A hidden part has at least one.
        let is_hidden = |at: usize| self.places[at] == self.notation.unknown[0];
        (begin < end && begin > 0 && (begin - 1..end).all(is_hidden)).then(|| {
            let mut places = Zeroizing::new(Vec::with_capacity(shortest));
            places.extend([&self.places[..begin], &self.places[end..]].into_iter().flatten());
            places
        })
    }

    /// The private key, if no digit is missing and there is only one.
    pub(super) fn only(&self) -> Option<Zeroizing<[u8; 32]>> {
        if !self.has_length() || self.count() != U256::ONE {
            return None;
        }
        Some(Zeroizing::new(self.sequences().next()?.first.to_be_bytes()))
    }

    /// Whether they are as many as those of a private key.
    pub(super) fn has_length(&self) -> bool {
        let [shortest, longest] = self.notation.lengths;
        (shortest..=longest).contains(&self.len())
    }

    /// What a private key of such digits is.
    pub(super) fn name(&self) -> &'static str {
        if self.notation == &HEXADECIMAL { "64 hexadecimal digits" } else { "32 bytes in Base58" }
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
        let known = self.places.iter().filter(|it| **it != self.notation.unknown[0]).count();
        let typos = damage.typos.min(u8::try_from(known).unwrap_or(u8::MAX));
        let edits = [
            (Edit::Typo, typos..=typos),
            (Edit::Missing, 0..=damage.missing),
            (Edit::Surplus, 0..=damage.surplus),
            (Edit::Swapped, 0..=damage.swapped),
            (Edit::Cut, 0..=damage.cut),
        ];
        let Notation { lengths, unknown: [unknown], .. } = self.notation;
        // If a character may be missing, the longer texts are among those of the shorter one.
        let shorter = self.shorter();
        let longer = Some(&self.places).filter(|_| shorter.is_none() || damage.missing == 0);
        let mut all = Vec::new();
        for places in longer.into_iter().chain(&shorter) {
            let texts = edits::texts(places, *unknown, &edits, lengths, MAX_TEXTS);
            let texts = texts.ok_or(ParseError::TooComplex)?.into_iter().map(Zeroizing::new);
            all.extend(texts.map(|places| Self { notation: self.notation, places, gap: None }));
        }
        Ok(all)
    }

    fn len(&self) -> usize {
        self.places.len()
    }

    /// The number of private keys that these may be.
    pub(super) fn count(&self) -> U256 {
        let [_, longest] = self.notation.lengths;
        let zeros = longest.saturating_sub(self.len());
        let places = || (0..zeros).map(|_| 1).chain(self.places.iter().copied());
        // How many numbers the places after each may be.
        let mut after: Vec<U256> = Vec::with_capacity(longest);
        let mut product = U256::ONE;
        for place in self.places.iter().rev() {
            after.push(product);
            // Only that of all places may be too great, which none is before.
            product = product.wrapping_mul(Notation::count(*place));
        }
        after.resize(longest, product);
        let (mut count, mut is_max_possible) = (U256::ZERO, true);
        for ((values, after), limit) in places().zip(after.into_iter().rev()).zip(self.max()) {
            let below = (values & ((1 << limit) - 1)).count_ones();
            if below > 0 {
                count += U256::from(below) * after;
            }
            if values >> limit & 1 == 0 {
                is_max_possible = false;
                break;
            }
        }
        let is_zero_possible = places().all(|values| values & 1 == 1);
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
            let values = self.places[at];
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
            if *place != self.notation.unknown[0] {
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

/// The places of the characters that are no digits, counted from 1, of a text that is nearly as
/// long as a private key in hexadecimal digits and has too many of them. They may be digits of a
/// key.
pub(super) fn not_understood(text: &str) -> Option<Vec<usize>> {
    let text = Pattern::key_text(text);
    let is_digit = |c: char| c.is_ascii_hexdigit() || "?_*[]".contains(c);
    let others: Vec<usize> =
        (1..).zip(text.chars()).filter(|it| !is_digit(it.1)).map(|it| it.0).collect();
    let is_near = text.chars().count().abs_diff(LENGTH) <= LENGTH / 4
        && 5 * others.len() <= text.chars().count()
        && text.contains('0');
    (is_near && !others.is_empty()).then_some(others)
}

/// The first eight places.
pub(super) fn listed(places: &[usize]) -> String {
    let places: Vec<String> = places.iter().take(8).map(usize::to_string).collect();
    places.join(", ")
}

/// Whether a text begins like a key in the wallet import format.
pub(crate) fn is_begin_of_wif(text: &str) -> bool {
    text.starts_with(|c: char| FIRST_OF_WIF.contains(c.to_ascii_lowercase()))
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
                let value = |c| BASE58.value(c).map(|bit| u64::from(bit.trailing_zeros()));
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
        assert_eq!(digits.places[40..], [1 << 0, 1 << 46, 1 << 19, 1 << 41]);
        assert_eq!(digits.places[0], 1 << 9 | 1 << 33);
        assert!(Digits::hexadecimal(&format!("key: {}", "0a".repeat(32))).is_some());
        assert!(Digits::hexadecimal(&["ab"; 32].join(":")).is_some());
    }

    #[test]
    fn sets_and_hidden_parts_are_read() {
        let key = "0a".repeat(32);
        let known = Digits::hexadecimal(&key).unwrap();
        for set in ["[7a]", "{7,a}", "(7/a)", "[a7]"] {
            let digits =
                Digits::hexadecimal(&format!("0x{}{set}{}", &key[..3], &key[4..])).unwrap();
            assert_eq!(digits.places[3], 1 << 7 | 1 << 10);
            assert_eq!(
                (digits.places[..3].to_vec(), digits.len()),
                (known.places[..3].to_vec(), 64)
            );
        }
        let hidden = Digits::hexadecimal(&format!("{}...{}", &key[..30], &key[34..])).unwrap();
        assert_eq!((hidden.len(), hidden.longest_run()), (64, 30..34));
        for separator in [" ", "-", ".", "/", ",", ":"] {
            let groups: Vec<&str> = (0..8).map(|at| &key[8 * at..8 * at + 8]).collect();
            assert_eq!(Digits::hexadecimal(&groups.join(separator)).as_ref(), Some(&known));
        }
        assert_eq!(Digits::part(&key[..32]).map(|it| it.1), Some(32));
        assert_eq!(Digits::part("KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3"), None);
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
