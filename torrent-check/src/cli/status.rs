//! Exit statuses.

/// Exit statuses: everything is good; something is not; nothing could be checked.
pub(super) const COMPLETE: u8 = 0;
pub(super) const INCOMPLETE: u8 = 1;
pub(super) const FAILED: u8 = 2;

/// The status that shells report for a program killed by Ctrl-C: 128 + SIGINT.
pub(super) const INTERRUPTED: u8 = 130;

/// The status that shells report after a broken pipe: 128 + SIGPIPE.
pub(super) const OUTPUT_CLOSED: u8 = 141;
