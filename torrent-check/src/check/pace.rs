//! Limits how fast files are read.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum time until a waiting thread notices that the check was cancelled.
const NAP: Duration = Duration::from_millis(50);

/// The rate of all threads together.
pub(crate) struct Pace {
    bytes_per_second: Option<NonZeroU64>,
    began: Instant,
    bytes: AtomicU64,
}

impl Pace {
    pub(crate) fn new(bytes_per_second: Option<NonZeroU64>) -> Self {
        Self { bytes_per_second, began: Instant::now(), bytes: AtomicU64::new(0) }
    }

    /// The number of bytes to read at once. At a low rate it is less, so that progress is steady.
    pub(crate) fn portion(&self) -> usize {
        const MAX: u64 = 1 << 20;
        const MIN: u64 = 16 << 10;
        self.bytes_per_second.map_or(MAX, |rate| (rate.get() / 8).clamp(MIN, MAX)) as usize
    }

    /// Counts bytes that were read, and waits until the rate allows more.
    pub(crate) fn wait(&self, bytes: u64, is_cancelled: impl Fn() -> bool) {
        let Some(rate) = self.bytes_per_second else { return };
        let bytes = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        loop {
            let pause = pause(bytes, rate, self.began.elapsed());
            if pause.is_zero() || is_cancelled() {
                return;
            }
            thread::sleep(pause.min(NAP));
        }
    }
}

/// How long to wait, at a rate in bytes per second, if so many bytes were read in the time so far.
pub(crate) fn pause(bytes: u64, rate: NonZeroU64, elapsed: Duration) -> Duration {
    Duration::from_secs_f64(bytes as f64 / rate.get() as f64).saturating_sub(elapsed)
}
