//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

use super::status::INTERRUPTED;
use super::terminal::output::log;

/// Whether Ctrl-C was pressed.
pub(super) static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Whether stdin is being read, which may take for ever: then Ctrl-C ends the program at once.
pub(super) static READS_STDIN: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C end the check. A second one exits at once, and so does one while stdin is read.
pub(super) fn handle_ctrl_c() {
    let handler = ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::Relaxed) || READS_STDIN.load(Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    // The handler needs a thread, which the system may refuse.
    if let Err(error) = handler {
        log(&format!("warning: cannot handle Ctrl-C, so it will not end the check: {error}"));
    }
}
