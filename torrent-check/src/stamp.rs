//! What tells whether a file is still the same.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cap_std::fs::Metadata;
use serde::{Deserialize, Serialize};

/// The file system's times may be as coarse as this (FAT: 2 s). Of a file that was written less
/// than this before it was looked at, a later change may not show.
const COARSEST_TIME: Duration = Duration::from_secs(2);

/// What the file system says of a file. When it is the same again, nobody has written to the file
/// in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    /// The device that the file is on. Zero where the system has no such number.
    pub(crate) device: u64,
    /// The file's number on that device. Zero where the system has no such number.
    pub(crate) inode: u64,
    /// In bytes.
    pub(crate) length: u64,
    /// When the content was changed last: seconds since 1970, and nanoseconds.
    pub(crate) modified: (i64, u32),
    /// When the content, the name or the permissions were changed last, which no program can put
    /// back. Zero where the system does not say.
    pub(crate) changed: (i64, u32),
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let stamp =
            Self { device: 0, inode: 0, length: metadata.len(), modified: (0, 0), changed: (0, 0) };
        stamp.with_system(metadata)
    }

    #[cfg(unix)]
    fn with_system(self, metadata: &Metadata) -> Self {
        use cap_std::fs::MetadataExt;
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            modified: (metadata.mtime(), metadata.mtime_nsec() as u32),
            changed: (metadata.ctime(), metadata.ctime_nsec() as u32),
            ..self
        }
    }

    #[cfg(not(unix))]
    fn with_system(self, metadata: &Metadata) -> Self {
        let modified =
            metadata.modified().map(|time| since_1970(time.into_std())).unwrap_or_default();
        Self { modified, ..self }
    }

    /// Whether any later write gives the file another time, if it was looked at at `now`.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        now.checked_sub(COARSEST_TIME).is_some_and(|limit| self.modified < since_1970(limit))
    }
}

fn since_1970(time: SystemTime) -> (i64, u32) {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => (since.as_secs() as i64, since.subsec_nanos()),
        Err(before) => (-(before.duration().as_secs() as i64) - 1, 0),
    }
}
