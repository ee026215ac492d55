//! Long calls say how far they are, and can be stopped.

// Without that feature no call is long.
#![cfg_attr(
    not(feature = "draft-sp800-230"),
    allow(dead_code, unreachable_pub, reason = "nobody watches")
)]

use core::fmt;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// How far a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The hashes so far.
    pub done: u64,
    /// The hashes of the whole call.
    pub total: u64,
}

/// What a call reports to, from any of its threads, some thousand times. It stops the call by
/// [`ControlFlow::Break`].
pub type OnProgress<'p> = &'p (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// The call was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Watches a call.
pub(crate) struct Watch<'w> {
    report: Option<OnProgress<'w>>,
    /// In units of [`UNIT`], of which 32 bits are enough for every call.
    done: AtomicU32,
    total: u64,
    is_stopped: AtomicBool,
}

const UNIT: u64 = 256;

impl<'w> Watch<'w> {
    /// Nobody watches, and nothing stops the call.
    pub(crate) const fn nobody() -> Watch<'static> {
        Watch {
            report: None,
            done: AtomicU32::new(0),
            total: 0,
            is_stopped: AtomicBool::new(false),
        }
    }

    /// A call of `total` hashes.
    pub(crate) const fn new(report: OnProgress<'w>, total: u64) -> Self {
        Self { report: Some(report), total, ..Self::nobody() }
    }

    /// Runs a part of the call, of this number of hashes, unless the call was stopped.
    pub(crate) fn part<R>(&self, hashes: u64, run: impl FnOnce() -> R) -> Result<R, Stopped> {
        if self.is_stopped.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let result = run();
        if let Some(report) = self.report {
            let units = (hashes / UNIT) as u32;
            let done = self.done.fetch_add(units, Ordering::Relaxed).saturating_add(units);
            let done = (u64::from(done) * UNIT).min(self.total);
            if report(Progress { done, total: self.total }).is_break() {
                self.is_stopped.store(true, Ordering::Relaxed);
                return Err(Stopped);
            }
        }
        Ok(result)
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("total", &self.total).finish_non_exhaustive()
    }
}
