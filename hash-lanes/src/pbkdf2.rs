//! PBKDF2 with HMAC (RFC 8018 §5.2) of many passwords at once.
//!
//! Each block of output is a chain of HMACs, two compressions a round, which stays in its lane from
//! the first round to the last.

use alloc::vec::Vec;
use core::hint::black_box;
use core::marker::PhantomData;
use core::slice;

use crate::backend::Backend;
use crate::blocks::block_bytes;
use crate::cpu::MAX_STREAMS;
use crate::ending::Length;
use crate::erase::{Blank, Erased};
use crate::fixed::{BatchHash, hash_batch, plan_of_batch};
use crate::hash::{LaneHash, ShaKernels, Shape};
use crate::hmac::{CHUNK, KeyStates, Keys};
use crate::kernel::KernelSet;
use crate::lanes::Lanes;
use crate::padding::Padding;
use crate::plan::Plan;
use crate::plans::Plans;
use crate::rows::{load_states, store_rows};
use crate::stream::{CompiledHash, RowOf};
use crate::word::{Array, BLOCK_WORDS, Block, Row, Word};

/// A lane hash with PBKDF2, whose kernels are compiled in the crate of the hash.
pub trait Pbkdf2Hash: CompiledHash<Ending = Length> {
    /// Runs the rounds of each chain; implement it with [`run_rounds`].
    fn run_rounds(backend: Backend, chains: &[Chain<RowOf<Self>>], rows: &mut [RowOf<Self>]);
}

/// The numbers of rounds of PBKDF2: `u32` for all passwords, or a list with one for each.
pub trait Rounds {
    /// The rounds for the password of this index.
    #[doc(hidden)]
    fn of(&self, index: usize) -> u32;

    /// The numbers of rounds of a list.
    #[doc(hidden)]
    fn list(&self) -> Option<&[u32]>;
}

impl Rounds for u32 {
    fn of(&self, _: usize) -> u32 {
        *self
    }

    fn list(&self) -> Option<&[u32]> {
        None
    }
}

impl Rounds for [u32] {
    fn of(&self, index: usize) -> u32 {
        self[index]
    }

    fn list(&self) -> Option<&[u32]> {
        Some(self)
    }
}

impl<const N: usize> Rounds for [u32; N] {
    fn of(&self, index: usize) -> u32 {
        self[index]
    }

    fn list(&self) -> Option<&[u32]> {
        Some(self)
    }
}

impl Rounds for Vec<u32> {
    fn of(&self, index: usize) -> u32 {
        self[index]
    }

    fn list(&self) -> Option<&[u32]> {
        Some(self)
    }
}

impl<R: Rounds + ?Sized> Rounds for &R {
    fn of(&self, index: usize) -> u32 {
        (**self).of(index)
    }

    fn list(&self) -> Option<&[u32]> {
        (**self).list()
    }
}

/// Derives `outputs[i]` from the `i`-th password and the `i`-th salt.
///
/// # Panics
///
/// Panics if the numbers of passwords, salts, outputs and listed rounds differ, if there are zero
/// rounds, or if an output is longer than 2^32 - 1 digests.
#[track_caller]
pub fn pbkdf2_many<H, D>(
    backend: Backend,
    passwords: impl IntoIterator<Item: AsRef<[u8]>>,
    salts: impl IntoIterator<Item: AsRef<[u8]>>,
    rounds: impl Rounds,
    outputs: &mut [D],
) where
    H: Pbkdf2Hash,
    D: AsMut<[u8]>,
{
    let count = outputs.len();
    // No more than show that there are too many.
    let passwords: Vec<_> = passwords.into_iter().take(count.saturating_add(1)).collect();
    let salts: Vec<_> = salts.into_iter().take(count.saturating_add(1)).collect();
    assert!(
        passwords.len() == count && salts.len() == count,
        "{} passwords, {} salts and {count} outputs do not match",
        passwords.len(),
        salts.len()
    );
    let least = match rounds.list() {
        Some(list) => {
            let listed = list.len();
            assert!(listed == count, "{listed} numbers of rounds for {count} passwords");
            list.iter().copied().min().unwrap_or(1)
        }
        None => rounds.of(0),
    };
    assert!(least > 0, "PBKDF2 needs at least one round");
    let mut outputs: Vec<&mut [u8]> = outputs.iter_mut().map(D::as_mut).collect();
    for output in &outputs {
        assert!(
            output.len().div_ceil(H::DIGEST_BYTES) as u64 <= u64::from(u32::MAX),
            "{} bytes are more than PBKDF2 can derive",
            output.len()
        );
    }
    let inputs = passwords.iter().zip(&salts);
    let numbered = inputs.zip(&mut outputs).enumerate();
    let mut blocks = numbered.flat_map(|(i, ((password, salt), output))| {
        let rounds = rounds.of(i);
        assert!(rounds > 0, "PBKDF2 needs at least one round");
        let blocks = output.chunks_mut(H::DIGEST_BYTES).zip(1..=u32::MAX);
        blocks.map(move |(bytes, number)| OutputBlock {
            rounds,
            password: password.as_ref(),
            salted: [salt.as_ref(), &number.to_be_bytes()].concat(),
            bytes,
        })
    });
    loop {
        let mut chunk: Vec<_> = blocks.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            return;
        }
        if rounds.list().is_some() {
            // Neighbours in lanes end together. The numbers of rounds are public.
            chunk.sort_by_key(|block| block.rounds);
        }
        derive::<H>(backend, &mut chunk);
    }
}

/// A block T(i) of the output of one password.
struct OutputBlock<'a> {
    rounds: u32,
    password: &'a [u8],
    /// The message of the first round: the salt and the number of the block.
    salted: Vec<u8>,
    bytes: &'a mut [u8],
}

/// Derives some blocks of output.
fn derive<H: Pbkdf2Hash>(backend: Backend, blocks: &mut [OutputBlock<'_>]) {
    let passwords: Vec<_> = blocks.iter().map(|block| block.password).collect();
    let messages: Vec<_> = blocks.iter().map(|block| &block.salted[..]).collect();
    let keys = Keys::<H>::new(backend, &passwords);
    let first = keys.authenticate(backend, &messages);
    let mut chains = Erased::with_capacity(first.len());
    for (i, (row, block)) in first.iter().zip(&*blocks).enumerate() {
        chains.push(Chain { rounds: block.rounds - 1, key: *keys.states(i), first: *row });
    }
    let mut rows = first;
    H::run_rounds(backend, &chains, &mut rows);
    for (block, row) in blocks.iter_mut().zip(&*rows) {
        block.bytes.copy_from_slice(&row.elements()[..block.bytes.len()]);
    }
}

/// A block of output after its first round.
#[derive(Clone, Copy)]
pub struct Chain<R = Row> {
    /// The number of rounds that are left.
    rounds: u32,
    key: KeyStates<R>,
    /// U(1), the HMAC of the first round.
    first: R,
}

impl<R: Blank> Blank for Chain<R> {
    const BLANK: Self = Self { rounds: 0, key: [R::BLANK; 2], first: R::BLANK };
}

/// Runs the rounds of each chain: `rows[i]` is U(1) XOR … XOR U(c). Implements
/// [`Pbkdf2Hash::run_rounds`].
pub fn run_rounds<H: LaneHash<Ending = Length>>(
    backend: Backend,
    chains: &[Chain<RowOf<H>>],
    rows: &mut [RowOf<H>],
) {
    const { assert!(H::DIGEST_BYTES == H::STATE_WORDS * H::Word::BYTES, "a digest is a state") }
    hash_batch::<Pbkdf2Rounds<H>>(backend, chains, rows);
}

/// The plan for `count` chains of hashes whose states stay in their lanes.
pub(crate) fn plan_of_chains<H: LaneHash<Ending = Length>>(
    backend: Backend,
    count: usize,
) -> &'static Plan {
    plan_of_batch::<Pbkdf2Rounds<H>>(backend, count)
}

/// The length of both messages of a round: the block of the key and a digest.
const fn message_bytes<H: LaneHash>() -> usize {
    block_bytes::<H::Word>() + H::DIGEST_BYTES
}

/// The numbers of rounds of some chains, hidden from the compiler, which would gather them.
fn ends<R>(chains: &[Chain<R>]) -> impl Iterator<Item = u32> {
    chains.iter().map(|chain| black_box(chain.rounds))
}

/// The least number of rounds of some chains.
fn first_end<R>(chains: &[Chain<R>]) -> u32 {
    ends(chains).min().unwrap_or(0)
}

/// The least number of rounds that exceeds `end`.
fn next_end<R>(chains: &[Chain<R>], end: u32) -> Option<u32> {
    ends(chains).filter(|&rounds| rounds > end).min()
}

/// Stores the sums of the chains of so many rounds.
fn store_ended<R: Copy>(chains: &[Chain<R>], end: u32, sums: &[R], rows: &mut [R]) {
    for ((chain, sum), row) in chains.iter().zip(sums).zip(rows) {
        if chain.rounds == end {
            *row = *sum;
        }
    }
}

/// The rounds of chains. All lanes go on until the last one ends.
struct Pbkdf2Rounds<H>(PhantomData<H>);

impl<H: LaneHash<Ending = Length>> BatchHash for Pbkdf2Rounds<H> {
    type Word = H::Word;
    type Input = Chain<RowOf<H>>;
    type Output = RowOf<H>;
    type Sha = H::Sha;

    const KERNELS: KernelSet = H::KERNELS;

    fn sample() -> Chain<RowOf<H>> {
        Chain { rounds: 1, key: [Array::filled(0); 2], first: Array::filled(0) }
    }

    fn plans() -> &'static Plans {
        H::plans(Shape::Pbkdf2)
    }

    #[inline(always)]
    fn hash_lanes<V: Lanes<Word = H::Word>>(
        token: V::Token,
        chains: &[Chain<RowOf<H>>],
        rows: &mut [RowOf<H>],
    ) {
        let padding = H::Word::padding_words(H::ORDER, 8 * message_bytes::<H>() as u64);
        let chains = &chains[..V::COUNT];
        let mut last = load_states::<V, H>(
            token,
            #[inline(always)]
            |lane| &chains[lane].first,
        );
        // The inner and the outer state of each lane's key. `map` would stay a call, compiled
        // without vectors, if there are several codegen units.
        let mut keys = [last; 2];
        for part in 0..2 {
            keys[part] = load_states::<V, H>(
                token,
                #[inline(always)]
                |lane| &chains[lane].key[part],
            );
        }
        let mut sum = last;
        let (mut done, mut end) = (0, first_end(chains));
        loop {
            for _ in done..end {
                // A loop, so that the kernel contains one compression and not two.
                for key in &keys {
                    let mut block = [V::splat(token, H::Word::default()); BLOCK_WORDS];
                    for i in 0..BLOCK_WORDS {
                        block[i] = if i < H::STATE_WORDS {
                            last.elements()[i]
                        } else {
                            V::splat(token, padding[i])
                        };
                    }
                    last = *key;
                    H::compress_const_tail(token, &mut last, block, ());
                }
                for i in 0..H::STATE_WORDS {
                    sum.elements_mut()[i] = sum.elements()[i] ^ last.elements()[i];
                }
            }
            let mut sums = <H::Word as Word>::PerLane::filled(Array::filled(0));
            store_rows::<V, H>(token, sum, sums.elements_mut());
            store_ended(chains, end, sums.elements(), rows);
            let Some(next) = next_end(chains, end) else { return };
            (done, end) = (end, next);
        }
    }

    fn hash_sha(sha: H::Sha, streams: usize, chains: &[Chain<RowOf<H>>], rows: &mut [RowOf<H>]) {
        for (chains, rows) in chains.chunks(streams).zip(rows.chunks_mut(streams)) {
            let count = chains.len();
            let mut padding = Padding::<H::Word>::none();
            let zeros: RowOf<H> = Array::filled(0);
            padding.set::<Length>(
                &zeros.elements()[..H::DIGEST_BYTES],
                message_bytes::<H>() as u64,
                H::ORDER,
            );
            let mut blocks = [padding.blocks()[0]; MAX_STREAMS];
            let mut last = [zeros; MAX_STREAMS];
            for (last, chain) in last.iter_mut().zip(chains) {
                *last = chain.first;
            }
            let mut sums = last;
            let (mut done, mut end) = (0, first_end(chains));
            loop {
                for _ in done..end {
                    for part in 0..2 {
                        for (i, chain) in chains.iter().enumerate() {
                            // A copy of constant size loads as widely as the states were stored,
                            // which store forwarding needs.
                            blocks[i].elements_mut()[..H::DIGEST_BYTES]
                                .copy_from_slice(&last[i].elements()[..H::DIGEST_BYTES]);
                            last[i] = chain.key[part];
                        }
                        let mut messages: [&[Block<H::Word>]; MAX_STREAMS] = [&[]; MAX_STREAMS];
                        for (message, block) in messages.iter_mut().zip(&blocks) {
                            *message = slice::from_ref(block);
                        }
                        sha.compress_streams(&mut last[..count], &messages[..count]);
                    }
                    for (sum, last) in sums.iter_mut().zip(&last) {
                        for (sum, last) in sum.elements_mut().iter_mut().zip(last.elements()) {
                            *sum ^= last;
                        }
                    }
                }
                store_ended(chains, end, &sums, rows);
                let Some(next) = next_end(chains, end) else { break };
                (done, end) = (end, next);
            }
        }
    }
}
