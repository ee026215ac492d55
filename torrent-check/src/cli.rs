//! The command line: a thin skin over the library.

mod info;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use torrent_check::Torrent;

/// Verifies downloads of torrents.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Says what a torrent consists of.
    Info {
        /// The torrent's file.
        file: PathBuf,
        /// One JSON object instead of text.
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run() -> ExitCode {
    let Command::Info { file, json } = Args::parse().command;
    let torrent = std::fs::read(&file)
        .map_err(|error| error.to_string())
        .and_then(|bytes| Torrent::parse(&bytes).map_err(|error| error.to_string()));
    match torrent {
        Ok(torrent) => {
            print!("{}", info::info(&torrent, json));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {}: {error}", file.display());
            ExitCode::from(2)
        }
    }
}
