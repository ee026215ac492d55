//! Tests which disk a file is on, with the mounts of other computers.

use std::path::Path;

#[path = "../../src/check/disk.rs"]
#[allow(dead_code, reason = "the tests ask a made-up system")]
mod check_disk;

use check_disk::{Disk, System};

/// Lines as Linux 6.1 prints them; names and numbers are made up.
const MOUNTS: &[u8] = b"\
22 28 0:20 / /proc rw,nosuid shared:12 - proc proc rw
28 1 8:17 / / rw,relatime shared:1 - ext4 /dev/sdb1 rw
40 28 0:35 /@home /home rw,relatime shared:20 - btrfs /dev/sda2 rw,space_cache=v2,subvol=/@home
41 28 0:36 / /solid rw,relatime shared:21 - btrfs /dev/nvme0n1p1 rw
42 28 0:40 / /tank rw,noatime shared:22 - zfs tank/media rw,xattr
43 28 0:41 / /nfs rw,relatime shared:23 - nfs4 server:/dev/export rw,vers=4.2
44 28 0:42 / /pool rw,relatime shared:24 - fuse.mergerfs disk1:disk2 rw,user_id=0
45 28 0:43 / /tmp rw,nosuid shared:25 master:3 - tmpfs tmpfs rw
46 28 0:44 / /with\\040space rw,relatime - btrfs /dev/sda2 rw
47 28 0:45 / /both rw,relatime - bcachefs /dev/sda2:/dev/nvme0n1p1 rw
48 28 0:46 / /over rw,relatime - overlay overlay rw,lowerdir=/a,upperdir=/b
49 41 0:47 / /solid/deep rw,relatime - nfs4 server:/x rw
a line that is not understood
50 28 0:48 / /hidden rw - btrfs /dev/nvme0n1p1 rw
51 50 0:49 / /hidden rw - btrfs /dev/sda2 rw
52 28 0:50 / /partly rw - bcachefs /dev/gone:/dev/nvme0n1p1 rw
53 28 0:51 / /caf\xe9 rw - nfs4 server:/caf\xe9 rw
";

fn disk(device: (u32, u32), path: &str) -> Disk {
    let system = System {
        mounts: MOUNTS,
        device: &|source| match source {
            "/dev/sda2" => Some((8, 2)),
            "/dev/nvme0n1p1" => Some((259, 1)),
            "/dev/sdb1" => Some((8, 17)),
            "/dev/gone" => None,
            _ => panic!("{source} is not a device of this computer"),
        },
        rotates: &|device| match device {
            (8, 2) => Some(true),
            (259, 1) | (8, 17) => Some(false),
            _ => None,
        },
    };
    system.disk_of(device, Path::new(path))
}

#[test]
fn disks_with_a_device_number() {
    assert_eq!(disk((8, 2), "/anywhere"), Disk::Rotating);
    assert_eq!(disk((8, 17), "/anywhere"), Disk::Solid);
    assert_eq!(disk((7, 0), "/anywhere"), Disk::Unknown);
}

#[test]
fn disks_behind_anonymous_devices() {
    for (device, path, expected) in [
        ((0, 35), "/home/me", Disk::Rotating),
        ((0, 36), "/solid", Disk::Solid),
        ((0, 40), "/tank", Disk::Unknown),
        ((0, 41), "/nfs", Disk::Unknown),
        ((0, 42), "/pool", Disk::Unknown),
        ((0, 43), "/tmp", Disk::Solid),
        ((0, 45), "/both", Disk::Rotating),
        ((0, 46), "/over", Disk::Unknown),
        ((0, 50), "/partly", Disk::Unknown),
    ] {
        assert_eq!(disk(device, path), expected, "{path}");
    }
}

/// Files in a subvolume of btrfs have a device that no mount has.
#[test]
fn disks_of_subvolumes_are_found_by_path() {
    for (path, expected) in [
        ("/home/me/downloads", Disk::Rotating),
        ("/with space/a", Disk::Rotating),
        ("/solid/b", Disk::Solid),
        ("/solid/deep/c", Disk::Unknown),
        ("/hidden/d", Disk::Rotating),
        // On the root, not beneath /home.
        ("/homes", Disk::Solid),
    ] {
        assert_eq!(disk((0, 99), path), expected, "{path}");
    }
}
