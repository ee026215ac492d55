//! PBKDF2 with HMAC (RFC 8018 §5.2) of many passwords at once.
//!
//! Each block of output is a chain of HMACs, two compressions a round, which stays in its lane from
//! the first round to the last.

use alloc::vec::Vec;
use core::marker::PhantomData;

use crate::backend::Backend;
use crate::cpu::{MAX_STREAMS, ShaExtensions};
use crate::hash::{LaneHash, Shape};
use crate::hmac::{CHUNK, KeyStates, Keys};
use crate::kernel::{KernelSet, LaneJob, Pass};
use crate::lanes::{BLOCK_BYTES, BLOCK_WORDS, Block, Lanes};
use crate::padding::{Padding, padding_words};
use crate::stream::{States, plan};

/// A lane hash with PBKDF2, whose kernels are compiled in the crate of the hash.
pub trait Pbkdf2Hash<const WORDS: usize>: LaneHash<WORDS> {
    /// Runs `rounds` more rounds; implement it with [`run_rounds`].
    fn run_rounds(backend: Backend, rounds: u32, chains: &mut [Chain<WORDS>]);
}

/// Derives `outputs[i]` from the `i`-th password and the `i`-th salt.
///
/// # Panics
///
/// Panics if the numbers of passwords, salts and outputs differ, if `rounds` is zero, or if an
/// output is longer than 2^32 - 1 digests.
#[track_caller]
pub fn pbkdf2_many<H, const WORDS: usize, D>(
    backend: Backend,
    passwords: impl IntoIterator<Item: AsRef<[u8]>>,
    salts: impl IntoIterator<Item: AsRef<[u8]>>,
    rounds: u32,
    outputs: &mut [D],
) where
    H: Pbkdf2Hash<WORDS>,
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
    assert!(rounds > 0, "PBKDF2 needs at least one round");
    let mut outputs: Vec<&mut [u8]> = outputs.iter_mut().map(D::as_mut).collect();
    for output in &outputs {
        assert!(
            output.len().div_ceil(4 * WORDS) as u64 <= u64::from(u32::MAX),
            "{} bytes are more than PBKDF2 can derive",
            output.len()
        );
    }
    let inputs = passwords.iter().zip(&salts);
    let mut blocks = inputs.zip(&mut outputs).flat_map(|((password, salt), output)| {
        let blocks = output.chunks_mut(4 * WORDS).zip(1..=u32::MAX);
        blocks.map(|(bytes, number)| OutputBlock {
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
        derive::<H, WORDS>(backend, rounds, &mut chunk);
    }
}

/// A block T(i) of the output of one password.
struct OutputBlock<'a> {
    password: &'a [u8],
    /// The message of the first round: the salt and the number of the block.
    salted: Vec<u8>,
    bytes: &'a mut [u8],
}

/// Derives some blocks of output.
fn derive<H: Pbkdf2Hash<WORDS>, const WORDS: usize>(
    backend: Backend,
    rounds: u32,
    blocks: &mut [OutputBlock<'_>],
) {
    let passwords: Vec<_> = blocks.iter().map(|block| block.password).collect();
    let messages: Vec<_> = blocks.iter().map(|block| &block.salted[..]).collect();
    let keys = Keys::<WORDS>::new::<H>(backend, &passwords);
    let first = keys.authenticate::<H>(backend, &messages);
    let mut chains: Vec<_> = first
        .iter()
        .enumerate()
        .map(|(i, row)| Chain { key: *keys.states(i), last: H::state(row), sum: H::state(row) })
        .collect();
    H::run_rounds(backend, rounds - 1, &mut chains);
    for (block, chain) in blocks.iter_mut().zip(&chains) {
        block.bytes.copy_from_slice(&H::row(&chain.sum)[..block.bytes.len()]);
    }
}

/// A block of output between two rounds.
pub struct Chain<const WORDS: usize> {
    key: KeyStates<WORDS>,
    /// U(j), the HMAC of the latest round.
    last: [u32; WORDS],
    /// U(1) XOR … XOR U(j).
    sum: [u32; WORDS],
}

/// Implements [`Pbkdf2Hash::run_rounds`].
pub fn run_rounds<H: LaneHash<WORDS>, const WORDS: usize>(
    backend: Backend,
    rounds: u32,
    chains: &mut [Chain<WORDS>],
) {
    let plan = plan::<H, WORDS>(backend, Shape::Blocks, chains.len());
    for (pass, range) in plan.passes(backend, chains.len()) {
        for chains in chains[range].chunks_mut(pass.messages()) {
            match pass {
                Pass::Lanes(kernel) => {
                    let mut lanes = ChainLanes::new(chains);
                    let chain_lanes = &mut lanes;
                    kernel.run(Pbkdf2Rounds::<H, WORDS> { rounds, chain_lanes, hash: PhantomData });
                    for (lane, chain) in chains.iter_mut().enumerate() {
                        chain.sum = lanes.sum.get(lane);
                    }
                }
                Pass::Sha(sha, _) => run_rounds_sha::<H, WORDS>(sha, rounds, chains),
            }
        }
    }
}

/// [`run_rounds`] with the SHA instructions, for one to four chains.
fn run_rounds_sha<H: LaneHash<WORDS>, const WORDS: usize>(
    sha: ShaExtensions,
    rounds: u32,
    chains: &mut [Chain<WORDS>],
) {
    let count = chains.len();
    let mut paddings = [Padding::NONE; MAX_STREAMS];
    let mut last = [[0; WORDS]; MAX_STREAMS];
    for (last, chain) in last.iter_mut().zip(&*chains) {
        *last = chain.last;
    }
    for _ in 0..rounds {
        for part in 0..2 {
            for (i, chain) in chains.iter().enumerate() {
                let digest = H::row(&last[i]);
                let bytes = message_bytes::<WORDS>() as u64;
                paddings[i].set(&digest[..4 * WORDS], bytes, H::ORDER);
                last[i] = chain.key[part];
            }
            let blocks: [&[Block]; MAX_STREAMS] = paddings.each_ref().map(Padding::blocks);
            H::compress_streams(sha, &mut last[..count], &blocks[..count]);
        }
        for (chain, last) in chains.iter_mut().zip(&last) {
            for (sum, word) in chain.sum.iter_mut().zip(last) {
                *sum ^= word;
            }
        }
    }
}

/// The length of both messages of a round: the block of the key and a digest.
const fn message_bytes<const WORDS: usize>() -> usize {
    BLOCK_BYTES + 4 * WORDS
}

/// One chain in each lane.
struct ChainLanes<const WORDS: usize> {
    /// The inner and the outer state of each lane's key.
    keys: [States<WORDS>; 2],
    last: States<WORDS>,
    sum: States<WORDS>,
}

impl<const WORDS: usize> ChainLanes<WORDS> {
    /// Lanes without a chain are zero.
    fn new(chains: &[Chain<WORDS>]) -> Self {
        let zero = States::splat(&[0; WORDS]);
        let mut keys = [zero.clone(), zero.clone()];
        let (mut last, mut sum) = (zero.clone(), zero);
        for (lane, chain) in chains.iter().enumerate() {
            keys[0].set(lane, &chain.key[0]);
            keys[1].set(lane, &chain.key[1]);
            last.set(lane, &chain.last);
            sum.set(lane, &chain.sum);
        }
        Self { keys, last, sum }
    }
}

/// [`run_rounds`] in lanes.
struct Pbkdf2Rounds<'a, H, const WORDS: usize> {
    rounds: u32,
    chain_lanes: &'a mut ChainLanes<WORDS>,
    hash: PhantomData<H>,
}

impl<H: LaneHash<WORDS>, const WORDS: usize> LaneJob for Pbkdf2Rounds<'_, H, WORDS> {
    const KERNELS: KernelSet = H::KERNELS;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let padding = const { padding_words(H::ORDER, message_bytes::<WORDS>()) };
        let mut last: [V; WORDS] = self.chain_lanes.last.load(token);
        let mut sum: [V; WORDS] = self.chain_lanes.sum.load(token);
        for _ in 0..self.rounds {
            // A loop, so that the kernel contains one compression and not two.
            for key in &self.chain_lanes.keys {
                let mut block = [V::splat(token, 0); BLOCK_WORDS];
                for i in 0..BLOCK_WORDS {
                    block[i] = if i < WORDS { last[i] } else { V::splat(token, padding[i]) };
                }
                last = key.load(token);
                H::compress_const_tail(token, &mut last, block);
            }
            for i in 0..WORDS {
                sum[i] = sum[i] ^ last[i];
            }
        }
        self.chain_lanes.sum.store(sum);
    }
}
