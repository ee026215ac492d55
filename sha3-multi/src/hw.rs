//! Runs the kernels with the CPU's SHA3 instructions, two messages at a time.
//!
//! `unsafe` is only in the file below, to call instructions that
//! [`ShaExtensions`](hash_lanes::engine::ShaExtensions) proves.

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod aarch64_sha3;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64_sha3::{Sha3 as Sha3Instructions, run};

/// Other CPUs have no SHA3 instructions.
#[cfg(not(target_arch = "aarch64"))]
pub(crate) type Sha3Instructions = core::convert::Infallible;

#[cfg(not(target_arch = "aarch64"))]
pub(crate) fn run<J: hash_lanes::engine::LaneJob<Word = u64>>(
    sha: Sha3Instructions,
    _: J,
) -> J::Output {
    match sha {}
}
