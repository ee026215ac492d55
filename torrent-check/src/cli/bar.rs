//! The progress on stderr.

use std::fmt::Write;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use torrent_check::Progress;

/// A bar over all bytes that are to be checked. It draws nothing when it should be quiet or when
/// stderr is no terminal.
pub(crate) fn draw(quiet: bool) -> ProgressBar {
    let target =
        if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    let template =
        "{bar:32} {percent:>3}%  {binary_bytes} of {binary_total_bytes}, {rate}, {eta} left{msg}";
    let style = ProgressStyle::with_template(template)
        .expect("the template is a constant that has been tried");
    let style = style.with_key("rate", |state: &ProgressState, text: &mut dyn Write| {
        // The text is a string, which takes everything.
        let _ = write!(text, "{:.2} GiB/s", state.per_sec() / f64::from(1 << 30));
    });
    // It is drawn again as the check goes on, by the threads that check: one of its own might be
    // refused.
    ProgressBar::with_draw_target(None, target).with_style(style)
}

/// Shows how far the check has come.
pub(crate) fn advance(bar: &ProgressBar, progress: Progress) {
    if bar.length() != Some(progress.total) {
        bar.set_length(progress.total);
    }
    // Threads overtake each other on their way here.
    if progress.bytes > bar.position() {
        bar.set_position(progress.bytes);
    }
    if progress.bad_pieces > 0 {
        bar.set_message(format!(", {} bad pieces", progress.bad_pieces));
    }
}
