//! Reads the command line. Errors do not repeat what may be a key.

use std::env;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Error, Parser};

use super::args::Args;
use super::report::{MAX_SHOWN, SECRET};

/// The maximum number of possible values that an error lists.
const MAX_LISTED: usize = 20;

/// An argument with one dash and so many characters is an item of a list, not a few options.
const MIN_ITEM: usize = 26;

/// An argument with a digit and so many characters may be a part of a key.
const MIN_PART: usize = 16;

/// Parses the command line. Exits if it is wrong or asks for help.
pub(crate) fn arguments() -> Args {
    Args::try_parse_from(env::args_os().map(without_dash)).unwrap_or_else(|mut error| {
        shorten(&mut error);
        hide_secrets(&mut error);
        error.exit()
    })
}

/// Removes the dash that an item of a list begins with.
fn without_dash(argument: OsString) -> OsString {
    match argument.to_str().and_then(|text| text.strip_prefix('-')) {
        Some(item) if item.len() >= MIN_ITEM && !item.starts_with('-') => item.into(),
        _ => argument,
    }
}

/// Removes the possible values of an option if they are many, as those of `--kind`, and the options
/// that `--resume` and `--estimate` exclude. A similar value is still suggested.
fn shorten(error: &mut Error) {
    if let Some(ContextValue::Strings(_)) = error.get(ContextKind::PriorArg) {
        // All options of the group, not those that were given.
        let is_of_file =
            error.get(ContextKind::InvalidArg).is_some_and(|it| it.to_string().contains("resume"));
        let others = if is_of_file { "options that the file has" } else { "options of a search" };
        error.insert(ContextKind::PriorArg, ContextValue::String(others.to_owned()));
    }
    if let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue)
        && values.len() > MAX_LISTED
    {
        error.remove(ContextKind::ValidValue);
        let tip = "`addr-recover kinds` lists all networks and kinds".to_owned();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// Hides what was typed if that is long or `key` is among the arguments: the value of an option may
/// be a key or a part of one.
fn hide_secrets(error: &mut Error) {
    let has_key = env::args_os().any(|argument| argument == "key");
    let typed = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => ContextKind::InvalidValue,
    };
    let is_secret = |text: &ContextValue| {
        let text = text.to_string();
        let may_be_part = text.len() >= MIN_PART && text.contains(|c: char| c.is_ascii_digit());
        has_key || may_be_part || text.chars().count() > MAX_SHOWN
    };
    if error.get(typed).is_some_and(is_secret) {
        error.insert(typed, ContextValue::String(SECRET.to_owned()));
        // Advice on how to pass it.
        error.remove(ContextKind::Suggested);
    }
}
