//! What the other parts of the command line write with.

pub(super) mod bar;
pub(super) mod output;
mod progress_lines;
pub(super) mod style;
