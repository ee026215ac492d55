//! The progress bar on stderr.

use std::fmt::Write;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle};

use super::say;

/// Shorter searches have no bar.
const DELAY: Duration = Duration::from_millis(500);

/// A progress bar of at most 40 columns. It is hidden if `quiet` or if stderr is not a terminal, and
/// cleared once it is dropped.
pub(crate) struct Bar {
    bar: ProgressBar,
    begin: Instant,
    shown: Once,
    is_quiet: bool,
    counts_lines: bool,
}

impl Bar {
    /// A bar that counts hashes, or other steps of a search.
    pub(crate) fn of_steps(quiet: bool) -> Self {
        Self::new(quiet, 0, "{bar:10} {percent:>3}%  {rate}, {eta} left")
    }

    /// A bar that counts lines.
    pub(crate) fn of_lines(quiet: bool, lines: usize) -> Self {
        Self { counts_lines: true, ..Self::new(quiet, lines, "{bar:12} {pos}/{len} lines") }
    }

    fn new(quiet: bool, length: usize, template: &str) -> Self {
        let target = ProgressDrawTarget::hidden();
        let bar = ProgressBar::with_draw_target(Some(length as u64), target);
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        let style = style.with_key("rate", |state: &ProgressState, text: &mut dyn Write| {
            // Writing to a string does not fail.
            let _ = write!(text, "{:.1} M/s", state.per_sec() / 1e6);
        });
        Self {
            bar: bar.with_style(style).with_finish(ProgressFinish::AndClear),
            begin: Instant::now(),
            shown: Once::new(),
            is_quiet: quiet,
            counts_lines: false,
        }
    }

    /// Draws how far a search has come. Threads may report out of order, but every hash is drawn
    /// once: `drawn` were before.
    pub(crate) fn draw(&self, drawn: &AtomicU64, hashes: u64) {
        let before = drawn.fetch_max(hashes, Ordering::Relaxed);
        self.inc(if self.counts_lines { 0 } else { hashes.saturating_sub(before) });
    }

    /// Expects more steps.
    pub(crate) fn expect(&self, steps: f64) {
        if !self.counts_lines {
            self.bar.inc_length(steps as u64);
        }
    }

    /// Counts a line.
    pub(crate) fn add_line(&self) {
        self.inc(u64::from(self.counts_lines));
    }

    fn inc(&self, more: u64) {
        self.bar.inc(more);
        if !self.is_quiet && self.begin.elapsed() >= DELAY {
            self.shown.call_once(|| {
                self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
                self.bar.enable_steady_tick(Duration::from_millis(100));
            });
        }
    }

    /// Hides the bar while a closure prints, and for good if it is that of a single search, whose
    /// answer is printed.
    pub(crate) fn print<T>(&self, print: impl FnOnce() -> T) -> T {
        if !self.counts_lines {
            self.bar.finish_and_clear();
        }
        self.bar.suspend(print)
    }

    /// Prints a note on stderr, unless `quiet`.
    pub(crate) fn say(&self, note: &str) {
        if !self.is_quiet {
            self.bar.suspend(|| say(note));
        }
    }
}
