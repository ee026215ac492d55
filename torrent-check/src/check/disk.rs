//! Detects rotating disks.

use std::path::Path;

/// What is known of the disk that a file is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disk {
    Rotating,
    Solid,
    /// The system does not say, as for files on another computer.
    Unknown,
}

/// The disk of a file on `device`, beneath the folder `path`.
#[cfg(target_os = "linux")]
pub(crate) fn disk_of(device: u64, path: &Path) -> Disk {
    let system = System {
        mounts: &std::fs::read("/proc/self/mountinfo").unwrap_or_default(),
        device: &linux::device,
        rotates: &linux::rotates,
    };
    let device = (rustix::fs::major(device), rustix::fs::minor(device));
    // Mount points are absolute paths without links.
    system.disk_of(device, &path.canonicalize().unwrap_or_else(|_| path.to_owned()))
}

/// The disk of a file, which only Linux reports. Most are solid.
#[cfg(not(target_os = "linux"))]
pub(crate) fn disk_of(_device: u64, _path: &Path) -> Disk {
    Disk::Solid
}

/// A device, as its major and minor number.
type Device = (u32, u32);

/// What the system says about mounts and devices.
pub(crate) struct System<'s> {
    /// The content of `/proc/self/mountinfo`. Names need not be UTF-8.
    pub(crate) mounts: &'s [u8],
    /// The block device at this path, if there is one.
    pub(crate) device: &'s dyn Fn(&str) -> Option<Device>,
    /// Whether a block device rotates, if that is known.
    pub(crate) rotates: &'s dyn Fn(Device) -> Option<bool>,
}

impl System<'_> {
    /// The disk of a file on `device`, beneath the absolute path `path`.
    pub(crate) fn disk_of(&self, device: Device, path: &Path) -> Disk {
        // File systems without one block device of their own, such as btrfs, ZFS and NFS, have an
        // anonymous device, whose major number is 0.
        if device.0 != 0 {
            return self.of_block(device);
        }
        let mounts = String::from_utf8_lossy(self.mounts);
        let Some(mount) = mount_of(&mounts, device, path) else { return Disk::Unknown };
        if matches!(mount.kind, "tmpfs" | "ramfs") {
            return Disk::Solid;
        }
        // Other sources are other computers, ZFS pools or folders of other file systems. Of the
        // devices of a file system on several, the first stands for all.
        let source = mount.source.split(':').next().filter(|source| source.starts_with("/dev/"));
        source.and_then(self.device).map_or(Disk::Unknown, |device| self.of_block(device))
    }

    fn of_block(&self, device: Device) -> Disk {
        match (self.rotates)(device) {
            Some(true) => Disk::Rotating,
            Some(false) => Disk::Solid,
            None => Disk::Unknown,
        }
    }
}

/// The mount with this device. The subvolumes of btrfs have other devices than their mount, which
/// then is the innermost that contains the path.
fn mount_of<'m>(mounts: &'m str, device: Device, path: &Path) -> Option<Mount<'m>> {
    let mounts: Vec<Mount<'m>> = mounts.lines().filter_map(Mount::parse).collect();
    let same = mounts.iter().rposition(|mount| mount.device == device);
    // The last mount at a place hides the others there.
    let around = mounts.iter().enumerate().filter(|(_, mount)| path.starts_with(&mount.at));
    let around = around.max_by_key(|(nth, mount)| (mount.at.len(), *nth)).map(|(nth, _)| nth);
    let nth = same.or(around)?;
    mounts.into_iter().nth(nth)
}

/// A line of `/proc/self/mountinfo`.
struct Mount<'l> {
    device: Device,
    at: String,
    kind: &'l str,
    source: &'l str,
}

impl<'l> Mount<'l> {
    fn parse(line: &'l str) -> Option<Self> {
        // 36 35 98:0 /root /mount/point options optional-fields... - type source more-options
        let (before, after) = line.split_once(" - ")?;
        let mut before = before.split(' ').skip(2);
        let (major, minor) = before.next()?.split_once(':')?;
        let at = before.nth(1)?;
        let mut after = after.split(' ');
        Some(Self {
            device: (major.parse().ok()?, minor.parse().ok()?),
            at: unescape(at),
            kind: after.next()?,
            source: after.next()?,
        })
    }
}

/// Replaces the escapes of spaces, tabs, line feeds and backslashes.
fn unescape(text: &str) -> String {
    let escapes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    escapes
        .iter()
        .fold(text.to_owned(), |text, (escape, character)| text.replace(escape, character))
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    use super::Device;

    /// The block device at a path.
    pub(super) fn device(source: &str) -> Option<Device> {
        let metadata = fs::metadata(source).ok().filter(|it| it.file_type().is_block_device())?;
        let device = metadata.rdev();
        Some((rustix::fs::major(device), rustix::fs::minor(device)))
    }

    /// Whether a device rotates, if the system says so.
    pub(super) fn rotates((major, minor): Device) -> Option<bool> {
        let folder = format!("/sys/dev/block/{major}:{minor}");
        // Disks of virtual machines claim to rotate by default.
        if fs::read_link(&folder).ok()?.to_string_lossy().contains("/virtio") {
            return Some(false);
        }
        // Only a disk has the file. The folder of a partition is inside that of its disk.
        let rotational = ["queue/rotational", "../queue/rotational"]
            .iter()
            .find_map(|file| fs::read_to_string(format!("{folder}/{file}")).ok())?;
        Some(rotational.trim() == "1")
    }
}
