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

/// The maximum number of characters of a number that is shown: a private key has 64 digits or more.
const MAX_NUMBER: usize = 20;

/// The placeholders of values that are numbers.
const NUMBERS: [&str; 5] = ["<N>", "=<N>", "<I/N>", "<TIME>", "<KIND>"];

/// What else to pass to `--kind`.
const ALL_KINDS: &str = "`addr-recover kinds` lists all networks and kinds; a version is a number \
                         from 0 to 255, or two bytes such as 0x1cb8";

/// Options whose number may be left out.
const WITHOUT_NUMBER: [&str; 3] = ["--missing", "--surplus", "--swapped"];

/// Parses the command line. Exits if it is wrong or asks for help.
pub(crate) fn arguments() -> Args {
    let arguments = with_numbers(env::args_os().map(without_dash));
    Args::try_parse_from(arguments).unwrap_or_else(|mut error| {
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

/// Joins a number to the option before it, which clap would take for a group of the address.
fn with_numbers(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    for argument in arguments {
        let text = argument.to_str().unwrap_or_default();
        let is_number = (1..3).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_digit());
        match joined.last_mut() {
            Some(option) if is_number && WITHOUT_NUMBER.iter().any(|it| option == it) => {
                option.push("=");
                option.push(argument);
            }
            _ => joined.push(argument),
        }
    }
    joined
}

/// Removes the possible values of an option if they are many, as those of `--kind`, and the options
/// that `--resume` and `--estimate` exclude. A similar value is still suggested.
fn shorten(error: &mut Error) {
    if error.kind() == ErrorKind::MissingRequiredArgument
        && error.get(ContextKind::InvalidArg).is_some_and(|it| it.to_string().contains("--confuse"))
    {
        let message = "--max-confused limits --confuse: pass --confuse, too, or groups such as \
                       --confuse=5S,8B\n";
        *error = Error::raw(ErrorKind::MissingRequiredArgument, message);
        return;
    }
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
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![ALL_KINDS.into()]));
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
    let option = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    let is_number = |text: &ContextValue| {
        let text = text.to_string();
        text.len() <= MAX_NUMBER
            && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | '/'))
    };
    let takes_number = NUMBERS.iter().any(|value| option.contains(value));
    if error.get(typed).is_some_and(|it| is_secret(it) && !(takes_number && is_number(it))) {
        error.insert(typed, ContextValue::String(SECRET.to_owned()));
        // Advice on how to pass an argument repeats it.
        if typed == ContextKind::InvalidArg {
            error.remove(ContextKind::Suggested);
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{Arg, CommandFactory};

    use super::*;

    /// The placeholders of values that have a range.
    const RANGES: [&str; 3] = ["N", "I/N", "TIME"];

    /// Whatever is typed, and whichever subcommand has the option.
    #[test]
    fn an_option_with_a_range_says_it() {
        let command = Args::command();
        let mut count = 0;
        for command in std::iter::once(&command).chain(command.get_subcommands()) {
            let has_range = |it: &&Arg| {
                let names = it.get_value_names().unwrap_or_default();
                names.iter().any(|name| RANGES.contains(&name.as_str()))
            };
            for argument in command.get_arguments().filter(has_range) {
                let option = format!("--{}", argument.get_long().unwrap());
                count += 1;
                for wrong in ["two", "-1", "99999999999999999999999"] {
                    let mut line = vec!["addr-recover", &option, wrong];
                    let joined = format!("{option}={wrong}");
                    if argument.is_require_equals_set() {
                        line = vec!["addr-recover", &joined];
                    }
                    if command.get_name() != "addr-recover" {
                        line.insert(1, command.get_name());
                    }
                    let error = Args::try_parse_from(&line).unwrap_err().to_string();
                    let says = error.contains(&option)
                        && error.contains(": expected a ")
                        && error.contains(" to ");
                    assert!(says, "{line:?}: {error}");
                }
            }
        }
        assert!(count > 30, "{count} options");
    }

    #[test]
    fn a_number_after_an_option_is_its_value() {
        let joined = |line: &str| {
            with_numbers(line.split(' ').map(OsString::from)).join(std::ffi::OsStr::new(" "))
        };
        assert_eq!(joined("--missing 2 1lbc --swapped 1"), "--missing=2 1lbc --swapped=1");
        for line in ["--missing 1lbc 2", "--missing=1 2", "--typos 2", "--missing 123"] {
            assert_eq!(joined(line), line);
        }
    }
}
