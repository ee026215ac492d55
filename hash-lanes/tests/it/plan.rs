//! Tests how a plan divides messages of one shape among kernels.

use hash_lanes::Backend;
use hash_lanes::engine::{Costs, Kernel, KernelSet, Plan, Plans, ShaExtensions};
use proptest::prelude::*;

use crate::all_costs;

fn backends() -> Vec<Backend> {
    Backend::available().into_iter().chain(Backend::single_kernels()).collect()
}

fn plan_of(costs: &Costs, backend: Backend) -> Plan {
    Plan::new(costs, KernelSet::of(&backend.kernels().collect::<Vec<_>>()))
}

/// The calls of kernels for `count` messages, each with the number of messages that it takes.
fn calls(plan: &Plan, backend: Backend, count: usize) -> Vec<(Kernel, usize)> {
    let mut calls = Vec::new();
    let mut end = 0;
    for (pass, range) in plan.passes(backend, count) {
        assert_eq!(range.start, end, "{backend}, {count} messages");
        assert!(!range.is_empty(), "{backend}, {count} messages: an empty pass");
        end = range.end;
        let kernel = *Kernel::ALL.iter().find(|&&kernel| is_same(backend, kernel, pass)).unwrap();
        assert!(
            range.len() % kernel.messages::<u32>() == 0 || range.len() < kernel.messages::<u32>(),
            "{backend}, {count} messages: {kernel:?} takes {range:?}"
        );
        calls.push((kernel, range.len()));
    }
    assert_eq!(end, count, "{backend}");
    calls
}

fn is_same(backend: Backend, kernel: Kernel, pass: hash_lanes::engine::Pass) -> bool {
    backend.kernels().any(|other| other == kernel)
        && format!("{:?}", backend.pass::<ShaExtensions>(kernel)) == format!("{pass:?}")
}

/// The calls for `count` messages, whether this machine has the kernels or not.
fn planned(plan: &Plan, count: usize) -> Vec<(Kernel, usize)> {
    let mut calls = Vec::new();
    let mut left = count;
    while left > 0 {
        calls.push(plan.first(left));
        left -= plan.first(left).1;
    }
    calls
}

/// The minimum cost of `count` messages, over all sets of calls. Messages fill one pass after
/// another, so lanes are idle in one pass at most, which is a call of its own.
fn min_cost(costs: &Costs, kernels: &[Kernel], count: usize) -> u32 {
    /// The minimum cost of full passes over `count` messages.
    fn full(costs: &Costs, kernels: &[Kernel], count: usize) -> Option<u32> {
        let [kernel, others @ ..] = kernels else { return (count == 0).then_some(0) };
        let usable = if costs.of(*kernel).is_some() { count / kernel.messages::<u32>() } else { 0 };
        let with = |passes| {
            let taken = passes * kernel.messages::<u32>();
            let of_others = full(costs, others, count - taken)?;
            Some(if passes > 0 { cost_of_call(costs, *kernel, taken) } else { 0 } + of_others)
        };
        (0..=usable).filter_map(with).min()
    }
    let with_idle_lanes =
        kernels.iter().filter(|&&kernel| costs.of(kernel).is_some()).flat_map(|&kernel| {
            (1..kernel.messages::<u32>().min(count + 1)).filter_map(move |taken| {
                Some(cost_of_call(costs, kernel, taken) + full(costs, kernels, count - taken)?)
            })
        });
    let all_calls = with_idle_lanes.chain(full(costs, kernels, count)).min().unwrap();
    // The first call costs as much in every plan, so plans do not count it.
    all_calls.saturating_sub(costs.of_call())
}

/// What a call costs: its passes are a sixteenth more expensive if lanes are idle.
fn cost_of_call(costs: &Costs, kernel: Kernel, taken: usize) -> u32 {
    let pass = costs.of(kernel).unwrap();
    let has_idle_lanes = taken < kernel.messages::<u32>() && !kernel.is_sha();
    let passes = taken.div_ceil(kernel.messages::<u32>()) as u32;
    costs.of_call() + passes * if has_idle_lanes { pass + pass / 16 } else { pass }
}

fn cost_of_calls(costs: &Costs, calls: &[(Kernel, usize)]) -> u32 {
    let of_call = |&(kernel, taken): &(Kernel, usize)| cost_of_call(costs, kernel, taken);
    calls.iter().map(of_call).sum::<u32>().saturating_sub(costs.of_call())
}

/// More messages take minutes.
const SEARCHED: usize = 20;

/// The lowest number of messages for which the plan is not the cheapest.
fn costlier(costs: &Costs, kernels: &[Kernel], plan: &Plan) -> Option<usize> {
    let cost = |count| cost_of_calls(costs, &planned(plan, count));
    let is_cheapest = |count| cost(count) == min_cost(costs, kernels, count);
    // Beyond the search, no two parts are cheaper than the whole.
    let call = costs.of_call();
    let is_whole =
        |count: usize| (1..count).all(|n| cost(count) <= cost(n) + call + cost(count - n));
    (0..=SEARCHED)
        .find(|&count| !is_cheapest(count))
        .or_else(|| (SEARCHED + 1..=64).find(|&count| !is_whole(count)))
}

/// Sets of kernels as CPUs have them, those that this machine lacks included.
fn kernel_sets() -> [Vec<Kernel>; 6] {
    use Kernel::*;
    [
        vec![Avx512x16x2, Avx512x16, Avx512x8, Shax4, Shax3, Shax2, Shax1, Portable],
        vec![Avx512x16x2, Avx512x16, Avx512x8, Portable],
        vec![Avx2x8, Shax4, Shax3, Shax2, Shax1, Portable],
        vec![Neonx4, Shax4, Shax3, Shax2, Shax1, Portable],
        vec![Sse2x4, Portable],
        vec![Portable],
    ]
}

fn assert_cheapest(costs: &Costs) {
    for kernels in kernel_sets() {
        let plan = Plan::new(costs, KernelSet::of(&kernels));
        assert_eq!(costlier(costs, &kernels, &plan), None, "{costs:?}, {kernels:?}");
        for count in 0..=64 {
            let cost = cost_of_calls(costs, &planned(&plan, count));
            assert_eq!(plan.cost(count), cost.into(), "{costs:?}, {kernels:?}, {count}");
        }
    }
}

#[test]
fn plans_have_the_minimum_cost() {
    for costs in all_costs() {
        for call in [0, 1, 25] {
            assert_cheapest(&costs.with_call(call));
        }
    }
}

/// Unoptimised kernels: lanes take 3000 times as long, SHA instructions and portable code 80 times.
#[test]
fn plans_of_kernels_of_a_millisecond() {
    use Kernel::*;
    let costs = Costs::new(&[
        (Avx512x16x2, 9_000_000),
        (Avx512x16, 4_000_000),
        (Avx512x8, 2_000_000),
        (Avx2x8, 2_500_000),
        (Neonx4, 1_000_000),
        (Sse2x4, 1_000_000),
        (Shax4, 100_000),
        (Shax3, 76_000),
        (Shax2, 50_000),
        (Shax1, 26_000),
        (Portable, 140_000),
    ]);
    assert_cheapest(&costs);
    for kernels in kernel_sets() {
        let plan = Plan::new(&costs, KernelSet::of(&kernels));
        for count in 1..=65 {
            let kernel = plan.first(count).0;
            assert!(kernel.is_sha() || kernel == Portable, "{kernels:?}, {count}: {kernel:?}");
        }
    }
}

/// A plan for other costs is a wrong one.
#[test]
fn the_search_finds_wrong_plans() {
    use Kernel::*;
    let [all, ..] = kernel_sets();
    let costs = |of_eight, of_four, of_one| {
        Costs::new(&[(Avx512x16, 160), (Avx512x8, of_eight), (Shax4, of_four), (Shax1, of_one)])
    };
    let right = costs(100, 60, 20);
    let wrong = |costs: &Costs| costlier(&right, &all, &Plan::new(costs, KernelSet::of(&all)));
    assert_eq!(wrong(&right), None);
    // Four single messages cost 80, so the interleaved kernel must hash four.
    assert_eq!(wrong(&costs(100, 90, 20)), Some(4));
    // Two single messages cost 40, so the interleaved kernel must not hash two.
    assert_eq!(wrong(&costs(100, 60, 50)), Some(2));
    // A pass over 8 lanes, one of them idle, costs 106, 60 + 20 + 20 + 20 are more.
    assert_eq!(wrong(&costs(200, 60, 20)), Some(7));
    // 60 and a call for 20 are more than four single messages.
    let five = right.with_call(21);
    assert_eq!(costlier(&five, &all, &Plan::new(&right, KernelSet::of(&all))), Some(5));
    // A plan of one kernel alone.
    let single = Plan::new(&right, KernelSet::of(&[Avx512x16]));
    assert_eq!(costlier(&right, &all, &single), Some(1));
}

#[test]
fn passes_follow_the_plan() {
    for costs in all_costs() {
        for backend in backends() {
            let plan = plan_of(&costs, backend);
            for count in 0..=200 {
                let calls = calls(&plan, backend, count);
                assert_eq!(calls, planned(&plan, count), "{backend}, {count}");
            }
        }
    }
}

#[test]
fn many_messages_go_through_the_kernel_with_the_lowest_cost_per_message() {
    for costs in all_costs() {
        for backend in backends() {
            let plan = plan_of(&costs, backend);
            let bulk = plan.bulk();
            for kernel in backend.kernels() {
                let Some(cost) = costs.of(kernel) else { continue };
                assert!(
                    costs.of(bulk).unwrap() as usize * kernel.messages::<u32>()
                        <= cost as usize * bulk.messages::<u32>(),
                    "{backend}: {bulk:?}, not {kernel:?}"
                );
            }
            for count in [65, 66, 95, 96, 97, 128, 129, 1000] {
                let calls = calls(&plan, backend, count);
                assert!(count - calls[0].1 <= 64, "{backend}, {count}: {calls:?}");
                assert_eq!(calls[0].0, bulk, "{backend}, {count}");
                let cost = cost_of_calls(&costs, &calls);
                assert_eq!(plan.cost(count), cost.into(), "{backend}, {count}");
            }
        }
    }
}

#[test]
fn plan_without_kernels_costs_more_than_any_other() {
    let portable = "portable".parse::<Backend>().unwrap();
    let without = plan_of(&Costs::new(&[]), portable);
    let with = plan_of(&Costs::new(&[(Kernel::Portable, 20_000_000)]), portable);
    assert!(without.cost(3) > with.cost(3));
}

/// The answers take no time, and do not overflow.
#[test]
fn as_many_messages_as_there_can_be() {
    for backend in backends() {
        for cost in [1, 20_000_000] {
            let all: Vec<_> = backend.kernels().map(|kernel| (kernel, cost)).collect();
            let plan = plan_of(&Costs::new(&all), backend);
            assert!(plan.cost(usize::MAX) >= plan.cost(usize::MAX / 64), "{backend}");
            let end = plan.passes::<ShaExtensions>(backend, usize::MAX).last().unwrap().1.end;
            assert_eq!((plan.first(usize::MAX).0, end), (plan.bulk(), usize::MAX));
        }
        let none = plan_of(&Costs::new(&[]), backend);
        // Each costs twice as much as a pass may.
        assert_eq!(none.cost(usize::MAX), (usize::MAX as u64).saturating_mul(40_000_000));
    }
}

/// Each measurement serves all later calls until the next one, and only its own backend.
#[test]
#[cfg(all(feature = "std", not(target_family = "wasm")))]
fn what_was_measured_for_a_plan_is_kept() {
    let plans = Plans::new(KernelSet::LANES, Costs::new(&[(Kernel::Portable, 1)]));
    let [portable, other] = ["portable", Backend::detect().name()].map(|it| it.parse().unwrap());
    let of_other: *const Plan = plans.of_few(other);
    let mut last: *const Plan = plans.of_few(portable);
    for blocks in [1 << 10, 1 << 18, 1 << 24] {
        // The first call is measured itself, the others are counted for the one after them.
        let _ = plans.of(portable, || blocks, |_, _| 1);
        let measured = plans.of(portable, || 16, |_, _| 1);
        assert!(!std::ptr::eq(measured, last), "{blocks} blocks");
        last = measured;
        for _ in 0..3 {
            let kept = plans.of(portable, || 1, |_, _| panic!("measured again"));
            assert!(std::ptr::eq(kept, last) && std::ptr::eq(plans.of_few(portable), last));
        }
    }
    let kept = plans.of(portable, || panic!("counted after the last"), |_, _| panic!("measured"));
    assert!(std::ptr::eq(kept, last));
    if other != portable {
        assert!(std::ptr::eq(plans.of_few(other), of_other));
    }
}

#[test]
#[should_panic(expected = "a cost must be between 1 and 20,000,000")]
fn cost_of_zero() {
    let _ = Costs::new(&[(Kernel::Portable, 0)]);
}

#[test]
#[cfg(all(feature = "std", not(target_family = "wasm")))]
fn kernels_are_measured_three_times() {
    let backend: Backend = "portable".parse().unwrap();
    let blocks = [0, 15, 16, 16, 1 << 18, 16, 1 << 24, 16, 16, u64::MAX, 16];
    // A machine under load may give the clock up in a turn, and then measures less often.
    let is_complete = (0..100).any(|_| {
        let plans = Plans::new(KernelSet::LANES, Costs::new(&[(Kernel::Portable, 1)]));
        let is_measured = blocks.map(|blocks| {
            let mut turns = 0;
            let _ = plans.of(
                backend,
                || blocks,
                |_, _| {
                    turns += 1;
                    1
                },
            );
            turns > 0
        });
        let measured: Vec<usize> = (0..blocks.len()).filter(|&i| is_measured[i]).collect();
        assert!(measured.iter().all(|i| [2, 5, 7].contains(i)), "{measured:?}");
        measured.len() == 3
    });
    assert!(is_complete);
}

#[test]
#[should_panic(expected = "a cost must be between 1 and 20,000,000")]
fn cost_above_the_maximum() {
    let _ = Costs::new(&[(Kernel::Portable, 20_000_001)]);
}

#[test]
#[should_panic(expected = "a cost for a lane kernel that is not compiled")]
fn cost_for_a_kernel_that_is_not_compiled() {
    let costs = Costs::new(&[(Kernel::Portable, 1), (Kernel::Avx512x16x2, 1)]);
    let _ = Plans::new(KernelSet::SINGLE_GROUPS, costs);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_costs(
        costs in prop::collection::vec(prop::option::of(1..=10_000_u32), Kernel::ALL.len()),
    ) {
        let costs: Vec<_> = Kernel::ALL
            .iter()
            .copied()
            .zip(costs)
            .filter_map(|(kernel, cost)| match kernel {
                Kernel::Portable => Some((kernel, cost.unwrap_or(100))),
                _ => Some((kernel, cost?)),
            })
            .collect();
        assert_cheapest(&Costs::new(&costs));
    }
}
