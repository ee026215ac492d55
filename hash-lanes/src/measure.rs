//! Measures what a pass of each kernel costs on the running CPU.
//!
//! Another program, an interrupt or a clock that ramps up must not cost more than a few per cent.
//! So the kernels take turns, forwards and backwards, and only the minimum of each counts: one
//! undisturbed turn of each is enough. [`Plan`] prefers its former choice unless another kernel is
//! clearly cheaper.

use std::time::Instant;
use std::vec::Vec;

use crate::backend::Backend;
use crate::kernel::{Kernel, Pass};
use crate::plan::{Costs, Plan};

/// The minimum number of messages for which measuring pays off.
pub(crate) const MIN_MESSAGES: usize = 16;

/// The maximum number of turns of each kernel, and the time after which no other round begins.
const ROUNDS: usize = 8;
const BUDGET_NS: u64 = 60_000;

/// A kernel that takes this many times as long as the best one is not measured again.
const HOPELESS: u64 = 3;

/// The costs of the kernels of `backend` that `prior` has costs of; `None` if there is no clock.
///
/// `hash(pass, n)` hashes `n` messages by passes of one kernel and returns the number of blocks of
/// each.
pub(crate) fn costs(
    backend: Backend,
    prior: &Plan,
    hash: &mut dyn FnMut(Pass, usize) -> u32,
) -> Option<Costs> {
    if cfg!(any(miri, target_family = "wasm")) {
        return None;
    }
    let start = Instant::now();
    let now = || u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let kernels = backend.kernels().filter(|&kernel| prior.costs().of(kernel).is_some());
    let hash = |kernel, messages| hash(backend.pass(kernel), messages);
    Some(costs_of(kernels.collect(), hash, now))
}

/// [`costs`] with the clock as an argument; `now` returns nanoseconds.
fn costs_of(
    mut kernels: Vec<Kernel>,
    mut hash: impl FnMut(Kernel, usize) -> u32,
    now: impl Fn() -> u64,
) -> Costs {
    let mut costs = Costs::new(&[]);
    // The least cost of 1024 messages.
    let mut best = u64::MAX;
    let begin = now();
    let of_clock = (0..4).map(|_| u64::abs_diff(now(), now())).min().unwrap_or(0);
    for round in 0..ROUNDS {
        if round > 1 && now() - begin > BUDGET_NS {
            break;
        }
        for &kernel in &kernels {
            let least = if kernel == Kernel::Portable { 2 } else { MIN_MESSAGES };
            let messages = least.next_multiple_of(kernel.messages());
            let before = now();
            let blocks = hash(kernel, messages);
            let nanoseconds = (now() - before).saturating_sub(of_clock).max(1);
            // In tenths of a nanosecond, like the tables.
            let cost = 10 * nanoseconds * kernel.messages() as u64;
            let cost = cost / (messages as u64 * u64::from(blocks));
            costs.set_if_less(kernel, u32::try_from(cost).unwrap_or(u32::MAX));
            best = best.min(1024 * cost / kernel.messages() as u64);
        }
        kernels.reverse();
        if round > 0 {
            kernels.retain(|&kernel| {
                let cost = u64::from(costs.of(kernel).unwrap_or(u32::MAX));
                1024 * cost / kernel.messages() as u64 <= HOPELESS * best
            });
        }
    }
    costs
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
            let passes = messages / kernel.messages();
            clock.set(clock.get() + planted[i] * passes as u64 + disturb(turn));
            turn += 1;
            1
        };
        (costs_of(KERNELS.to_vec(), hash, || clock.get()), clock.get())
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
    fn a_clear_winner_displaces_the_prior_and_a_close_one_does_not() {
        let all = KernelSet::of(&KERNELS);
        let prior = Plan::new(&measured([800, 300, 60, 50, 290], |_| 0).0, all);
        assert_eq!(prior.first(16), Kernel::Shax2);
        let close = Plan::near(&measured([470, 300, 60, 50, 290], |_| 0).0, all, &prior);
        assert_eq!(close.first(16), Kernel::Shax2);
        let clear = Plan::near(&measured([430, 300, 60, 50, 290], |_| 0).0, all, &prior);
        assert_eq!(clear.first(16), Kernel::Avx512x16);
    }
}
