//! The progress on stderr: a bar on a terminal, or lines.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use torrent_check::Progress;

use super::args::CheckArgs;
use super::log;
use super::progress_lines::{Schedule, line};

/// The progress of all torrents.
pub(crate) struct ProgressDisplay {
    quiet: bool,
    /// Whether each bar is below its label.
    shows_label: bool,
    began: Instant,
    /// If lines are printed.
    lines: Option<Mutex<Schedule>>,
}

/// The progress of one torrent.
pub(crate) struct Bar<'d> {
    display: &'d ProgressDisplay,
    label: String,
    bar: ProgressBar,
}

impl ProgressDisplay {
    pub(crate) fn new(args: &CheckArgs, shows_label: bool) -> Self {
        let lines = (args.progress && !io::stderr().is_terminal()).then(Mutex::default);
        Self { quiet: args.quiet, shows_label, began: Instant::now(), lines }
    }

    /// A bar over all bytes of a torrent that are to be checked. Nothing is drawn if `quiet`, or if
    /// stderr is not a terminal. Lines begin with the label, and the bar may be below it.
    pub(crate) fn bar(&self, label: String) -> Bar<'_> {
        let target = if self.quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(10)
        };
        let bar = "{wide_bar} {percent:>3}%  {binary_bytes} of {binary_total_bytes}, \
                   {binary_bytes_per_sec}, {eta} left{prefix}";
        let above = if self.shows_label { "{wide_msg}\n" } else { "" };
        let style = ProgressStyle::with_template(&format!("{above}{bar}"));
        let style = style.expect("the template is valid");
        // The checking threads redraw the bar: the system might refuse another thread.
        let bar = ProgressBar::with_draw_target(None, target)
            .with_style(style)
            .with_message(label.clone());
        Bar { display: self, label, bar }
    }
}

impl Bar<'_> {
    /// Updates the bar, and prints a line if one is due.
    pub(crate) fn advance(&self, progress: Progress) {
        let Self { display, label, bar } = self;
        if let Some(schedule) = &display.lines {
            let mut schedule = schedule.lock().unwrap_or_else(PoisonError::into_inner);
            if schedule.is_due(display.began.elapsed()) {
                log(&line(label, progress.bytes, progress.total, progress.bad_pieces));
            }
        }
        if bar.length() != Some(progress.total) {
            bar.set_length(progress.total);
        }
        // Threads may call out of order.
        if progress.bytes > bar.position() {
            bar.set_position(progress.bytes);
        }
        if progress.bad_pieces > 0 {
            bar.set_prefix(format!(", bad pieces: {}", progress.bad_pieces));
        }
    }

    /// Removes the bar.
    pub(crate) fn clear(self) {
        self.bar.finish_and_clear();
    }
}
