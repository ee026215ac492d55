//! How messages of one shape are divided among passes.

use std::ops::Range;

use hash_lanes::{Backend, Crossovers, LaneKernel, NEVER, Pass, TwoGroups};

use crate::CROSSOVERS;

/// Thresholds above the number of lanes.
const LATE: Crossovers = Crossovers { x16: 40, x8: 20, x4: 6, has_hardware: true };

const TWO_GROUPS: [TwoGroups; 7] = [
    TwoGroups::NEVER,
    TwoGroups { x16: 17, x8: 9 },
    TwoGroups { x16: NEVER, x8: 9 },
    TwoGroups { x16: 25, x8: NEVER },
    TwoGroups { x16: 32, x8: 16 },
    TwoGroups { x16: 40, x8: 3 },
    TwoGroups { x16: 0, x8: 0 },
];

/// What is taken from how many messages, as the documentation says.
#[derive(Debug, PartialEq)]
enum Taken {
    /// So many groups of lanes of one kernel, named by its `Debug` form.
    Lanes { kernel: String, groups: usize },
    /// The SHA instructions.
    Hardware,
}

/// With `left` messages left.
fn expected(crossovers: Crossovers, two_groups: TwoGroups, backend: Backend, left: usize) -> Taken {
    let taken = |kernel: LaneKernel, groups| Taken::Lanes { kernel: format!("{kernel:?}"), groups };
    let one = crossovers.next_pass(backend, left);
    let is_one_x16 = matches!(one, Pass::Lanes(kernel) if kernel.lanes() == 16);
    match (backend.x16(), backend.x8(), one) {
        (Some(kernel), _, _) if left >= two_groups.x16 => taken(kernel, 2),
        // Sixteen lanes are not given up for two groups of eight.
        (_, Some(kernel), _) if left >= two_groups.x8 && !is_one_x16 => taken(kernel, 2),
        (_, _, Pass::Lanes(kernel)) => taken(kernel, 1),
        (_, _, Pass::Hardware(..)) => Taken::Hardware,
    }
}

/// The passes, consecutive and in order, until all messages are taken.
fn passes(
    crossovers: Crossovers,
    two_groups: TwoGroups,
    backend: Backend,
    count: usize,
) -> Vec<(Pass, Range<usize>)> {
    let passes: Vec<_> = crossovers.passes(two_groups, backend, count).collect();
    let mut end = 0;
    for (pass, range) in &passes {
        assert_eq!(range.start, end, "{backend}, {count} messages: {pass:?}");
        assert!(range.end > range.start, "{backend}, {count} messages: an empty pass {pass:?}");
        end = range.end;
    }
    assert_eq!(end, count, "{backend}: {passes:?}");
    passes
}

fn assert_divided(crossovers: Crossovers, two_groups: TwoGroups, backend: Backend, count: usize) {
    for (pass, range) in passes(crossovers, two_groups, backend, count) {
        let context =
            format!("{backend}, {count} messages, {crossovers:?}, {two_groups:?}: {pass:?} {range:?}");
        let left = count - range.start;
        match (expected(crossovers, two_groups, backend, left), pass) {
            (Taken::Lanes { kernel, groups }, Pass::Lanes(chosen)) => {
                assert_eq!(format!("{chosen:?}"), kernel, "{context}");
                let full = groups * chosen.lanes();
                // Full passes as long as there are any; one that is not full takes all that are left.
                let taken = if left >= full { left / full * full } else { left };
                assert_eq!(range.len(), taken, "{context}");
                assert!(range.len() % full == 0 || range.end == count, "{context}");
            }
            (Taken::Hardware, Pass::Hardware(..)) => assert_eq!(range.end, count, "{context}"),
            (expected, _) => panic!("{context}, not {expected:?}"),
        }
    }
}

#[test]
fn every_count_with_many_thresholds() {
    for backend in Backend::available() {
        for crossovers in CROSSOVERS.into_iter().chain([LATE]) {
            for two_groups in TWO_GROUPS {
                for count in 0..=130 {
                    assert_divided(crossovers, two_groups, backend, count);
                }
            }
        }
    }
}

#[test]
fn no_messages_no_pass() {
    for backend in Backend::available() {
        assert!(passes(CROSSOVERS[2], TWO_GROUPS[6], backend, 0).is_empty(), "{backend}");
    }
}

/// Asserts that passes of kernels with these lanes end after these numbers of messages.
fn assert_ends(
    crossovers: Crossovers,
    two_groups: TwoGroups,
    backend: Backend,
    count: usize,
    expected: &[(usize, usize)],
) {
    let lanes = |pass| match pass {
        Pass::Lanes(kernel) => kernel.lanes(),
        Pass::Hardware(..) => 0,
    };
    let found: Vec<_> = passes(crossovers, two_groups, backend, count)
        .into_iter()
        .map(|(pass, range)| (lanes(pass), range.end))
        .collect();
    assert_eq!(found, expected, "{backend}, {count} messages");
}

#[test]
fn two_groups_of_eight_lanes() {
    let crossovers = Crossovers { x16: 2, x8: 2, x4: 2, has_hardware: false };
    let two_groups = TwoGroups { x16: 17, x8: 9 };
    for backend in Backend::available() {
        if backend.x8().is_none() || backend.x16().is_some() {
            continue;
        }
        for (count, expected) in [
            (1, &[(1, 1)][..]),
            (2, &[(8, 2)]),
            (8, &[(8, 8)]),
            (9, &[(8, 9)]),
            (16, &[(8, 16)]),
            (17, &[(8, 16), (1, 17)]),
            (24, &[(8, 16), (8, 24)]),
            (25, &[(8, 16), (8, 25)]),
            (100, &[(8, 96), (8, 100)]),
        ] {
            assert_ends(crossovers, two_groups, backend, count, expected);
        }
    }
}

#[test]
fn two_groups_of_sixteen_lanes() {
    let crossovers = Crossovers { x16: 9, x8: 2, x4: 2, has_hardware: false };
    let two_groups = TwoGroups { x16: 25, x8: 9 };
    for backend in Backend::available() {
        if backend.x8().is_none() || backend.x16().is_none() {
            continue;
        }
        for (count, expected) in [
            (1, &[(1, 1)][..]),
            (8, &[(8, 8)]),
            (9, &[(16, 9)]),
            (16, &[(16, 16)]),
            (24, &[(16, 16), (8, 24)]),
            (25, &[(16, 25)]),
            (32, &[(16, 32)]),
            (33, &[(16, 32), (1, 33)]),
            (41, &[(16, 32), (16, 41)]),
            (89, &[(16, 64), (16, 89)]),
            (130, &[(16, 128), (8, 130)]),
        ] {
            assert_ends(crossovers, two_groups, backend, count, expected);
        }
    }
}

#[test]
fn four_lanes_and_hardware() {
    let crossovers = Crossovers { x16: 2, x8: 2, x4: 3, has_hardware: true };
    for backend in Backend::available() {
        if backend.widest().lanes() > 4 {
            continue;
        }
        // The SHA instructions have no lanes; without them messages go through the portable one.
        let rest = if backend.sha().is_some() { 0 } else { 1 };
        let expected: &[(usize, usize)] = match (backend.x4().is_some(), rest) {
            (true, _) => &[(4, 8), (rest, 10)],
            (false, 0) => &[(0, 10)],
            (false, _) => &[(1, 10)],
        };
        assert_ends(crossovers, TWO_GROUPS[6], backend, 10, expected);
    }
}
