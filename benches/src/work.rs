//! The workloads that `ratios` and `record` measure.

use std::error::Error;
use std::time::Duration;

use clap::ValueEnum as _;
use clap::builder::PossibleValue;

use crate::batch::Input;
use crate::candidate::{Candidate, candidates};
use crate::interleave::{Timing, interleave};
use crate::record::Row;
use crate::shape::{Set, Shape};
use crate::{addr_recover, default_profile, sumhash, trees};

/// The workload of one table.
pub enum Work {
    /// SHA-1, SHA-256, RIPEMD-160 and HASH160, alone or in trees' nodes.
    Lanes(Shape),
    /// sumhash512.
    Sumhash512(sumhash::Shape),
    /// Roots, proofs and updates of trees.
    Tree(trees::Shape),
    /// A search for the letter case of an address.
    AddrRecover,
    /// A shape of the others, in programs built with and without this workspace's profile.
    DefaultProfile(&'static str),
}

impl Work {
    /// Every shape, in the order of the tables.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let lanes = Set::value_variants().iter().flat_map(|set| set.shapes()).map(Self::Lanes);
        let sumhash512 = sumhash::Shape::all().into_iter().map(Self::Sumhash512);
        let trees = trees::Shape::all().into_iter().map(Self::Tree);
        let profiles = default_profile::SHAPES.into_iter().map(Self::DefaultProfile);
        // The profiles first: a build that fails then wastes no measurement.
        profiles.chain(lanes).chain(sumhash512).chain(trees).chain([Self::AddrRecover]).collect()
    }

    /// The name of its set.
    fn set(&self) -> Option<String> {
        let name = |set: Option<PossibleValue>| set.map(|set| set.get_name().to_owned());
        match self {
            Self::Lanes(shape) => name(shape.set.to_possible_value()),
            Self::Sumhash512(_) => Some("sumhash512".to_owned()),
            Self::Tree(shape) => name(shape.set.to_possible_value()),
            Self::AddrRecover => Some("addr-recover".to_owned()),
            Self::DefaultProfile(_) => Some("default-profile".to_owned()),
        }
    }

    /// Whether it is one of many small batches, printed on one line.
    #[must_use]
    pub fn is_small(&self) -> bool {
        matches!(self, Self::Lanes(shape) if shape.set.is_small())
    }

    fn operation(&self) -> &str {
        match self {
            Self::Lanes(shape) => shape.operation.name(),
            Self::Sumhash512(shape) => shape.operation(),
            Self::Tree(shape) => shape.operation(),
            Self::AddrRecover => addr_recover::NAME,
            Self::DefaultProfile(_) => "default-profile",
        }
    }

    /// Its name, such as `hash_pairs/4096`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Lanes(shape) => shape.name(),
            Self::Sumhash512(shape) => shape.name(),
            Self::Tree(shape) => shape.name(),
            Self::AddrRecover => addr_recover::NAME.to_owned(),
            Self::DefaultProfile(shape) => format!("{}{shape}", default_profile::PREFIX),
        }
    }

    /// Times the candidates for about `seconds`, or a quarter of that if the batch is small.
    ///
    /// # Errors
    ///
    /// Fails if the program cannot be built with another profile.
    pub fn measure(&self, seconds: f64) -> Result<Vec<Row>, Box<dyn Error>> {
        let part = if self.is_small() { 0.25 } else { 1.0 };
        let budget = Duration::from_secs_f64(seconds * part);
        Ok(match self {
            Self::Lanes(shape) => measure(shape, budget),
            Self::Sumhash512(shape) => sumhash::measure(shape, budget),
            Self::Tree(shape) => trees::measure(shape, budget),
            Self::AddrRecover => addr_recover::measure(budget),
            Self::DefaultProfile(shape) => default_profile::measure(shape, seconds)?,
        })
    }
}

/// The work with these names. Without names, all work but what needs another build.
///
/// # Errors
///
/// Returns a message that lists the names that exist.
pub fn chosen(names: &[String]) -> Result<Vec<Work>, String> {
    let named = |work: &Work, name: &str| {
        work.set().is_some_and(|set| set == name) || work.operation() == name || work.name() == name
    };
    let mut all = Work::all();
    for name in names {
        if !all.iter().any(|work| named(work, name)) {
            let known: Vec<String> = all.iter().map(Work::name).collect();
            return Err(format!("unknown shape {name:?}; the shapes are:\n{}", known.join("\n")));
        }
    }
    all.retain(|work| match names {
        [] => !matches!(work, Work::DefaultProfile(_)),
        names => names.iter().any(|name| named(work, name)),
    });
    Ok(all)
}

fn measure(shape: &Shape, budget: Duration) -> Vec<Row> {
    let input = Input::new(shape.messages);
    let batch = input.batch();
    let mut candidates = candidates(shape);
    candidates.iter_mut().for_each(|candidate| candidate.check(&batch));

    let hashes: Vec<usize> =
        candidates.iter().map(|candidate| candidate.hashes_timed(&batch)).collect();
    let mut digests = candidates.first().map(|first| first.digests(&batch)).unwrap_or_default();
    let timings =
        interleave(&hashes, |at, calls| candidates[at].time(&batch, &mut digests, calls), budget);
    let row = |(candidate, timing): (_, Timing)| {
        let candidate: &Candidate = candidate;
        Row {
            shape: shape.name(),
            candidate: candidate.name.clone(),
            role: candidate.role.name().to_owned(),
            messages: batch.messages.len(),
            bytes: batch.bytes.len(),
            min_ns: timing.min,
            median_ns: timing.median,
        }
    };
    candidates.iter().zip(timings).map(row).collect()
}

/// Parses the seconds for each shape.
///
/// # Errors
///
/// Returns a message unless it is a number from 0 to 3600.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number from 0 to 3600".to_owned()),
    }
}
