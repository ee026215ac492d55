//! Runs the kernels with the CPU's SHA3 instructions, two messages at a time.
//!
//! `unsafe` is only in the file below, to call instructions that
//! [`ShaExtensions`](hash_lanes::engine::ShaExtensions) proves.

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod aarch64_sha3;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64_sha3::run;

/// Other CPUs have no SHA3 instructions, so no plan has a pass of them.
#[cfg(not(target_arch = "aarch64"))]
pub(crate) fn run<J: hash_lanes::engine::LaneJob<Word = u64>>(
    _: hash_lanes::engine::ShaExtensions,
    _: J,
) -> J::Output {
    unreachable!("only aarch64 has SHA3 instructions")
}
