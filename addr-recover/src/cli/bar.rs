//! The progress bar on stderr.

use std::fmt::Write;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Draws a progress bar over `expected` units. It is hidden if `quiet` or if stderr is not a
/// terminal.
pub(crate) fn draw(quiet: bool, expected: f64, units: &str) -> ProgressBar {
    let target =
        if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    let template =
        format!("{{bar:32}} {{percent:>3}}%  {{human_pos}} {units}, {{rate}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("the template is valid");
    let style = style.with_key("rate", |state: &ProgressState, text: &mut dyn Write| {
        // Writing to a string does not fail.
        let _ = write!(text, "{:.1} million/s", state.per_sec() / 1e6);
    });
    let bar = ProgressBar::with_draw_target(Some(expected as u64), target).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
