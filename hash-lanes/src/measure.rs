//! Measures what a pass of each kernel costs on the running CPU.
//!
//! Another program, an interrupt or a clock that ramps up must not cost more than a few per cent.
//! So the kernels take turns, forwards and backwards, and only the minimum of each counts: one
//! undisturbed turn of each is enough. A turn takes at least a microsecond and sixteen ticks of the
//! clock. With a coarser clock, or one that is set back, nothing is measured.
//!
//! A program that shares the core for longer slows down some kernels more than others (by 40 %
//! those of the SHA instructions on Zen 4), so they are measured again after many blocks, and the
//! lower cost counts. Plans prefer their former choice unless another kernel is clearly cheaper.

use arrayvec::ArrayVec;

use crate::kernel::Kernel;
use crate::lanes::MAX_LANES;
use crate::plan::Costs;

/// The maximum number of messages of 32-bit words in a call of a kernel: a multiple of those in a
/// pass of most kernels. The portable kernel takes longer for each, so it hashes only a few.
const MESSAGES: usize = MAX_LANES;
const PORTABLE_MESSAGES: usize = 4;

const MAX_CANDIDATES: usize = Kernel::ALL.len();

/// The minimum and maximum number of rounds of turns, and the time after which no other begins. The
/// first rounds find out how many passes make a turn.
const MIN_ROUNDS: usize = 4;
const ROUNDS: usize = 10;
const BUDGET_NS: u64 = 60_000;

/// The minimum time of a turn, in nanoseconds and in ticks of the clock.
const MIN_TURN_NS: u64 = 1_000;
const MIN_TURN_TICKS: u64 = 16;

/// The maximum time of a tick. A coarser clock would take milliseconds to measure with.
const MAX_TICK_NS: u64 = 2_000;

/// How often the clock is read until it ticks.
const MAX_READS: usize = 1_000;

/// A turn that is too short grows by at most this factor.
const MAX_GROWTH: u64 = 16;

/// A clock that does not tick during this many passes stands still.
const MAX_STILL: usize = 256;

/// What a call of a kernel costs beside its passes, in tenths of a nanosecond: its pipeline fills
/// and drains. On Zen 3 a call takes 20 to 26 ns, with three SHA streams and then two or one.
const CALL: u32 = 200;

/// A candidate that takes this many times as long as the best one has no more turns.
const HOPELESS: u64 = 3;

/// A multiple of the number of messages in a pass of each kernel.
const COMMON_MULTIPLE: u64 = 96;

/// The costs of the `candidates`, which have `prior` ones; `None` if there is no clock that is fine
/// enough.
///
/// `hash(kernel, n)` hashes `n` messages by passes of one kernel and returns the number of blocks
/// of each.
pub(crate) fn costs(
    candidates: impl Iterator<Item = Kernel>,
    prior: &Costs,
    hash: &mut dyn FnMut(Kernel, usize) -> u32,
) -> Option<Costs> {
    costs_of(&candidates.collect::<ArrayVec<_, MAX_CANDIDATES>>(), prior, hash, clock()?)
}

/// [`costs`] with the clock as an argument.
fn costs_of(
    kernels: &[Kernel],
    prior: &Costs,
    hash: &mut dyn FnMut(Kernel, usize) -> u32,
    now: impl Fn() -> u64,
) -> Option<Costs> {
    let candidates = kernels.iter().map(|kernel| {
        let is_portable = *kernel == Kernel::Portable;
        let max = if is_portable { PORTABLE_MESSAGES } else { prior.as_many_as(MESSAGES) };
        let messages = prior.messages(*kernel);
        Candidate::new(COMMON_MULTIPLE / messages as u64, max / messages)
    });
    let mut candidates: ArrayVec<_, MAX_CANDIDATES> = candidates.collect();
    let mut blocks = 1;
    let mut run = |i: usize, passes: usize| {
        blocks = hash(kernels[i], passes * prior.messages(kernels[i])).max(1);
    };
    take_turns(&mut candidates, &mut run, now)?;
    let mut costs = prior.without_any().with_call(CALL / blocks);
    for (&kernel, candidate) in kernels.iter().zip(&candidates) {
        // In tenths of a nanosecond, like the tables.
        let cost = candidate.per_pass.saturating_mul(10) / (FRACTION * u64::from(blocks));
        costs.set(kernel, u32::try_from(cost).unwrap_or(u32::MAX));
    }
    Some(costs)
}

/// Measures the least time of each candidate in nanoseconds; `None` if there is no clock that is
/// fine enough.
///
/// `turn(i)` runs candidate `i` for some microseconds.
pub fn least_times<const N: usize>(turn: &mut dyn FnMut(usize)) -> Option<[u64; N]> {
    let mut candidates = [const { Candidate::new(1, 1) }; N];
    take_turns(&mut candidates, &mut |i, _| turn(i), clock()?)?;
    Some(candidates.map(|candidate| candidate.per_pass / FRACTION))
}

/// Whether anything can be measured.
pub(crate) const fn has_clock() -> bool {
    cfg!(all(feature = "std", not(any(miri, target_family = "wasm"))))
}

/// A clock in nanoseconds.
fn clock() -> Option<impl Fn() -> u64> {
    #[cfg(all(feature = "std", not(any(miri, target_family = "wasm"))))]
    {
        let start = std::time::Instant::now();
        Some(move || u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
    }
    #[cfg(not(all(feature = "std", not(any(miri, target_family = "wasm")))))]
    None::<fn() -> u64>
}

/// What is known of a clock.
struct Clock {
    /// The time to read it.
    read: u64,
    /// The minimum time of a turn.
    min_turn: u64,
}

impl Clock {
    /// Reads the clock until it has ticked some times; `None` if it is too coarse.
    fn observe(now: &impl Fn() -> u64) -> Option<Self> {
        let (mut read, mut tick) = (u64::MAX, u64::MAX);
        for _ in 0..4 {
            let before = now();
            let mut times = (0..MAX_READS).map(|_| now().saturating_sub(before));
            let first = times.next().unwrap_or(0);
            read = read.min(first);
            tick = tick.min(if first > 0 { first } else { times.find(|&time| time > 0)? });
        }
        (tick <= MAX_TICK_NS)
            .then(|| Self { read, min_turn: MIN_TURN_NS.max(MIN_TURN_TICKS * tick) })
    }
}

/// Times of passes are in parts of a nanosecond.
const FRACTION: u64 = 1024;

/// What takes turns.
struct Candidate {
    /// How many of its passes do as much as those of the others.
    equivalent: u64,
    /// The number of passes in a turn, and the maximum number in a call.
    passes: usize,
    passes_of_call: usize,
    /// The least time of a pass so far, and the number of turns that were long enough.
    per_pass: u64,
    turns: usize,
}

impl Candidate {
    const fn new(equivalent: u64, passes_of_call: usize) -> Self {
        Self { equivalent, passes: 1, passes_of_call, per_pass: u64::MAX, turns: 0 }
    }

    fn is_measured(&self) -> bool {
        self.turns > 0
    }

    /// Whether it is clearly slower than the best, which one disturbed turn does not prove.
    fn is_hopeless(&self, best: u64) -> bool {
        self.turns > 1 && self.per_work() > best.saturating_mul(HOPELESS)
    }

    /// Runs a turn by `run`, which takes a number of passes. Returns `false` if the clock stands
    /// still.
    fn take_turn(
        &mut self,
        mut run: impl FnMut(usize),
        now: &impl Fn() -> u64,
        clock: &Clock,
    ) -> bool {
        let before = now();
        let mut left = self.passes;
        while left > 0 {
            let passes = left.min(self.passes_of_call);
            run(passes);
            left -= passes;
        }
        // The clock may have been set back.
        let Some(time) = now().checked_sub(before) else { return true };
        if time == 0 && self.passes >= MAX_STILL {
            return false;
        }
        let (time, min_turn) = (time.saturating_sub(clock.read), clock.min_turn);
        if time < min_turn {
            let growth = (min_turn + min_turn / 4).div_ceil(time.max(1)).min(MAX_GROWTH);
            let passes = self.passes.saturating_mul(growth as usize);
            self.passes = passes.next_multiple_of(self.passes_of_call);
        } else {
            self.per_pass = self.per_pass.min(time.saturating_mul(FRACTION) / self.passes as u64);
            self.turns += 1;
        }
        true
    }

    fn per_work(&self) -> u64 {
        self.per_pass.saturating_mul(self.equivalent)
    }
}

/// Measures the candidates, of which `run(i, n)` runs `n` passes; `None` if there are some that the
/// clock cannot measure.
fn take_turns(
    candidates: &mut [Candidate],
    run: &mut dyn FnMut(usize, usize),
    now: impl Fn() -> u64,
) -> Option<()> {
    let clock = Clock::observe(&now)?;
    let mut waiting: ArrayVec<_, MAX_CANDIDATES> = (0..candidates.len()).collect();
    let begin = now();
    for round in 0..ROUNDS {
        let is_late = now().saturating_sub(begin) > BUDGET_NS;
        if round >= MIN_ROUNDS && is_late && candidates.iter().all(Candidate::is_measured) {
            break;
        }
        for &i in &waiting {
            if !candidates[i].take_turn(|passes| run(i, passes), &now, &clock) {
                return None;
            }
        }
        waiting.reverse();
        let best = candidates.iter().map(Candidate::per_work).min().unwrap_or(0);
        waiting.retain(|i| !candidates[*i].is_hopeless(best));
    }
    candidates.iter().all(Candidate::is_measured).then_some(())
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::kernel::KernelSet;
    use crate::plan::Plan;

    const KERNELS: [Kernel; 5] =
        [Kernel::Avx512x16, Kernel::Avx512x8, Kernel::Shax2, Kernel::Shax1, Kernel::Portable];

    /// A machine whose kernels take the planted nanoseconds a pass.
    struct Machine {
        planted: [u64; 5],
        /// The time, and that to read the clock.
        time: Cell<u64>,
        read: u64,
        /// The clock's resolution.
        tick: u64,
        turns: Cell<u64>,
    }

    impl Machine {
        const fn new(planted: [u64; 5]) -> Self {
            Self { planted, time: Cell::new(0), read: 20, tick: 1, turns: Cell::new(0) }
        }

        const fn with_tick(self, tick: u64) -> Self {
            Self { tick, ..self }
        }

        fn spend(&self, time: u64) {
            self.time.set(self.time.get() + time);
        }

        /// What the clock says.
        fn now(&self) -> u64 {
            self.spend(self.read);
            self.time.get() - self.time.get() % self.tick
        }

        /// The measured costs; `disturb(call)` are the nanoseconds that call number `call` takes
        /// more.
        fn measure_with(
            &self,
            disturb: impl Fn(u64) -> u64,
            now: impl Fn() -> u64,
        ) -> Option<Costs> {
            let mut hash = |kernel: Kernel, messages: usize| {
                let i = KERNELS.iter().position(|&other| other == kernel).expect("a known kernel");
                let passes = (messages / kernel.messages::<u32>()) as u64;
                self.spend(self.planted[i] * passes + disturb(self.turns.get()));
                self.turns.set(self.turns.get() + 1);
                1
            };
            costs_of(&KERNELS, &Costs::new(&[]), &mut hash, now)
        }

        fn measure(&self, disturb: impl Fn(u64) -> u64) -> Costs {
            self.measure_with(disturb, || self.now()).expect("a clock")
        }
    }

    fn measured(planted: [u64; 5]) -> Costs {
        Machine::new(planted).measure(|_| 0)
    }

    const PLANTED: [u64; 5] = [400, 300, 60, 50, 290];

    fn assert_planted(costs: &Costs) {
        for (kernel, planted) in KERNELS.into_iter().zip(PLANTED) {
            let (cost, planted) = (costs.of(kernel).expect("a cost"), 10 * planted as u32);
            assert!(cost.abs_diff(planted) <= planted / 500, "{kernel:?}: {cost}");
        }
    }

    /// A step between cases. Miri, which takes seconds for each, executes every hundredth.
    const fn step(step: usize) -> usize {
        if cfg!(miri) { 100 * step } else { step }
    }

    #[test]
    fn quiet_machine() {
        let machine = Machine::new(PLANTED);
        assert_planted(&machine.measure(|_| 0));
        assert!(machine.time.get() < 100_000, "{} ns", machine.time.get());
    }

    #[test]
    fn interrupted_every_ten_microseconds() {
        let (machine, next) = (Machine::new(PLANTED), Cell::new(0));
        let costs = machine.measure(|_| {
            if machine.time.get() < next.get() {
                return 0;
            }
            next.set(machine.time.get() + 10_000);
            5_000
        });
        assert_planted(&costs);
    }

    #[test]
    fn cold_first_round() {
        assert_planted(&Machine::new(PLANTED).measure(|call| if call < 5 { 8_000 } else { 0 }));
    }

    #[test]
    fn preempted_for_ten_milliseconds() {
        for preempted in 0..20 {
            let machine = Machine::new(PLANTED);
            let costs = machine.measure(|call| if call == preempted { 10_000_000 } else { 0 });
            assert_planted(&costs);
            assert!(machine.time.get() < 10_100_000, "{} ns", machine.time.get());
        }
    }

    /// Unoptimised kernels: lanes take 3000 times as long, SHA instructions 80 times.
    #[test]
    fn passes_of_a_quarter_millisecond() {
        let planted = [700_000, 240_000, 5_000, 2_600, 14_000];
        let machine = Machine::new(planted);
        let costs = machine.measure(|_| 0);
        for (kernel, planted) in KERNELS.into_iter().zip(planted) {
            assert_eq!(costs.of(kernel), Some(10 * planted as u32));
        }
        let plan = Plan::new(&costs, KernelSet::of(&KERNELS));
        for count in 1..=64 {
            assert!(plan.first(count).0.is_sha(), "{count}");
        }
        // Two turns of each slow kernel.
        assert!(machine.time.get() < 2_200_000, "{} ns", machine.time.get());
    }

    /// The plan may be wrong by as much as the clock is, a sixteenth for each of two kernels.
    #[test]
    fn coarse_clocks() {
        let all = KernelSet::of(&KERNELS);
        for tick in [100, 279, 1_000, 2_000] {
            for wide in (200..800).step_by(step(7)) {
                let planted = [wide, 300, 60, 50, 290];
                let true_costs = measured(planted);
                let costs = Machine::new(planted).with_tick(tick).measure(|_| 0);
                let (plan, right) = (Plan::new(&costs, all), Plan::new(&true_costs, all));
                for count in 1..=64 {
                    let (mut cost, mut left) = (0, count);
                    while left > 0 {
                        let (kernel, taken) = plan.first(left);
                        let idle = if taken < kernel.messages::<u32>() { 17 } else { 16 };
                        let passes = taken.div_ceil(kernel.messages::<u32>()) as u64;
                        let pass = u64::from(true_costs.of(kernel).expect("a cost"));
                        cost += passes * pass * if kernel.is_sha() { 16 } else { idle };
                        left -= taken;
                    }
                    let least = 16 * right.cost(count);
                    assert!(
                        8 * cost <= 9 * least + 8 * 16 * 10 * u64::from(CALL),
                        "{tick} ns, {planted:?}, {count}: {cost}, not {least}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_clock_too_coarse_measures_nothing() {
        for tick in [2_100, 15_625_000] {
            let machine = Machine::new(PLANTED).with_tick(tick);
            assert!(machine.measure_with(|_| 0, || machine.now()).is_none(), "{tick}");
            assert_eq!(machine.turns.get(), 0, "{tick}");
        }
        let stuck = Machine::new(PLANTED);
        assert!(stuck.measure_with(|_| 0, || 7).is_none());
    }

    /// Whenever the clock is set back, the costs are right or there are none.
    #[test]
    fn a_clock_that_is_set_back() {
        for back in [1, 100_000, u64::MAX] {
            for when in (0..60_000).step_by(step(97)) {
                let machine = Machine::new(PLANTED);
                machine.time.set(200_000);
                let now = || {
                    let time = machine.now();
                    if time < 200_000 + when { time } else { time.saturating_sub(back) }
                };
                if let Some(costs) = machine.measure_with(|_| 0, now) {
                    assert_planted(&costs);
                }
            }
        }
    }

    #[test]
    fn a_clock_that_runs_backwards_measures_nothing() {
        let machine = Machine::new(PLANTED);
        assert!(machine.measure_with(|_| 0, || 1 << (40 - machine.now().ilog2())).is_none());
        let machine = Machine::new(PLANTED);
        assert!(machine.measure_with(|_| 0, || u64::MAX - machine.now()).is_none());
    }

    #[test]
    fn a_later_measurement_corrects_a_disturbed_one() {
        let all = KernelSet::of(&KERNELS);
        let disturbed = measured([520, 315, 84, 70, 300]);
        let plan = Plan::new(&disturbed, all);
        assert_eq!(plan.first(16).0, Kernel::Avx512x16);
        let quiet = measured([500, 300, 60, 50, 290]);
        let corrected = Plan::near(&quiet.min(plan.costs()), all, &plan);
        assert_eq!(corrected.first(16).0, Kernel::Shax2);
        let kept = Plan::near(&disturbed.min(corrected.costs()), all, &corrected);
        assert_eq!(kept.first(16).0, Kernel::Shax2);
    }

    #[test]
    fn a_clear_winner_displaces_the_prior_and_a_close_one_does_not() {
        let all = KernelSet::of(&KERNELS);
        let prior = Plan::new(&measured([800, 300, 60, 50, 290]), all);
        assert_eq!(prior.first(16).0, Kernel::Shax2);
        let close = Plan::near(&measured([470, 300, 60, 50, 290]), all, &prior);
        assert_eq!(close.first(16).0, Kernel::Shax2);
        let clear = Plan::near(&measured([430, 300, 60, 50, 290]), all, &prior);
        assert_eq!(clear.first(16).0, Kernel::Avx512x16);
    }

    #[test]
    fn kernels_that_cost_the_same_do_not_alternate() {
        let costs = |wide, narrow| {
            let portable = (Kernel::Portable, 1000);
            Costs::new(&[(Kernel::Avx512x16x2, wide), (Kernel::Avx512x16, narrow), portable])
        };
        let all = KernelSet::LANES;
        let prior = Plan::new(&costs(3700, 1800), all);
        assert_eq!(prior.first(64).0, Kernel::Avx512x16);
        let measured = Plan::near(&costs(3500, 1810), all, &prior);
        assert_eq!(measured.first(64).0, measured.first(32).0);
    }
}
