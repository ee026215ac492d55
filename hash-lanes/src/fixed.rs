//! Hashes inputs of one fixed shape, such as 64-byte nodes or public keys.

use core::hint::black_box;
use core::iter::repeat_n;
use core::marker::PhantomData;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::cpu::ShaInstructions;
use crate::hash::{LaneHash, ShaKernels, Shape};
use crate::kernel::{KernelSet, LaneJob, LaneKernel, Pass};
use crate::lanes::{Lanes, MAX_LANES, Vectors};
use crate::plan::Plan;
use crate::plans::Plans;
use crate::rows::store_rows;
use crate::word::{Array, Row, Word};

/// A hash of inputs that all have the same shape, so that the kernel contains their padding.
pub trait BatchHash {
    /// The word of the lanes: `u32` or `u64`.
    type Word: Vectors;

    /// One message.
    type Input: Copy;

    /// Its digest.
    type Output: Array<u8>;

    /// The CPU's instructions for this hash; [`Infallible`](core::convert::Infallible): none.
    type Sha: ShaInstructions;

    /// The lane kernels that the hash is compiled for.
    const KERNELS: KernelSet;

    /// What a kernel hashes while it is measured.
    fn sample() -> Self::Input;

    /// The cheapest kernels.
    fn plans() -> &'static Plans;

    /// Hashes one input per lane; there are `V::COUNT` inputs and outputs. Mark it
    /// `#[inline(always)]`.
    fn hash_lanes<V: Lanes<Word = Self::Word>>(
        token: V::Token,
        inputs: &[Self::Input],
        outputs: &mut [Self::Output],
    );

    /// Hashes the inputs with the SHA instructions, `streams` at a time. `inputs.len()` is a
    /// multiple of `streams` and equal to `outputs.len()`.
    fn hash_sha(
        sha: Self::Sha,
        streams: usize,
        inputs: &[Self::Input],
        outputs: &mut [Self::Output],
    );
}

/// Hashes `inputs[i]` into `outputs[i]`.
///
/// # Panics
///
/// Panics if `outputs.len() != inputs.len()`.
pub fn hash_batch<B: BatchHash>(backend: Backend, inputs: &[B::Input], outputs: &mut [B::Output]) {
    assert_eq!(inputs.len(), outputs.len(), "each input needs one output");
    let plan = plan_of_batch::<B>(backend, inputs.len());
    for (pass, range) in plan.passes(backend, inputs.len()) {
        hash_pass::<B>(pass, &inputs[range.clone()], &mut outputs[range]);
    }
}

/// The lanes that hash many inputs; `None` if SHA instructions are faster.
#[must_use]
pub fn lanes_of_batch<B: BatchHash>(backend: Backend) -> Option<LaneKernel> {
    match backend.pass::<B::Sha>(plan_of_batch::<B>(backend, MAX_LANES).bulk()) {
        Pass::Lanes(lanes) => Some(lanes),
        Pass::Sha(..) => None,
    }
}

/// The plan for `count` inputs.
#[must_use]
pub fn plan_of_batch<B: BatchHash>(backend: Backend, count: usize) -> &'static Plan {
    B::plans().of(
        backend,
        || count as u64,
        |kernel, messages| {
            let mut outputs = PerLane::<B, B::Output>::filled(B::Output::filled(0));
            let inputs = PerLane::<B, B::Input>::filled(B::sample());
            let (inputs, outputs) = (inputs.elements(), outputs.elements_mut());
            hash_pass::<B>(backend.pass(kernel), &inputs[..messages], &mut outputs[..messages]);
            black_box(outputs);
            1
        },
    )
}

/// A value for each message of the widest pass.
type PerLane<B, T> = <<B as BatchHash>::Word as Word>::PerLane<T>;

/// Hashes the inputs by passes of one kernel.
fn hash_pass<B: BatchHash>(pass: Pass<B::Sha>, inputs: &[B::Input], outputs: &mut [B::Output]) {
    match pass {
        Pass::Lanes(kernel) if inputs.len() < kernel.lanes::<B::Word>() => {
            let full = kernel.lanes::<B::Word>();
            let mut all_inputs: ArrayVec<B::Input, MAX_LANES> = ArrayVec::new();
            let mut all_outputs: ArrayVec<B::Output, MAX_LANES> = ArrayVec::new();
            all_outputs.extend(repeat_n(B::Output::filled(0), full));
            let lane_inputs = if fills_lanes_in_kernel::<B>() {
                inputs
            } else {
                all_inputs.extend(inputs.iter().copied());
                all_inputs.extend(repeat_n(inputs[0], full - inputs.len()));
                &all_inputs
            };
            run::<B>(kernel, lane_inputs, &mut all_outputs);
            outputs.copy_from_slice(&all_outputs[..outputs.len()]);
        }
        Pass::Lanes(kernel) => run::<B>(kernel, inputs, outputs),
        Pass::Sha(sha, streams) => {
            B::hash_sha(sha, inputs.len().min(streams.into()), inputs, outputs);
        }
    }
}

#[inline]
fn run<B: BatchHash>(kernel: LaneKernel, inputs: &[B::Input], outputs: &mut [B::Output]) {
    kernel.run(Batch::<B> { inputs, outputs, hash: PhantomData });
}

/// Whether copies for idle lanes are made inside the kernel, as wide as its loads, which cannot
/// forward from narrower stores. On Sapphire Rapids 15 nodes take 46 ns each instead of 53.
/// References are copied outside: the compiler would load through copies with slow gathers.
const fn fills_lanes_in_kernel<B: BatchHash>() -> bool {
    size_of::<B::Input>() > size_of::<&[u8]>()
}

/// Inputs that fill all lanes one or more times. If idle lanes are filled in the kernel, there may
/// be fewer inputs than lanes.
struct Batch<'a, B: BatchHash> {
    inputs: &'a [B::Input],
    outputs: &'a mut [B::Output],
    hash: PhantomData<B>,
}

impl<B: BatchHash> LaneJob for Batch<'_, B> {
    const KERNELS: KernelSet = B::KERNELS;

    type Word = B::Word;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes<Word = B::Word>>(self, token: V::Token) {
        let mut all_inputs: ArrayVec<B::Input, MAX_LANES> = ArrayVec::new();
        let mut inputs = self.inputs;
        if const { fills_lanes_in_kernel::<B>() } && inputs.len() < V::COUNT {
            // Idle lanes hash the first input again.
            for lane in 0..V::COUNT {
                all_inputs.push(*inputs.get(lane).unwrap_or(&inputs[0]));
            }
            inputs = &all_inputs;
        }
        let inputs = inputs.chunks_exact(V::COUNT);
        for (inputs, outputs) in inputs.zip(self.outputs.chunks_exact_mut(V::COUNT)) {
            B::hash_lanes::<V>(token, inputs, outputs);
        }
    }
}

/// Complete messages of one row, such as digests, loaded in place. The digests of messages of other
/// lengths are wrong.
#[derive(Debug)]
pub struct Rows<'m, H>(PhantomData<(&'m [u8], H)>);

impl<'m, H: LaneHash> BatchHash for Rows<'m, H> {
    type Word = H::Word;
    type Input = &'m [u8];
    type Output = Row<H::Word>;
    type Sha = H::Sha;

    const KERNELS: KernelSet = H::KERNELS;

    fn sample() -> &'m [u8] {
        H::Word::zero_row().elements()
    }

    fn plans() -> &'static Plans {
        H::plans(Shape::Row)
    }

    #[inline(always)]
    fn hash_lanes<V: Lanes<Word = H::Word>>(
        token: V::Token,
        messages: &[&'m [u8]],
        rows: &mut [Row<H::Word>],
    ) {
        let messages = &messages[..V::COUNT];
        let words = V::load_rows(
            token,
            H::ORDER,
            // Falling back to a constant instead of panicking removes the branch.
            #[inline(always)]
            |lane| H::Word::first_row(messages[lane]).unwrap_or(H::Word::zero_row()),
        );
        store_rows::<V, H>(token, H::compress_row(token, words), rows);
    }

    fn hash_sha(sha: H::Sha, streams: usize, messages: &[&'m [u8]], rows: &mut [Row<H::Word>]) {
        sha.hash_equal(streams, &H::row(&H::IV), 0, messages, rows);
    }
}
