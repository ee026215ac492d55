//! Asks for a damaged Ethereum address. The case of its letters is its checksum.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use addr_recover::{
    Backend, Change, EthereumSpace, Ladder, NOISE, Outcome, Reading, Rung, SearchError,
};

use super::ask::{Open, refusal};
use super::climb::{Found, Keep, Question};
use super::is_cancelled;
use super::other::of_other_kind;
use super::report::{HitReport, Report, Status};
use super::session::Session;

/// The name of the network, and its short name.
pub(crate) const NAME: &str = "Ethereum";
const ID: &str = "ethereum";

/// An Ethereum address to search for.
pub(crate) struct Ethereum<'a> {
    session: &'a Session,
    pub(crate) space: EthereumSpace,
    /// Why not to search.
    pub(crate) refusal: Option<String>,
}

impl Session {
    /// The question for a damaged Ethereum address, if a text has one.
    pub(crate) fn of_ethereum(
        &self,
        report: &Report,
        reading: &Reading,
    ) -> Option<(Report, Option<Open<'_>>)> {
        let space = EthereumSpace::of(reading, &self.ask.damage())?;
        let read = reading.addresses().next().unwrap_or_default();
        let report = report.clone().reading(&read);
        if !self.ask.has_network(ID) {
            return Some((of_other_kind(report, NAME), None));
        }
        if self.search.shard.is_some() {
            let message = "--shard does not divide the search for an Ethereum address: its answer \
                           would be noise if it took long";
            return Some((report.with_error(Status::Malformed, message.to_owned()), None));
        }
        let space = match space {
            Ok(space) => space,
            Err(error) => return Some((report.malformed(&error), None)),
        };
        let estimate = space.estimate();
        let report = report.with_estimate(&estimate);
        let known = self.known_of_ethereum(&space);
        if !known.is_empty() {
            return Some((report.known(known), None));
        }
        let is_noise = !self.search.force && estimate.expected_by_chance > NOISE;
        if is_noise && let Some(nearest) = self.nearest_other(&space.text(), &report) {
            return Some((nearest, None));
        }
        let refusal = is_noise.then(|| refusal(estimate.expected_by_chance, &report));
        let backend = Some(Backend::detect().name().to_owned());
        let open = Ethereum { session: self, space, refusal };
        Some((Report { backend, ..report }, Some(Open::Ethereum(open))))
    }
}

impl Ethereum<'_> {
    pub(crate) fn ladder(&self) -> Ladder<'static, EthereumSpace> {
        let damage = self.session.ask.damage();
        if self.session.search.is_exact() {
            return Ladder::exact(&damage, Some((self.space.clone(), self.space.estimate())));
        }
        self.space.ladder(&damage)
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
        let nearest = || self.session.nearest_other(&self.space.text(), report);
        if self.session.search.is_exact() { None } else { nearest() }
    }

    fn change(&self, rung: &Rung<EthereumSpace>, address: &str) -> Option<Change> {
        Some(rung.change(&self.space.text(), address))
    }

    fn options(&self, rung: &Rung<EthereumSpace>) -> String {
        self.session.ask.options_of(rung)
    }

    fn more_options(&self) -> String {
        self.session.ask.known_option()
    }
}
