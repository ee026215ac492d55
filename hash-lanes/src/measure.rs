//! Measures what a pass of each kernel costs on the running CPU.
//!
//! Another program, an interrupt or a clock that ramps up must not cost more than a few per cent.
//! So the kernels take turns, forwards and backwards, and only the minimum of each counts: one
//! undisturbed turn of each is enough. A turn takes about a microsecond, because some clocks tick
//! only every 10 nanoseconds. A program that shares the core for longer slows down some kernels
//! more than others (by 40 % those of the SHA instructions on Zen 4), so they are measured again
//! after many messages, and the lower cost counts. [`Plan`] prefers its former choice unless
//! another kernel is clearly cheaper.

use arrayvec::ArrayVec;

use crate::backend::Backend;
use crate::kernel::Kernel;
use crate::lanes::MAX_LANES;
use crate::plan::{Costs, Plan};

/// The minimum number of messages in a call for which measuring pays off.
pub(crate) const MIN_MESSAGES: usize = 16;

/// The minimum number of messages in earlier calls for which each measurement pays off. The second
/// one comes some milliseconds of hashing after the first, the third after some tenths of a second.
pub(crate) const MIN_TOTALS: [u32; 3] = [1 << 10, 1 << 18, 1 << 24];

/// The number of messages in a turn: a multiple of those in a pass of most kernels. The portable
/// kernel takes longer for each, so it hashes only a few.
const MESSAGES: usize = MAX_LANES;
const PORTABLE_MESSAGES: usize = 4;

const MAX_CANDIDATES: usize = Kernel::ALL.len();

/// The minimum and maximum number of turns of each candidate, and the time after which no other
/// round begins.
const MIN_ROUNDS: usize = 3;
const ROUNDS: usize = 8;
const BUDGET_NS: u64 = 60_000;

/// What a call of a kernel costs beside its passes, in tenths of a nanosecond: its pipeline fills
/// and drains. On Zen 3 a call takes 20 to 26 ns, with three SHA streams and then two or one.
const CALL: u32 = 200;

/// A candidate that takes this many times as long as the best one has no more turns.
const HOPELESS: u64 = 3;

/// The costs of the kernels of `backend` that `prior` has costs of; `None` if there is no clock.
///
/// `hash(kernel, n)` hashes `n` messages by passes of one kernel and returns the number of blocks
/// of each.
pub(crate) fn costs(
    backend: Backend,
    prior: &Plan,
    hash: &mut dyn FnMut(Kernel, usize) -> u32,
) -> Option<Costs> {
    let kernels = backend.kernels().filter(|&kernel| prior.costs().of(kernel).is_some());
    let kernels: ArrayVec<_, MAX_CANDIDATES> = kernels.collect();
    Some(costs_of(&kernels, prior.costs(), hash, clock()?))
}

/// [`costs`] with the clock as an argument.
fn costs_of(
    kernels: &[Kernel],
    prior: &Costs,
    mut hash: impl FnMut(Kernel, usize) -> u32,
    now: impl Fn() -> u64,
) -> Costs {
    let messages: ArrayVec<_, MAX_CANDIDATES> = kernels
        .iter()
        .map(|kernel| {
            let max = if *kernel == Kernel::Portable { PORTABLE_MESSAGES } else { MESSAGES };
            max - max % prior.messages(*kernel)
        })
        .collect();
    let mut blocks = 1;
    let mut times = [u64::MAX; MAX_CANDIDATES];
    let mut turn = |i: usize| blocks = hash(kernels[i], messages[i]);
    take_turns(&messages, &mut times, &mut turn, now);
    let mut costs = prior.without_any().with_call(CALL / blocks);
    for ((&kernel, &messages), time) in kernels.iter().zip(&messages).zip(times) {
        // In tenths of a nanosecond, like the tables.
        let full = prior.messages(kernel) as u64;
        let cost = 10 * time * full / (messages as u64 * u64::from(blocks));
        costs.set(kernel, u32::try_from(cost).unwrap_or(u32::MAX));
    }
    costs
}

/// Measures the least time of each candidate in nanoseconds; `None` if there is no clock.
///
/// `turn(i)` runs candidate `i` for some microseconds.
pub fn least_times<const N: usize>(turn: &mut dyn FnMut(usize)) -> Option<[u64; N]> {
    let mut times = [u64::MAX; N];
    take_turns(&[1; N], &mut times, turn, clock()?);
    Some(times)
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

/// Lowers `times[i]` to the least time of candidate `i`. A turn of it does `sizes[i]` units of the
/// same work.
fn take_turns(
    sizes: &[usize],
    times: &mut [u64],
    turn: &mut dyn FnMut(usize),
    now: impl Fn() -> u64,
) {
    let mut candidates: ArrayVec<_, MAX_CANDIDATES> = (0..sizes.len()).collect();
    let begin = now();
    let of_clock = (0..4).map(|_| u64::abs_diff(now(), now())).min().unwrap_or(0);
    for round in 0..ROUNDS {
        if round >= MIN_ROUNDS && now() - begin > BUDGET_NS {
            break;
        }
        for &i in &candidates {
            let before = now();
            turn(i);
            let time = (now() - before).saturating_sub(of_clock).max(1);
            times[i] = times[i].min(time);
        }
        candidates.reverse();
        if round > 0 {
            let of_unit = |i: usize| 1024 * times[i] / sizes[i] as u64;
            let best = candidates.iter().map(|&i| of_unit(i)).min().unwrap_or(0);
            candidates.retain(|i| of_unit(*i) <= HOPELESS * best);
        }
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::kernel::KernelSet;

    const KERNELS: [Kernel; 5] =
        [Kernel::Avx512x16, Kernel::Avx512x8, Kernel::Shax2, Kernel::Shax1, Kernel::Portable];

    /// Measures kernels whose pass takes the given nanoseconds; `disturb(turn)` are those that turn
    /// number `turn` takes more.
    fn measured(planted: [u64; 5], mut disturb: impl FnMut(u64) -> u64) -> (Costs, u64) {
        let (clock, mut turn) = (Cell::new(0), 0);
        let hash = |kernel: Kernel, messages| {
            let i = KERNELS.iter().position(|&other| other == kernel).expect("a known kernel");
            let passes = messages / kernel.messages::<u32>();
            clock.set(clock.get() + planted[i] * passes as u64 + disturb(turn));
            turn += 1;
            1
        };
        (costs_of(&KERNELS, &Costs::new(&[]), hash, || clock.get()), clock.get())
    }

    const PLANTED: [u64; 5] = [400, 300, 60, 50, 290];

    fn assert_planted(costs: &Costs, tolerance: u32) {
        for (kernel, planted) in KERNELS.into_iter().zip(PLANTED) {
            let (cost, planted) = (costs.of(kernel).expect("a cost"), 10 * planted as u32);
            assert!((planted..=planted + tolerance).contains(&cost), "{kernel:?}: {cost}");
        }
    }

    #[test]
    fn quiet_machine() {
        let (costs, time) = measured(PLANTED, |_| 0);
        assert_planted(&costs, 0);
        assert!(time < 100_000, "{time} ns");
    }

    #[test]
    fn every_other_turn_is_disturbed() {
        let (costs, _) = measured(PLANTED, |turn| if turn % 2 == 0 { 5_000 } else { 0 });
        assert_planted(&costs, 0);
    }

    #[test]
    fn cold_first_round() {
        let (costs, _) = measured(PLANTED, |turn| if turn < 5 { 8_000 } else { 0 });
        assert_planted(&costs, 0);
    }

    #[test]
    fn preempted_for_ten_milliseconds() {
        let (costs, time) = measured(PLANTED, |turn| if turn == 7 { 10_000_000 } else { 0 });
        assert_planted(&costs, 0);
        assert!(time < 10_100_000, "{time} ns");
    }

    #[test]
    fn a_later_measurement_corrects_a_disturbed_one() {
        let all = KernelSet::of(&KERNELS);
        let (disturbed, _) = measured([520, 315, 84, 70, 300], |_| 0);
        let plan = Plan::new(&disturbed, all);
        assert_eq!(plan.first(16).0, Kernel::Avx512x16);
        let (quiet, _) = measured([500, 300, 60, 50, 290], |_| 0);
        let corrected = Plan::near(&quiet.min(plan.costs()), all, &plan);
        assert_eq!(corrected.first(16).0, Kernel::Shax2);
        let kept = Plan::near(&disturbed.min(corrected.costs()), all, &corrected);
        assert_eq!(kept.first(16).0, Kernel::Shax2);
    }

    #[test]
    fn a_clear_winner_displaces_the_prior_and_a_close_one_does_not() {
        let all = KernelSet::of(&KERNELS);
        let prior = Plan::new(&measured([800, 300, 60, 50, 290], |_| 0).0, all);
        assert_eq!(prior.first(16).0, Kernel::Shax2);
        let close = Plan::near(&measured([470, 300, 60, 50, 290], |_| 0).0, all, &prior);
        assert_eq!(close.first(16).0, Kernel::Shax2);
        let clear = Plan::near(&measured([430, 300, 60, 50, 290], |_| 0).0, all, &prior);
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
