//! The progress on stderr.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over all hashes that are expected. It draws nothing when it should be quiet or when stderr is no terminal.
pub(crate) fn draw(quiet: bool, expected: f64) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    let template = "{bar:32} {percent:>3}%  {human_pos} hashes, {per_sec}, {eta} left";
    let style =
        ProgressStyle::with_template(template).expect("the template is a constant that has been tried");
    let bar = ProgressBar::with_draw_target(Some(expected as u64), target).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
