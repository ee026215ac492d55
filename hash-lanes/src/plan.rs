//! Finds the cheapest sequence of kernels for any number of messages.
//!
//! See docs/scheduling.md for plans and their costs.

use core::ops::Range;
#[cfg(feature = "std")]
use core::sync::atomic::{AtomicU32, Ordering};
#[cfg(feature = "std")]
use std::sync::OnceLock;

use crate::backend::{self, Backend};
use crate::kernel::{Kernel, KernelSet, Pass};
#[cfg(feature = "std")]
use crate::measure;

/// The cost of a missing portable kernel, which a plan falls back to if no kernel has a cost.
const NEVER: u32 = 2_000_000;

/// The largest number of messages with its own plan.
const PLANNED: usize = 64;

/// The cost of one pass of each kernel for messages of one shape, in cycles or any other unit.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    passes: [u32; Kernel::ALL.len()],
    /// What calling a kernel costs beside its passes.
    call: u32,
}

impl Costs {
    /// The costs of these kernels. Other kernels do not hash messages of this shape.
    ///
    /// # Panics
    ///
    /// Panics if a cost is zero or above 1,000,000.
    #[must_use]
    pub const fn new(costs: &[(Kernel, u32)]) -> Self {
        let mut passes = [0; Kernel::ALL.len()];
        let mut i = 0;
        while i < costs.len() {
            let (kernel, cost) = costs[i];
            assert!(cost > 0 && cost <= 1_000_000, "a cost must be between 1 and 1,000,000");
            passes[kernel as usize] = cost;
            i += 1;
        }
        Self { passes, call: 0 }
    }

    /// These costs of passes, with that of calling a kernel.
    #[must_use]
    pub const fn with_call(mut self, call: u32) -> Self {
        self.call = call;
        self
    }

    /// What calling a kernel costs beside its passes.
    #[must_use]
    pub const fn of_call(&self) -> u32 {
        self.call
    }

    /// The costs on x86 CPUs or on others, whichever this is compiled for.
    ///
    /// # Panics
    ///
    /// Panics if [`Self::new`] does.
    #[must_use]
    pub const fn of_architecture(x86: &[(Kernel, u32)], others: &[(Kernel, u32)]) -> Self {
        let is_x86 = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
        Self::new(if is_x86 { x86 } else { others })
    }

    /// These costs without that of `kernel`, which does not hash messages of this shape.
    #[must_use]
    pub const fn without(mut self, kernel: Kernel) -> Self {
        self.passes[kernel as usize] = 0;
        self
    }

    /// Sets the cost of one pass of `kernel`.
    #[cfg(feature = "std")]
    pub(crate) fn set(&mut self, kernel: Kernel, cost: u32) {
        self.passes[kernel as usize] = cost.clamp(1, 1_000_000);
    }

    /// The lower cost of each kernel in two measurements.
    #[cfg(feature = "std")]
    pub(crate) fn min(mut self, other: &Self) -> Self {
        for (cost, other) in self.passes.iter_mut().zip(other.passes) {
            *cost = other.min(*cost);
        }
        self
    }

    /// The cost of one pass of `kernel`, if it hashes messages of this shape.
    #[must_use]
    pub const fn of(&self, kernel: Kernel) -> Option<u32> {
        match self.passes[kernel as usize] {
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

/// A call of a kernel: one or more passes.
#[derive(Clone, Copy, Debug)]
struct Run {
    kernel: Kernel,
    /// The number of messages: those of its passes, or fewer than those of one.
    messages: u8,
}

/// The cheapest sequence of kernels for any number of messages of one shape.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The kernel with the lowest cost per message.
    bulk: Kernel,
    /// At index `n`, what to run first for `n` messages.
    first: [Run; PLANNED + 1],
    costs: Costs,
}

impl Plan {
    /// Computes the plan by dynamic programming: `n` messages cost a call and one or more passes of
    /// a kernel, plus the cost of those that are left.
    #[must_use]
    pub const fn new(costs: &Costs, kernels: KernelSet) -> Self {
        let mut plan = Self { costs: *costs, ..Self::only(Kernel::Portable) };
        let (usable, count) = Usable::of(costs, kernels);
        // The cost of `n` messages, without the call that begins them.
        let mut total = [0; PLANNED + 1];
        // The same if usable kernel `i` begins, and the number of messages that it takes.
        let mut begun = [[(0, 0_u8); PLANNED + 1]; Kernel::ALL.len()];
        let mut n = 1;
        while n <= PLANNED {
            total[n] = u32::MAX;
            let mut i = 0;
            // The widest kernels come first, so the widest wins a tie.
            while i < count {
                let Usable { kernel, messages, full, partial } = usable[i];
                let (cost, taken) = if n < messages {
                    (partial, n as u8)
                } else {
                    let left = n - messages;
                    let (continued, taken) = begun[i][left];
                    let ended = total[left] + if left > 0 { costs.call } else { 0 };
                    if left >= messages && continued <= ended {
                        (full + continued, messages as u8 + taken)
                    } else {
                        (full + ended, messages as u8)
                    }
                };
                begun[i][n] = (cost, taken);
                if cost < total[n] {
                    total[n] = cost;
                    plan.first[n] = Run { kernel, messages: taken };
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

    /// [`Self::new`], but kernels that `prior` does not use count for a 32nd more, because measured
    /// costs have errors. Preferring them count by count would make passes alternate between
    /// kernels.
    #[cfg(feature = "std")]
    pub(crate) fn near(costs: &Costs, kernels: KernelSet, prior: &Self) -> Self {
        let mut weights = *costs;
        for &kernel in Kernel::ALL {
            if let Some(cost) = costs.of(kernel)
                && !prior.first[1..].iter().any(|run| run.kernel == kernel)
            {
                weights.set(kernel, cost + cost / 32);
            }
        }
        Self { costs: *costs, ..Self::new(&weights, kernels) }
    }

    /// The plan that always runs `kernel`.
    pub(crate) const fn only(kernel: Kernel) -> Self {
        let mut first = [Run { kernel, messages: 0 }; PLANNED + 1];
        let mut n = 1;
        while n <= PLANNED {
            let rest = if n < kernel.messages() { 0 } else { n % kernel.messages() };
            first[n].messages = (n - rest) as u8;
            n += 1;
        }
        Self { bulk: kernel, first, costs: Costs::new(&[]) }
    }

    /// The costs that it was computed from.
    #[cfg(feature = "std")]
    pub(crate) const fn costs(&self) -> &Costs {
        &self.costs
    }

    /// The kernel with the lowest cost per message.
    #[must_use]
    pub const fn bulk(&self) -> Kernel {
        self.bulk
    }

    /// The kernel to call first for `count` messages, and the number of messages that it takes.
    #[inline]
    #[must_use]
    pub fn first(&self, count: usize) -> (Kernel, usize) {
        match self.first.get(count) {
            Some(run) => (run.kernel, run.messages.into()),
            None => {
                let full = self.bulk.messages();
                (self.bulk, (count - PLANNED).div_ceil(full) * full)
            }
        }
    }

    /// The cost of `count` messages; higher than that of any other plan if no kernel hashes them.
    #[must_use]
    pub fn cost(&self, count: usize) -> u64 {
        let (mut cost, mut left) = (0_u64, count);
        while left > 0 {
            let (kernel, taken) = self.first(left);
            let pass = self.costs.of_pass(kernel, taken).unwrap_or(NEVER);
            let passes = taken.div_ceil(kernel.messages()) as u64;
            cost = cost.saturating_add(passes.saturating_mul(pass.into()));
            left -= taken;
            if left > 0 {
                cost = cost.saturating_add(self.costs.call.into());
            }
        }
        cost
    }

    /// The calls of kernels for `count` messages in order, each with its range of messages. A range
    /// fills the lanes one or more times, or has fewer messages than there are lanes.
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
            let (kernel, taken) = self.first(left);
            begin += taken;
            Some((backend.pass(kernel), begin - taken..begin))
        })
    }
}

/// The plans for messages of one shape, for each backend.
///
/// The first messages use costs that are plausible on any CPU. Once there are enough of them, each
/// kernel is measured on the running CPU, and twice more after many others: another program that
/// shares the core may have slowed down some kernels.
#[derive(Debug)]
pub struct Plans {
    #[cfg(feature = "std")]
    costs: Costs,
    #[cfg(feature = "std")]
    first: [OnceLock<Plan>; backend::COUNT],
    #[cfg(feature = "std")]
    measured: [Measured; MEASUREMENTS],
    /// The number of messages so far, of plans that were not yet measured as often.
    #[cfg(feature = "std")]
    messages: AtomicU32,
    #[cfg(not(feature = "std"))]
    first: [Plan; backend::COUNT],
}

/// How often the kernels are measured.
#[cfg(feature = "std")]
const MEASUREMENTS: usize = measure::MIN_TOTALS.len();

/// The plans of one measurement.
#[cfg(feature = "std")]
#[derive(Debug)]
struct Measured {
    plans: [OnceLock<Plan>; backend::COUNT],
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
        Self::with(lanes, costs, 0)
    }

    /// [`Self::new`] with costs that are never measured, for tests of plans.
    #[must_use]
    pub const fn fixed(lanes: KernelSet, costs: Costs) -> Self {
        Self::with(lanes, costs, u32::MAX)
    }

    /// `begun` has the backends that are not measured, as bits.
    const fn with(lanes: KernelSet, costs: Costs, begun: u32) -> Self {
        let mut i = 0;
        while i < Kernel::ALL.len() {
            let kernel = Kernel::ALL[i];
            assert!(
                kernel.is_sha() || lanes.contains(kernel) || costs.of(kernel).is_none(),
                "a cost for a lane kernel that is not compiled"
            );
            i += 1;
        }
        #[cfg(feature = "std")]
        {
            let mut measured = [const {
                let plans = [const { OnceLock::new() }; backend::COUNT];
                Measured { plans, begun: AtomicU32::new(0) }
            }; MEASUREMENTS];
            measured[0].begun = AtomicU32::new(begun);
            let first = [const { OnceLock::new() }; backend::COUNT];
            Self { costs, first, measured, messages: AtomicU32::new(0) }
        }
        #[cfg(not(feature = "std"))]
        {
            let _ = begun;
            let none = Plan::new(&costs, KernelSet::of(&[Kernel::Portable]));
            let mut first = [none; backend::COUNT];
            let mut i = 0;
            while i < backend::COUNT {
                first[i] = Plan::new(&costs, backend::kernels(i));
                i += 1;
            }
            Self { first }
        }
    }

    /// The plan for `backend`, without measuring it.
    #[inline]
    #[must_use]
    pub fn of_few(&self, backend: Backend) -> &Plan {
        #[cfg(feature = "std")]
        {
            let index = backend.index();
            let mut measured = self.measured.iter().rev();
            measured.find_map(|measured| measured.plans[index].get()).unwrap_or_else(|| {
                self.first[index].get_or_init(|| Plan::new(&self.costs, backend::kernels(index)))
            })
        }
        #[cfg(not(feature = "std"))]
        &self.first[backend.index()]
    }

    /// The plan for `backend` and `count` messages. `hash(kernel, n)` hashes `n` messages by
    /// passes of one kernel and returns the number of blocks of each, to measure it if need be.
    #[inline]
    #[must_use]
    pub fn of(
        &self,
        backend: Backend,
        count: usize,
        hash: impl FnMut(Kernel, usize) -> u32,
    ) -> &Plan {
        #[cfg(feature = "std")]
        match self.measured[MEASUREMENTS - 1].plans[backend.index()].get() {
            Some(plan) => plan,
            None => self.find(backend, count, hash),
        }
        #[cfg(not(feature = "std"))]
        {
            let _ = (count, hash);
            &self.first[backend.index()]
        }
    }

    /// The plan of the last measurement, or of another one if it is time. Only one thread measures;
    /// the others do not wait for it.
    #[cfg(feature = "std")]
    #[cold]
    #[inline(never)]
    fn find(
        &self,
        backend: Backend,
        count: usize,
        mut hash: impl FnMut(Kernel, usize) -> u32,
    ) -> &Plan {
        let index = backend.index();
        let kernels = backend::kernels(index);
        let plan = self.of_few(backend);
        let counted = u32::try_from(count).unwrap_or(u32::MAX);
        // Threads that meet may forget some messages, which costs less than an atomic addition.
        let before = self.messages.load(Ordering::Relaxed);
        self.messages.store(before.saturating_add(counted), Ordering::Relaxed);
        let is_open = |measured: &Measured| measured.plans[index].get().is_none();
        let Some(i) = self.measured.iter().position(is_open) else { return plan };
        let is_enough =
            before >= measure::MIN_TOTALS[i] || i == 0 && count >= measure::MIN_MESSAGES;
        let bit = 1 << index;
        if !is_enough || self.measured[i].begun.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
            return plan;
        }
        let next = match measure::costs(backend, plan, &mut hash) {
            Some(costs) if i > 0 => Plan::near(&costs.min(plan.costs()), kernels, plan),
            Some(costs) => Plan::near(&costs, kernels, plan),
            None => *plan,
        };
        self.measured[i].plans[index].get_or_init(|| next)
    }
}
