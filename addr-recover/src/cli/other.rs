//! Addresses of other formats, which need no search.

mod ethereum;
mod linear;

use addr_recover::{Estimate, Pattern};

use super::report::{ErrorReport, HitReport, Report, Status};
use super::settings::AskArgs;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    let mut hits: Vec<HitReport> =
        answer.addresses.iter().map(|address| HitReport::other(address, &answer.format)).collect();
    Some(match answer.certainty {
        Certainty::Intact => {
            hits[0].probability = Some(1.0);
            report.valid(hits)
        }
        Certainty::Unchecked => Report { note: Some(UNCHECKED.to_owned()), ..report.valid(hits) },
        Certainty::Repaired(repair) => {
            let candidates = repair.candidates as f64;
            let estimate = Estimate::new(candidates, 0.0, candidates / repair.checksums as f64);
            let note = Some(repair.note());
            Report { hits, note, ..report.with_estimate(&estimate) }.concluded()
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
