//! The progress on stderr.

use addr_recover::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that draws nothing when it should be quiet or when stderr is no terminal.
pub(crate) fn draw(quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{bar:40} {percent}%, {eta} left")
        .expect("the template is a constant that has been tried");
    ProgressBar::with_draw_target(None, target).with_style(style)
}

pub(crate) fn update(bar: &ProgressBar, progress: Progress) {
    bar.set_length(progress.total.into());
    bar.set_position(progress.done.into());
}
