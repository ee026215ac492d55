//! Tests the lanes against scalar formulas, and the scheduler with a hash of its own.

mod backends;
mod buffers;
mod extremes;
mod hash_many;
mod many_hasher;
mod mix;
mod one_by_one;
mod plan;
mod schedule;
mod transpose;
mod words;

use hash_lanes::Backend;
use hash_lanes::engine::{
    Costs, Interleaved, Kernel, KernelSet, LaneJob, LaneKernel, Lanes, Pass, ShaExtensions,
};

/// Every lane kernel of this machine except those of two interleaved groups, each once.
fn kernels() -> Vec<LaneKernel> {
    let backends = Backend::single_kernels().into_iter().chain("portable".parse());
    let lanes =
        |backend: Backend| match backend.pass::<ShaExtensions>(backend.kernels().next().unwrap()) {
            Pass::Lanes(lanes) if KernelSet::SINGLE_GROUPS.contains(lanes.kernel()) => Some(lanes),
            _ => None,
        };
    backends.filter_map(lanes).collect()
}

/// Runs a job on two interleaved groups of lanes.
struct InTwoGroups<J>(J);

impl<J: LaneJob> LaneJob for InTwoGroups<J> {
    type Word = J::Word;

    type Output = J::Output;

    #[inline(always)]
    fn run<V: Lanes<Word = J::Word>>(self, token: V::Token) -> J::Output {
        self.0.run::<Interleaved<V>>(token)
    }
}

/// A lane pass costs `per_lanes` plus one for each lane, a SHA instruction pass costs `per_sha` for
/// each message, and portable code costs `per_portable`.
fn costs_of(per_lanes: u32, per_sha: Option<u32>, per_portable: u32) -> Costs {
    let cost = |kernel: Kernel| match kernel {
        Kernel::Portable => Some(per_portable),
        Kernel::Shax4 | Kernel::Shax3 | Kernel::Shax2 | Kernel::Shax1 => {
            per_sha.map(|sha| sha * kernel.messages::<u32>() as u32)
        }
        // The jobs of these tests are not compiled for two groups.
        _ if !KernelSet::SINGLE_GROUPS.contains(kernel) => None,
        _ => Some(per_lanes + kernel.messages::<u32>() as u32),
    };
    let costs: Vec<_> =
        Kernel::ALL.iter().copied().filter_map(|kernel| Some((kernel, cost(kernel)?))).collect();
    Costs::new(&costs)
}

/// Costs whose plans contain each kind of pass, and mixtures of two kinds.
fn all_costs() -> [Costs; 7] {
    [
        costs_of(900_000, None, 1),
        costs_of(900_000, Some(10), 1_000_000),
        costs_of(1, None, 1_000_000),
        costs_of(1, Some(200_000), 1_000_000),
        costs_of(30, Some(6), 40),
        costs_of(30, None, 12),
        costs_of(100, Some(9), 12),
    ]
}

/// Bytes with a period of 251, so that no two blocks are equal; another `seed` gives other bytes.
fn painted(seed: usize, length: usize) -> Vec<u8> {
    let step = 1 + seed / 251;
    (0..length).map(|i| ((seed + i * step) % 251) as u8).collect()
}

/// Compiles only for types that are `Send` and `Sync`.
const fn assert_shared_between_threads<T: Send + Sync>() {}
