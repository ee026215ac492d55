//! Detects rotating disks.

/// Whether a device is known to be a rotating disk.
#[cfg(target_os = "linux")]
pub(super) fn is_rotating(device: u64) -> bool {
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let folder = format!("/sys/dev/block/{major}:{minor}");
    // Disks of virtual machines claim to rotate by default.
    let is_virtual = std::fs::read_link(&folder)
        .is_ok_and(|target| target.to_string_lossy().contains("/virtio"));
    // Only a disk has the file. The folder of a partition is inside that of its disk.
    !is_virtual
        && ["queue/rotational", "../queue/rotational"]
            .iter()
            .find_map(|file| std::fs::read_to_string(format!("{folder}/{file}")).ok())
            .is_some_and(|rotational| rotational.trim() == "1")
}

/// Whether a device is known to be a rotating disk, which only Linux reports.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_rotating(_device: u64) -> bool {
    false
}
