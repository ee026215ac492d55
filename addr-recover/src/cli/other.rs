//! Addresses of other formats, which need no search.

mod ethereum;
mod linear;

use addr_recover::{Estimate, Pattern};

use super::report::{ErrorReport, HitReport, Report, Status, Tried};
use super::settings::AskArgs;

/// The note on an Ethereum address whose letters have one case.
const UNCHECKED: &str = "in one letter case it has no checksum: no damage would be noticed";

/// The maximum number of unreadable characters that a checksum restores, if there is no other
/// error.
const MAX_UNREADABLE: usize = 3;

/// The answer to a text that has an address of another format.
#[derive(Debug, PartialEq)]
struct Answer {
    addresses: Vec<String>,
    format: String,
    /// What selects the network on the command line.
    network: &'static str,
    /// What the answer is worth if the address was repaired.
    estimate: Option<Estimate>,
    /// How it was repaired, or why it may be damaged unnoticed.
    note: Option<String>,
    /// The damage that nobody described: other than unreadable characters.
    guess: Option<&'static str>,
}

/// The report on a text with an Ethereum, Bech32 or CashAddr address, if it can be restored.
pub(crate) fn report(report: &Report, asked: &AskArgs) -> Option<Report> {
    let input = &report.input;
    let [address] = <[String; 1]>::try_from(Pattern::split(input)).ok()?;
    let report = report.clone().reading(&address);
    // A ? at the end is an unreadable character, or that of a question.
    let answer = [&*address, address.trim_end_matches('?')]
        .into_iter()
        .find_map(|word| ethereum::answer(word).or_else(|| linear::answer(input, word)))?;
    if !asked.has_network(answer.network) {
        let message = format!("this is an address of another kind ({})", answer.format);
        let error = Some(ErrorReport { message, position: None });
        return Some(Report { status: Status::Malformed, error, ..report });
    }
    let hit = |address: &String| HitReport::other(address, &answer.format);
    let hits = answer.addresses.iter().map(hit).collect();
    let report = Report { note: answer.note, ..report };
    Some(match answer.estimate {
        Some(estimate) => {
            let report = Report { hits, ..report.with_estimate(&estimate) };
            let guess = |damage: &str| Tried {
                damage: damage.to_owned(),
                options: String::new(),
                candidates: report.candidates.clone().unwrap_or_default(),
            };
            let tried = answer.guess.map(guess).into_iter().collect();
            Report { tried, ..report }.concluded()
        }
        None => report.valid(hits),
    })
}

/// The symbols of a text; `None` if unreadable.
type Text = Vec<Option<u8>>;

/// How a checksum restores a text.
struct Repair<'a> {
    /// The number of symbols of the alphabet.
    alphabet: u8,
    /// What each change of a symbol adds to the residue, for each place: all zero if that is not
    /// known.
    effects: &'a [[u64; 32]],
    /// How many symbols may be wrong. Each unreadable one counts as one of them.
    max_wrong: usize,
}

impl Repair<'_> {
    /// Calls a function with each text of residue zero that may have become this one. Returns the
    /// number of texts, whatever their residue: none if too many symbols are unreadable.
    fn restore(
        &self,
        text: &Text,
        residue: impl Fn(&[u8]) -> u64,
        mut found: impl FnMut(&[u8]),
    ) -> u64 {
        let unreadable: Vec<usize> = (0..text.len()).filter(|&at| text[at].is_none()).collect();
        if unreadable.len() > MAX_UNREADABLE {
            return 0;
        }
        let max_wrong = self.max_wrong.saturating_sub(unreadable.len());
        // What stands for an unreadable character does not matter.
        let mut text: Vec<u8> = text.iter().map(|symbol| symbol.unwrap_or_default()).collect();
        let residue = residue(&text);
        self.change(&mut text, 0, residue, &unreadable, max_wrong, &mut found)
    }

    /// As [`restore`](Self::restore), with the symbols from `at` on.
    fn change(
        &self,
        text: &mut [u8],
        at: usize,
        residue: u64,
        unreadable: &[usize],
        max_wrong: usize,
        found: &mut impl FnMut(&[u8]),
    ) -> u64 {
        if at == text.len() || (unreadable.is_empty() && max_wrong == 0) {
            if residue == 0 {
                found(text);
            }
            return 1;
        }
        let rest = unreadable.strip_prefix(&[at]);
        let (rest, is_read) = (rest.unwrap_or(unreadable), rest.is_none());
        let changes = if is_read && max_wrong == 0 { 1 } else { self.alphabet };
        let mut count = 0;
        for change in 0..changes {
            let max_wrong = max_wrong - usize::from(is_read && change > 0);
            let residue = residue ^ self.effects[at][usize::from(change)];
            // Most are wrong.
            if residue != 0 && max_wrong == 0 && rest.is_empty() {
                count += 1;
                continue;
            }
            text[at] ^= change;
            count += self.change(text, at + 1, residue, rest, max_wrong, found);
            text[at] ^= change;
        }
        count
    }
}

/// The estimate and the note for a repair of some places, counted from 1, if one in `checksums`
/// candidates has the right checksum by chance.
fn repaired(
    candidates: u64,
    checksums: u64,
    repair: &str,
    places: impl Iterator<Item = usize>,
) -> (Option<Estimate>, Option<String>) {
    let candidates = candidates as f64;
    let estimate =
        Estimate { candidates, hashes: 0.0, expected_by_chance: candidates / checksums as f64 };
    let places: Vec<String> = places.map(|at| at.to_string()).collect();
    let plural = if places.len() == 1 { "" } else { "s" };
    let (repair, places) = (repair.replace("{s}", plural), places.join(", "));
    let note = format!("the checksum {repair} at {places}, right only if all others are");
    (Some(estimate), Some(note))
}
