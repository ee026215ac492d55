//! Keeps the plans for messages of each shape, and decides when kernels are measured.
//!
//! See docs/scheduling.md for plans and their costs.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicU32, Ordering};

use once_cell::race::OnceBox;

use crate::backend::{self, Backend};
use crate::kernel::{Kernel, KernelSet};
use crate::measure;
use crate::plan::{Costs, Plan};

/// The minimum number of blocks in a call for which measuring pays off.
const MIN_BLOCKS: u64 = 16;

/// The minimum number of blocks in earlier calls for which each measurement pays off. The second
/// one comes some milliseconds of hashing after the first, the third after some tenths of a second.
const MIN_TOTALS: [u32; 3] = [1 << 10, 1 << 18, 1 << 24];

/// How often the kernels are measured.
const MEASUREMENTS: usize = MIN_TOTALS.len();

/// How many times the cost of lanes counts before they are measured, if the build is unoptimised:
/// there, SHA instructions and portable code are 50 to 80 times slower and lanes 1500 to 3000
/// times, on Zen 4.
const UNOPTIMISED_LANES: u32 = 32;

/// The plans for messages of one shape, for each backend.
///
/// The first messages use costs that are plausible on any CPU. Once there are enough of them, each
/// kernel is measured on the running CPU, and twice more after many others: another program that
/// shares the core may have slowed down some kernels.
#[derive(Debug)]
pub struct Plans {
    costs: Costs,
    /// Whether the costs are never measured.
    is_fixed: bool,
    first: [OnceBox<Plan>; backend::COUNT],
    measured: [Measured; MEASUREMENTS],
    /// The number of blocks so far, of plans that were not yet measured as often.
    blocks: AtomicU32,
}

/// The plans of one measurement.
#[derive(Debug)]
struct Measured {
    plans: [OnceBox<Plan>; backend::COUNT],
    /// The backends that a thread has begun to measure, as bits.
    begun: AtomicU32,
}

impl Plans {
    /// The plans of a shape with these lane kernels, before they are measured with these `costs`.
    ///
    /// # Panics
    ///
    /// Panics if a lane kernel outside `lanes` has a cost.
    #[must_use]
    pub const fn new(lanes: KernelSet, costs: Costs) -> Self {
        Self::with(lanes, costs, false)
    }

    /// [`Self::new`] with costs that are never measured, for tests of plans.
    #[must_use]
    pub const fn fixed(lanes: KernelSet, costs: Costs) -> Self {
        Self::with(lanes, costs, true)
    }

    const fn with(lanes: KernelSet, costs: Costs, is_fixed: bool) -> Self {
        let mut i = 0;
        while i < Kernel::ALL.len() {
            let kernel = Kernel::ALL[i];
            assert!(
                kernel.is_sha() || lanes.contains(kernel) || costs.of(kernel).is_none(),
                "a cost for a lane kernel that is not compiled"
            );
            i += 1;
        }
        let measured = [const {
            let plans = [const { OnceBox::new() }; backend::COUNT];
            Measured { plans, begun: AtomicU32::new(0) }
        }; MEASUREMENTS];
        let first = [const { OnceBox::new() }; backend::COUNT];
        Self { costs, is_fixed, first, measured, blocks: AtomicU32::new(0) }
    }

    /// The plan for `backend`, without measuring it.
    #[inline]
    #[must_use]
    pub fn of_few(&self, backend: Backend) -> &Plan {
        let index = backend.index();
        let mut i = MEASUREMENTS;
        while i > 0 {
            i -= 1;
            if let Some(plan) = self.measured[i].plans[index].get() {
                return plan;
            }
        }
        self.first[index].get_or_init(|| {
            let costs = if self.is_fixed { self.costs } else { self.before_measuring(backend) };
            Box::new(Plan::new(&costs, backend::kernels(index)))
        })
    }

    /// The costs before any measurement. With debug assertions, which unoptimised builds enable,
    /// lanes count as unoptimised. A backend of a single kernel is for tests of this kernel.
    fn before_measuring(&self, backend: Backend) -> Costs {
        let may_be_unoptimised =
            cfg!(debug_assertions) && measure::has_clock() && !backend.has_single_kernel();
        let mut costs = self.costs;
        for kernel in backend.kernels().filter(|_| may_be_unoptimised) {
            let is_lanes = !kernel.is_sha() && kernel != Kernel::Portable;
            if let Some(cost) = costs.of(kernel).filter(|_| is_lanes) {
                costs.set(kernel, cost.saturating_mul(UNOPTIMISED_LANES));
            }
        }
        costs
    }

    /// The plan for `backend` and a call with `blocks` blocks. `hash(kernel, n)` hashes `n`
    /// messages by passes of one kernel and returns the number of blocks of each, to measure it if
    /// need be.
    #[inline]
    #[must_use]
    pub fn of(
        &self,
        backend: Backend,
        blocks: impl FnOnce() -> u64,
        hash: impl FnMut(Kernel, usize) -> u32,
    ) -> &Plan {
        match self.measured[MEASUREMENTS - 1].plans[backend.index()].get() {
            Some(plan) => plan,
            None => self.find(backend, blocks(), hash),
        }
    }

    /// The plan of the last measurement, or of another one if it is time. Only one thread measures;
    /// the others do not wait for it.
    #[cold]
    #[inline(never)]
    fn find(
        &self,
        backend: Backend,
        blocks: u64,
        mut hash: impl FnMut(Kernel, usize) -> u32,
    ) -> &Plan {
        let index = backend.index();
        let kernels = backend::kernels(index);
        let plan = self.of_few(backend);
        let counted = u32::try_from(blocks).unwrap_or(u32::MAX);
        // Threads that meet may forget some blocks, which costs less than an atomic addition.
        let before = self.blocks.load(Ordering::Relaxed);
        self.blocks.store(before.saturating_add(counted), Ordering::Relaxed);
        let is_open = |measured: &Measured| measured.plans[index].get().is_none();
        let Some(i) = self.measured.iter().position(is_open).filter(|_| !self.is_fixed) else {
            return plan;
        };
        let is_enough = before >= MIN_TOTALS[i] || i == 0 && blocks >= MIN_BLOCKS;
        let bit = 1 << index;
        if !is_enough || self.measured[i].begun.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            return plan;
        }
        let candidates = backend.kernels().filter(|&kernel| plan.costs().of(kernel).is_some());
        let next = match measure::costs(candidates, plan.costs(), &mut hash) {
            Some(costs) if i > 0 => Plan::near(&costs.min(plan.costs()), kernels, plan),
            Some(costs) => Plan::near(&costs, kernels, plan),
            None => *plan,
        };
        self.measured[i].plans[index].get_or_init(|| Box::new(next))
    }
}
