//! Which kernels hash how many messages.
//!
//! See docs/scheduling.md for plans and their costs.

use core::ops::Range;

use crate::backend::{self, Backend};
use crate::cpu::{Microarch, ShaExtensions};
use crate::kernel::{Kernel, KernelSet, LaneKernel};

/// The cost of a portable kernel that there is not. Without a kernel the plan names it.
const NEVER: u32 = 2_000_000;

/// Up to this many messages every count has its own plan.
const PLANNED: usize = 64;

/// What one pass of each kernel costs for messages of one shape, in cycles or any other unit.
#[derive(Clone, Copy, Debug)]
pub struct Costs([u32; Kernel::ALL.len()]);

impl Costs {
    /// The costs of these kernels. Others do not hash messages of that shape.
    ///
    /// # Panics
    ///
    /// Panics if a cost is zero or above a million.
    #[must_use]
    pub const fn new(costs: &[(Kernel, u32)]) -> Self {
        let mut all = [0; Kernel::ALL.len()];
        let mut i = 0;
        while i < costs.len() {
            let (kernel, cost) = costs[i];
            assert!(cost > 0 && cost <= 1_000_000, "a cost that is zero or above a million");
            all[kernel as usize] = cost;
            i += 1;
        }
        Self(all)
    }

    /// What one pass of `kernel` costs, if it hashes messages of that shape.
    #[must_use]
    pub const fn of(&self, kernel: Kernel) -> Option<u32> {
        match self.0[kernel as usize] {
            0 => None,
            cost => Some(cost),
        }
    }
}

impl Costs {
    /// The same, with a cost of the portable kernel in any case.
    const fn or_never(&self, kernel: Kernel) -> Option<u32> {
        match (self.of(kernel), kernel) {
            (None, Kernel::Portable) => Some(NEVER),
            (cost, _) => cost,
        }
    }
}

/// One pass over some messages.
#[derive(Clone, Copy, Debug)]
pub enum Pass {
    /// One message in each lane.
    Lanes(LaneKernel),
    /// This many messages, one to four, interleaved for the CPU's SHA instructions.
    Sha(ShaExtensions, usize),
}

impl Pass {
    /// How many messages it takes at most.
    #[must_use]
    pub const fn messages(self) -> usize {
        match self {
            Self::Lanes(kernel) => kernel.lanes(),
            Self::Sha(_, streams) => streams,
        }
    }
}

/// The cheapest sequence of kernels for any number of messages of one shape.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The kernel with the lowest cost per message.
    bulk: Kernel,
    /// The kernel to run first for `n` messages.
    first: [Kernel; PLANNED + 1],
    costs: Costs,
}

impl Plan {
    /// By dynamic programming: `n` messages cost one pass and what is left after it.
    #[must_use]
    pub const fn new(costs: &Costs, kernels: KernelSet) -> Self {
        let mut plan =
            Self { bulk: Kernel::Portable, first: [Kernel::Portable; PLANNED + 1], costs: *costs };
        // What `n` messages cost.
        let mut total = [0; PLANNED + 1];
        let mut n = 1;
        while n <= PLANNED {
            total[n] = u32::MAX;
            let mut i = 0;
            // The widest come first, so that among equals the widest is taken.
            while i < Kernel::ALL.len() {
                let kernel = Kernel::ALL[i];
                if kernels.contains(kernel)
                    && let Some(cost) = costs.or_never(kernel)
                {
                    let cost = cost + total[n.saturating_sub(kernel.messages())];
                    if cost < total[n] {
                        total[n] = cost;
                        plan.first[n] = kernel;
                    }
                }
                i += 1;
            }
            n += 1;
        }
        let mut i = 0;
        while i < Kernel::ALL.len() {
            let (kernel, best) = (Kernel::ALL[i], plan.bulk);
            if kernels.contains(kernel)
                && let (Some(cost), Some(best_cost)) =
                    (costs.or_never(kernel), costs.or_never(best))
                && cost as usize * best.messages() < best_cost as usize * kernel.messages()
            {
                plan.bulk = kernel;
            }
            i += 1;
        }
        plan
    }

    /// The kernel with the lowest cost per message.
    #[must_use]
    pub const fn bulk(&self) -> Kernel {
        self.bulk
    }

    /// The kernel to run first for `count` messages.
    #[inline]
    #[must_use]
    pub fn first(&self, count: usize) -> Kernel {
        *self.first.get(count).unwrap_or(&self.bulk)
    }

    /// What `count` messages cost; more than any other plan if no kernel hashes them.
    #[must_use]
    pub fn cost(&self, count: usize) -> u64 {
        let (mut left, mut cost) = (count, 0);
        while left > 0 {
            let kernel = self.first(left);
            left = left.saturating_sub(kernel.messages());
            cost += u64::from(self.costs.of(kernel).unwrap_or(NEVER));
        }
        cost
    }

    /// The passes over `count` messages in order, each with the messages that it takes: as many as
    /// fill its lanes one or more times, or fewer messages than lanes.
    #[inline]
    pub fn passes(
        &self,
        backend: Backend,
        count: usize,
    ) -> impl Iterator<Item = (Pass, Range<usize>)> {
        let mut begin = 0;
        core::iter::from_fn(move || {
            let left = count - begin;
            if left == 0 {
                return None;
            }
            let kernel = self.first(left);
            let full = kernel.messages();
            let taken = if left > PLANNED {
                (left - PLANNED).div_ceil(full) * full
            } else {
                let mut taken = full;
                while taken < left && left - taken >= full && self.first(left - taken) == kernel {
                    taken += full;
                }
                taken.min(left)
            };
            begin += taken;
            Some((backend.pass(kernel), begin - taken..begin))
        })
    }
}

/// The plans for messages of one shape, for each row of costs and each backend.
#[derive(Debug)]
pub struct Plans {
    plans: [[Plan; backend::COUNT]; Microarch::COUNT],
}

impl Plans {
    /// From the costs on each [`Microarch`], in its order. `lanes` are the lane kernels that there
    /// are for that shape.
    ///
    /// # Panics
    ///
    /// Panics if another lane kernel has a cost.
    #[must_use]
    pub const fn new(lanes: KernelSet, costs: &[Costs; Microarch::COUNT]) -> Self {
        let none = Plan::new(&costs[0], KernelSet::of(&[Kernel::Portable]));
        let mut plans = [[none; backend::COUNT]; Microarch::COUNT];
        let mut row = 0;
        while row < Microarch::COUNT {
            let mut i = 0;
            while i < Kernel::ALL.len() {
                let kernel = Kernel::ALL[i];
                assert!(
                    kernel.is_sha() || lanes.contains(kernel) || costs[row].of(kernel).is_none(),
                    "a cost of a kernel that there is not"
                );
                i += 1;
            }
            i = 0;
            while i < backend::COUNT {
                plans[row][i] = Plan::new(&costs[row], backend::kernels(i));
                i += 1;
            }
            row += 1;
        }
        Self { plans }
    }

    /// The plan of a backend on the running CPU.
    #[inline]
    #[must_use]
    pub fn of(&self, backend: Backend) -> &Plan {
        &self.plans[backend.microarch() as usize][backend.index()]
    }
}
