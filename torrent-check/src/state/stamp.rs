//! Detects whether a file has changed, by its metadata.
//!
//! A store through a memory map changes the times of a file only if its page is clean. Until the
//! page is written back, further stores leave no trace, and neither does the write-back. So a file
//! is written back before it is read: every later store then changes its times.

use std::fs::File;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cap_std::fs::Metadata;
use serde::{Deserialize, Serialize};

/// The coarsest timestamp granularity of a file system (FAT: 2 s). If a file was written less than
/// this before it was examined, a later write may not change its times.
const COARSEST_TIME: Duration = Duration::from_secs(2);

/// File metadata that changes whenever the file is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    /// The device of the file, or zero where the operating system has no such number.
    pub(crate) device: u64,
    /// The inode of the file, or zero where the operating system has no such number.
    pub(crate) inode: u64,
    /// The length in bytes.
    pub(crate) length: u64,
    /// The last change of the content: seconds since 1970, and nanoseconds.
    pub(crate) modified: (i64, u32),
    /// The last change of the content, name or permissions, or zero where the operating system does
    /// not record it. Programs cannot set this time.
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

    /// Whether a file with this stamp is unchanged since an earlier one. If change times are
    /// ignored, its content may have changed if a program set its modification time back.
    pub(crate) fn is_since(&self, before: &Self, ignores_change_time: bool) -> bool {
        let changed = if ignores_change_time { before.changed } else { self.changed };
        Self { changed, ..*self } == *before
    }

    /// Whether every write after `now` changes the modification time.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        now.checked_sub(COARSEST_TIME).is_some_and(|limit| self.modified < since_1970(limit))
    }
}

/// Writes back the dirty pages of a file, so that every later store through a memory map changes
/// its times. This itself changes none of them.
///
/// Where it fails, as on a read-only medium, such stores may go unnoticed.
#[cfg(target_os = "linux")]
pub(crate) fn write_back(file: &File) {
    use fiemap::{Fiemap, FiemapFlags};
    // `fsync` also makes the disk empty its cache, even if no page is dirty: 60 µs where this
    // takes 2 (ext4 on a virtual disk).
    let mut extents = Fiemap::with_flags(file, FiemapFlags::SYNC);
    if extents.next().is_some_and(|extent| extent.is_err()) {
        let _ = rustix::fs::fsync(file);
    }
}

/// Writes back the dirty pages of a file. See the documentation for Linux.
#[cfg(all(unix, not(target_os = "linux")))]
pub(crate) fn write_back(file: &File) {
    let _ = rustix::fs::fsync(file);
}

/// Windows writes back only files that are open for writing.
#[cfg(not(unix))]
pub(crate) fn write_back(_file: &File) {}

/// The name of the file system of a file, if its times do not show every change: a store through a
/// memory map changes none on tmpfs, and may be made on another computer, or by a program that FUSE
/// does not ask.
///
/// The numbers are those of `linux/magic.h` and of the sources of each file system.
#[cfg(target_os = "linux")]
pub(crate) fn without_times(file: &File) -> Option<&'static str> {
    // The type of the field depends on the architecture, and CIFS has its highest bit.
    let number = rustix::fs::fstatfs(file).ok()?.f_type as u64 & 0xffff_ffff;
    Some(match number {
        0x0102_1994 => "tmpfs",
        0x8584_58f6 => "ramfs",
        0x6573_5546 => "FUSE",
        0x6969 => "NFS",
        0xff53_4d42 => "CIFS",
        0xfe53_4d42 => "SMB2",
        0x517b => "SMB",
        0x0102_1997 => "9P",
        0x00c3_6400 => "Ceph",
        0x5346_414f | 0x6b41_4653 => "AFS",
        0x7375_7245 => "Coda",
        0x786f_4256 => "vboxsf",
        0xbacb_acbc => "vmhgfs",
        0x0bd0_0bd0 => "Lustre",
        0x0116_1970 => "GFS2",
        0x7461_636f => "OCFS2",
        _ => return None,
    })
}

/// Elsewhere, file systems have no numbers that say so.
#[cfg(not(target_os = "linux"))]
pub(crate) fn without_times(_file: &File) -> Option<&'static str> {
    None
}

fn since_1970(time: SystemTime) -> (i64, u32) {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => (since.as_secs() as i64, since.subsec_nanos()),
        Err(before) => (-(before.duration().as_secs() as i64) - 1, 0),
    }
}
