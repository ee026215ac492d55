//! The progress bar on stderr.

use std::fmt::Write;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use torrent_check::Progress;

/// A bar over all bytes to be checked. Nothing is drawn if `quiet`, or if stderr is not a terminal.
pub(crate) fn draw(quiet: bool) -> ProgressBar {
    let target =
        if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    let template =
        "{bar:32} {percent:>3}%  {binary_bytes} of {binary_total_bytes}, {rate}, {eta} left{msg}";
    let style = ProgressStyle::with_template(template).expect("the template is valid");
    let style = style.with_key("rate", |state: &ProgressState, text: &mut dyn Write| {
        // Writing to a string does not fail.
        let _ = write!(text, "{:.2} GiB/s", state.per_sec() / f64::from(1 << 30));
    });
    // The threads that check also redraw the bar: the system might refuse another thread for it.
    ProgressBar::with_draw_target(None, target).with_style(style)
}

/// Updates the bar.
pub(crate) fn advance(bar: &ProgressBar, progress: Progress) {
    if bar.length() != Some(progress.total) {
        bar.set_length(progress.total);
    }
    // Threads may call out of order.
    if progress.bytes > bar.position() {
        bar.set_position(progress.bytes);
    }
    if progress.bad_pieces > 0 {
        bar.set_message(format!(", bad pieces: {}", progress.bad_pieces));
    }
}
