//! Inputs of one fixed shape, such as nodes of 64 bytes or public keys.

use core::marker::PhantomData;

use crate::backend::Backend;
use crate::cpu::ShaExtensions;
use crate::kernel::{KernelSet, LaneJob};
use crate::lanes::{Lanes, MAX_LANES};
use crate::plan::{Pass, Plan};

/// A hash of inputs that all have the same shape, so that their padding is part of the kernel.
pub trait BatchHash {
    /// One message.
    type Input: Copy;

    /// Its digest.
    type Output: Copy + Default;

    /// The lane kernels that it is compiled for.
    const KERNELS: KernelSet;

    /// Hashes an input in each lane. There are `V::COUNT` inputs and outputs; mark it
    /// `#[inline(always)]`.
    fn hash_lanes<V: Lanes>(token: V::Token, inputs: &[Self::Input], outputs: &mut [Self::Output]);

    /// Hashes the inputs by the SHA instructions, `streams` at a time. There are a multiple of
    /// that, and an output for each.
    fn hash_sha(
        sha: ShaExtensions,
        streams: usize,
        inputs: &[Self::Input],
        outputs: &mut [Self::Output],
    );
}

/// Hashes each input into the output at its own place, by the kernels of `plan`, which must be a
/// plan of `backend`.
///
/// # Panics
///
/// Panics if `outputs.len() != inputs.len()`.
pub fn hash_batch<B: BatchHash>(
    plan: &Plan,
    backend: Backend,
    inputs: &[B::Input],
    outputs: &mut [B::Output],
) {
    assert_eq!(inputs.len(), outputs.len(), "one output for each input");
    for (pass, range) in plan.passes(backend, inputs.len()) {
        let inputs = &inputs[range.clone()];
        let outputs = &mut outputs[range];
        let full = pass.messages();
        if inputs.len() >= full {
            run::<B>(pass, inputs, outputs);
        } else if let Pass::Sha(sha, _) = pass {
            B::hash_sha(sha, inputs.len(), inputs, outputs);
        } else {
            // Idle lanes hash the first input again.
            let mut all_inputs = [inputs[0]; MAX_LANES];
            let mut all_outputs = [B::Output::default(); MAX_LANES];
            all_inputs[..inputs.len()].copy_from_slice(inputs);
            run::<B>(pass, &all_inputs[..full], &mut all_outputs[..full]);
            outputs.copy_from_slice(&all_outputs[..outputs.len()]);
        }
    }
}

#[inline]
fn run<B: BatchHash>(pass: Pass, inputs: &[B::Input], outputs: &mut [B::Output]) {
    match pass {
        Pass::Lanes(kernel) => kernel.run(Batch::<B> { inputs, outputs, hash: PhantomData }),
        Pass::Sha(sha, streams) => B::hash_sha(sha, streams, inputs, outputs),
    }
}

/// As many inputs as fill the lanes some times.
struct Batch<'a, B: BatchHash> {
    inputs: &'a [B::Input],
    outputs: &'a mut [B::Output],
    hash: PhantomData<B>,
}

impl<B: BatchHash> LaneJob for Batch<'_, B> {
    const KERNELS: KernelSet = B::KERNELS;

    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) {
        let inputs = self.inputs.chunks_exact(V::COUNT);
        for (inputs, outputs) in inputs.zip(self.outputs.chunks_exact_mut(V::COUNT)) {
            B::hash_lanes::<V>(token, inputs, outputs);
        }
    }
}
