//! Reports on addresses of other formats than Base58Check that need no search.

use addr_recover::Answer;

use super::report::{HitReport, Report, Status, Tried};
use super::settings::AskArgs;

/// The report on an address of a kind that was not selected.
pub(crate) fn of_other_kind(report: Report, kinds: &str) -> Report {
    report.with_error(Status::Malformed, format!("this is an address of another kind ({kinds})"))
}

/// The report on a text with an address of another format.
pub(crate) fn report(report: Report, answer: Answer, asked: &AskArgs) -> Report {
    if !asked.has_network(answer.network.unwrap_or_default()) {
        let kinds = answer.addresses.first().map_or(String::new(), |found| found.kinds.join(", "));
        return of_other_kind(report, &kinds);
    }
    let Answer { addresses, estimate, damage, change, likelihood, note, .. } = answer;
    let hits =
        addresses.iter().map(|found| HitReport::other(&found.address, &found.kinds.join(", ")));
    let (hits, report) = (hits.collect(), Report { note, ..report });
    let Some(estimate) = estimate else { return report.valid(hits) };
    let report = Report {
        hits,
        likelihood,
        change: change.map(Into::into),
        ..report.with_estimate(&estimate)
    };
    let guess = |damage: &str| Tried {
        damage: damage.to_owned(),
        options: String::new(),
        candidates: report.candidates.clone().unwrap_or_default(),
    };
    let tried = damage.map(guess).into_iter().collect();
    Report { tried, ..report }.concluded()
}
