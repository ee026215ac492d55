//! Says how an address differs from the damaged text.

use std::fmt;
use std::ops::Range;

use crate::alphabet::exactly;
use crate::damage::LOOK_ALIKES;

/// How many characters are shown before and after what has changed.
const CONTEXT: usize = 3;

/// What stands for the rest of an address.
const REST: &str = "...";

/// What was wrong in a text, in one line: `2 characters were wrong`, `...aHTd...` and `...aHTD...`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// What was wrong.
    pub what: String,
    /// The part of the text that has changed, with some characters around it; empty if that cannot
    /// be told, or if nothing has.
    pub before: String,
    /// The same part of the address.
    pub after: String,
}

/// How many characters had each fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Faults {
    wrong: usize,
    missing: usize,
    extra: usize,
    swapped: usize,
}

impl Change {
    /// Compares a text with an address. `?` and sets stand for any character. `name` is what was
    /// wrong, unless `has_counts` says to count that.
    pub(crate) fn between(
        text: &str,
        address: &str,
        is_case_kept: bool,
        name: &str,
        has_counts: bool,
    ) -> Self {
        let (text, address) = (without_sets(text), address.chars().collect::<Vec<_>>());
        let is_same = |a: char, b: char| {
            // A character outside Base58 was read as one that looks like it.
            let is_read = exactly(a) == 0
                && LOOK_ALIKES.iter().any(|group| group.contains(a) && group.contains(b));
            a == b || a == '?' || is_read || !is_case_kept && a.eq_ignore_ascii_case(&b)
        };
        let (faults, places) = aligned(&text, &address, &is_same);
        let what = if has_counts && faults != Faults::default() {
            faults.in_words()
        } else {
            name.to_owned()
        };
        let (before, after) = match places {
            Some((before, after)) if !text.contains(&'…') => {
                (part(&text, &before), part(&address, &after))
            }
            _ => (String::new(), String::new()),
        };
        Self { what, before, after }
    }
}

/// In one line: `1 character was wrong: ...4Zn271 -> ...4ZnX71`.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, before, after } = self;
        if before.is_empty() && after.is_empty() {
            return write!(f, "assumes {what}");
        }
        write!(f, "{what}: {before} -> {after}")
    }
}

impl Faults {
    fn in_words(self) -> String {
        let counts = [
            (self.wrong, "wrong"),
            (self.missing, "missing"),
            (self.extra, "extra"),
            (2 * self.swapped, "swapped"),
        ];
        let mut words = Vec::new();
        for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
            let verb = if count == 1 { "was" } else { "were" };
            let noun = match count {
                _ if !words.is_empty() => "",
                1 => " character",
                _ => " characters",
            };
            words.push(format!("{count}{noun} {verb} {what}"));
        }
        words.join(" and ")
    }
}

/// The text with a `?` for each set.
fn without_sets(text: &str) -> Vec<char> {
    let mut is_in_set = false;
    let read = text.chars().filter_map(|c| {
        let was_in_set = is_in_set;
        is_in_set = c == '[' || is_in_set && c != ']';
        match c {
            ']' if was_in_set => Some('?'),
            '_' | '*' => Some('?'),
            _ => Some(c).filter(|_| !is_in_set),
        }
    });
    read.collect()
}

/// The characters of a range, and some around it.
fn part(text: &[char], range: &Range<usize>) -> String {
    let (start, end) = (range.start.saturating_sub(CONTEXT), text.len().min(range.end + CONTEXT));
    // Dots would take as much as what they stand for.
    let start = if start <= REST.len() { 0 } else { start };
    let end = if text.len() - end <= REST.len() { text.len() } else { end };
    let [before, after] =
        [start > 0, end < text.len()].map(|is_rest| if is_rest { REST } else { "" });
    let shown: String = text[start..end].iter().collect();
    format!("{before}{shown}{after}")
}

/// A range of a text, and the one of an address that it stands for.
type Places = (Range<usize>, Range<usize>);

/// Counts one fault.
type Count = fn(&mut Faults);

/// The fewest faults that turn an address into a text (optimal string alignment), and the ranges of
/// the text and of the address that have them all.
fn aligned(
    text: &[char],
    address: &[char],
    is_same: &dyn Fn(char, char) -> bool,
) -> (Faults, Option<Places>) {
    let is_swap = |at: usize, own: usize| {
        at > 1
            && own > 1
            && is_same(text[at - 1], address[own - 2])
            && is_same(text[at - 2], address[own - 1])
            && text[at - 1] != text[at - 2]
    };
    let mut costs = vec![vec![0; address.len() + 1]; text.len() + 1];
    for at in 0..=text.len() {
        for own in 0..=address.len() {
            costs[at][own] = match (at, own) {
                (0, _) => own,
                (_, 0) => at,
                _ => {
                    let wrong = usize::from(!is_same(text[at - 1], address[own - 1]));
                    let edit = costs[at - 1][own].min(costs[at][own - 1]) + 1;
                    let swap = is_swap(at, own).then(|| costs[at - 2][own - 2] + 1);
                    let least = edit.min(costs[at - 1][own - 1] + wrong);
                    swap.map_or(least, |swap| swap.min(least))
                }
            };
        }
    }
    let (mut at, mut own, mut faults) = (text.len(), address.len(), Faults::default());
    let mut places: Option<Places> = None;
    while at > 0 || own > 0 {
        let cost = costs[at][own];
        let is_pair = at > 0 && own > 0;
        let (from, own_from, fault): (usize, usize, Option<Count>) = match () {
            () if is_pair
                && is_same(text[at - 1], address[own - 1])
                && costs[at - 1][own - 1] == cost =>
            {
                (at - 1, own - 1, None)
            }
            () if is_swap(at, own) && costs[at - 2][own - 2] + 1 == cost => {
                (at - 2, own - 2, Some(|faults| faults.swapped += 1))
            }
            () if is_pair && costs[at - 1][own - 1] + 1 == cost => {
                (at - 1, own - 1, Some(|faults| faults.wrong += 1))
            }
            () if at > 0 && costs[at - 1][own] + 1 == cost => {
                (at - 1, own, Some(|faults| faults.extra += 1))
            }
            () => (at, own - 1, Some(|faults| faults.missing += 1)),
        };
        if let Some(count) = fault {
            count(&mut faults);
            let (end, own_end) = places.map_or((at, own), |(text, own)| (text.end, own.end));
            places = Some((from..end, own_from..own_end));
        }
        (at, own) = (from, own_from);
    }
    (faults, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_said_in_one_line() {
        const ADDRESS: &str = "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71";
        for (text, what, before, after) in [
            (
                "1Lbcfr7saHTd9CgdQo3HTMTkV8LK4ZnX71",
                "2 characters were wrong",
                "...r7saHTd9Cg...",
                "...r7sAHTD9Cg...",
            ),
            (
                "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271",
                "1 character was wrong",
                "...4Zn271",
                "...4ZnX71",
            ),
            (
                "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4nZX71",
                "2 characters were swapped",
                "...LK4nZX71",
                "...LK4ZnX71",
            ),
            (
                "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn71",
                "1 character was missing",
                "...4Zn71",
                "...4ZnX71",
            ),
            (
                "1Lbckfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71",
                "1 character was extra",
                "1Lbckfr7...",
                "1Lbcfr7...",
            ),
            (
                "1Lbckfr7sAHTD9CgdQo3HTMTkV8LK4nZX71",
                "1 character was extra and 2 were swapped",
                "1Lbckfr7sAHTD9CgdQo3HTMTkV8LK4nZX71",
                "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71",
            ),
            (
                "1L[bB]cfr7sAHTD9CgdQo3HTMTkV8L?4Zn271",
                "1 character was wrong",
                "...4Zn271",
                "...4ZnX71",
            ),
            (ADDRESS, "name", "", ""),
        ] {
            let change = Change::between(text, ADDRESS, true, "name", true);
            assert_eq!(
                (&*change.what, &*change.before, &*change.after),
                (what, before, after),
                "{text}"
            );
        }
        let lost =
            Change::between(&ADDRESS.to_lowercase().replace("zn", "nz"), ADDRESS, false, "", true);
        assert_eq!(lost.what, "2 characters were swapped");
        let named = Change::between(ADDRESS, &ADDRESS.replace('D', "d"), true, "name", false);
        assert_eq!(named.what, "name");
    }
}
