//! Colours, widths, durations and rates.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::ValueEnum;
use console::{Alignment, Style, Term};
use indicatif::{BinaryBytes, FormattedDuration};

/// When to print colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless the variable `NO_COLOR` is set.
    #[default]
    Auto,
    Always,
    Never,
}

/// What a text says about the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    /// It was not checked, or cannot be.
    Unknown,
}

/// Decides whether stdout gets colours.
pub(crate) fn set_color(color: Color) {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    console::set_colors_enabled(match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => io::stdout().is_terminal() && !is_set("NO_COLOR"),
    });
}

/// A text in the colour of its tone, if there are colours.
pub(crate) fn paint(tone: Tone, text: &str) -> String {
    let style = match tone {
        Tone::Good => Style::new().green(),
        Tone::Bad => Style::new().red(),
        Tone::Unknown => Style::new().yellow(),
    };
    style.apply_to(text).to_string()
}

/// The number of columns that a text takes in a terminal.
pub(crate) fn width(text: &str) -> usize {
    console::measure_text_width(text)
}

/// The number of columns of the terminal that stdout is, if it is one.
pub(crate) fn columns() -> Option<usize> {
    Term::stdout().size_checked().map(|(_, columns)| columns.into())
}

/// A text with spaces up to a number of columns.
pub(crate) fn pad(text: &str, columns: usize) -> Cow<'_, str> {
    console::pad_str(text, columns, Alignment::Left, None)
}

/// A duration: hundredths of a second matter only below a minute.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 60.0 {
        format!("{seconds:.2} s")
    } else {
        FormattedDuration(Duration::from_secs_f64(seconds)).to_string()
    }
}

/// A number of bytes per second, unless it means nothing: below a hundredth of a second, most of
/// the time is spent on other things than reading and hashing.
pub(crate) fn rate(bytes: u64, seconds: f64) -> Option<String> {
    let is_known = bytes > 0 && seconds >= 0.01;
    is_known.then(|| format!("{}/s", BinaryBytes((bytes as f64 / seconds) as u64)))
}

/// Writes lines that break between words where the terminal ends. The rest of a line is indented.
pub(crate) struct Wrapped<W> {
    to: W,
    columns: Option<usize>,
    line: Vec<u8>,
}

impl<W: Write> Wrapped<W> {
    pub(crate) fn new(to: W, columns: Option<usize>) -> Self {
        Self { to, columns, line: Vec::new() }
    }

    fn write_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let end = text.trim_end_matches('\n');
        let Some(columns) = self.columns.filter(|columns| width(end) > *columns) else {
            return self.to.write_all(&line);
        };
        let words = end.trim_start_matches(' ');
        let indent = end.len() - words.len();
        let rest = " ".repeat((indent + 4).min(columns / 2));
        let mut now = " ".repeat(indent);
        let mut is_begun = false;
        for word in words.split(' ') {
            if is_begun && width(&now) + 1 + width(word) > columns {
                writeln!(self.to, "{}", now.trim_end_matches(' '))?;
                now.clone_from(&rest);
                is_begun = false;
            }
            now.push_str(if is_begun { " " } else { "" });
            now.push_str(word);
            is_begun = true;
        }
        writeln!(self.to, "{now}")
    }
}

impl<W: Write> Write for Wrapped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.write_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// A number of things.
pub(crate) fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A number of bytes, human-readable.
pub(crate) fn bytes(count: u64) -> String {
    indicatif::BinaryBytes(count).to_string()
}
