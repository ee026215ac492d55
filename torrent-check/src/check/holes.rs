//! Verifies holes in sparse files without reading them: they are all zeros.

use std::collections::HashMap;

use hash_lanes::Backend;
use merkle_lanes::NodeHasher;
use merkle_lanes::bep52::{BLOCK_BYTES, Bep52, FileHashes};
use sha1_multi::ManyHasher;

/// Whether a range of bytes, which must end within the file, is a hole.
#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_vendor = "apple"
))]
pub(super) fn is_hole(file: &std::fs::File, offset: u64, length: u64) -> bool {
    use rustix::fs::{SeekFrom, seek};
    match seek(file, SeekFrom::Data(offset)) {
        Ok(next_data) => next_data >= offset + length,
        // There is no data after the offset.
        Err(rustix::io::Errno::NXIO) => true,
        Err(_) => false,
    }
}

/// Whether a range of bytes is a hole, which this operating system does not report.
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_vendor = "apple"
)))]
pub(super) fn is_hole(_file: &std::fs::File, _offset: u64, _length: u64) -> bool {
    false
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
