//! Whether a disk rotates.

/// Whether the system says that a device is a disk with a head to move. What cannot be found out is
/// taken not to be one.
#[cfg(target_os = "linux")]
pub(super) fn is_rotating(device: u64) -> bool {
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let folder = format!("/sys/dev/block/{major}:{minor}");
    // The disk of a virtual machine says that it rotates when nobody has told it otherwise.
    let is_virtual = std::fs::read_link(&folder)
        .is_ok_and(|target| target.to_string_lossy().contains("/virtio"));
    // A partition stands in the folder of its disk, which knows.
    !is_virtual
        && ["queue/rotational", "../queue/rotational"]
            .iter()
            .find_map(|file| std::fs::read_to_string(format!("{folder}/{file}")).ok())
            .is_some_and(|rotational| rotational.trim() == "1")
}

/// Whether a device is a disk with a head to move: that is known on Linux only.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_rotating(_device: u64) -> bool {
    false
}
