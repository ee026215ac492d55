//! `addr-recover kinds`: the tables of kinds.

use std::io::Write;

use addr_recover::{KEY_KINDS, KINDS};

use super::{Failure, print};

/// Lists the kinds of addresses, or those of keys.
pub(crate) fn run(keys: bool) -> Result<u8, Failure> {
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
