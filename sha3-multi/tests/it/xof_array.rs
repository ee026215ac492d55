//! Outputs for a number of messages that the type knows.

use std::cell::Cell;

use sha3_multi::XofLanes;

use super::{backends, messages, scattered};

fn functions() -> [XofLanes; 4] {
    [
        XofLanes::shake128(),
        XofLanes::shake256(),
        XofLanes::turboshake128(0x1f),
        XofLanes::cshake256(b"name", b"customization"),
    ]
}

/// Outputs of `N` messages of some lengths, whole and read on in pieces, against those of a vector.
fn agrees<const N: usize>(lengths: impl Fn(usize) -> usize) {
    let all = messages((0..N).map(lengths));
    for backend in backends() {
        for xof in functions() {
            let xof = xof.with_backend(backend);
            let expected = xof.xof_many::<450>(&all);
            let parts: [(&[u8], &[u8]); N] =
                core::array::from_fn(|i| all[i].split_at(i * 17 % (all[i].len() + 1)));
            let outputs: [[u8; 450]; N] = xof.xof_array(&parts);
            assert_eq!(outputs[..], expected, "{N} on {backend}");
            let whole: [(&[u8],); N] = core::array::from_fn(|i| (&all[i][..],));
            let mut readers = xof.reader_array(&whole);
            let mut pieces = vec![Vec::new(); N];
            for round in 0..5 {
                let len = |i: usize| (i * 13 + round * 41) % 91;
                let mut read: [Vec<u8>; N] = core::array::from_fn(|i| vec![0; len(i)]);
                readers.read_into(&mut read);
                pieces.iter_mut().zip(read).for_each(|(piece, read)| piece.extend(read));
            }
            for (piece, expected) in pieces.iter().zip(&expected) {
                assert_eq!(piece[..], expected[..piece.len()], "{N} on {backend}");
            }
        }
    }
}

#[test]
fn every_number_of_lanes() {
    agrees::<0>(|_| 33);
    agrees::<1>(|_| 33);
    agrees::<2>(|_| 33);
    agrees::<3>(|_| 34);
    agrees::<4>(|_| 34);
    agrees::<5>(|_| 0);
    agrees::<7>(|_| 135);
    agrees::<8>(|_| 136);
    agrees::<9>(|_| 168);
    agrees::<17>(|_| 33);
    agrees::<70>(|_| 33);
}

#[test]
fn different_lengths() {
    agrees::<3>(|i| [400, 0, 167][i]);
    agrees::<8>(|i| i * 61);
    agrees::<21>(|i| scattered(21, 700).nth(i).unwrap());
}

#[test]
fn each_length_around_the_rates() {
    for length in [1, 7, 8, 134, 135, 136, 137, 167, 168, 169, 271, 272, 273, 336, 337] {
        agrees::<4>(|_| length);
    }
}

/// Parts that are others each time end the message early, or not.
#[test]
fn parts_that_change_do_no_harm() {
    struct Changing(Cell<usize>);

    impl AsRef<[u8]> for Changing {
        fn as_ref(&self) -> &[u8] {
            self.0.set(self.0.get() * 7 % 1000 + 1);
            &[0x55; 1001][..self.0.get()]
        }
    }

    for seed in 0..200 {
        let changing = || Changing(Cell::new(seed));
        let _: [[u8; 300]; 2] = XofLanes::shake256().xof_array(&[
            (changing(), changing(), changing()),
            (changing(), changing(), changing()),
        ]);
    }
}
