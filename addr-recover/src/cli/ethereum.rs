//! Asks for a damaged Ethereum address. The case of its letters is its checksum.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use addr_recover::{Backend, Damage, EthereumSpace, Ladder, NOISE, Open, Outcome, SearchError};

use super::ask::{self, refusal};
use super::climb::{Found, Keep, Question};
use super::other::of_other_kind;
use super::report::{HitReport, Report, Status};
use super::session::Session;
use super::terminal::is_cancelled;

/// The name of the network, and its short name.
pub(crate) const NAME: &str = "Ethereum";
const ID: &str = "ethereum";

/// An Ethereum address to search for.
pub(crate) struct Ethereum<'a> {
    session: &'a Session,
    pub(crate) question: Open<EthereumSpace>,
    /// Why not to search.
    pub(crate) refusal: Option<String>,
}

impl Session {
    /// What is known before the search for a damaged Ethereum address.
    pub(crate) fn of_ethereum(
        &self,
        report: Report,
        question: Open<EthereumSpace>,
    ) -> (Report, Option<ask::Open<'_>>) {
        if !self.ask.has_network(ID) {
            return (of_other_kind(report, NAME), None);
        }
        if self.search.shard.is_some() {
            let message = "--shard does not divide the search for an Ethereum address: its answer \
                           would be noise if it took long";
            return (report.with_error(Status::Malformed, message.to_owned()), None);
        }
        let expected = question.estimate.expected_by_chance;
        let report = report.with_estimate(&question.estimate);
        let known = self.known_of_ethereum(&question.space);
        if !known.is_empty() {
            return (report.known(known), None);
        }
        let is_noise = !self.search.force && expected > NOISE;
        if is_noise && let Some(nearest) = self.nearest_other(&question.text, &report) {
            return (nearest, None);
        }
        let refusal = is_noise.then(|| refusal(expected, &report));
        let backend = Some(Backend::detect().name().to_owned());
        let open = Ethereum { session: self, question, refusal };
        (Report { backend, ..report }, Some(ask::Open::Ethereum(Box::new(open))))
    }
}

impl Ethereum<'_> {
    pub(crate) fn ladder(&self) -> Ladder<'static, EthereumSpace> {
        self.question.ladder(&self.session.options())
    }
}

impl Question for Ethereum<'_> {
    type Space = EthereumSpace;

    fn search(
        &self,
        space: &EthereumSpace,
        _: Outcome,
        _: Keep<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Found, SearchError> {
        let hashes = AtomicU64::new(0);
        let go_on = |so_far| {
            hashes.fetch_max(so_far, Ordering::Relaxed);
            progress(so_far);
            !is_cancelled()
        };
        let found = space.search(&go_on);
        let hashes = hashes.into_inner();
        match found {
            Ok(found) => {
                let hits = found.iter().map(|address| HitReport::other(address, NAME)).collect();
                Ok(Found { hits, hashes, is_done: true, ..Found::default() })
            }
            Err(SearchError::Cancelled(_)) => Ok(Found { hashes, ..Found::default() }),
            Err(error) => Err(error),
        }
    }

    fn time(&self, space: &EthereumSpace) -> Duration {
        space.estimate().duration(space.measure(), rayon::current_num_threads())
    }

    fn known(&self, space: &EthereumSpace) -> Vec<HitReport> {
        self.session.known_of_ethereum(space)
    }

    fn nearest(&self, report: &Report) -> Option<Report> {
        let nearest = || self.session.nearest_other(&self.question.text, report);
        if self.session.search.is_exact() { None } else { nearest() }
    }

    fn text(&self) -> Option<&str> {
        Some(&self.question.text)
    }

    fn options(&self, damage: &Damage, is_any_network: bool) -> String {
        self.session.ask.options_of(damage, is_any_network)
    }

    fn more_options(&self) -> String {
        self.session.ask.known_option()
    }
}
