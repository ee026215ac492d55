//! Hashes candidates with the best instructions that the CPU has.

mod lanes;
pub(crate) mod tail;

use core::hint::black_box;
use core::iter;
use core::mem::take;

use hash_lanes::Backend;
use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{Costs, Pass, Plans};

use crate::format::Hasher;
use crate::kind::Version;
use crate::number::{CHECKSUMS, Natural, Number};
use crate::search::batch::Batch;
pub(crate) use lanes::Columns;
use lanes::{HashBatch, Hashed, KERNELS, Layout, SHA_BATCH, limbs};
use tail::Tail;

/// What a pass of each kernel costs until it is measured on the running CPU.
///
/// The first candidates of a process use these costs, and programs without a clock all of them. They
/// are those of Granite Rapids in tenths of a nanosecond, which are the least wrong on other x86
/// CPUs. On CPUs that are not x86 they are cycles, counted and not measured.
static SEARCH: Plans = Plans::new(
    KERNELS,
    Costs::of_architecture(
        &[
            (Avx512x16x2, 9128),
            (Avx512x16, 4361),
            (Avx512x8, 3053),
            (Avx2x8, 5469),
            (Sse4_2x4, 5453),
            (Sse2x4, 5475),
            (Shax4, 2117),
            (Portable, 3010),
        ],
        &[(Neonx4, 3000), (Simd128x4, 3000), (Shax4, 400), (Portable, 1460)],
    ),
);

/// Hashes the prefixes of addresses.
#[derive(Debug)]
pub struct CandidateHasher {
    pass: Pass,
    hashed: Hashed,
    /// Candidates from which some tail carries.
    carried: Columns,
}

impl Hasher<Version> for CandidateHasher {
    fn new(backend: Backend) -> Self {
        // A search has many candidates.
        let mut samples = Columns::default();
        let plan = SEARCH.of(backend, usize::MAX, |kernel, count| {
            samples.fill(iter::repeat_n((Number::ZERO, 0), count));
            let mut hasher = Self::of_pass(backend.pass(kernel));
            hasher.run(Version::byte(0), Number::ZERO, &samples, count, None);
            black_box(hasher);
            1
        });
        Self::of_pass(backend.pass(plan.bulk()))
    }

    fn hash(
        &mut self,
        version: Version,
        base: Number,
        batch: &Batch<Version>,
        found: &mut Vec<(usize, Number)>,
    ) -> u64 {
        let (count, group) = (batch.entries.len(), self.group());
        self.run(version, base, &batch.columns, count, batch.tail.as_ref());
        let number = |at: usize, base: Number, hash: u32| {
            let prefix = (base + batch.entries[at].smallest).first_with_prefix();
            (at, prefix + u64::from(hash).into())
        };
        let Hashed { hashes, in_range, carrying } = &self.hashed;
        let in_range = set_bits(in_range, group, count);
        found.extend(in_range.map(|at| number(at, base, hashes[at])));
        let carrying: Vec<usize> = set_bits(carrying, group, count).collect();
        if carrying.is_empty() {
            return count as u64;
        }
        // After the carry, the rest of the tail is the same modulo 2^32, so the test is the same.
        let (mut carried, next) = (take(&mut self.carried), base + CHECKSUMS.into());
        carried.fill_from(&batch.columns, &carrying);
        self.run(version, next, &carried, carrying.len(), batch.tail.as_ref());
        self.carried = carried;
        let in_range = set_bits(&self.hashed.in_range, group, carrying.len());
        found.extend(in_range.map(|at| number(carrying[at], next, self.hashed.hashes[at])));
        (count + carrying.len()) as u64
    }
}

impl CandidateHasher {
    fn of_pass(pass: Pass) -> Self {
        Self { pass, hashed: Hashed::default(), carried: Columns::default() }
    }

    /// The number of candidates that a mask covers.
    fn group(&self) -> usize {
        match self.pass {
            Pass::Lanes(kernel) => kernel.lanes(),
            Pass::Sha(..) => SHA_BATCH,
        }
    }

    /// Hashes the prefixes of `base` plus each of the numbers.
    fn run(
        &mut self,
        version: Version,
        base: Number,
        columns: &Columns,
        count: usize,
        tail: Option<&Tail>,
    ) {
        /// The limbs above 2^128.
        const HIGH: usize = 3;
        self.hashed.resize(count, self.group());
        let has_same = base.high() == (base + columns.greatest).high();
        let (layout, base, hashed) = (Layout::of(version), limbs(base), &mut self.hashed);
        if has_same {
            HashBatch::<HIGH> { layout, base, columns, count, tail, hashed }.run_in(self.pass);
        } else {
            HashBatch::<0> { layout, base, columns, count, tail, hashed }.run_in(self.pass);
        }
    }
}

/// The positions of set bits below `count`, in masks of `group` bits.
fn set_bits(masks: &[u32], group: usize, count: usize) -> impl Iterator<Item = usize> {
    let places = move |(at, &mask): (usize, &u32)| {
        let without_lowest = |mask: &u32| Some(mask & mask.wrapping_sub(1));
        let masks = iter::successors(Some(mask), without_lowest).take_while(|&mask| mask != 0);
        masks.map(move |mask| at * group + mask.trailing_zeros() as usize)
    };
    masks[..count.div_ceil(group)].iter().enumerate().flat_map(places).filter(move |&at| at < count)
}
