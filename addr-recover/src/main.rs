//! `addr-recover`: restores the letter case of a Bitcoin address.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
