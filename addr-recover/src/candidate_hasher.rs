//! Hashes candidates with the best instructions that the CPU has.

mod costs;
mod lanes;
pub(crate) mod layout;
pub(crate) mod pending;
pub(crate) mod table;
pub(crate) mod tail;

use core::hint::black_box;

use hash_lanes::Backend;
use hash_lanes::engine::{LaneKernel, Pass, ShaExtensions};
use sha256_multi::hazmat;

use lanes::HashPending;
pub(crate) use lanes::HashTable;
use layout::{LIMBS, Layout, MESSAGE_WORDS};
use pending::Pending;
use table::{PADDING, TABLE_LIMBS};

/// The instructions that hash.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CandidateHasher {
    Lanes(LaneKernel),
    Hardware(ShaExtensions),
}

/// Candidates per call of the SHA instructions: enough to amortise the call.
const HARDWARE_BATCH: usize = 64;

impl CandidateHasher {
    pub(crate) fn new(backend: Backend) -> Self {
        // A search has many candidates.
        let mut samples = None;
        let plan = costs::SEARCH.of(backend, usize::MAX, |pass, count| {
            let pending = samples.get_or_insert_with(Pending::new);
            pending.fill_for_measuring(count);
            Self::of_pass(pass).hash_pending(pending);
            black_box(pending);
            1
        });
        Self::of_pass(backend.pass(plan.bulk()))
    }

    fn of_pass(pass: Pass) -> Self {
        match pass {
            Pass::Lanes(kernel) => Self::Lanes(kernel),
            Pass::Sha(sha, _) => Self::Hardware(sha),
        }
    }

    /// The number of candidates that a mask covers.
    pub(crate) fn group(self) -> usize {
        match self {
            Self::Lanes(kernel) => kernel.lanes(),
            Self::Hardware(_) => u32::BITS as usize,
        }
    }

    pub(crate) fn hash_table(self, table: HashTable<'_>) {
        let groups = (table.sums.len() + PADDING).div_ceil(self.group());
        table.masks.hits.resize(groups, 0);
        table.masks.carries.resize(groups, 0);
        match self {
            Self::Lanes(kernel) => kernel.run(table),
            Self::Hardware(sha) => hash_table_in_hardware(sha, table),
        }
    }

    /// Hashes the prefixes, and tests whether their checksums are in range.
    pub(crate) fn hash_pending(self, pending: &mut Pending) {
        match self {
            Self::Lanes(kernel) => kernel.run(HashPending(pending)),
            Self::Hardware(sha) => hash_pending_in_hardware(sha, pending),
        }
    }
}

fn hash_table_in_hardware(sha: ShaExtensions, table: HashTable<'_>) {
    let HashTable { layout, base, sums, tail, masks } = table;
    let mut blocks = [padding(layout); HARDWARE_BATCH];
    let mut checksums = [0; HARDWARE_BATCH];
    let mut hashes = [0; HARDWARE_BATCH];
    for begin in (0..sums.len()).step_by(HARDWARE_BATCH) {
        let count = HARDWARE_BATCH.min(sums.len() - begin);
        for i in 0..count {
            let (message, checksum) = candidate(layout, base, sums.at(begin + i));
            blocks[i][..MESSAGE_WORDS].copy_from_slice(&message);
            checksums[i] = checksum;
        }
        hazmat::double_hash_blocks(sha, &blocks[..count], &mut hashes[..count]);
        let (mut hits, mut carries) = (0_u64, 0_u64);
        for i in 0..count {
            let rest = hashes[i].wrapping_sub(checksums[i]).wrapping_add(tail.offset);
            hits |= u64::from(tail.may_make(rest)) << i;
            carries |= u64::from(checksums[i] > !tail.span) << i;
        }
        let group = begin / u32::BITS as usize;
        (masks.hits[group], masks.hits[group + 1]) = (hits as u32, (hits >> 32) as u32);
        (masks.carries[group], masks.carries[group + 1]) = (carries as u32, (carries >> 32) as u32);
    }
}

fn hash_pending_in_hardware(sha: ShaExtensions, pending: &mut Pending) {
    let mut blocks = [padding(pending.layout); HARDWARE_BATCH];
    for begin in (0..pending.len()).step_by(HARDWARE_BATCH) {
        let count = HARDWARE_BATCH.min(pending.len() - begin);
        for i in 0..count {
            let prefix = pending.words.each_ref().map(|list| list[begin + i]);
            blocks[i][..MESSAGE_WORDS].copy_from_slice(&pending.layout.message(prefix));
        }
        hazmat::double_hash_blocks(
            sha,
            &blocks[..count],
            &mut pending.hashes[begin..begin + count],
        );
    }
    for group in 0..pending.len().div_ceil(u32::BITS as usize) {
        let begin = group * u32::BITS as usize;
        let is_in_range =
            |at: usize| pending.hashes[at].wrapping_sub(pending.from[at]) <= pending.width[at];
        pending.in_range[group] = (0..u32::BITS as usize)
            .filter(|i| is_in_range(begin + i))
            .fold(0, |mask, i| mask | 1 << i);
    }
}

/// A block without its message words: only padding.
fn padding(layout: Layout) -> [u32; 16] {
    let mut block = [0; 16];
    block[15] = layout.length();
    block
}

/// The message words and the checksum of `base` plus the sum with these lower words.
#[inline]
fn candidate(
    layout: Layout,
    base: [u32; LIMBS],
    sum: [u32; TABLE_LIMBS],
) -> ([u32; MESSAGE_WORDS], u32) {
    let mut limbs = base;
    let mut carry = false;
    for i in (0..TABLE_LIMBS).rev() {
        let at = i + LIMBS - TABLE_LIMBS;
        let (once, first) = base[at].overflowing_add(sum[i]);
        let (twice, second) = once.overflowing_add(u32::from(carry));
        limbs[at] = twice;
        carry = first | second;
    }
    let [w0, w1, w2, w3, w4, limb5, limb6] = limbs;
    let (left, right) = layout.checksum_shifts();
    let w5 = limb5 & layout.message_bits() | layout.padding_bit();
    ([w0, w1, w2, w3, w4, w5], limb5 << left | limb6 >> right)
}
