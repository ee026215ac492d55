//! What can be asked for.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use addr_recover::{Backend, Shard};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};

use super::settings::DamageArgs;

/// Restores addresses of Bitcoin and its relatives whose letter case was lost, or of which some
/// characters cannot be read.
///
/// Tries all that the damage allows, once, and prints every address among it.
#[derive(Debug, Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Exit status: 0 one address, 1 none (and that is certain), 2 bad usage or input, 3 several, 4 refused because \
                  the answer would be noise, 130 ended by Ctrl-C, SIGTERM or SIGHUP, 141 because nobody reads \
                  the output. Of a batch: the first of 2, 4, 3, 1, 0 that some line has."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// The address, in any case. ? stands for any character, [7ZT] for one of these; URLs are
    /// accepted
    pub(crate) address: Option<OsString>,

    /// Go on with a search that has been interrupted
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) damage: DamageArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say what a search costs and what its answer would be worth
    Estimate {
        /// The address, as for a search
        address: OsString,
        #[command(flatten)]
        damage: DamageArgs,
        #[command(flatten)]
        common: CommonArgs,
    },
    /// Recover many addresses, one on each line
    Batch {
        /// The file, or - for standard input
        file: PathBuf,
        #[command(flatten)]
        damage: DamageArgs,
        #[command(flatten)]
        run: RunArgs,
    },
    /// Join what the shards of a search have printed
    Merge {
        /// The outputs of all shards
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print JSON, one object on each line
        #[arg(long)]
        json: bool,
    },
}

/// How to answer, and what to print.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct CommonArgs {
    /// A list of addresses that are known to exist, one on each line: those among them that fit
    /// are the answer
    #[arg(long, value_name = "FILE")]
    pub(crate) known: Option<PathBuf>,

    /// How to hash, instead of the best way of this machine
    #[arg(long, value_name = "NAME", value_parser = backends())]
    pub(crate) backend: Option<Backend>,

    /// The number of threads, instead of one for each core
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Print JSON, one object on each line
    #[arg(long)]
    pub(crate) json: bool,

    /// Show neither progress nor notes
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// How to search.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) common: CommonArgs,

    /// Search although the address is valid as it stands, or known
    #[arg(long)]
    pub(crate) search_anyway: bool,

    /// Search although the answer will be noise
    #[arg(long)]
    pub(crate) force: bool,

    /// Search only this part of N, and print it as JSON for `merge`
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,

    /// Where Ctrl-C saves what has been done, instead of addr-recover.resume, or
    /// addr-recover.K-of-N.resume of a shard. If there is such a file, a number is added to
    /// the name
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
}

impl CommonArgs {
    pub(crate) fn backend(&self) -> Backend {
        self.backend.unwrap_or_else(Backend::detect)
    }
}

impl RunArgs {
    /// The name for a resume file, unless it is taken.
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

fn backends() -> impl TypedValueParser<Value = Backend> {
    let mut names = Vec::new();
    for backend in Backend::available() {
        names.push(backend.name());
    }
    PossibleValuesParser::new(names)
        .try_map(|name| Backend::by_name(&name).ok_or("not available on this machine"))
}
