//! Errors in torrents, and oddities that do not prevent a check.

use super::bencode::Fault;

/// An error in a torrent, and its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (byte {offset})")]
#[non_exhaustive]
pub struct TorrentError {
    /// Byte offset, in the torrent file, of the wrong value or of the dictionary that lacks a key.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
}

impl TorrentError {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }
}

impl From<Fault> for TorrentError {
    fn from(Fault { offset, message }: Fault) -> Self {
        Self { offset, message }
    }
}

/// An oddity of a torrent, and its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (byte {offset})")]
#[non_exhaustive]
pub struct Warning {
    /// Byte offset in the torrent file.
    pub offset: usize,
    /// What is odd.
    pub message: String,
}

/// The maximum number of warnings kept: enough to see what is wrong.
const MAX_WARNINGS: usize = 100;

/// The first warnings, and the number of others.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    kept: Vec<Warning>,
    /// The offset of the first dropped warning, and how many were dropped.
    more: Option<(usize, usize)>,
}

impl Warnings {
    pub(crate) fn add(&mut self, offset: usize, message: impl Into<String>) {
        if self.kept.len() < MAX_WARNINGS {
            self.kept.push(Warning { offset, message: message.into() });
        } else {
            self.more.get_or_insert((offset, 0)).1 += 1;
        }
    }

    /// The warnings. If any were dropped, the last one counts them.
    pub(crate) fn into_vec(mut self) -> Vec<Warning> {
        if let Some((offset, count)) = self.more {
            let plural = if count == 1 { "" } else { "s" };
            let message = format!("{count} more warning{plural}");
            self.kept.push(Warning { offset, message });
        }
        self.kept
    }
}
