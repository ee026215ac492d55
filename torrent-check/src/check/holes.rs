//! Finds holes in files, which are all zeros, and verifies them without reading them.

use std::collections::HashMap;
use std::fs::File;
use std::ops::Range;

use hash_lanes::Backend;
use merkle_lanes::NodeHasher;
use merkle_lanes::bep52::{BLOCK_BYTES, Bep52, FileHashes};
use sha1_multi::ManyHasher;

pub(super) use system::is_hole;

/// Finds holes in pieces that are not good.
#[derive(Default)]
pub(super) struct Holes {
    /// The ranges of each file, in order, for which space was allocated but not written.
    unwritten: HashMap<usize, Vec<Range<u64>>>,
}

impl Holes {
    /// Whether a range of bytes, which must end within the file, has a hole, or allocated space
    /// that was never written.
    pub(super) fn touch(&mut self, index: usize, file: &File, offset: u64, length: u64) -> bool {
        let end = offset + length;
        if system::next_hole(file, offset).is_some_and(|hole| hole < end) {
            return true;
        }
        // Linux calls such space a hole only until it is read.
        let unwritten = self.unwritten.entry(index).or_insert_with(|| system::unwritten(file));
        let next = unwritten.partition_point(|range| range.end <= offset);
        unwritten.get(next).is_some_and(|range| range.start < end)
    }
}

#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_vendor = "apple"
))]
mod system {
    use std::fs::File;
    use std::ops::Range;

    use rustix::fs::{SeekFrom, seek};
    use rustix::io::Errno;

    /// Whether a range of bytes, which must end within the file, is a hole.
    pub(in crate::check) fn is_hole(file: &File, offset: u64, length: u64) -> bool {
        match seek(file, SeekFrom::Data(offset)) {
            Ok(next_data) => next_data >= offset + length,
            // There is no data after the offset.
            Err(Errno::NXIO) => true,
            Err(_) => false,
        }
    }

    /// The beginning of the first hole that ends after an offset in the file, or the offset if it
    /// is in the hole. The end of the file is a hole, too.
    pub(super) fn next_hole(file: &File, offset: u64) -> Option<u64> {
        seek(file, SeekFrom::Hole(offset)).ok()
    }

    #[cfg(target_os = "linux")]
    pub(super) fn unwritten(file: &File) -> Vec<Range<u64>> {
        use fiemap::{Fiemap, FiemapExtentFlags, FiemapFlags};
        let unwritten = |flags| -> Vec<Range<u64>> {
            // A file system without extents returns an error.
            let extents = Fiemap::with_flags(file, flags).map_while(Result::ok);
            extents
                .filter(|extent| extent.fe_flags.contains(FiemapExtentFlags::UNWRITTEN))
                .map(|extent| extent.fe_logical..extent.fe_logical.saturating_add(extent.fe_length))
                .collect()
        };
        let found = unwritten(FiemapFlags::empty());
        // Space counts as unwritten until what was written there reaches the disk. Only a file with
        // such space is worth waiting for that.
        if found.is_empty() { found } else { unwritten(FiemapFlags::SYNC) }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn unwritten(_file: &File) -> Vec<Range<u64>> {
        Vec::new()
    }
}

/// This operating system does not report holes.
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_vendor = "apple"
)))]
mod system {
    use std::fs::File;
    use std::ops::Range;

    pub(in crate::check) fn is_hole(_file: &File, _offset: u64, _length: u64) -> bool {
        false
    }

    pub(super) fn next_hole(_file: &File, _offset: u64) -> Option<u64> {
        None
    }

    pub(super) fn unwritten(_file: &File) -> Vec<Range<u64>> {
        Vec::new()
    }
}

/// A cache of the hashes of zeros, by length.
#[derive(Default)]
pub(super) struct ZeroPieces {
    v1: HashMap<u64, [u8; 20]>,
    leaves: HashMap<usize, [u8; 32]>,
}

impl ZeroPieces {
    /// The SHA-1 of `length` zeros.
    pub(super) fn v1(&mut self, backend: Backend, length: u64) -> [u8; 20] {
        *self.v1.entry(length).or_insert_with(|| {
            let zeros = [0; 16 << 10];
            let mut hasher = ManyHasher::with_backend(backend, 1);
            let mut left = length;
            while left > 0 {
                let now = left.min(zeros.len() as u64);
                hasher.update(0, &zeros[..now as usize]);
                left -= now;
            }
            hasher.finalize_one(0)
        })
    }

    /// Whether the v2 hash of a piece is that of zeros.
    pub(super) fn is_v2(
        &mut self,
        hasher: &Bep52,
        file: &FileHashes,
        index: u64,
        length: u64,
    ) -> bool {
        let (whole, rest) = (length / BLOCK_BYTES as u64, (length % BLOCK_BYTES as u64) as usize);
        let mut leaves = vec![self.leaf(hasher, BLOCK_BYTES); whole as usize];
        if rest > 0 {
            leaves.push(self.leaf(hasher, rest));
        }
        file.verify_blocks(hasher, index, &leaves).is_ok()
    }

    /// The hash of a block of zeros.
    fn leaf(&mut self, hasher: &Bep52, length: usize) -> [u8; 32] {
        *self.leaves.entry(length).or_insert_with(|| hasher.hash_leaf(&[0; BLOCK_BYTES][..length]))
    }
}
