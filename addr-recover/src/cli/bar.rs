//! The progress bar on stderr.

use std::fmt::Write;
use std::sync::Once;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle};

use super::terminal::is_quiet;

/// Shorter searches have no bar.
const DELAY: Duration = Duration::from_millis(500);

/// A progress bar of at most 40 columns. It is hidden if stderr is not a terminal, and cleared once
/// it is dropped.
pub(crate) struct Bar {
    bar: ProgressBar,
    begin: Instant,
    shown: Once,
    is_visible: bool,
}

impl Bar {
    /// A bar that counts hashes, or other steps of a search.
    pub(crate) fn of_steps(is_visible: bool) -> Self {
        Self::new(is_visible, 0, "{bar:10} {percent:>3}%  {rate}, {eta} left")
    }

    /// A bar that counts lines, whose number may not be known.
    pub(crate) fn of_lines(is_visible: bool, lines: Option<usize>) -> Self {
        let template = if lines.is_some() { "{bar:12} {pos}/{len} lines" } else { "{pos} lines" };
        Self::new(is_visible, lines.unwrap_or_default(), template)
    }

    fn new(is_visible: bool, length: usize, template: &str) -> Self {
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
            is_visible: is_visible && !is_quiet(),
        }
    }

    pub(crate) fn expect(&self, steps: f64) {
        self.bar.inc_length(steps as u64);
    }

    pub(crate) fn add(&self, more: u64) {
        self.bar.inc(more);
        if self.is_visible && self.begin.elapsed() >= DELAY {
            self.shown.call_once(|| {
                self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
                self.bar.enable_steady_tick(Duration::from_millis(100));
            });
        }
    }

    /// Hides the bar while a closure prints.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}
