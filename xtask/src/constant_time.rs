//! The check that nothing depends on what is hashed.

use std::fs;

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::checks::Outcome;
use crate::tools;

/// No branch and no address depends on what is hashed, except in the lookup tables of sumhash512, where
/// the check must find it.
///
/// `ci/constant-time` hashes random bytes in every way with every backend of this machine:
///
/// - portable, SSE2, SSE4.2 and AVX2 under Valgrind, which treats messages as undefined and reports each
///   branch and each address that depends on them;
/// - AVX-512 and the SHA instructions, which Valgrind does not know, on the CPU itself, one instruction at
///   a time (ptrace), following the messages through registers and memory;
/// - AMX in the same way. The watching program executes its few instructions, so the CPU need not have
///   them.
///
/// It watches one build by this compiler, on the paths that some lengths and counts take. It does not look
/// at how long an instruction takes, and not at NEON.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    let host = tools::host(sh)?;
    if host != "x86_64-unknown-linux-gnu" {
        return Ok(Outcome::Skipped(format!("written for x86_64-unknown-linux-gnu, and this is {host}")));
    }
    if !tools::install_debian(sh, "valgrind", "valgrind")? {
        return Ok(Outcome::Skipped("valgrind is not installed".into()));
    }
    if fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").is_ok_and(|scope| scope.trim() == "3") {
        return Ok(Outcome::Skipped("the kernel lets no process trace another".into()));
    }
    let target = tools::target(sh).join("constant-time");
    let manifest = ["--manifest-path", "ci/constant-time/Cargo.toml"];
    cmd!(sh, "cargo run -q --release --locked {manifest...} --target-dir {target} -- {arguments...}")
        .run()?;
    Ok(Outcome::Passed)
}
