//! What single characters of a damaged address may stand for.

use std::mem::take;

use zeroize::Zeroizing;

use super::plain::{GAP, Placed, outside_sets};
use crate::alphabet::{ALL, Digits, exactly, in_either_case};
use crate::damage::{Case, Damage, LOOK_ALIKES, LookAlikes};
use crate::parse_error::ParseError;

/// With so many letters, one in 2^8 texts of both cases has its only capital letter at the
/// beginning, where phones put one.
const MIN_AFTER_CAPITAL: usize = 8;

/// Whether a text has letters of both cases. A capital letter at the beginning that is the only one
/// does not count.
pub(super) fn has_both_cases(text: &[Placed]) -> bool {
    // The user wrote the sets, so their case says nothing about the rest.
    let letters = || outside_sets(text).filter(|&(_, is_outside)| is_outside).map(|((c, _), _)| c);
    let small = letters().filter(char::is_ascii_lowercase).count();
    let capital = letters().filter(char::is_ascii_uppercase).count();
    let is_of_phone = capital == 1
        && small >= MIN_AFTER_CAPITAL
        && text.first().is_some_and(|(first, _)| first.is_ascii_uppercase());
    small > 0 && capital > 0 && !is_of_phone
}

/// What the characters of a text stand for. It is wiped when dropped: it may be a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    /// The digits that each place allows, and others that look like these, whose number is limited.
    pub(crate) digits: Zeroizing<Vec<[Digits; 2]>>,
    /// The place that stands for one or more digits.
    pub(crate) gap: Option<usize>,
}

/// How to read single characters.
struct Reading<'a> {
    case: Case,
    has_both_cases: bool,
    look_alikes: &'a LookAlikes,
}

impl Places {
    /// What each character may stand for.
    pub(super) fn read(damage: &Damage, text: &[Placed]) -> Result<Self, ParseError> {
        let reading = Reading::of(damage, text);
        let mut digits = Zeroizing::new(Vec::with_capacity(text.len()));
        let (mut gap, mut set) = (None, [0; 2]);
        for ((character, position), is_outside) in outside_sets(text) {
            if character == GAP && gap.replace(digits.len()).is_some() {
                return Err(ParseError::SecondGap { position });
            }
            let [own, alike] = match character {
                '?' | '_' | '*' | GAP => [ALL, 0],
                '[' => continue,
                ']' => take(&mut set),
                _ => reading.digits(character),
            };
            if is_outside {
                digits.push([own, alike & !own]);
            } else {
                set = [set[0] | own, set[1] | alike];
            }
        }
        Ok(Self { digits, gap })
    }
}

impl<'a> Reading<'a> {
    fn of(damage: &'a Damage, text: &[Placed]) -> Self {
        let has_both_cases = has_both_cases(text);
        let is_more_damaged =
            damage.is_beyond_case() || text.iter().any(|&(c, _)| matches!(c, '?' | '[' | GAP));
        let case = match damage.case {
            Case::Auto if has_both_cases && is_more_damaged => Case::Kept,
            Case::Auto => Case::Lost,
            case => case,
        };
        Self { case, has_both_cases, look_alikes: &damage.look_alikes }
    }

    /// The digits that a letter or a digit stands for, and others that look like it.
    fn digits(&self, found: char) -> [Digits; 2] {
        let found = self.look_alikes.exchanged(found);
        let own = self.in_its_case(found);
        // Single-case text has lost the other case: an l may be an L, as an a may be an A.
        let is_outside = if self.has_both_cases { exactly(found) } else { own } == 0;
        let digits = if is_outside { own | self.alike(found, &LOOK_ALIKES) } else { own };
        let alike = self.alike(found, &self.look_alikes.everywhere);
        if self.look_alikes.max.is_some() { [digits, alike] } else { [digits | alike, 0] }
    }

    /// The digits that look like a character.
    fn alike(&self, found: char, groups: &[impl AsRef<str>]) -> Digits {
        let is_found = |alike: char| {
            alike == found || self.case != Case::Kept && alike.eq_ignore_ascii_case(&found)
        };
        let is_alike = |group: &&str| !group.contains('=') && group.contains(is_found);
        let groups = groups.iter().map(AsRef::as_ref).filter(is_alike);
        groups.flat_map(str::chars).fold(0, |digits, alike| digits | self.in_its_case(alike))
    }

    fn in_its_case(&self, character: char) -> Digits {
        if self.case == Case::Kept { exactly(character) } else { in_either_case(character) }
    }
}
