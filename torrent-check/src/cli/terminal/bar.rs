//! The progress on stderr: a bar on a terminal, or lines.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use torrent_check::Progress;

use super::output::log;
use super::progress_lines::{Schedule, line, search_line};

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
    /// Whether it shows a search.
    is_searching: AtomicBool,
}

/// How the bar looks while content is checked, and while it is searched for.
const BAR: &str = "{wide_bar} {percent:>3}%  {binary_bytes} of {binary_total_bytes}, \
                   {binary_bytes_per_sec}, {eta} left{prefix}";
const SEARCH: &str = "{prefix}";

fn style(shows_label: bool, bar: &str) -> ProgressStyle {
    let above = if shows_label { "{wide_msg}\n" } else { "" };
    let style = ProgressStyle::with_template(&format!("{above}{bar}"));
    style.expect("the template is valid")
}

impl ProgressDisplay {
    /// Whether lines are printed without a terminal is up to `prints_lines`.
    pub(crate) fn new(quiet: bool, prints_lines: bool, shows_label: bool) -> Self {
        let lines = (prints_lines && !io::stderr().is_terminal()).then(Mutex::default);
        Self { quiet, shows_label, began: Instant::now(), lines }
    }

    /// A bar over all bytes of a torrent that are to be checked. Nothing is drawn if `quiet`, or if
    /// stderr is not a terminal. Lines begin with the label, and the bar may be below it.
    pub(crate) fn bar(&self, label: String) -> Bar<'_> {
        let target = if self.quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(10)
        };
        // The checking threads redraw the bar: the system might refuse another thread.
        let bar = ProgressBar::with_draw_target(None, target)
            .with_style(style(self.shows_label, BAR))
            .with_message(label.clone());
        Bar { display: self, label, bar, is_searching: AtomicBool::new(false) }
    }
}

impl Bar<'_> {
    /// Updates the bar, and prints a line if one is due.
    pub(crate) fn advance(&self, progress: Progress) {
        let Self { display, label, bar, .. } = self;
        let is_search = progress.listed > 0 || progress.searched > 0;
        if let Some(schedule) = &display.lines {
            let mut schedule = schedule.lock().unwrap_or_else(PoisonError::into_inner);
            if schedule.is_due(display.began.elapsed()) {
                let Progress { bytes, total, bad_pieces, listed, searched, .. } = progress;
                log(&match is_search {
                    true => search_line(label, listed, searched),
                    false => line(label, bytes, total, bad_pieces),
                });
            }
        }
        if is_search {
            let Progress { listed, searched, .. } = progress;
            if !self.is_searching.swap(true, Ordering::Relaxed) {
                bar.set_style(style(display.shows_label, SEARCH));
            }
            bar.set_prefix(search_line("", listed, searched));
            return;
        }
        if self.is_searching.swap(false, Ordering::Relaxed) {
            bar.set_style(style(display.shows_label, BAR));
            bar.set_prefix("");
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
