//! The command-line arguments.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::Ordering;
use std::time::Duration;

use addr_recover::{Backend, KeyOwner};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use serde::{Deserialize, Serialize};

use super::settings::{AskArgs, TextDamage, key_kind, number};
use super::shard::Shard;
use super::terminal::{Failure, QUIET, VERBOSE};

const AFTER_HELP: &str = "\
Examples:
  addr-recover 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71
  addr-recover '1Lbcfr7s?HTD9CgdQo3HTMTkV8LK4[7ZT]nX71'   (shells expand ? and [ ]: quote them)
  addr-recover --typos 2 --budget 5m 1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4Zn271
  addr-recover batch list.txt --json > answers.jsonl
  addr-recover key --typos 2                              (asks for the key)

Exit status: 0 one address, 1 none, 2 bad usage or input, 3 several addresses or an uncertain one, 4
refused because the answer would be noise, 130 interrupted by Ctrl-C, SIGTERM or SIGHUP, 141 broken
pipe. A batch has the first of 2, 4, 3, 1, 0 that any line has.";

/// The version and the backend of a search without `--backend`. `Backend::detect` would fix the
/// default before `--backend` is read.
static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} ({})", env!("CARGO_PKG_VERSION"), Backend::available()[0].name()));

/// Recovers addresses of Bitcoin and its relatives that lost their letter case or have unreadable
/// characters.
///
/// Tries everything that the damage allows, once, and prints every address found.
#[derive(Debug, Parser)]
#[command(
    version = VERSION.as_str(),
    args_conflicts_with_subcommands = true,
    after_help = AFTER_HELP
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// The address, in any case. ? matches any character, [7ZT] one of those listed. URLs, labels,
    /// quotation marks and groups of characters are accepted; - is standard input
    pub(crate) address: Vec<OsString>,

    /// Continue an interrupted search, with the options that it had
    // What the file keeps. The groups have all options of a struct that flattens no other.
    #[arg(long, value_name = "FILE", conflicts_with_all =
        ["address", "TextDamage", "kind", "known", "SearchArgs", "save", "estimate"])]
    pub(crate) resume: Option<PathBuf>,

    /// Show what the search would cost and what its answer would be worth, instead of searching
    #[arg(long, conflicts_with_all = ["SearchArgs", "save"])]
    pub(crate) estimate: bool,

    #[command(flatten)]
    pub(crate) settings: Settings,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The same as --estimate
    #[command(hide = true)]
    Estimate {
        /// The address, as for a search
        address: Vec<OsString>,
        #[command(flatten)]
        ask: AskArgs,
        #[command(flatten)]
        machine: MachineArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Recover many addresses, one per line
    Batch {
        /// The file. - is standard input. Blank lines and lines that begin with # are skipped
        #[arg(default_value = "-")]
        file: PathBuf,
        #[command(flatten)]
        settings: Settings,
    },
    /// Recover a key that you own: WIF, BIP 32 (xprv, xpub), BIP 38 or a mini key. It goes to
    /// standard output, and nowhere else
    Key(KeyArgs),
    /// Answer from the --json output of all parts of a search with --shard
    Merge {
        /// The files, in any order; - is standard input
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the networks and the kinds of addresses
    Kinds {
        /// List the formats and the kinds of keys instead
        #[arg(long)]
        keys: bool,
    },
    /// Write man pages, completions and the JSON Schema into DIR, an existing folder
    Generate { dir: PathBuf },
}

/// Options for the recovery of a key.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct KeyArgs {
    /// The key; ? matches any character, [7ZT] one of those listed. Leave it out: other users and
    /// the shell's history can see it here. Then it is read from standard input, and not shown on a
    /// terminal
    pub(crate) key: Vec<OsString>,

    #[command(flatten)]
    pub(crate) damage: TextDamage,

    /// Only keys of this format (`wif`, `bip32`, `bip38`, `mini`) or kind (`wif-bitcoin`, `xpub`);
    /// may be repeated. `addr-recover kinds --keys` lists them
    #[arg(long, value_name = "KIND", value_parser = key_kind)]
    pub(crate) kind: Vec<String>,

    /// Show what the search would cost and what its answer would be worth, instead of searching
    #[arg(long)]
    pub(crate) estimate: bool,

    /// Only the key of this address: P2PKH (also in CashAddr), P2WPKH, P2WPKH within P2SH, Ethereum
    /// or Tron. Not for extended keys
    #[arg(long, value_name = "ADDRESS", value_parser = clap::value_parser!(KeyOwner))]
    pub(crate) address: Option<KeyOwner>,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) machine: MachineArgs,
}

/// What a search can be told.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Settings {
    #[command(flatten)]
    pub(crate) ask: AskArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// How far to search. A resume file keeps it.
#[derive(Clone, Debug, Default, clap::Args, Serialize, Deserialize)]
pub(crate) struct SearchArgs {
    /// Search even if the answer will be noise, or the address is already valid or known
    #[arg(long)]
    pub(crate) force: bool,

    /// Try only the damage described. Otherwise, if nothing is found, common damage is tried, too
    #[arg(long)]
    pub(crate) exact: bool,

    /// How long to try damage that was not described and that takes more than 2^28 hashes in all
    /// (for a line of a batch, 2^24): 30, 30s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "exact",
        allow_negative_numbers = true)]
    pub(crate) budget: Option<Duration>,

    /// Search only part I of N, as on one of N machines, for the damage described. For an address,
    /// `merge` joins the --json output of all parts
    #[arg(long, value_name = "I/N", conflicts_with = "budget", allow_hyphen_values = true)]
    pub(crate) shard: Option<Shard>,
}

impl SearchArgs {
    /// Whether to search only for the damage that was described.
    pub(crate) fn is_exact(&self) -> bool {
        self.exact || self.shard.is_some()
    }
}

/// What to search with, and what to print on stderr.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct MachineArgs {
    /// The backend that hashes, instead of the fastest on this machine
    #[arg(long, value_name = "NAME", value_parser = backends(), hide = true)]
    backend: Option<Backend>,

    /// The number of threads, instead of one per core
    #[arg(short = 'j', long, short_alias = 't', value_name = "N",
        allow_negative_numbers = true, value_parser = number(1..=1024_u16))]
    threads: Option<u16>,

    /// Suppress progress and notes
    #[arg(short, long)]
    quiet: bool,

    /// Say what was tried without an answer, and which options describe the damage
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
}

/// Options that do not change the answer.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) machine: MachineArgs,

    /// Print JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,

    /// Where progress is saved, instead of addr-recover.resume in `$XDG_STATE_HOME` or
    /// `~/.local/state`. If the file exists, a number is added
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// How often progress is saved, besides at an interruption
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration,
        allow_negative_numbers = true, hide = true)]
    pub(crate) save_every: Duration,
}

/// The maximum number of threads per core.
const MAX_THREADS: usize = 4;

impl MachineArgs {
    /// Sets the backend and the quiet of the process. Nothing may hash before.
    pub(crate) fn apply(&self) -> Result<(), Failure> {
        QUIET.store(self.quiet, Ordering::Relaxed);
        VERBOSE.store(self.verbose, Ordering::Relaxed);
        Ok(self.backend.map_or(Ok(()), Backend::set_default)?)
    }

    /// The number of threads to use.
    pub(crate) fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        // More only get in each other's way.
        self.threads.map_or_else(cores, |it| usize::from(it).min(MAX_THREADS * cores()))
    }
}

/// Where programs keep state between runs: `$XDG_STATE_HOME`, by default `~/.local/state`, or
/// `%LOCALAPPDATA%`. Without any, the current folder.
pub(crate) fn state_folder() -> PathBuf {
    let folder = |variable| {
        std::env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute())
    };
    folder("XDG_STATE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".local/state")))
        .or_else(|| folder("LOCALAPPDATA"))
        .unwrap_or_default()
}

/// The maximum of a time: a year.
const MAX_TIME: Duration = Duration::from_secs(8760 * 3600);

/// Parses a duration that is not zero: `30`, `30s`, `5m` or `2h`.
fn duration(text: &str) -> Result<Duration, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let unit =
        units.into_iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, unit) = unit.unwrap_or((text, 1.0));
    let seconds = number.parse::<f64>().map(|number| number * unit);
    let duration = seconds.ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration
        .filter(|duration| !duration.is_zero() && *duration <= MAX_TIME)
        .ok_or_else(|| "expected a time above 0 and up to 8760h, such as 30s, 5m or 2h".to_owned())
}

fn backends() -> impl TypedValueParser<Value = Backend> {
    let names: Vec<&str> = Backend::available().iter().map(|backend| backend.name()).collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Backend>())
}
