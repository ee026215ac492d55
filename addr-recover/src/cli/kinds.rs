//! `addr-recover kinds`: the table of kinds.

use std::io::Write;

use addr_recover::KINDS;

use super::{Failure, print};

pub(crate) fn run() -> Result<u8, Failure> {
    print::to_stdout(|stdout| {
        KINDS.iter().try_for_each(|kind| {
            let (version, begin) = (kind.version.to_string(), kind.version.first_characters());
            writeln!(stdout, "{:<24} {version:<7} {begin:<3} {}", kind.id, kind.name)
        })
    })?;
    Ok(0)
}
