//! Keeps the terminal from showing `^C` when Ctrl-C is pressed.
//!
//! It would appear after the progress bar and move the cursor to the next line, so that the bar
//! would stay above the report.

/// `^C` is not shown while this exists.
pub(crate) struct HiddenCtrlC(());

/// Hides `^C` if stderr is a terminal that this process may change.
pub(crate) fn hide_ctrl_c() -> HiddenCtrlC {
    system::hide();
    HiddenCtrlC(())
}

/// Shows `^C` again.
pub(crate) fn show_ctrl_c() {
    system::show();
}

impl Drop for HiddenCtrlC {
    fn drop(&mut self) {
        show_ctrl_c();
    }
}

#[cfg(unix)]
mod system {
    use std::io::stderr;
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::process::getpgrp;
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcgetpgrp, tcsetattr};

    /// Whether this process has hidden `^C`. The other modes belong to the shell, which may change
    /// them meanwhile.
    static IS_HIDDEN: AtomicBool = AtomicBool::new(false);

    pub(super) fn hide() {
        if !is_in_foreground() {
            return;
        }
        let Ok(mut modes) = tcgetattr(stderr()) else { return };
        if modes.local_modes.contains(LocalModes::ECHOCTL) {
            IS_HIDDEN.store(true, Ordering::Relaxed);
            modes.local_modes.remove(LocalModes::ECHOCTL);
            // A failure is harmless.
            let _ = tcsetattr(stderr(), OptionalActions::Now, &modes);
        }
    }

    pub(super) fn show() {
        if is_in_foreground()
            && IS_HIDDEN.swap(false, Ordering::Relaxed)
            && let Ok(mut modes) = tcgetattr(stderr())
        {
            modes.local_modes.insert(LocalModes::ECHOCTL);
            let _ = tcsetattr(stderr(), OptionalActions::Now, &modes);
        }
    }

    /// Whether the terminal is that of this process. The system stops a background process that
    /// sets modes.
    fn is_in_foreground() -> bool {
        tcgetpgrp(stderr()).is_ok_and(|group| group == getpgrp())
    }
}

#[cfg(not(unix))]
mod system {
    pub(super) fn hide() {}

    pub(super) fn show() {}
}
