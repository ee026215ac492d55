//! Finds the cheapest sequence of kernels for any number of messages.
//!
//! See docs/scheduling.md for plans and their costs.

use core::ops::Range;

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::cpu::ShaInstructions;
use crate::kernel::{Kernel, KernelSet, Pass};
use crate::word::Word;

/// The maximum cost of a pass: 2 ms in tenths of a nanosecond. Unoptimised lane kernels take up to
/// a quarter of it on Zen 4.
const MAX_COST: u32 = 20_000_000;

/// The cost of a missing portable kernel, which a plan falls back to if no kernel has a cost. A
/// plan for [`PLANNED`] messages still fits into 32 bits.
const NEVER: u32 = 2 * MAX_COST;

/// The number of messages that the scheduler looks at together: a multiple of every lane count.
pub const GROUP: usize = 64;

/// The largest number of messages with its own plan.
const PLANNED: usize = 64;

/// A multiple of the number of messages in a pass of each kernel, to compare costs per message.
const COMMON_MULTIPLE: usize = 96;

/// The cost of one pass of each kernel for messages of one shape, in cycles or any other unit.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    passes: [u32; Kernel::ALL.len()],
    /// What calling a kernel costs beside its passes.
    call: u32,
    /// The bytes of a word, on which the number of messages in a pass depends.
    word_bytes: usize,
}

impl Costs {
    /// The costs of these kernels for a hash of 32-bit words. Other kernels do not hash messages of
    /// this shape.
    ///
    /// # Panics
    ///
    /// Panics if a cost is zero or above 20,000,000.
    #[must_use]
    pub const fn new(costs: &[(Kernel, u32)]) -> Self {
        let mut passes = [0; Kernel::ALL.len()];
        let mut i = 0;
        while i < costs.len() {
            let (kernel, cost) = costs[i];
            assert!(cost > 0 && cost <= MAX_COST, "a cost must be between 1 and 20,000,000");
            passes[kernel as usize] = cost;
            i += 1;
        }
        Self { passes, call: 0, word_bytes: u32::BYTES }
    }

    /// These costs for a hash with words of type `W`.
    #[must_use]
    pub const fn of_words<W: Word>(mut self) -> Self {
        self.word_bytes = W::BYTES;
        self
    }

    /// The number of messages that fill as many lanes as `messages` of a hash with 32-bit words.
    pub(crate) const fn as_many_as(&self, messages: usize) -> usize {
        messages * u32::BYTES / self.word_bytes
    }

    /// The number of messages in a full pass of `kernel`.
    #[must_use]
    pub const fn messages(&self, kernel: Kernel) -> usize {
        kernel.messages_of(self.word_bytes)
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

    /// These costs and those of other kernels.
    #[must_use]
    pub const fn with_all(mut self, costs: &[(Kernel, u32)]) -> Self {
        let others = Self::new(costs);
        let mut i = 0;
        while i < self.passes.len() {
            if others.passes[i] > 0 {
                self.passes[i] = others.passes[i];
            }
            i += 1;
        }
        self
    }

    /// These costs without that of `kernel`, which does not hash messages of this shape.
    #[must_use]
    pub const fn without(mut self, kernel: Kernel) -> Self {
        self.passes[kernel as usize] = 0;
        self
    }

    /// No costs, of kernels with the same words.
    pub(crate) const fn without_any(&self) -> Self {
        Self { passes: [0; Kernel::ALL.len()], ..*self }
    }

    /// Sets the cost of one pass of `kernel`.
    pub(crate) fn set(&mut self, kernel: Kernel, cost: u32) {
        self.passes[kernel as usize] = cost.clamp(1, MAX_COST);
    }

    /// The lower cost of each kernel in two measurements.
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

    /// The cost of one pass over `count` messages, or as many as `kernel` takes. Filling idle lanes
    /// costs a sixteenth of the pass: on Sapphire Rapids 3 to 10 % for nodes.
    fn of_pass(&self, kernel: Kernel, count: usize) -> u32 {
        let cost = self.of(kernel).unwrap_or(NEVER);
        if count < self.messages(kernel) && !kernel.is_sha() { cost + cost / 16 } else { cost }
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
    pub fn new(costs: &Costs, kernels: KernelSet) -> Self {
        let has_cost = |kernel| costs.of(kernel).is_some() || kernel == Kernel::Portable;
        let usable: ArrayVec<Kernel, { Kernel::ALL.len() }> =
            kernels.iter().filter(|&kernel| has_cost(kernel)).collect();
        let per_message = |kernel: Kernel| {
            let full = costs.messages(kernel);
            costs.of_pass(kernel, full) * (COMMON_MULTIPLE / full) as u32
        };
        let bulk = usable.iter().copied().min_by_key(|&kernel| per_message(kernel));
        let mut plan = Self::only(bulk.unwrap_or(Kernel::Portable), *costs);
        // The cost of `n` messages, without the call that begins them.
        let mut total = [0; PLANNED + 1];
        // The same if a kernel begins, and the number of messages that it takes.
        let mut begun = [[(0, 0_u8); PLANNED + 1]; Kernel::ALL.len()];
        for n in 1..=PLANNED {
            total[n] = u32::MAX;
            // The widest kernels come first, so the widest wins a tie.
            for &kernel in &usable {
                let (messages, pass) = (costs.messages(kernel), costs.of_pass(kernel, n));
                let (cost, taken) = if n < messages {
                    (pass, n as u8)
                } else {
                    let left = n - messages;
                    let (continued, taken) = begun[kernel as usize][left];
                    let ended = total[left] + if left > 0 { costs.call } else { 0 };
                    if left >= messages && continued <= ended {
                        (pass + continued, messages as u8 + taken)
                    } else {
                        (pass + ended, messages as u8)
                    }
                };
                begun[kernel as usize][n] = (cost, taken);
                if cost < total[n] {
                    total[n] = cost;
                    plan.first[n] = Run { kernel, messages: taken };
                }
            }
        }
        plan
    }

    /// [`Self::new`], but kernels that `prior` does not use count for a 32nd more, because measured
    /// costs have errors. Preferring them count by count would make passes alternate between
    /// kernels.
    pub(crate) fn near(costs: &Costs, kernels: KernelSet, prior: &Self) -> Self {
        let mut weights = *costs;
        for kernel in kernels.iter() {
            if let Some(cost) = costs.of(kernel)
                && !prior.first[1..].iter().any(|run| run.kernel == kernel)
            {
                weights.set(kernel, cost + cost / 32);
            }
        }
        Self { costs: *costs, ..Self::new(&weights, kernels) }
    }

    /// The plan that always runs `kernel`, with these costs.
    pub(crate) fn only(kernel: Kernel, costs: Costs) -> Self {
        let full = costs.messages(kernel);
        let first = core::array::from_fn(|n| {
            let messages = if n < full { n } else { n - n % full };
            Run { kernel, messages: messages as u8 }
        });
        Self { bulk: kernel, first, costs }
    }

    /// The costs that it was computed from.
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
                let full = self.costs.messages(self.bulk);
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
            let pass = self.costs.of_pass(kernel, taken);
            let passes = taken.div_ceil(self.costs.messages(kernel)) as u64;
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
    pub fn passes<S: ShaInstructions>(
        &self,
        backend: Backend,
        count: usize,
    ) -> impl Iterator<Item = (Pass<S>, Range<usize>)> {
        self.runs(count).map(move |(kernel, messages)| (backend.pass(kernel), messages))
    }

    /// The kernels of [`Self::passes`].
    #[inline]
    pub(crate) fn runs(&self, count: usize) -> impl Iterator<Item = (Kernel, Range<usize>)> {
        let mut begin = 0;
        core::iter::from_fn(move || {
            let left = count - begin;
            if left == 0 {
                return None;
            }
            let (kernel, taken) = self.first(left);
            begin += taken;
            Some((kernel, begin - taken..begin))
        })
    }
}
