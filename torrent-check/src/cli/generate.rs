//! Writes man pages, shell completions and the JSON Schema for packagers.

use std::path::Path;
use std::{fs, io};

use clap::{CommandFactory, value_parser};
use clap_complete::{Generator, Shell};

use super::args::Args;
use super::failure::Failure;
use super::json;
use super::status::COMPLETE;

pub(super) fn generate(folder: &Path) -> Result<u8, Failure> {
    write(folder).map_err(|error| Failure::file("write to", folder, error))?;
    Ok(COMPLETE)
}

fn write(folder: &Path) -> io::Result<()> {
    // The files are for all machines, so they leave out the backends of this one.
    let mut command = Args::command()
        .version(env!("CARGO_PKG_VERSION"))
        .mut_arg("backend", |arg| arg.value_parser(value_parser!(String)))
        // The man page leaves out the text of options that the short help leaves out.
        .mut_args(|arg| arg.hide_short_help(false));
    let name = command.get_name().to_owned();
    clap_mangen::generate_to(command.clone(), folder)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        // `clap_complete::generate_to` panics if the disk is full.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command, &name, &mut script);
        let script = mended(&String::from_utf8_lossy(&script), &name);
        fs::write(folder.join(shell.file_name(&name)), script)?;
    }
    let (name, schema) = json::SCHEMA;
    fs::write(folder.join(name), schema)
}

/// Works around `clap_complete` 4.6 bugs.
///
/// bash does not recognise subcommands of a program with a hyphen in its name (clap-rs/clap#6421).
/// fish offers files instead of values to an option of the program itself.
fn mended(script: &str, name: &str) -> String {
    script
        .replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"))
        .replace("2>/dev/null\n    or return\n", "2>/dev/null\n    or return 0\n")
}
