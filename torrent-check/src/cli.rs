//! The command line: a thin layer over the library.

mod args;
mod client;
mod extra;
mod failure;
mod generate;
mod info;
mod input;
mod interrupt;
mod json;
mod many;
mod one;
mod outcome;
mod repair;
mod sources;
mod state;
mod status;
mod summary;
mod table;
mod terminal;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use clap::Parser;

use args::{Args, CheckArgs, Command, Request};
use failure::Failure;
use input::read_torrent;
use status::{COMPLETE, FAILED, OUTPUT_CLOSED};
use terminal::output::{IS_OUTPUT_CLOSED, LACKS_STDOUT, log, print};
use terminal::style;

pub(crate) fn run() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    // The commands of other tools are what this one does without a command.
    let is_command = |first: &OsString| first == "verify" || first == "check";
    if arguments.get(1).is_some_and(|first| is_command(first) && !Path::new(first).exists()) {
        arguments.remove(1);
    }
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => return print_usage(&error),
    };
    let (result, json) = match args.command {
        Some(Command::Info { file, json }) => (describe(&file, json), json),
        Some(Command::Repair(args)) => (repair::repair(&args), args.json),
        Some(Command::Generate { folder }) => (generate::generate(&folder), false),
        None => (check(&args.check), args.check.json),
    };
    let status = result.unwrap_or_else(|error| {
        let message = error.to_string();
        log(&format!("error: {message}"));
        if json {
            // The exit status reports the failure, even if it cannot be written.
            let _ = print(|to| json::write_error(None, &message, to));
        }
        FAILED
    });
    let is_closed = IS_OUTPUT_CLOSED.load(Ordering::Relaxed);
    ExitCode::from(if is_closed { OUTPUT_CLOSED } else { status })
}

/// Prints the help, the version, or what is wrong with the arguments, also as JSON if they ask for
/// it.
fn print_usage(error: &clap::Error) -> ExitCode {
    // A broken pipe is not an error.
    let _ = error.print();
    if !error.use_stderr() && LACKS_STDOUT.load(Ordering::Relaxed) {
        return ExitCode::from(FAILED);
    }
    if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
        let message = error.render().to_string();
        let message = message.strip_prefix("error: ").unwrap_or(&message).trim_end();
        // The exit status reports the failure, even if it cannot be written.
        let _ = print(|to| json::write_error(None, message, to));
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(FAILED))
}

fn describe(file: &Path, json: bool) -> Result<u8, Failure> {
    let torrent = read_torrent(file)?;
    print(|to| info::write(&torrent, json, to))?;
    Ok(COMPLETE)
}

fn check(args: &CheckArgs) -> Result<u8, Failure> {
    style::set_color(args.color);
    if let Some(backend) = args.backend {
        backend.set_default()?;
    }
    match args.request()? {
        Request::One { torrent, place } => one::check(args, torrent, place),
        Request::Many { roots, session } => many::check(args, roots, session),
    }
}
