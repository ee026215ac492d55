//! Tests of the public functions against the RustCrypto crates and published values.

#![allow(missing_docs, reason = "the name of a test describes it")]

mod chains;
mod cshake;
mod fixed;
mod hazmat;
mod known;
mod kt;
mod many_hasher;
mod vectors;
mod xof;
mod xof_array;

use hash_lanes::Backend;
use hash_lanes::engine::{Kernel, ShaExtensions};

/// The default backend, and every lane kernel of this machine by itself. With ARM's SHA3
/// instructions there are two lanes, too.
fn backends() -> Vec<Backend> {
    let kernels = Backend::single_kernels().into_iter().filter(|backend| {
        let kernel = backend.kernels().next().expect("each has the portable kernel");
        let has_lanes = !kernel.is_sha()
            || kernel == Kernel::Shax2 && ShaExtensions::detect().is_some_and(|it| it.has_sha3());
        has_lanes && kernel != Kernel::Portable
    });
    [Backend::detect(), "portable".parse().unwrap()].into_iter().chain(kernels).collect()
}

/// Bytes with a period of 251, so that no two blocks are equal; another `seed` gives other bytes.
fn painted(seed: usize, length: usize) -> Vec<u8> {
    let step = 1 + seed / 251;
    (0..length).map(|i| ((seed + i * step) % 251) as u8).collect()
}

/// Messages of these lengths.
fn messages(lengths: impl IntoIterator<Item = usize>) -> Vec<Vec<u8>> {
    lengths.into_iter().enumerate().map(|(seed, length)| painted(seed, length)).collect()
}

/// Lengths in an order that mixes short and long ones.
fn scattered(count: usize, modulus: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |i| i * i * 7919 % modulus)
}
