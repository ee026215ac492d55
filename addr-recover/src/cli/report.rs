//! What is said about an outcome.

use std::io::{self, Write};
use std::process::ExitCode;

use addr_recover::{Backend, DamagedAddress, Outcome};
use serde::Serialize;

/// The answer, in the order of the fields in the JSON object.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    input: &'a str,
    input_is_valid: bool,
    addresses: &'a [String],
    hashes: u64,
    backend: &'a str,
}

impl<'a> Report<'a> {
    pub(crate) fn new(damaged: &'a DamagedAddress, backend: Backend, outcome: &'a Outcome) -> Self {
        Self {
            input: damaged.as_str(),
            input_is_valid: damaged.is_intact(),
            addresses: &outcome.addresses,
            hashes: outcome.hashes,
            backend: backend.name(),
        }
    }

    /// What the reader should know besides the addresses, a line each.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.input_is_valid {
            notes.push("the input is a valid address as it stands".to_owned());
        }
        if self.addresses.len() > 1 {
            let found = self.addresses.len();
            notes.push(format!(
                "{found} addresses found, all equally valid: the checksum cannot tell which was meant"
            ));
        }
        notes
    }

    /// The addresses, one per line, or the whole report as one JSON object.
    pub(crate) fn print(&self, json: bool) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        if json {
            serde_json::to_writer(&mut stdout, self)?;
            writeln!(stdout)?;
        } else {
            for address in self.addresses {
                writeln!(stdout, "{address}")?;
            }
        }
        stdout.flush()
    }

    /// A line for the case that there is no address to print.
    pub(crate) fn verdict(&self) -> Option<String> {
        let reason = if self.input.starts_with('1') {
            "the search was exhaustive"
        } else {
            "an address of version 0 begins with 1"
        };
        self.addresses.is_empty().then(|| format!("not found: no such address exists ({reason})"))
    }

    pub(crate) fn status(&self) -> ExitCode {
        ExitCode::from(u8::from(self.addresses.is_empty()))
    }
}
