//! Nodes of 64 bytes, whose digests may replace them.

use std::ptr;

use crate::buffers::Range;
use crate::{Status, guarded, one};

/// The number of nodes that are copied to the stack at once.
const BLOCK: usize = 64;

/// As [`BLOCK`], for a level of few nodes: clearing the block would take longer than they do.
const SMALL_BLOCK: usize = 2;

/// Passes `count` nodes to `hash`. The digests may begin at or before the first node, and replace
/// nodes that have been hashed.
///
/// # Safety
///
/// Unless they are refused, `count` nodes can be read and `count` digests be written, nobody writes
/// to the nodes during the call, and nobody else uses the digests.
pub(crate) unsafe fn nodes(
    input: *const u8,
    count: usize,
    digests: *mut u8,
    hash: impl Fn(&[[u8; 64]], &mut [[u8; 32]]),
) -> Status {
    let read = Range::new(input.cast::<[u8; 64]>(), count);
    let written = Range::new(digests.cast::<[u8; 32]>(), count);
    let (Ok(read), Ok(written)) = (read, written) else {
        return read.and(written).err().unwrap_or(Status::HASHLANES_BUG);
    };
    if !read.overlaps(written) || digests.addr() > input.addr() {
        let hash = |nodes: &[u8], digests: &mut [_]| hash(nodes.as_chunks().0, digests);
        // SAFETY: the caller keeps the rules.
        return unsafe { one(input, count.checked_mul(64), count, digests, hash) };
    }
    guarded(|| {
        let (input, digests) = (input.cast(), digests.cast());
        if count <= SMALL_BLOCK {
            // SAFETY: the caller keeps the rules, and the digests do not begin after the nodes.
            unsafe { in_place::<SMALL_BLOCK>(input, count, digests, hash) };
        } else {
            // SAFETY: as above.
            unsafe { in_place::<BLOCK>(input, count, digests, hash) };
        }
        Ok(())
    })
}

/// Hashes nodes to digests that begin at or before the first node, by way of blocks on the stack.
///
/// # Safety
///
/// As for [`nodes`], and the digests do not begin after the nodes.
unsafe fn in_place<const N: usize>(
    input: *const [u8; 64],
    count: usize,
    digests: *mut [u8; 32],
    hash: impl Fn(&[[u8; 64]], &mut [[u8; 32]]),
) {
    let (mut block, mut hashed) = ([[0; 64]; N], [[0; 32]; N]);
    for first in (0..count).step_by(N) {
        let length = N.min(count - first);
        // SAFETY: `first` is less than `count`, and the caller promises so many nodes.
        let nodes = unsafe { input.add(first) };
        // SAFETY: these are some of the caller's nodes. `block` has room for them, and is not in
        // the caller's memory. They have not been overwritten: the digests begin at or before the
        // nodes, and grow half as fast.
        unsafe { ptr::copy_nonoverlapping(nodes, block.as_mut_ptr(), length) };
        hash(&block[..length], &mut hashed[..length]);
        // SAFETY: `first` is less than `count`, and the caller promises room for so many digests.
        let written = unsafe { digests.add(first) };
        // SAFETY: there is room for these digests, as above.
        unsafe { ptr::copy_nonoverlapping(hashed.as_ptr(), written, length) };
    }
}
