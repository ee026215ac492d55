//! A damaged address: what each of its characters may stand for, and what else may have happened.

pub(crate) mod alphabet;
pub(crate) mod damage;
mod error;
mod foreign;
mod input;

use std::str::FromStr;

use crate::number::MAX_LENGTH;
use alphabet::DigitSet;
use damage::{Case, Damage, LOOK_ALIKES};
use error::MIN_LENGTH;
pub use error::ParseError;
pub use foreign::Foreign;
use input::{Input, Placed};

/// A damaged address.
///
/// | in the text | stands for |
/// |---|---|
/// | a letter or digit | itself; if the case is lost, in either case |
/// | a character that is no digit of Base58, such as `0` | its look-alikes |
/// | `O`, `I` and `l`, no digits either, in a text of one case | `o`, `i` and `L`, whose case was lost |
/// | `?` | any digit |
/// | `[7ZT]` | what any of the characters inside stands for |
///
/// White space around it, characters that cannot be seen, `bitcoin:` with what follows the address,
/// and URLs around it are ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    given: String,
    text: String,
    places: Vec<DigitSet>,
    damage: Damage,
    untried: Option<char>,
}

impl Pattern {
    /// Reads a text whose only damage is its lost case, and what the text itself marks.
    ///
    /// # Errors
    ///
    /// All of [`ParseError`] but `NotUtf8` and `TooComplex`.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::with_damage(text, Damage::default())
    }

    /// Reads a text that may be damaged in some more ways.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn with_damage(given: &str, damage: Damage) -> Result<Self, ParseError> {
        let input = Input::of(given);
        let text = input.text();
        if text.is_empty() {
            return Err(ParseError::Empty);
        }
        if let Some(foreign) = foreign::recognise(&input.scheme, &text) {
            return Err(ParseError::Foreign(foreign));
        }
        let reading = Reading::of(&damage, &text);
        let places = reading.places(&input.characters)?;
        let untried = text.chars().find(|&character| reading.is_taken_for_a_letter(character));
        let given_length = places.len();
        let (shortest, longest) = (
            given_length - usize::from(damage.surplus),
            given_length + usize::from(damage.missing),
        );
        if longest < MIN_LENGTH || shortest > MAX_LENGTH {
            return Err(ParseError::Length { given: given_length });
        }
        Ok(Self { given: given.to_owned(), text, places, damage, untried })
    }

    /// Reads bytes that may not be text at all, such as an argument from the command line or a line
    /// of a file.
    ///
    /// # Errors
    ///
    /// All of [`ParseError`] but `TooComplex`.
    pub fn from_utf8(bytes: &[u8], damage: Damage) -> Result<Self, ParseError> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let before = error.valid_up_to();
            let characters = String::from_utf8_lossy(&bytes[..before]).chars().count();
            ParseError::NotUtf8 { byte: bytes[before], position: characters + 1 }
        })?;
        Self::with_damage(text, damage)
    }

    /// The text as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.given
    }

    /// The address in the text, without what stands around it.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.text
    }

    /// How many characters it has, a set counting as one.
    #[must_use]
    pub fn length(&self) -> usize {
        self.places.len()
    }

    /// How many of its places allow more than one digit.
    #[must_use]
    pub fn ambiguous_places(&self) -> usize {
        self.places.iter().filter(|digits| digits.len() > 1).count()
    }

    /// The format that a text may have where a search space about it has no candidates.
    #[must_use]
    pub fn foreign_instead(&self) -> Option<Foreign> {
        foreign::instead_of_address(&self.text)
    }

    /// The first character that was taken for a letter whose case was lost and not for what looks
    /// like it: an `l` or an `I` in a text of one case. A search that finds nothing has not
    /// tried that it was a `1`; with [`LookAlikes::everywhere`] it does.
    ///
    /// [`LookAlikes::everywhere`]: crate::LookAlikes::everywhere
    #[must_use]
    pub fn untried_look_alike(&self) -> Option<char> {
        self.untried
    }

    /// A text of any length, for tests that list everything.
    #[cfg(test)]
    pub(crate) fn short(text: &str, damage: Damage) -> Self {
        let places = Reading::of(&damage, text).places(&Input::of(text).characters).unwrap();
        Self { given: text.to_owned(), text: text.to_owned(), places, damage, untried: None }
    }

    pub(crate) fn places(&self) -> &[DigitSet] {
        &self.places
    }

    pub(crate) fn damage(&self) -> &Damage {
        &self.damage
    }
}

impl FromStr for Pattern {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

/// Whether a text has letters of both cases.
fn has_both_cases(text: &str) -> bool {
    // What a set lists was not damaged, so its case says nothing of the rest.
    let mut is_in_set = false;
    let outside_sets = text.chars().filter(|&character| {
        is_in_set = character == '[' || is_in_set && character != ']';
        !is_in_set
    });
    let (mut has_small, mut has_capital) = (false, false);
    for character in outside_sets {
        has_small |= character.is_ascii_lowercase();
        has_capital |= character.is_ascii_uppercase();
    }
    has_small && has_capital
}

/// How single characters are read.
struct Reading<'a> {
    case: Case,
    has_both_cases: bool,
    everywhere: &'a [String],
}

impl<'a> Reading<'a> {
    fn of(damage: &'a Damage, text: &str) -> Self {
        let has_both_cases = has_both_cases(text);
        let is_more_damaged = damage.is_beyond_case() || text.contains(['?', '[']);
        let case = match damage.case {
            Case::Auto if has_both_cases && is_more_damaged => Case::Kept,
            Case::Auto => Case::Lost,
            case => case,
        };
        Self { case, has_both_cases, everywhere: &damage.look_alikes.everywhere }
    }

    fn places(&self, characters: &[Placed]) -> Result<Vec<DigitSet>, ParseError> {
        let mut places = Vec::new();
        let mut rest = characters.iter().copied();
        while let Some((character, position)) = rest.next() {
            places.push(match character {
                '?' => DigitSet::ALL,
                '[' => self.set(position, &mut rest)?,
                ']' => return Err(ParseError::StrayBracket { position }),
                _ => self.digits(character, position)?,
            });
        }
        Ok(places)
    }

    /// The rest of a set, whose `[` has been read.
    fn set(
        &self,
        begin: usize,
        rest: &mut impl Iterator<Item = Placed>,
    ) -> Result<DigitSet, ParseError> {
        let mut digits = DigitSet::EMPTY;
        for (character, position) in rest {
            match character {
                ']' if digits.is_empty() => return Err(ParseError::EmptySet { position: begin }),
                ']' => return Ok(digits),
                _ => digits |= self.digits(character, position)?,
            }
        }
        Err(ParseError::UnclosedSet { position: begin })
    }

    /// What one character stands for.
    fn digits(&self, found: char, position: usize) -> Result<DigitSet, ParseError> {
        let own = self.in_its_case(found);
        // A text of one case has lost the other: there an l is an L, as an a is an A.
        let is_outside =
            if self.has_both_cases { DigitSet::exactly(found) } else { own }.is_empty();
        let mut digits = own | self.alike(found, self.everywhere.iter().map(String::as_str));
        if is_outside {
            digits |= self.alike(found, LOOK_ALIKES);
        }
        if digits.is_empty() { Err(ParseError::Character { found, position }) } else { Ok(digits) }
    }

    /// What looks like a character.
    fn alike<'g>(&self, found: char, groups: impl IntoIterator<Item = &'g str>) -> DigitSet {
        let groups = groups.into_iter().filter(|group| group.contains(found));
        groups
            .flat_map(str::chars)
            .fold(DigitSet::EMPTY, |digits, alike| digits | self.in_its_case(alike))
    }

    /// Whether a character is no digit as it is written, and more looks like it than it stands for.
    fn is_taken_for_a_letter(&self, character: char) -> bool {
        let alike = self.alike(character, LOOK_ALIKES);
        DigitSet::exactly(character).is_empty()
            && self.digits(character, 0).is_ok_and(|digits| digits | alike != digits)
    }

    fn in_its_case(&self, character: char) -> DigitSet {
        match self.case {
            Case::Kept => DigitSet::exactly(character),
            Case::Auto | Case::Lost => DigitSet::in_either_case(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphabet::character;
    use damage::LookAlikes;

    const SMALL: &str = "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71";

    fn spelled(pattern: &Pattern) -> Vec<String> {
        pattern.places.iter().map(|digits| digits.values().map(character).collect()).collect()
    }

    fn read(text: &str, damage: Damage) -> Vec<String> {
        spelled(&Pattern::with_damage(text, damage).unwrap())
    }

    #[test]
    fn lost_case_is_ignored() {
        let small = Pattern::parse(SMALL).unwrap();
        assert_eq!(spelled(&small), spelled(&Pattern::parse(&SMALL.to_ascii_uppercase()).unwrap()));
        assert_eq!(small.ambiguous_places(), 23);
        assert_eq!(spelled(&small)[..6], ["1", "L", "Bb", "Cc", "Ff", "Rr"]);
    }

    #[test]
    fn case_is_kept_when_it_says_something_and_more_is_damaged() {
        let mixed = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn?71";
        assert_eq!(read(mixed, Damage::default())[2..4], ["b", "c"]);
        assert_eq!(read(mixed, Damage::default().case(Case::Lost))[2..4], ["Bb", "Cc"]);
        assert_eq!(read(&mixed.replace('?', "x"), Damage::default())[2..4], ["Bb", "Cc"]);
        assert_eq!(read(&mixed.replace('?', "x"), Damage::default().typos(1))[2..4], ["b", "c"]);
        assert_eq!(
            read(&mixed.to_ascii_lowercase(), Damage::default().typos(1))[2..4],
            ["Bb", "Cc"]
        );
    }

    #[test]
    fn sets_and_wildcards() {
        let places = read("1[7ZT][b]?bcfr7sahtd9cgdqo3htmtkv8l", Damage::default());
        assert_eq!(places[1..3], ["7TZtz", "Bb"]);
        assert_eq!(places[3].len(), 58);
        let places = read("1[7ZT][b]?Bcfr7sahtd9cgdqo3htmtkv8L", Damage::default());
        assert_eq!(places[1..3], ["7TZ", "b"]);
    }

    #[test]
    fn look_alikes_stand_for_characters_outside_the_alphabet() {
        let text = "10IlOoLi111111111111111111111111?A";
        assert_eq!(
            read(text, Damage::default())[..8],
            ["1", "o", "1Li", "1Li", "o", "o", "L", "i"]
        );
        let lost = Damage::default().case(Case::Lost);
        assert_eq!(read(text, lost.clone())[..8], ["1", "o", "1Li", "1Li", "o", "o", "L", "i"]);
        let everywhere = lost.look_alikes(LookAlikes::everywhere("0oO,1IlLi,,5s"));
        assert_eq!(
            read(text, everywhere.clone())[..8],
            ["1Li", "o", "1Li", "1Li", "o", "o", "1Li", "1Li"]
        );
        assert_eq!(read(&text.replace('A', "5"), everywhere)[33], "5Ss");
    }

    #[test]
    fn in_a_text_of_one_case_l_and_capital_i_are_letters_whose_case_was_lost() {
        let digit = |text: &str, damage: &Damage| read(text, damage.clone())[1].clone();
        let untried = |text: &str, damage: &Damage| {
            Pattern::with_damage(text, damage.clone()).unwrap().untried_look_alike()
        };
        let lost = Damage::default();
        let everywhere = Damage::default().look_alikes(LookAlikes::everywhere("0oO,1IlLi"));
        for (text, read, alike) in [
            (SMALL.to_owned(), "L", Some('l')),
            (SMALL.replacen('l', "i", 1).to_ascii_uppercase(), "i", Some('I')),
            (SMALL.to_ascii_uppercase(), "L", None),
            (SMALL.replace('l', "o").to_ascii_uppercase(), "o", None),
            (SMALL.replace('x', "X"), "1Li", None),
        ] {
            assert_eq!((&*digit(&text, &lost), untried(&text, &lost)), (read, alike), "{text}");
            assert_eq!(untried(&text, &everywhere), None, "{text}");
        }
    }

    /// `8` and `B` besides, not instead.
    #[test]
    fn groups_of_ones_own_leave_the_others() {
        let text = "0Il8b1111111111111111111111111111A";
        let damage = Damage::default().look_alikes(LookAlikes::everywhere("8B"));
        assert_eq!(read(text, damage)[..5], ["o", "1Li", "1Li", "8Bb", "Bb"]);
    }

    #[test]
    fn the_first_wrong_character_is_named_by_its_place_in_what_was_given() {
        let error = |text: &str| Pattern::parse(text).unwrap_err();
        let found = |found, position| ParseError::Character { found, position };
        assert_eq!(error("1lbcfr!"), found('!', 7));
        assert_eq!(error("1é!"), found('é', 2));
        assert_eq!(error("bitcoin:1a-b"), found('-', 11));
        assert_eq!(error("  1a b"), found(' ', 5));
        assert_eq!(error("1[a-z]"), found('-', 4));
        assert_eq!(error("1[a[b]]"), found('[', 4));
        assert_eq!(error("1ab[cd"), ParseError::UnclosedSet { position: 4 });
        assert_eq!(error("1ab[]cd"), ParseError::EmptySet { position: 4 });
        assert_eq!(error("1ab]cd"), ParseError::StrayBracket { position: 4 });
        assert_eq!(error("\n"), ParseError::Empty);
        assert_eq!(
            Pattern::from_utf8(b"1ab\xff", Damage::default()),
            Err(ParseError::NotUtf8 { byte: 0xff, position: 4 })
        );
        assert_eq!(
            Pattern::from_utf8("1ä".as_bytes().split_last().unwrap().1, Damage::default()),
            Err(ParseError::NotUtf8 { byte: 0xc3, position: 2 })
        );
        assert_eq!(
            Pattern::from_utf8(b"1\xc3\xa4\xff", Damage::default()),
            Err(ParseError::NotUtf8 { byte: 0xff, position: 3 })
        );
    }

    #[test]
    fn only_possible_lengths_are_taken() {
        let lengths = |damage: &Damage| {
            let parses =
                |&length: &usize| Pattern::with_damage(&"1".repeat(length), damage.clone()).is_ok();
            let taken: Vec<usize> = (0..60).filter(parses).collect();
            (taken[0], taken[taken.len() - 1])
        };
        assert_eq!(lengths(&Damage::default()), (26, 36));
        assert_eq!(lengths(&Damage::default().missing(true)), (25, 36));
        assert_eq!(lengths(&Damage::default().surplus(true)), (26, 37));
        assert_eq!(Pattern::parse("111"), Err(ParseError::Length { given: 3 }));
    }
}
