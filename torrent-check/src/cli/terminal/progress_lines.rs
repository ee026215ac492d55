//! Lines about the progress on stderr, for logs and terminals of other programs.

use std::time::Duration;

use indicatif::BinaryBytes;

/// The time between two lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// Decides when a line is due. The first is due at once.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    next: Duration,
}

impl Schedule {
    /// Whether a line is due at this time after the start.
    pub(crate) fn is_due(&mut self, elapsed: Duration) -> bool {
        let is_due = elapsed >= self.next;
        if is_due {
            self.next = elapsed + INTERVAL;
        }
        is_due
    }
}

/// The line about a torrent.
pub(crate) fn line(label: &str, bytes: u64, total: u64, bad_pieces: u64) -> String {
    // If there is nothing to check, all of it is done.
    let percent = (u128::from(bytes) * 100).checked_div(u128::from(total)).unwrap_or(100);
    let bad = if bad_pieces > 0 { format!(", bad pieces: {bad_pieces}") } else { String::new() };
    format!("{label}: {percent}%, {} of {}{bad}", BinaryBytes(bytes), BinaryBytes(total))
}

/// The line about a search for the content of a torrent. Without a label, it begins with what is
/// done.
pub(crate) fn search_line(label: &str, listed: u64, read: u64) -> String {
    let label = if label.is_empty() { String::new() } else { format!("{label}: ") };
    let read = if read > 0 { format!(", {} read", BinaryBytes(read)) } else { String::new() };
    format!("{label}searching: {listed} files and folders listed{read}")
}
