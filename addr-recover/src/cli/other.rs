//! Addresses of other formats, which need no search.

mod ethereum;
mod linear;

use addr_recover::{Estimate, Pattern};

use super::report::{ErrorReport, HitReport, Report, Status};
use super::settings::AskArgs;

/// The note on an Ethereum address whose letters have one case.
const UNCHECKED: &str = "in one letter case it has no checksum: no damage would be noticed";

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
}

/// The report on a text with an Ethereum, Bech32 or CashAddr address, if it can be restored.
pub(crate) fn report(report: &Report, asked: &AskArgs) -> Option<Report> {
    let input = &report.input;
    let address = Pattern::read(input)?;
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
        Some(estimate) => Report { hits, ..report.with_estimate(&estimate) }.concluded(),
        None => report.valid(hits),
    })
}

/// What a repair is worth if one in `checksums` candidates has the right checksum by chance.
fn estimate(candidates: u64, checksums: u64) -> Estimate {
    let candidates = candidates as f64;
    Estimate::new(candidates, 0.0, candidates / checksums as f64)
}

/// Says what the checksum did to the characters at some places, counted from 1.
fn note(repair: &str, places: impl Iterator<Item = usize>) -> String {
    let places: Vec<String> = places.map(|at| at.to_string()).collect();
    let plural = if places.len() == 1 { "" } else { "s" };
    let repair = repair.replace("{s}", plural);
    format!("the checksum {repair} at {}, right only if all others are", places.join(", "))
}
