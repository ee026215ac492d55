//! Reads the command line. Errors do not repeat what may be a key.

use std::env;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory, Error};
use serde_json::json;

use super::args::Args;
use super::report::SCHEMA;
use super::{generate, print};

/// No argument is as long, except texts and file names, which errors do not repeat.
const MAX_SHOWN: usize = 40;

/// The maximum number of possible values that an error lists.
const MAX_LISTED: usize = 20;

/// Parses the command line. Exits if it is wrong or asks for help.
pub(crate) fn matches() -> ArgMatches {
    let command = Args::command().subcommand(generate::subcommand());
    command.try_get_matches().unwrap_or_else(|error| {
        let error = without_secrets(without_long_lists(error), has_argument("key"));
        if error.use_stderr() {
            let message = error.render().to_string();
            print_as_json(message.strip_prefix("error: ").unwrap_or(&message).trim_end());
            if is_silent() {
                std::process::exit(error.exit_code());
            }
        }
        error.exit()
    })
}

/// Prints an error as an object on stdout, if the command line asks for JSON.
pub(crate) fn print_as_json(message: &str) {
    if has_flag("--json", 'j') {
        let error = json!({ "message": message });
        let object = json!({ "schema": SCHEMA, "status": "error", "error": error });
        // The exit status reports the failure, even if it cannot be written.
        let _ = print::object(&object);
    }
}

/// Whether the command line asks for nothing but JSON, not even errors on stderr.
pub(crate) fn is_silent() -> bool {
    has_flag("--json", 'j') && has_flag("--quiet", 'q')
}

/// Whether the command line has a flag, perhaps with another one as in `-jq`.
fn has_flag(long: &str, short: char) -> bool {
    let is_short = |argument: &str| {
        let letters = argument.strip_prefix('-').unwrap_or_default();
        letters.contains(short) && letters.chars().all(|letter| matches!(letter, 'j' | 'q'))
    };
    env::args_os().any(|argument| argument == long || argument.to_str().is_some_and(is_short))
}

fn has_argument(name: &str) -> bool {
    env::args_os().any(|argument| argument == name)
}

/// The error without a list of the possible values of an option if it is long, as of `--kind`. A
/// similar value is still suggested.
fn without_long_lists(mut error: Error) -> Error {
    let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) else {
        return error;
    };
    if values.len() > MAX_LISTED {
        error.remove(ContextKind::ValidValue);
        let tip = "`addr-recover kinds` lists all networks and kinds".to_owned();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// The error without what was typed, if that is long or `has_key`: the value of an option may be a
/// key or a part of one.
fn without_secrets(mut error: Error, has_key: bool) -> Error {
    let typed = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => ContextKind::InvalidValue,
    };
    let is_secret = |text: &ContextValue| has_key || text.to_string().chars().count() > MAX_SHOWN;
    if error.get(typed).is_some_and(is_secret) {
        error.insert(typed, ContextValue::String("(not shown)".to_owned()));
        // Advice on how to pass it.
        error.remove(ContextKind::Suggested);
    }
    error
}
