//! The command-line arguments.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use addr_recover::{Backend, Shard};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};

use super::settings::DamageArgs;

/// Recovers addresses of Bitcoin and its relatives that lost their letter case or have unreadable
/// characters.
///
/// Tries everything that the damage allows, once, and prints every address found.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Exit status: 0 one address, 1 none (the search was exhaustive), 2 bad usage or \
                  input, 3 several addresses, 4 refused because the answer would be noise, 130 \
                  interrupted by Ctrl-C, SIGTERM or SIGHUP, 141 broken pipe. A batch has the first \
                  of 2, 4, 3, 1, 0 that any line has."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// The address, in any case. ? matches any character, [7ZT] one of those listed. URLs, labels,
    /// quotation marks and groups of characters are accepted; - is standard input
    pub(crate) address: Vec<OsString>,

    /// Continue an interrupted search
    #[arg(long, value_name = "FILE", conflicts_with = "address")]
    pub(crate) resume: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) damage: DamageArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what a search would cost and what its answer would be worth
    Estimate {
        /// The address, as for a search
        address: Vec<OsString>,
        #[command(flatten)]
        damage: DamageArgs,
        #[command(flatten)]
        common: CommonArgs,
    },
    /// Recover many addresses, one per line
    Batch {
        /// The file. - is standard input. Blank lines and lines that begin with # are skipped
        #[arg(default_value = "-")]
        file: PathBuf,
        #[command(flatten)]
        damage: DamageArgs,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Join the outputs of all shards of a search
    Merge {
        /// The outputs of the shards; - is standard input
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print JSON, one object per line
        #[arg(long)]
        json: bool,
    },
}

/// Options for how to answer and what to print.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct CommonArgs {
    /// Addresses known to exist, one per line: if any of them fit, they are the answer
    #[arg(long, value_name = "FILE")]
    pub(crate) known: Option<PathBuf>,

    /// The backend that hashes, instead of the fastest on this machine
    #[arg(long, value_name = "NAME", value_parser = backends())]
    pub(crate) backend: Option<Backend>,

    /// The number of threads, instead of one per core; at most four per core
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Print JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    /// Suppress progress and notes
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Options for how to search.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) common: CommonArgs,

    /// Search even if the address is already valid or known
    #[arg(long)]
    pub(crate) search_anyway: bool,

    /// Search even if the answer will be noise
    #[arg(long)]
    pub(crate) force: bool,

    /// Search only part K of N, and print it as JSON for `merge`
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,

    /// Where progress is saved, instead of addr-recover.resume, or addr-recover.K-of-N.resume for a
    /// shard. If the file exists, a number is added to the name
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// How often progress is saved, besides at an interruption
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) save_every: Duration,
}

impl CommonArgs {
    pub(crate) fn backend(&self) -> Backend {
        self.backend.unwrap_or_else(Backend::detect)
    }
}

impl RunArgs {
    /// The preferred name of a resume file.
    pub(crate) fn save_as(&self) -> PathBuf {
        match (&self.save, self.shard) {
            (Some(file), _) => file.clone(),
            (None, None) => PathBuf::from("addr-recover.resume"),
            (None, Some(shard)) => {
                PathBuf::from(format!("addr-recover.{}-of-{}.resume", shard.index(), shard.count()))
            }
        }
    }
}

/// Parses a duration that is not zero.
fn seconds(text: &str) -> Result<Duration, String> {
    let duration = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

fn backends() -> impl TypedValueParser<Value = Backend> {
    let mut names = Vec::new();
    for backend in Backend::available() {
        names.push(backend.name());
    }
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Backend>())
}
