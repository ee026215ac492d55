//! Tests how a plan divides messages of one shape among kernels.

use hash_lanes::engine::{Costs, Plan, Plans};
use hash_lanes::{Backend, Kernel, KernelSet};
use proptest::prelude::*;

use crate::all_costs;

fn backends() -> Vec<Backend> {
    Backend::available().into_iter().chain(Backend::single_kernels()).collect()
}

fn plan_of(costs: &Costs, backend: Backend) -> Plan {
    Plan::new(costs, KernelSet::of(&backend.kernels().collect::<Vec<_>>()))
}

/// The kernels of the passes over `count` messages, one entry for each time that the lanes are
/// filled, at least partly.
fn kernels(plan: &Plan, backend: Backend, count: usize) -> Vec<Kernel> {
    let mut kernels = Vec::new();
    let mut end = 0;
    for (pass, range) in plan.passes(backend, count) {
        assert_eq!(range.start, end, "{backend}, {count} messages");
        assert!(!range.is_empty(), "{backend}, {count} messages: an empty pass");
        end = range.end;
        let kernel = *Kernel::ALL.iter().find(|&&kernel| is_same(backend, kernel, pass)).unwrap();
        assert!(
            range.len() % kernel.messages() == 0 || range.len() < kernel.messages(),
            "{backend}, {count} messages: {kernel:?} takes {range:?}"
        );
        kernels.extend(std::iter::repeat_n(kernel, range.len().div_ceil(kernel.messages())));
    }
    assert_eq!(end, count, "{backend}");
    kernels
}

fn is_same(backend: Backend, kernel: Kernel, pass: hash_lanes::engine::Pass) -> bool {
    backend.kernels().any(|other| other == kernel)
        && format!("{:?}", backend.pass(kernel)) == format!("{pass:?}")
}

/// The cost of one pass over `count` messages: a sixteenth more if lanes are idle.
fn cost_of_pass(costs: &Costs, kernel: Kernel, count: usize) -> Option<u32> {
    let cost = costs.of(kernel)?;
    let has_idle_lanes = count < kernel.messages() && !kernel.is_sha();
    Some(if has_idle_lanes { cost + cost / 16 } else { cost })
}

/// The cost of `count` messages with a single kernel.
fn cost_of_repeated(costs: &Costs, kernel: Kernel, count: usize) -> Option<u32> {
    let (full, rest) = (count / kernel.messages(), count % kernel.messages());
    let rest = if rest > 0 { cost_of_pass(costs, kernel, rest)? } else { 0 };
    Some(costs.of(kernel)? * full as u32 + rest)
}

/// The minimum cost of `count` messages, found by trying every first kernel.
fn min_cost(costs: &Costs, backend: Backend, count: usize, known: &mut Vec<u32>) -> u32 {
    for n in known.len()..=count {
        let of_first = |kernel: Kernel| {
            Some(cost_of_pass(costs, kernel, n)? + known[n.saturating_sub(kernel.messages())])
        };
        known.push(backend.kernels().filter_map(of_first).min().unwrap());
    }
    known[count]
}

fn cost_of_passes(costs: &Costs, passes: &[Kernel], count: usize) -> u32 {
    let mut left = count;
    let mut cost = 0;
    for &kernel in passes {
        cost += cost_of_pass(costs, kernel, left).unwrap();
        left = left.saturating_sub(kernel.messages());
    }
    cost
}

fn assert_cheapest(costs: &Costs) {
    for backend in backends() {
        let plan = plan_of(costs, backend);
        let mut known = vec![0];
        for count in 0..=64 {
            let passes = kernels(&plan, backend, count);
            let cost = cost_of_passes(costs, &passes, count);
            assert_eq!(
                cost,
                min_cost(costs, backend, count, &mut known),
                "{backend}, {count}: {passes:?}"
            );
            assert_eq!(u64::from(cost), plan.cost(count), "{backend}, {count}");
            for kernel in backend.kernels() {
                let repeated = cost_of_repeated(costs, kernel, count);
                assert!(
                    repeated.is_none_or(|repeated| cost <= repeated),
                    "{backend}, {count}: {kernel:?}"
                );
            }
        }
    }
}

#[test]
fn plans_have_the_minimum_cost() {
    for costs in all_costs() {
        assert_cheapest(&costs);
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
                    costs.of(bulk).unwrap() as usize * kernel.messages()
                        <= cost as usize * bulk.messages(),
                    "{backend}: {bulk:?}, not {kernel:?}"
                );
            }
            for count in [65, 66, 95, 96, 97, 128, 129, 1000] {
                let passes = kernels(&plan, backend, count);
                let others = passes.iter().filter(|&&kernel| kernel != bulk).count();
                assert!(others <= 64, "{backend}, {count}: {passes:?}");
                assert_eq!(passes[0], bulk, "{backend}, {count}");
                assert_eq!(plan.first(count), bulk, "{backend}, {count}");
                let cost = cost_of_passes(&costs, &passes, count);
                assert_eq!(plan.cost(count), cost.into(), "{backend}, {count}");
            }
        }
    }
}

#[test]
fn plan_without_kernels_costs_more_than_any_other() {
    let portable = "portable".parse::<Backend>().unwrap();
    let without = plan_of(&Costs::new(&[]), portable);
    let with = plan_of(&Costs::new(&[(Kernel::Portable, 1_000_000)]), portable);
    assert!(without.cost(3) > with.cost(3));
}

/// The answers take no time, and do not overflow.
#[test]
fn as_many_messages_as_there_can_be() {
    for backend in backends() {
        for cost in [1, 1_000_000] {
            let all: Vec<_> = backend.kernels().map(|kernel| (kernel, cost)).collect();
            let plan = plan_of(&Costs::new(&all), backend);
            assert!(plan.cost(usize::MAX) >= plan.cost(usize::MAX / 64), "{backend}");
            let end = plan.passes(backend, usize::MAX).last().unwrap().1.end;
            assert_eq!((plan.first(usize::MAX), end), (plan.bulk(), usize::MAX));
        }
        let none = plan_of(&Costs::new(&[]), backend);
        // Each costs twice as much as a pass may.
        assert_eq!(none.cost(usize::MAX), (usize::MAX as u64).saturating_mul(2_000_000));
    }
}

#[test]
#[should_panic(expected = "a cost must be between 1 and 1,000,000")]
fn cost_of_zero() {
    let _ = Costs::new(&[(Kernel::Portable, 0)]);
}

#[test]
#[should_panic(expected = "a cost must be between 1 and 1,000,000")]
fn cost_above_a_million() {
    let _ = Costs::new(&[(Kernel::Portable, 1_000_001)]);
}

#[test]
#[should_panic(expected = "a cost for a lane kernel that is not compiled")]
fn cost_for_a_kernel_that_is_not_compiled() {
    let costs = Costs::new(&[(Kernel::Portable, 1), (Kernel::Avx512x16x2, 1)]);
    let _ = Plans::new(KernelSet::SINGLE_GROUPS, &[costs; 4]);
}

proptest! {
    #[test]
    fn any_costs(costs in prop::collection::vec(prop::option::of(1..=10_000_u32), Kernel::ALL.len())) {
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
