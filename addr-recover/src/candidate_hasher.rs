//! Hashes candidates in SIMD lanes or with the SHA instructions, whichever is the fastest. What a
//! lane kernel runs is `#[inline(always)]`; see `LaneJob`.

use core::hint::black_box;
use core::iter;
use core::mem::take;

use hash_lanes::Backend;
use hash_lanes::engine::Kernel::*;
use hash_lanes::engine::{
    Costs, Kernel, KernelSet, LaneJob, Lanes, Pass, Plans, Portable, Scalar, ShaExtensions, Words,
};
use sha256_multi::hazmat::{
    compress_32_bytes, compress_const_tail, double_hash_blocks, initial_state,
};

use crate::format::Batch;
use crate::format::Hasher;
use crate::kind::Version;
use crate::number::{CHECKSUMS, Natural, Number};
use crate::tail::Tail;

/// On Zen 4, two interleaved groups of 16 lanes are faster than one, and two groups of 8 lanes are
/// slower.
const KERNELS: KernelSet = KernelSet::of(&[
    Avx512x16x2,
    Avx512x16,
    Avx512x8,
    Avx2x8,
    Sse2x4,
    Neonx4,
    Simd128x4,
    Kernel::Portable,
]);

/// What a pass of each kernel costs until it is measured on the running CPU.
///
/// The first candidates of a process use these costs, and programs without a clock all of them.
/// They are those of Granite Rapids in tenths of a nanosecond, which are the least wrong on other
/// x86 CPUs. On CPUs that are not x86 they are cycles, counted and not measured.
static SEARCH: Plans = Plans::new(
    KERNELS,
    Costs::of_architecture(
        &[
            (Avx512x16x2, 9128),
            (Avx512x16, 4361),
            (Avx512x8, 3053),
            (Avx2x8, 5469),
            (Sse2x4, 5475),
            (Shax4, 2117),
            (Kernel::Portable, 3010),
        ],
        &[(Neonx4, 3000), (Simd128x4, 3000), (Shax4, 400), (Kernel::Portable, 1460)],
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
        let plan = SEARCH.of(
            backend,
            || u64::MAX,
            |kernel, count| {
                samples.fill(iter::repeat_n((Number::ZERO, 0), count));
                let mut hasher = Self::of_pass(backend.pass(kernel));
                hasher.run(Version::byte(0), Number::ZERO, &samples, count, None);
                black_box(hasher);
                1
            },
        );
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
            Pass::Lanes(kernel) => kernel.lanes::<u32>(),
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
        let groups = count.div_ceil(self.group());
        self.hashed.hashes.resize(count + PADDING, 0);
        self.hashed.in_range.resize(groups, 0);
        self.hashed.carrying.resize(groups, 0);
        let has_same = base.high() == (base + columns.greatest).high();
        let shift = 8 * (4 * MESSAGE_WORDS - version.message_bytes()) as u32;
        let (base, hashed) = (limbs(base), &mut self.hashed);
        if has_same {
            HashBatch::<HIGH> { shift, base, columns, count, tail, hashed }.run_in(self.pass);
        } else {
            HashBatch::<0> { shift, base, columns, count, tail, hashed }.run_in(self.pass);
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

/// The 32-bit words of a number, the most significant first. The last one is the checksum, and the
/// others are the prefix.
const LIMBS: usize = 7;

/// Words of a block that hold the message.
const MESSAGE_WORDS: usize = LIMBS - 1;

/// Candidates per call of the SHA instructions: enough to amortise the call, and as many as a mask
/// has bits.
const SHA_BATCH: usize = 32;

/// The number of meaningless entries after the last that may be read.
const PADDING: usize = 32;

/// The limbs of a number.
fn limbs(number: Number) -> [u32; LIMBS] {
    [6, 5, 4, 3, 2, 1, 0].map(|after| number.word(after))
}

/// Numbers and spans in the order in which lanes read them.
#[derive(Debug)]
pub struct Columns {
    /// One list per limb, then the spans, with padding.
    lists: [Vec<u32>; LIMBS + 1],
    greatest: Number,
}

impl Default for Columns {
    fn default() -> Self {
        Self { lists: Default::default(), greatest: Number::ZERO }
    }
}

impl Columns {
    /// Replaces the numbers, which are in ascending order, and the spans.
    pub(crate) fn fill(&mut self, entries: impl ExactSizeIterator<Item = (Number, u32)>) {
        let length = entries.len() + PADDING;
        self.lists.iter_mut().for_each(|list| list.resize(length, 0));
        for (at, (number, span)) in entries.enumerate() {
            let limbs = limbs(number);
            for i in 0..LIMBS {
                self.lists[i][at] = limbs[i];
            }
            self.lists[LIMBS][at] = span;
            self.greatest = number;
        }
    }

    /// Replaces the entries by some of others.
    fn fill_from(&mut self, others: &Self, positions: &[usize]) {
        for (list, others) in self.lists.iter_mut().zip(&others.lists) {
            list.resize(positions.len() + PADDING, 0);
            list.iter_mut().zip(positions).for_each(|(word, &at)| *word = others[at]);
        }
        self.greatest = others.greatest;
    }
}

/// What became of the prefixes of a batch.
#[derive(Debug, Default)]
struct Hashed {
    /// The first word of each hash.
    hashes: Vec<u32>,
    /// Bit masks of the candidates whose checksum is in range, one per group of lanes.
    in_range: Vec<u32>,
    /// Those of which some checksum carries into the prefix, so that a second one must be hashed.
    carrying: Vec<u32>,
}

/// Hashes the prefixes of `base` plus each of some numbers, and tests the checksums.
struct HashBatch<'a, const SAME: usize> {
    /// How far a prefix is shifted left until its first byte is the first of the block: by 24 bits
    /// for messages of 21 bytes, and by 16 for 22.
    shift: u32,
    base: [u32; LIMBS],
    columns: &'a Columns,
    count: usize,
    tail: Option<&'a Tail>,
    hashed: &'a mut Hashed,
}

impl<const SAME: usize> LaneJob for HashBatch<'_, SAME> {
    const KERNELS: KernelSet = KERNELS;

    type Word = u32;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<Word = u32>>(self, token: V::Token) {
        let first = self.block(Portable, self.base.map(Scalar));
        for group in 0..self.count.div_ceil(V::COUNT) {
            let at = group * V::COUNT;
            let mut limbs = [V::splat(token, 0); LIMBS];
            for i in SAME..LIMBS {
                limbs[i] = V::from_words(token, &self.columns.lists[i][at..]);
            }
            let sums = self.sums(token, limbs);
            let mut block = self.block(token, sums);
            // What depends on these alone is computed once for all lanes.
            for i in 1..SAME {
                block[i - 1] = V::splat(token, first[i - 1].0);
            }
            let mut state = initial_state(token);
            compress_const_tail(token, &mut state, block);
            let hash = compress_32_bytes(token, state)[0];
            hash.to_words(&mut self.hashed.hashes[at..]);
            let span = V::from_words(token, &self.columns.lists[LIMBS][at..]);
            let (rest, excess) = self.test(token, hash, sums[LIMBS - 1], span);
            self.hashed.in_range[group] = rest.zeros();
            self.hashed.carrying[group] =
                !excess.zeros() & (u32::MAX >> (u32::BITS - V::COUNT as u32));
        }
    }
}

impl<const SAME: usize> HashBatch<'_, SAME> {
    fn run_in(self, pass: Pass) {
        match pass {
            Pass::Lanes(kernel) => kernel.run(self),
            Pass::Sha(sha, _) => self.run_with_sha(sha),
        }
    }

    /// The block of a number.
    #[inline(always)]
    fn block<W: Words<Word = u32>>(&self, token: W::Token, limbs: [W; LIMBS]) -> [W; 16] {
        let zero = W::splat(token, 0);
        let mut block = [zero; 16];
        for i in 0..MESSAGE_WORDS {
            block[i] = limbs[i].shift_left(self.shift);
            if i + 1 < MESSAGE_WORDS {
                block[i] = block[i] | limbs[i + 1].shift_right(u32::BITS - self.shift);
            }
        }
        // The 1 bit that begins the padding.
        let padding = W::splat(token, 1 << (self.shift - 1));
        block[MESSAGE_WORDS - 1] = block[MESSAGE_WORDS - 1] | padding;
        // The length of the message in bits.
        block[15] = W::splat(token, 32 * MESSAGE_WORDS as u32 - self.shift);
        block
    }

    /// The sums of the base and some numbers. The first `SAME` limbs are those of the base.
    #[inline(always)]
    fn sums<W: Words<Word = u32>>(&self, token: W::Token, limbs: [W; LIMBS]) -> [W; LIMBS] {
        let mut sums = limbs;
        let mut carry = W::splat(token, 0);
        for i in (0..LIMBS).rev() {
            let (a, b) = (W::splat(token, self.base[i]), limbs[i]);
            if i < SAME {
                sums[i] = a;
            } else {
                sums[i] = a + b + carry;
                // The top bit carries if it is set in both addends, or in one of them but not in
                // the sum.
                carry = ((a & b) | ((a | b) & !sums[i])).shift_right(31);
            }
        }
        sums
    }

    /// Returns zero if the checksum is in range, and how far the smallest checksum exceeds the
    /// greatest one from which none carries.
    #[inline(always)]
    fn test<W: Words<Word = u32>>(&self, token: W::Token, hash: W, smallest: W, span: W) -> (W, W) {
        let above = hash - smallest;
        let rest = match self.tail {
            Some(tail) => tail.rest(token, above),
            None => above - above.min(span),
        };
        (rest, smallest - smallest.min(!span))
    }

    fn run_with_sha(self, sha: ShaExtensions) {
        let first = self.block(Portable, self.base.map(Scalar)).map(|word| word.0);
        let mut blocks = [first; SHA_BATCH];
        let mut smallest = [Scalar(0); SHA_BATCH];
        let mut hashes = [0; SHA_BATCH];
        for begin in (0..self.count).step_by(SHA_BATCH) {
            let count = SHA_BATCH.min(self.count - begin);
            for i in 0..count {
                let mut limbs = [Scalar(0); LIMBS];
                for limb in SAME..LIMBS {
                    limbs[limb] = Scalar(self.columns.lists[limb][begin + i]);
                }
                let sums = self.sums(Portable, limbs);
                let block = self.block(Portable, sums);
                // The others are the same for all.
                for word in SAME.saturating_sub(1)..MESSAGE_WORDS {
                    blocks[i][word] = block[word].0;
                }
                smallest[i] = sums[LIMBS - 1];
            }
            double_hash_blocks(sha, &blocks[..count], &mut hashes[..count]);
            self.hashed.hashes[begin..begin + count].copy_from_slice(&hashes[..count]);
            let (mut in_range, mut carrying) = (0, 0);
            for i in 0..count {
                let span = Scalar(self.columns.lists[LIMBS][begin + i]);
                let (rest, excess) = self.test(Portable, Scalar(hashes[i]), smallest[i], span);
                in_range |= u32::from(rest.0 == 0) << i;
                carrying |= u32::from(excess.0 != 0) << i;
            }
            self.hashed.in_range[begin / SHA_BATCH] = in_range;
            self.hashed.carrying[begin / SHA_BATCH] = carrying;
        }
    }
}
