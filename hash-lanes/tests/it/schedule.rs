//! Tests messages of any length with every backend and many sets of costs.

use hash_lanes::Backend;
use hash_lanes::engine::{
    BlockHash, CompiledHash, Costs, GROUP, Group, LaneHash, Row, Shape, Sink, Start, Starts, Stream,
};
use proptest::prelude::*;

use crate::mix::{Mix, State, WORDS, naive, set_costs, take_hardware_calls, take_shapes};
use crate::{all_costs, costs_of, painted};

#[derive(Clone, Debug)]
struct Case {
    state: State,
    bytes: Vec<u8>,
    ends_after: Option<u64>,
}

/// An initial state that no other message has.
fn state_of(seed: usize) -> State {
    core::array::from_fn(|i| ((seed * WORDS + i) as u32 + 1).wrapping_mul(0x85eb_ca6b))
}

fn start<'r, const BIG: bool>(case: &Case, row: &'r Row) -> Start<'r> {
    // The initial state as `None`, any other as a state to resume from.
    let state = (case.state != Mix::<BIG>::IV).then_some(row);
    // Elsewhere the bytes before do not matter.
    Start { state, before: case.ends_after.unwrap_or(0), ends: case.ends_after.is_some() }
}

/// Hashes the cases as one stream.
fn hash<const BIG: bool>(backend: Backend, cases: &[Case], sink: &mut dyn Sink) {
    let mut stream = Stream::new(backend, BlockHash::new(sink));
    let rows: Vec<Row> = cases.iter().map(|case| Mix::<BIG>::row(&case.state)).collect();
    let mut rest = cases.iter().zip(&rows);
    let mut held: Vec<(&Case, &Row)> = Vec::new();
    let mut first = 0;
    loop {
        held.extend(rest.by_ref().take(GROUP - held.len()));
        let bytes: Vec<_> = held.iter().map(|(case, _)| &case.bytes[..]).collect();
        let starts: Vec<_> = held.iter().map(|(case, row)| start::<BIG>(case, row)).collect();
        let group = Group { bytes: &bytes, starts: Starts::Each(&starts), first };
        let kept = Mix::<BIG>::hash_group(&mut stream, &group);
        if kept == 0 && held.len() < GROUP {
            return;
        }
        first += held.len() - kept.count_ones() as usize;
        let mut place = 0;
        held.retain(|_| {
            place += 1;
            kept >> (place - 1) & 1 == 1
        });
    }
}

fn expected<const BIG: bool>(cases: &[Case]) -> Vec<State> {
    cases.iter().map(|case| naive::<BIG>(case.state, &case.bytes, case.ends_after)).collect()
}

fn assert_hashed<const BIG: bool>(
    backend: Backend,
    costs: Costs,
    cases: &[Case],
    expected: &[State],
) {
    set_costs(costs);
    let mut reached: Vec<Option<State>> = vec![None; cases.len()];
    hash::<BIG>(backend, cases, &mut |first: usize, rows: &[Row]| {
        for (index, row) in (first..).zip(rows) {
            let state = Mix::<BIG>::state(row);
            assert!(reached[index].replace(state).is_none(), "message {index} finished twice");
        }
    });
    for (index, (reached, expected)) in reached.iter().zip(expected).enumerate() {
        assert!(
            *reached == Some(*expected),
            "message {index} of {}, {} bytes, {:?}, {backend}, {costs:?}: {reached:x?}, not \
             {expected:x?}",
            cases.len(),
            cases[index].bytes.len(),
            cases[index].ends_after,
        );
    }
}

fn assert_hashed_everywhere<const BIG: bool>(cases: &[Case]) {
    let expected = expected::<BIG>(cases);
    for backend in Backend::available() {
        for costs in all_costs() {
            assert_hashed::<BIG>(backend, costs, cases, &expected);
        }
    }
}

/// `count` complete messages; the `i`-th has `length(i)` bytes.
fn whole_messages(count: usize, length: impl Fn(usize) -> usize) -> Vec<Case> {
    let case = |i| Case { state: state_of(i), bytes: painted(i, length(i)), ends_after: Some(0) };
    (0..count).map(case).collect()
}

#[test]
fn equal_lengths() {
    for count in 0..=40 {
        for length in [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 200, 640] {
            assert_hashed_everywhere::<false>(&whole_messages(count, |_| length));
        }
        assert_hashed_everywhere::<true>(&whole_messages(count, |_| 100));
    }
}

#[test]
fn lengths_that_differ_only_in_the_padding() {
    for count in 0..=40 {
        assert_hashed_everywhere::<false>(&whole_messages(count, |i| 100 + i));
        assert_hashed_everywhere::<true>(&whole_messages(count, |i| 100 + i));
    }
}

#[test]
fn ragged_lengths() {
    for count in 0..=40 {
        assert_hashed_everywhere::<false>(&whole_messages(count, |i| i * 37));
        assert_hashed_everywhere::<false>(&whole_messages(count, |i| (count - i) * 41));
        assert_hashed_everywhere::<true>(&whole_messages(count, |i| i * 7919 % 997));
    }
}

#[test]
fn equal_messages_before_and_after_ragged_ones() {
    for equal in 0..=35 {
        assert_hashed_everywhere::<false>(&whole_messages(40, |i| {
            if i < equal { 100 } else { i * 23 }
        }));
        assert_hashed_everywhere::<false>(&whole_messages(40, |i| {
            if i < equal { i * 23 } else { 100 }
        }));
    }
}

#[test]
fn parts_are_not_padded() {
    for count in 0..=40 {
        let parts = |whole: fn(usize) -> bool| {
            let mut cases = whole_messages(count, |i| i % 5 * 64 + i);
            for (i, case) in cases.iter_mut().enumerate() {
                case.ends_after = whole(i).then_some(64 * i as u64);
            }
            cases
        };
        assert_hashed_everywhere::<false>(&parts(|_| false));
        assert_hashed_everywhere::<false>(&parts(|i| i % 3 == 0));
        assert_hashed_everywhere::<true>(&parts(|i| i % 2 == 0));
    }
}

/// Equal and unequal messages take turns, within groups of 64 and between them.
#[test]
fn groups_of_equal_and_unequal_lengths() {
    for run in [16, 40, 64, 100] {
        for is_equal_first in [false, true] {
            let is_equal = |i: usize| (i / run).is_multiple_of(2) == is_equal_first;
            let length = |i: usize| if is_equal(i) { 90 } else { i * 7919 % 401 };
            let mut cases = whole_messages(3 * run + 1, length);
            assert_hashed_everywhere::<false>(&cases);
            // Those of equal length continue.
            for (i, case) in cases.iter_mut().enumerate().filter(|&(i, _)| is_equal(i)) {
                (case.ends_after, case.bytes) = (None, painted(i, 128));
            }
            assert_hashed_everywhere::<true>(&cases);
        }
    }
}

#[test]
fn lengths_beyond_32_bits() {
    for before in [1 << 29, (1 << 32) - 64, 1 << 32, (1 << 61) - 64, 1 << 61, u64::MAX - 63] {
        let mut cases = whole_messages(17, |i| i * 11);
        cases.iter_mut().for_each(|case| case.ends_after = Some(before));
        assert_hashed_everywhere::<false>(&cases);
        assert_hashed_everywhere::<true>(&cases);
    }
}

/// Kernels rank differently for each shape. Nothing is asked on a processor with a single kernel.
#[test]
fn each_shape_of_messages_has_its_plan() {
    if Backend::available().len() == 1 {
        return;
    }
    let backend = "portable".parse().unwrap();
    // The lengths of three messages.
    for (lengths, shape) in [
        ([40; 3], Shape::OneBlock),
        ([64; 3], Shape::Block),
        ([90; 3], Shape::TwoBlocks),
        ([300; 3], Shape::Blocks),
        // As many blocks each.
        ([300, 301, 302], Shape::Blocks),
        ([300, 364, 428], Shape::Mixed),
    ] {
        let cases = whole_messages(3, |i| lengths[i]);
        take_shapes();
        assert_hashed::<false>(backend, costs_of(1, None, 1), &cases, &expected::<false>(&cases));
        assert_eq!(take_shapes(), 1 << shape as u32, "{shape:?}");
    }
}

#[test]
fn hardware_is_called_when_chosen() {
    for lengths in [|_| 100, |i| i * 30] {
        let cases = whole_messages(9, lengths);
        let expected = expected::<false>(&cases);
        for backend in Backend::available() {
            take_hardware_calls();
            let costs = costs_of(900_000, Some(1), 1_000_000);
            assert_hashed::<false>(backend, costs, &cases, &expected);
            assert_eq!(take_hardware_calls() > 0, backend.sha().is_some(), "{backend}");
            let costs = costs_of(900_000, None, 1_000_000);
            assert_hashed::<false>(backend, costs, &cases, &expected);
            assert_eq!(take_hardware_calls(), 0, "{backend}");
        }
    }
}

/// Two messages more than lanes are cheaper with the SHA instructions. From 16 messages on, the
/// kernels would be measured.
#[test]
fn hardware_takes_the_remainder() {
    for backend in Backend::available() {
        let lanes = backend.widest().lanes::<u32>();
        if backend.sha().is_none() || lanes == 1 || lanes > 8 {
            continue;
        }
        let cases = whole_messages(lanes + 2, |_| 100);
        take_hardware_calls();
        let costs = costs_of(25, Some(10), 1_000_000);
        assert_hashed::<false>(backend, costs, &cases, &expected::<false>(&cases));
        // Once for the whole block, once for the padding.
        assert_eq!(take_hardware_calls(), 2, "{backend}");
    }
}

fn any_length() -> impl Strategy<Value = usize> {
    prop_oneof![0..=200_usize, (0..=12_usize).prop_map(|blocks| blocks * 64), 0..=1500_usize]
}

fn any_end() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![
        Just(Some(0)),
        Just(None),
        (0..=1_u64 << 20).prop_map(|n| Some(n * 64)),
        any::<Option<u64>>()
    ]
}

prop_compose! {
    /// Runs of messages of equal length, each with its own initial state or all with the same.
    fn any_messages()(
        runs in
            prop::collection::vec((any_length(), any_end(), any::<bool>(), 1..=20_usize), 0..=8),
    ) -> Vec<Case> {
        let mut cases = Vec::new();
        for (length, ends_after, same_state, repeats) in runs {
            let first = cases.len();
            for seed in first..first + repeats {
                let state = if same_state { Mix::<false>::IV } else { state_of(seed) };
                cases.push(Case { state, bytes: painted(seed, length), ends_after });
            }
        }
        cases
    }
}

proptest! {
    #[test]
    fn any_messages_with_any_costs(
        cases in any_messages(),
        per_lanes in 1..=100_u32,
        per_sha in prop::option::of(1..=20_u32),
        per_portable in 1..=20_u32,
    ) {
        let costs = costs_of(per_lanes, per_sha, per_portable);
        let little = expected::<false>(&cases);
        let big = expected::<true>(&cases);
        for backend in Backend::available() {
            assert_hashed::<false>(backend, costs, &cases, &little);
            assert_hashed::<true>(backend, costs, &cases, &big);
        }
    }
}
