//! Writes to stdout and stderr.

use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::failure::Failure;

/// The reader of stdout is gone, as after `head`.
pub(crate) static IS_OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Stdout was closed from the start, as by `>&-`.
pub(crate) static LACKS_STDOUT: AtomicBool = AtomicBool::new(false);

/// Notices that stdout is closed. This runs before `main`: the standard library opens `/dev/null`
/// in its place there, and a report would seem to be written.
///
/// Later, it cannot be told from a stdout that was given: the library opens `/dev/null` for reading
/// and writing, but so does Python for `subprocess.DEVNULL`.
#[cfg(unix)]
#[ctor::ctor]
fn look_at_stdout() {
    let flags = rustix::io::fcntl_getfd(io::stdout());
    LACKS_STDOUT.store(flags == Err(rustix::io::Errno::BADF), Ordering::Relaxed);
}

/// Writes the result to stdout. After a broken pipe nothing more is written.
pub(crate) fn print(
    write: impl FnOnce(&mut BufWriter<Box<dyn Write>>) -> io::Result<()>,
) -> Result<(), Failure> {
    let is_closed = LACKS_STDOUT.load(Ordering::Relaxed);
    let stdout: Box<dyn Write> =
        if is_closed { Box::new(io::Cursor::new([])) } else { Box::new(io::stdout().lock()) };
    let mut stdout = BufWriter::new(stdout);
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        Err(_) if is_closed => Err(Failure::OutputClosed),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            IS_OUTPUT_CLOSED.store(true, Ordering::Relaxed);
            Ok(())
        }
        Err(error) => Err(Failure::Output(error)),
        Ok(()) => Ok(()),
    }
}

/// Writes a line to stderr. Errors are ignored: the exit status still reports the failure.
pub(crate) fn log(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
