//! Addresses of other formats, which need no search.

mod ethereum;
mod linear;

use addr_recover::Pattern;

use super::report::{self, ErrorReport, HitReport, Report, Status};
use super::settings::DamageArgs;

/// The note on an Ethereum address whose letters have one case.
const UNCHECKED: &str = "in one letter case it has no checksum: no damage would be noticed";

/// The answer to a text that has an address of another format.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    addresses: Vec<String>,
    format: String,
    /// What selects the network on the command line.
    network: &'static str,
    certainty: Certainty,
}

/// How far to trust an answer.
#[derive(Debug, PartialEq, Eq)]
enum Certainty {
    /// The checksum is right.
    Intact,
    /// There is no checksum.
    Unchecked,
    /// The checksum was made right.
    Repaired(Repair),
}

/// What had happened to the characters that were restored.
#[derive(Debug, PartialEq, Eq)]
enum Edit {
    Replaced,
    /// One was missing.
    Missing,
    /// One was too many.
    Extra,
}

/// What was done to restore an address.
#[derive(Debug, PartialEq, Eq)]
struct Repair {
    /// The positions, counted from 1, of the characters that were restored.
    wrong: Vec<usize>,
    edit: Edit,
    /// The number of texts whose checksum may have been right.
    candidates: u64,
    /// One in this many texts has the right checksum by chance.
    checksums: u64,
}

/// The report on a text with an Ethereum, Bech32 or CashAddr address, if it can be restored.
pub(crate) fn report(line: Option<usize>, input: &str, asked: &DamageArgs) -> Option<Report> {
    let address = Pattern::read(input)?;
    let read = report::read(input, &address);
    // A ? at the end is an unreadable character, or that of a question.
    let answer = [&*address, address.trim_end_matches('?')]
        .into_iter()
        .find_map(|word| ethereum::answer(word).or_else(|| linear::answer(input, word)))?;
    if !asked.has_network(answer.network) {
        let message = format!("this is an address of another kind ({})", answer.format);
        let error = Some(ErrorReport { message, position: None });
        return Some(Report { read, error, ..Report::new(line, input, Status::Malformed) });
    }
    let hit = |address: &String| HitReport {
        address: address.clone(),
        version: None,
        kinds: vec![answer.format.clone()],
        known: false,
        probability: (answer.certainty == Certainty::Intact).then_some(1.0),
    };
    let hits = answer.addresses.iter().map(hit).collect();
    let report = Report { read, hits, ..Report::new(line, input, Status::Valid) };
    Some(match &answer.certainty {
        Certainty::Intact => report,
        Certainty::Unchecked => Report { note: Some(UNCHECKED.to_owned()), ..report },
        Certainty::Repaired(repair) => {
            let report = Report {
                candidates: Some(repair.candidates.to_string()),
                expected_by_chance: Some(repair.candidates as f64 / repair.checksums as f64),
                ..report
            };
            Report { note: Some(repair.note()), ..report.concluded() }
        }
    })
}

impl Repair {
    fn note(&self) -> String {
        let positions: Vec<String> = self.wrong.iter().map(usize::to_string).collect();
        let characters = if positions.len() == 1 { "character" } else { "characters" };
        let positions = positions.join(", ");
        let repaired = match self.edit {
            Edit::Replaced => format!("the checksum restores the {characters} at {positions}"),
            Edit::Missing => format!("the checksum restores the character missing at {positions}"),
            Edit::Extra => format!("the checksum is right without the character at {positions}"),
        };
        format!("{repaired}, right only if all others are")
    }
}
