//! Tests published digests, and the constants against their definition.

use sha1_multi::hazmat::K;
use sha1_multi::{Backend, Sha1Lanes, hash};

use crate::digest;
use crate::published::published;

/// The constants are the square roots of 2, 3, 5 and 10, with 30 fraction bits.
#[test]
fn constants_are_square_roots() {
    for (k, square) in K.iter().zip([2, 3, 5, 10_u64]) {
        let k = u64::from(*k);
        assert!(k * k <= square << 60 && square << 60 < (k + 1) * (k + 1), "{k:08x}");
    }
}

#[test]
fn all_at_once() {
    let (messages, expected): (Vec<_>, Vec<_>) = published().into_iter().unzip();
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let digests = Sha1Lanes::on(backend).hash_many(&messages);
        assert_eq!(digests, expected, "{backend}");
    }
}

#[test]
fn one_message() {
    for (message, expected) in published() {
        assert_eq!(hash(&message), expected, "{} bytes", message.len());
        for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
            assert_eq!(
                Sha1Lanes::on(backend).hash(&message),
                expected,
                "{backend}, {} bytes",
                message.len()
            );
        }
    }
}

/// The first rounds of NIST's Monte Carlo test, with the seed and results of SHA1Monte.rsp, CAVS
/// 11.1.
#[test]
fn first_monte_carlo_rounds() {
    let seed = digest("dd4df644eaf3d85bace2b21accaa22b28821f5cd");
    let expected = [
        "11f5c38b4479d4ad55cb69fadf62de0b036d5163",
        "5c26de848c21586bec36995809cb02d3677423d9",
        "453b5fcf263d01c891d7897d4013990f7c1fb0ab",
    ];
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let mut results = monte_carlo(backend, seed);
        for expected in expected {
            assert_eq!(results.next(), Some(digest(expected)), "{backend}");
        }
    }
}

/// The results of the Monte Carlo test of NIST's SHAVS (§6.4) in order. Each result is the last of
/// a thousand digests, and each digest is that of the previous three.
///
/// The same chain runs in 17 messages, to cover every lane and a remainder.
pub(crate) fn monte_carlo(backend: Backend, seed: [u8; 20]) -> impl Iterator<Item = [u8; 20]> {
    const CHAINS: usize = 17;
    let mut seed = seed;
    std::iter::repeat_with(move || {
        let mut last = [[seed; 3]; CHAINS];
        for _ in 0..1000 {
            let digests =
                Sha1Lanes::on(backend).hash_many(last.iter().map(|three| three.as_flattened()));
            for (three, digest) in last.iter_mut().zip(digests) {
                *three = [three[1], three[2], digest];
            }
        }
        seed = last[0][2];
        assert!(last.iter().all(|three| three[2] == seed), "{backend}: the chains differ");
        seed
    })
}
