//! What all of the tool needs to speak and to stop: failures, notes, and signals. It uses nothing
//! else of the tool.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use console::{Term, measure_text_width};

/// The exit status that shells report after Ctrl-C: 128 + SIGINT.
pub(crate) const INTERRUPTED: u8 = 130;

pub(crate) static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Whether to print neither notes nor progress.
pub(crate) static QUIET: AtomicBool = AtomicBool::new(false);

/// Whether to print what was tried without an answer.
pub(crate) static VERBOSE: AtomicBool = AtomicBool::new(false);

/// Why there is no answer. A broken pipe, as after `head`, is not an error.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

pub(crate) fn is_cancelled() -> bool {
    CANCELLED.load(Ordering::Relaxed)
}

pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

pub(crate) fn is_verbose() -> bool {
    VERBOSE.load(Ordering::Relaxed)
}

/// Ignores poisoning: no thread panics while it holds a lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes Ctrl-C, SIGTERM and SIGHUP set [`CANCELLED`].
pub(crate) fn cancel_on_signals() -> Result<(), Failure> {
    // A second signal exits at once.
    ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    })?;
    Ok(())
}

pub(crate) fn on_threads<T: Send>(
    threads: usize,
    run: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(run))
}

/// `1 line`, `2 lines`, `2 hashes`.
pub(crate) fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    let plural = if noun.ends_with('h') { "es" } else { "s" };
    format!("{count} {noun}{}", if count == "1" { "" } else { plural })
}

/// Writes a line to stderr, wrapped at words if that is a terminal. If writing fails, only the exit
/// status is left to report it.
pub(crate) fn say(line: &str) {
    let columns = Term::stderr().size_checked().map(|(_, columns)| columns.into());
    let _ = writeln!(io::stderr(), "{}", wrapped(line, columns));
}

/// A line, divided between words so that no part is wider than a terminal if that is possible.
pub(crate) fn wrapped(line: &str, columns: Option<usize>) -> String {
    let (Some(columns), mut text, mut width) = (columns, String::new(), 0) else {
        return line.to_owned();
    };
    for word in line.split(' ') {
        let more = measure_text_width(word);
        if !text.is_empty() && width + 1 + more > columns {
            text.push('\n');
            width = 0;
        } else if !text.is_empty() {
            text.push(' ');
            width += 1;
        }
        text += word;
        width += more;
    }
    text
}

/// Writes a line to stderr unless `--quiet` was given.
pub(crate) fn note(line: &str) {
    if !is_quiet() {
        say(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words() {
        let line = "one two \u{1b}[31mthree\u{1b}[0m four";
        assert_eq!(wrapped(line, None), line);
        assert_eq!(wrapped(line, Some(13)), "one two \u{1b}[31mthree\u{1b}[0m\nfour");
        assert_eq!(wrapped("one twenty", Some(4)), "one\ntwenty");
    }
}
