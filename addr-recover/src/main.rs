//! `addr-recover`: recovers the letter case and unreadable characters of Bitcoin addresses.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
