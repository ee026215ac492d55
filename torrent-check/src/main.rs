//! Verifies downloads of BitTorrent v1, v2 and hybrid torrents.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
