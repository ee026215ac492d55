//! Identifies the CPU, the compiler and the date of a measurement.

use std::fs;
use std::process::Command;
use std::time::SystemTime;

use crate::record::Record;

/// A record of this machine, compiler and day, without measurements.
#[must_use]
pub fn empty_record() -> Record {
    Record { cpu: cpu(), date: today(), rustc: rustc(), rows: Vec::new() }
}

/// The CPU's name with its family and model, because virtual machines often mask only the name.
pub fn cpu() -> String {
    let Ok(info) = fs::read_to_string("/proc/cpuinfo") else {
        return format!("unnamed {} CPU", std::env::consts::ARCH);
    };
    let field = |name: &str| {
        info.lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.trim() == name)
            .map(|(_, value)| value.trim())
    };
    match (field("model name"), field("cpu family"), field("model")) {
        (Some(name), Some(family), Some(model)) => {
            format!("{name} (family {family}, model {model})")
        }
        (Some(name), ..) => name.to_owned(),
        _ => format!("unnamed {} CPU", std::env::consts::ARCH),
    }
}

/// The output of `rustc --version` on this machine. Another compiler may have built this program.
fn rustc() -> String {
    let output = Command::new("rustc").arg("--version").output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    version.map_or_else(|| "unknown rustc".to_owned(), |version| version.trim().to_owned())
}

/// Today in UTC, such as `2026-11-21`.
fn today() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// The date `days` days after 1970-01-01.
fn date(mut days: u64) -> String {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let mut month = 1;
    for len in [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < len {
            break;
        }
        days -= len;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_around_leap_days() {
        // As printed by `date -u -d @$((days * 86400))`.
        for (days, expected) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_453, "2025-12-31"),
            (20_454, "2026-01-01"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
