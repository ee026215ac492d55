//! Writes man pages, shell completions and the JSON Schema for packagers.

use std::path::Path;
use std::{fs, io};

use clap::{Command, CommandFactory, value_parser};
use clap_complete::{Generator, Shell};

use super::args::Args;
use super::input::error_of_file;
use super::report::JSON_SCHEMA;
use super::terminal::Failure;

pub(super) fn generate(folder: &Path) -> Result<u8, Failure> {
    write(folder)
        .map_err(|error| error_of_file(folder, &error, "generate takes an existing folder"))?;
    Ok(0)
}

fn write(folder: &Path) -> io::Result<()> {
    let mut command = with_any_backend(Args::command())
        .mut_subcommand("estimate", with_any_backend)
        .mut_subcommand("batch", with_any_backend)
        .mut_subcommand("key", with_any_backend)
        .version(env!("CARGO_PKG_VERSION"));
    let name = command.get_name().to_owned();
    clap_mangen::generate_to(command.clone(), folder)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        // `clap_complete::generate_to` panics if the disk is full.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command, &name, &mut script);
        let script = mended(&String::from_utf8_lossy(&script), &name);
        fs::write(folder.join(shell.file_name(&name)), script)?;
    }
    let (name, schema) = JSON_SCHEMA;
    fs::write(folder.join(name), schema)
}

/// Leaves out the backends of this machine: the files are for all.
fn with_any_backend(command: Command) -> Command {
    command.mut_arg("backend", |arg| arg.value_parser(value_parser!(String)))
}

/// Works around two bugs of `clap_complete` 4.6.
///
/// bash does not recognise subcommands of a program with a hyphen in its name (clap-rs/clap#6421).
/// fish offers files instead of values to an option of the program itself.
fn mended(script: &str, name: &str) -> String {
    script
        .replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"))
        .replace("2>/dev/null\n    or return\n", "2>/dev/null\n    or return 0\n")
}
