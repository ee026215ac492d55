//! Keeps the terminal from showing `^C` when Ctrl-C is pressed.
//!
//! It would stand after the progress bar, move the cursor to the next line, and so leave the bar
//! above the report.

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
    use std::sync::{Mutex, PoisonError};

    use rustix::process::getpgrp;
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};

    /// The modes of the terminal before `^C` was hidden.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    pub(super) fn hide() {
        let Ok(before) = tcgetattr(stderr()) else { return };
        if !before.local_modes.contains(LocalModes::ECHOCTL) {
            return;
        }
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHOCTL);
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        set(&hidden);
    }

    pub(super) fn show() {
        if let Some(before) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() {
            set(&before);
        }
    }

    /// Sets the modes, unless this is a background process: the system would stop it.
    fn set(modes: &Termios) {
        if tcgetpgrp(stderr()).is_ok_and(|group| group == getpgrp()) {
            // A failure is harmless.
            let _ = tcsetattr(stderr(), OptionalActions::Now, modes);
        }
    }
}

#[cfg(not(unix))]
mod system {
    pub(super) fn hide() {}

    pub(super) fn show() {}
}
