//! Which pass is chosen for how many messages.

use hash_lanes::{Backend, Crossovers, NEVER, Pass};

/// Asserts that with `count` messages the pass has the widest lanes of `widths` that the backend has;
/// where it has none of them, the SHA instructions take one or two, or else the portable lane one.
fn assert_chosen(crossovers: &Crossovers, count: usize, widths: &[usize]) {
    for backend in Backend::available() {
        let of_width = |width| match width {
            16 => backend.x16(),
            8 => backend.x8(),
            _ => backend.x4(),
        };
        let lanes = widths.iter().find_map(|&width| of_width(width));
        let pass = crossovers.next_pass(backend, count);
        let context = format!("{backend}, {count} messages, {crossovers:?}: {pass:?}");
        match (pass, lanes) {
            (Pass::Lanes(chosen), Some(kernel)) => {
                assert_eq!(format!("{chosen:?}"), format!("{kernel:?}"), "{context}");
                assert_eq!(pass.capacity(), kernel.lanes(), "{context}");
            }
            (Pass::Hardware(..), None) => {
                assert!(crossovers.has_hardware && backend.sha().is_some(), "{context}");
                assert_eq!(pass.capacity(), count.min(2), "{context}");
            }
            (Pass::Lanes(chosen), None) => {
                assert!(!crossovers.has_hardware || backend.sha().is_none(), "{context}");
                assert_eq!((chosen.lanes(), pass.capacity()), (1, 1), "{context}");
            }
            (Pass::Hardware(..), Some(_)) => panic!("{context}"),
        }
    }
}

#[test]
fn widest_that_pays() {
    for has_hardware in [true, false] {
        let crossovers = Crossovers { x16: 10, x8: 6, x4: 3, has_hardware };
        for (counts, widths) in [
            (1..=2, &[][..]),
            (3..=5, &[4]),
            (6..=9, &[8, 4]),
            (10..=16, &[16, 8, 4]),
            (17..=100, &[16, 8, 4]),
        ] {
            for count in counts {
                assert_chosen(&crossovers, count, widths);
            }
        }
    }
}

#[test]
fn kernels_that_never_pay() {
    for has_hardware in [true, false] {
        let none = Crossovers { x16: NEVER, x8: NEVER, x4: NEVER, has_hardware };
        for count in [1, 2, 3, 4, 8, 16, usize::MAX - 1] {
            assert_chosen(&none, count, &[]);
            assert_chosen(&Crossovers { x4: 1, ..none }, count, &[4]);
            assert_chosen(&Crossovers { x8: 1, ..none }, count, &[8]);
            assert_chosen(&Crossovers { x16: 1, ..none }, count, &[16]);
        }
    }
}

#[test]
fn narrow_lanes_may_pay_later_than_wide_ones() {
    let crossovers = Crossovers { x16: 2, x8: 4, x4: 8, has_hardware: true };
    for (count, widths) in [(1, &[][..]), (2, &[16]), (3, &[16]), (4, &[16, 8]), (8, &[16, 8, 4])] {
        assert_chosen(&crossovers, count, widths);
    }
}
