//! Parses a damaged address: what each character may stand for, and what else may have happened.

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
use input::{Input, Placed, outside_sets};

/// A damaged address.
///
/// | in the text | stands for |
/// |---|---|
/// | a letter or digit | itself; if the case is lost, in either case |
/// | a character outside Base58, such as `0` | its look-alikes |
/// | `O`, `I` and `l`, in single-case text | `o`, `i` and `L`, whose case was lost |
/// | `?` | any digit |
/// | `[7ZT]` | anything that one of the characters inside stands for |
///
/// Everything else that is pasted with an address is ignored: white space and dashes between its
/// characters, invisible characters, quotation marks and brackets around it, a comma after it, a
/// label such as `BTC:` before it, `bitcoin:` with any query, and a URL around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    given: String,
    text: String,
    places: Vec<DigitSet>,
    damage: Damage,
    untried: Option<char>,
}

impl Pattern {
    /// Parses a text whose only damage is its lost case, and whatever the text itself marks.
    ///
    /// # Errors
    ///
    /// Returns any [`ParseError`] except `NotUtf8` and `TooComplex`.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Self::with_damage(text, Damage::default())
    }

    /// Parses a text that may have other damage.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`parse`](Self::parse).
    pub fn with_damage(given: &str, damage: Damage) -> Result<Self, ParseError> {
        let input = Input::of(given);
        let text = input.text();
        if text.is_empty() {
            return Err(ParseError::Empty);
        }
        if let Some(foreign) = foreign::recognise(&input.scheme, &text) {
            return Err(ParseError::Foreign(foreign));
        }
        let reading = Reading::of(&damage, &input.characters);
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

    /// Parses bytes that may not be UTF-8, such as a command-line argument or a line of a file.
    ///
    /// # Errors
    ///
    /// Returns any [`ParseError`] except `TooComplex`.
    pub fn from_utf8(bytes: &[u8], damage: Damage) -> Result<Self, ParseError> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let before = error.valid_up_to();
            let characters = String::from_utf8_lossy(&bytes[..before]).chars().count();
            ParseError::NotUtf8 { byte: bytes[before], position: characters + 1 }
        })?;
        Self::with_damage(text, damage)
    }

    /// The text as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.given
    }

    /// The address in the text, without its surroundings.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.text
    }

    /// The number of characters; a set counts as one.
    #[must_use]
    pub fn length(&self) -> usize {
        self.places.len()
    }

    /// The number of places that allow more than one digit.
    #[must_use]
    pub fn ambiguous_places(&self) -> usize {
        self.places.iter().filter(|digits| digits.len() > 1).count()
    }

    /// The format that the text may have if its search space has no candidates.
    #[must_use]
    pub fn foreign_instead(&self) -> Option<Foreign> {
        foreign::instead_of_address(&self.text)
    }

    /// The first character that was read only as a letter, and not as its look-alikes: an `l` or an
    /// `I` in single-case text. The search does not try whether it was a `1`, except with
    /// [`LookAlikes::everywhere`].
    ///
    /// [`LookAlikes::everywhere`]: crate::LookAlikes::everywhere
    #[must_use]
    pub fn untried_look_alike(&self) -> Option<char> {
        self.untried
    }

    /// Parses a text of any length, for tests that enumerate everything.
    #[cfg(test)]
    pub(crate) fn short(text: &str, damage: Damage) -> Self {
        let characters = Input::of(text).characters;
        let places = Reading::of(&damage, &characters).places(&characters).unwrap();
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
fn has_both_cases(text: &[Placed]) -> bool {
    // The user wrote the sets, so their case says nothing about the rest.
    let letters = || outside_sets(text).filter(|&(_, is_outside)| is_outside).map(|((c, _), _)| c);
    letters().any(|c| c.is_ascii_lowercase()) && letters().any(|c| c.is_ascii_uppercase())
}

/// How to read single characters.
struct Reading<'a> {
    case: Case,
    has_both_cases: bool,
    everywhere: &'a [String],
}

impl<'a> Reading<'a> {
    fn of(damage: &'a Damage, text: &[Placed]) -> Self {
        let has_both_cases = has_both_cases(text);
        let is_more_damaged =
            damage.is_beyond_case() || text.iter().any(|(c, _)| matches!(c, '?' | '['));
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

    /// Reads the rest of a set, after its `[`.
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

    /// The digits that a character stands for.
    fn digits(&self, found: char, position: usize) -> Result<DigitSet, ParseError> {
        let own = self.in_its_case(found);
        // Single-case text has lost the other case: an l may be an L, as an a may be an A.
        let is_outside =
            if self.has_both_cases { DigitSet::exactly(found) } else { own }.is_empty();
        let mut digits = own | self.alike(found, self.everywhere.iter().map(String::as_str));
        if is_outside {
            digits |= self.alike(found, LOOK_ALIKES);
        }
        if digits.is_empty() { Err(ParseError::Character { found, position }) } else { Ok(digits) }
    }

    /// The digits that look like a character.
    fn alike<'g>(&self, found: char, groups: impl IntoIterator<Item = &'g str>) -> DigitSet {
        let is_found = |alike: char| match self.case {
            Case::Kept => alike == found,
            Case::Auto | Case::Lost => alike.eq_ignore_ascii_case(&found),
        };
        let groups = groups.into_iter().filter(|group| group.contains(is_found));
        groups
            .flat_map(str::chars)
            .fold(DigitSet::EMPTY, |digits, alike| digits | self.in_its_case(alike))
    }

    /// Whether a character is not a digit as written, and has look-alikes that it does not stand
    /// for.
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
    fn mixed_case_is_kept_if_there_is_other_damage() {
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
    fn in_single_case_text_l_and_capital_i_are_letters_whose_case_was_lost() {
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

    /// `8` and `B` are added and do not replace the default groups.
    #[test]
    fn custom_groups_keep_the_default_ones() {
        let text = "0Il8b1111111111111111111111111111A";
        let damage = Damage::default().look_alikes(LookAlikes::everywhere("8B"));
        assert_eq!(read(text, damage)[..5], ["o", "1Li", "1Li", "8Bb", "8Bb"]);
    }

    #[test]
    fn groups_ignore_case_if_the_text_does() {
        let last = |text: &str, groups: &str, case: Case| {
            let damage = Damage::default().case(case).look_alikes(LookAlikes::everywhere(groups));
            read(text, damage)[33].clone()
        };
        for (character, groups, case, digits) in [
            ("s", "5S", Case::Auto, "5Ss"),
            ("S", "5s", Case::Auto, "5Ss"),
            ("5", "5S", Case::Auto, "5Ss"),
            ("s", "5S", Case::Lost, "5Ss"),
            ("s", "5S", Case::Kept, "s"),
            ("S", "5S", Case::Kept, "5S"),
            ("z", "5S", Case::Auto, "Zz"),
        ] {
            let text = SMALL.replace("71", &format!("7{character}"));
            assert_eq!(last(&text, groups, case), digits, "{character} {groups} {case:?}");
        }
    }

    #[test]
    fn errors_name_the_first_wrong_position_in_the_given_text() {
        let error = |text: &str| Pattern::parse(text).unwrap_err();
        let found = |found, position| ParseError::Character { found, position };
        assert_eq!(error("1lbcfr!"), found('!', 7));
        assert_eq!(error("1é!"), found('é', 2));
        assert_eq!(error("bitcoin:1a_b"), found('_', 11));
        assert_eq!(error("  1a b!"), found('!', 7));
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
    fn only_possible_lengths_are_accepted() {
        let lengths = |damage: &Damage| {
            let parses =
                |&length: &usize| Pattern::with_damage(&"1".repeat(length), damage.clone()).is_ok();
            let accepted: Vec<usize> = (0..60).filter(parses).collect();
            (accepted[0], accepted[accepted.len() - 1])
        };
        assert_eq!(lengths(&Damage::default()), (26, 36));
        assert_eq!(lengths(&Damage::default().missing(true)), (25, 36));
        assert_eq!(lengths(&Damage::default().surplus(true)), (26, 37));
        assert_eq!(Pattern::parse("111"), Err(ParseError::Length { given: 3 }));
    }
}
