//! The command line: a thin layer over the library.

mod args;
mod ask;
mod bar;
mod climb;
mod estimate;
mod generate;
mod input;
mod key;
mod print;
mod queue;
mod report;
mod resume;
mod session;
mod settings;
mod shard;
mod terminal;
mod usage;

use std::io::{self, Write};
use std::process::ExitCode;

use addr_recover::{KEY_KINDS, KINDS};
use args::{Args, Command, Settings};
use report::Status;
use terminal::{Failure, say};

/// The exit status that shells report after a broken pipe: 128 + SIGPIPE.
const OUTPUT_CLOSED: u8 = 141;

pub(crate) fn run() -> ExitCode {
    let outcome = usage::arguments().answer();
    ExitCode::from(outcome.unwrap_or_else(|error| {
        let of_io = error.downcast_ref::<io::Error>();
        if of_io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            return OUTPUT_CLOSED;
        }
        say(&format!("error: {error}"));
        Status::Malformed.exit_code()
    }))
}

impl Args {
    fn answer(self) -> Result<u8, Failure> {
        match self.command {
            Some(Command::Estimate { address, ask, machine, json }) => {
                estimate::run(&address, ask, &machine, json)
            }
            Some(Command::Key(key)) => key::run(&key),
            Some(Command::Kinds { keys }) => list_kinds(keys),
            Some(Command::Batch { file, settings }) => session::batch(&file, settings),
            Some(Command::Merge { files, json }) => shard::merge(&files, json),
            Some(Command::Generate { dir }) => generate::generate(&dir),
            None if self.estimate => {
                let Settings { ask, run, .. } = self.settings;
                estimate::run(&self.address, ask, &run.machine, run.json)
            }
            None => match self.resume {
                Some(file) => session::resume(&file, self.settings.run),
                None => session::single(&self.address, self.settings),
            },
        }
    }
}

fn list_kinds(keys: bool) -> Result<u8, Failure> {
    print::to_stdout(|stdout| {
        if keys {
            return KEY_KINDS.iter().try_for_each(|kind| {
                writeln!(stdout, "{:<13} {:<6} {}", kind.id, kind.format.id(), kind.name)
            });
        }
        KINDS.iter().try_for_each(|kind| {
            let (version, begin) = (kind.version.to_string(), kind.version.first_characters());
            writeln!(stdout, "{:<24} {version:<7} {begin:<3} {}", kind.id, kind.name)
        })
    })?;
    Ok(0)
}
