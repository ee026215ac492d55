//! Reads the command line. Errors do not repeat what may be a key.

use std::env;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory, Error};

use super::args::Args;
use super::generate;

/// No argument is as long, except texts and file names, which errors do not repeat.
const MAX_SHOWN: usize = 40;

/// The maximum number of possible values that an error lists.
const MAX_LISTED: usize = 20;

/// Parses the command line. Exits if it is wrong or asks for help.
pub(crate) fn matches() -> ArgMatches {
    let command = Args::command().subcommand(generate::subcommand());
    command.try_get_matches().unwrap_or_else(|error| {
        let error = without_secrets(without_long_lists(error), has_argument("key"));
        error.exit()
    })
}

fn has_argument(name: &str) -> bool {
    env::args_os().any(|argument| argument == name)
}

/// The error without a list of the possible values of an option if it is long, as of `--kind`, or of
/// all options that `--resume` excludes. A similar value is still suggested.
fn without_long_lists(mut error: Error) -> Error {
    if let Some(ContextValue::Strings(_)) = error.get(ContextKind::PriorArg) {
        // All options of the group, not those that were given.
        let others = ContextValue::String("options that the file has".to_owned());
        error.insert(ContextKind::PriorArg, others);
    }
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
