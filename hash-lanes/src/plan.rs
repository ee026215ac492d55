//! Finds the cheapest sequence of kernels for any number of messages.
//!
//! See docs/scheduling.md for plans and their costs.

use core::ops::Range;

use crate::backend::{self, Backend};
use crate::cpu::Microarch;
use crate::kernel::{Kernel, KernelSet, Pass};

/// The cost of a missing portable kernel, which a plan falls back to if no kernel has a cost.
const NEVER: u32 = 2_000_000;

/// The largest number of messages with its own plan.
const PLANNED: usize = 64;

/// The cost of one pass of each kernel for messages of one shape, in cycles or any other unit.
#[derive(Clone, Copy, Debug)]
pub struct Costs([u32; Kernel::ALL.len()]);

impl Costs {
    /// The costs of these kernels. Other kernels do not hash messages of this shape.
    ///
    /// # Panics
    ///
    /// Panics if a cost is zero or above 1,000,000.
    #[must_use]
    pub const fn new(costs: &[(Kernel, u32)]) -> Self {
        let mut all = [0; Kernel::ALL.len()];
        let mut i = 0;
        while i < costs.len() {
            let (kernel, cost) = costs[i];
            assert!(cost > 0 && cost <= 1_000_000, "a cost must be between 1 and 1,000,000");
            all[kernel as usize] = cost;
            i += 1;
        }
        Self(all)
    }

    /// The cost of one pass of `kernel`, if it hashes messages of this shape.
    #[must_use]
    pub const fn of(&self, kernel: Kernel) -> Option<u32> {
        match self.0[kernel as usize] {
            0 => None,
            cost => Some(cost),
        }
    }
}

impl Costs {
    /// Like [`Self::of`], but the portable kernel always has a cost.
    const fn or_never(&self, kernel: Kernel) -> Option<u32> {
        match (self.of(kernel), kernel) {
            (None, Kernel::Portable) => Some(NEVER),
            (cost, _) => cost,
        }
    }

    /// The cost of one pass over `count` messages, or as many as `kernel` takes. Filling idle lanes
    /// costs a sixteenth of the pass: on Sapphire Rapids 3 to 10 % for nodes.
    const fn of_pass(&self, kernel: Kernel, count: usize) -> Option<u32> {
        match self.or_never(kernel) {
            Some(cost) if count < kernel.messages() && !kernel.is_sha() => Some(cost + cost / 16),
            cost => cost,
        }
    }
}

/// A kernel that a plan may use. Looking its costs up once halves the time of compiling plans.
#[derive(Clone, Copy)]
struct Usable {
    kernel: Kernel,
    messages: usize,
    /// The cost of a pass.
    full: u32,
    /// The cost of a pass over fewer than `messages`.
    partial: u32,
}

impl Usable {
    /// Those of `kernels` that have a cost, widest first, and their number.
    const fn of(costs: &Costs, kernels: KernelSet) -> ([Self; Kernel::ALL.len()], usize) {
        let none = Self { kernel: Kernel::Portable, messages: 1, full: 0, partial: 0 };
        let (mut usable, mut count) = ([none; Kernel::ALL.len()], 0);
        let mut i = 0;
        while i < Kernel::ALL.len() {
            let kernel = Kernel::ALL[i];
            let messages = kernel.messages();
            if kernels.contains(kernel)
                && let (Some(full), Some(partial)) =
                    (costs.of_pass(kernel, messages), costs.of_pass(kernel, 0))
            {
                usable[count] = Self { kernel, messages, full, partial };
                count += 1;
            }
            i += 1;
        }
        (usable, count)
    }
}

/// The cheapest sequence of kernels for any number of messages of one shape.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The kernel with the lowest cost per message.
    bulk: Kernel,
    /// At index `n`, the kernel to run first for `n` messages.
    first: [Kernel; PLANNED + 1],
    costs: Costs,
}

impl Plan {
    /// Computes the plan by dynamic programming: `n` messages cost one pass plus the cost of those
    /// that are left.
    #[must_use]
    pub const fn new(costs: &Costs, kernels: KernelSet) -> Self {
        let mut plan =
            Self { bulk: Kernel::Portable, first: [Kernel::Portable; PLANNED + 1], costs: *costs };
        let (usable, count) = Usable::of(costs, kernels);
        // The cost of `n` messages.
        let mut total = [0; PLANNED + 1];
        let mut n = 1;
        while n <= PLANNED {
            total[n] = u32::MAX;
            let mut i = 0;
            // The widest kernels come first, so the widest wins a tie.
            while i < count {
                let Usable { kernel, messages, full, partial } = usable[i];
                let cost = if n < messages { partial } else { full + total[n - messages] };
                if cost < total[n] {
                    total[n] = cost;
                    plan.first[n] = kernel;
                }
                i += 1;
            }
            n += 1;
        }
        plan.check(&usable, count);
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

    /// Panics if any kernel alone costs less for any number of messages that has its own plan. The
    /// plans of a hash are computed at compile time, so its crate does not compile then.
    const fn check(&self, usable: &[Usable; Kernel::ALL.len()], count: usize) {
        // The cost of `n` messages.
        let mut planned = [0; PLANNED + 1];
        let mut n = 1;
        while n <= PLANNED {
            let first = self.first[n];
            if let Some(cost) = self.costs.of_pass(first, n) {
                planned[n] = cost + planned[n.saturating_sub(first.messages())];
            }
            let mut i = 0;
            while i < count {
                let Usable { messages, full, partial, .. } = usable[i];
                let rest = if n % messages == 0 { 0 } else { partial };
                let alone = full * (n / messages) as u32 + rest;
                assert!(planned[n] <= alone, "a plan costs more than one of its kernels alone");
                i += 1;
            }
            n += 1;
        }
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

    /// The cost of `count` messages; higher than that of any other plan if no kernel hashes them.
    #[must_use]
    pub fn cost(&self, count: usize) -> u64 {
        // Any more messages than planned run the kernel for bulk first.
        let bulk = count.saturating_sub(PLANNED).div_ceil(self.bulk.messages());
        let cost_of_bulk = u64::from(self.costs.or_never(self.bulk).unwrap_or(NEVER));
        let mut cost = cost_of_bulk.saturating_mul(bulk as u64);
        let mut left = count - bulk * self.bulk.messages();
        while left > 0 {
            let kernel = self.first(left);
            let pass = self.costs.of_pass(kernel, left).unwrap_or(NEVER);
            cost = cost.saturating_add(pass.into());
            left = left.saturating_sub(kernel.messages());
        }
        cost
    }

    /// The passes over `count` messages in order, each with its range of messages. A range fills
    /// the lanes one or more times, or has fewer messages than there are lanes.
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

/// The plans for messages of one shape, for each [`Microarch`] and each backend.
#[derive(Debug)]
pub struct Plans {
    plans: [[Plan; backend::COUNT]; Microarch::COUNT],
}

impl Plans {
    /// Computes the plans from the costs on each [`Microarch`], in its order. `lanes` are the lane
    /// kernels compiled for this shape.
    ///
    /// # Panics
    ///
    /// Panics if a lane kernel outside `lanes` has a cost.
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
                    "a cost for a lane kernel that is not compiled"
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

    /// The plan for `backend` on the running CPU.
    #[inline]
    #[must_use]
    pub fn of(&self, backend: Backend) -> &Plan {
        &self.plans[backend.microarch() as usize][backend.index()]
    }
}
