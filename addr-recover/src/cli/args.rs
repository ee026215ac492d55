//! What can be asked for.

use std::ffi::OsString;
use std::num::NonZeroUsize;

use addr_recover::Backend;
use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Restores the letter case of a Bitcoin address (P2PKH, beginning with 1).
///
/// Tries every spelling and prints all that are addresses, one per line.
#[derive(Debug, Parser)]
#[command(version, after_help = "Exit status: 0 found, 1 no such address exists, 2 bad usage or input.")]
pub(crate) struct Args {
    /// The address in any case: small letters, capitals or mixed
    pub(crate) address: OsString,

    /// How to hash, instead of the best way of this machine
    #[arg(long, value_name = "NAME", value_parser = backends())]
    pub(crate) backend: Option<Backend>,

    /// The number of threads, instead of one for each core
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,

    /// Show neither progress nor notes
    #[arg(long)]
    pub(crate) quiet: bool,
}

fn backends() -> impl TypedValueParser<Value = Backend> {
    let mut names = Vec::new();
    for backend in Backend::available() {
        names.push(backend.name());
    }
    PossibleValuesParser::new(names)
        .try_map(|name| Backend::by_name(&name).ok_or("not available on this machine"))
}
