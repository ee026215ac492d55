//! The progress bar on stderr.

use std::fmt::Write;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use addr_recover::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Shorter searches have no bar.
const DELAY: Duration = Duration::from_millis(500);

/// A progress bar of at most 40 columns. It is hidden if `quiet` or if stderr is not a terminal.
pub(crate) struct Bar {
    bar: ProgressBar,
    begin: Instant,
    shown: Once,
    is_quiet: bool,
    counts_lines: bool,
}

impl Bar {
    /// A bar that counts hashes, or other steps of a search.
    pub(crate) fn of_steps(quiet: bool, expected: f64) -> Self {
        let bar =
            ProgressBar::with_draw_target(Some(expected as u64), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:10} {percent:>3}%  {rate}, {eta} left");
        let style = style.expect("the template is valid");
        let style = style.with_key("rate", |state: &ProgressState, text: &mut dyn Write| {
            // Writing to a string does not fail.
            let _ = write!(text, "{:.1} M/s", state.per_sec() / 1e6);
        });
        Self {
            bar: bar.with_style(style),
            begin: Instant::now(),
            shown: Once::new(),
            is_quiet: quiet,
            counts_lines: false,
        }
    }

    /// A bar that counts lines.
    pub(crate) fn of_lines(quiet: bool, lines: usize) -> Self {
        let bar = Self::of_steps(quiet, lines as f64);
        let style = ProgressStyle::with_template("{bar:12} {pos}/{len} lines");
        let style = style.expect("the template is valid");
        Self { bar: bar.bar.with_style(style), counts_lines: true, ..bar }
    }

    /// Counts steps.
    pub(crate) fn add(&self, steps: u64) {
        self.inc(if self.counts_lines { 0 } else { steps });
    }

    /// Draws how far a search has come. Threads may report out of order, but every hash is drawn
    /// once: `drawn` were before.
    pub(crate) fn draw(&self, drawn: &AtomicU64, progress: Progress) {
        let before = drawn.fetch_max(progress.hashes, Ordering::Relaxed);
        self.add(progress.hashes.saturating_sub(before));
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
            self.end();
        }
        self.suspend(print)
    }

    /// Hides the bar while a closure prints.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
