//! Checks that no branch or address depends on hashed data.

use std::fs;

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::check::Outcome;
use crate::{tools, workspace};

/// Checks that no branch or address depends on hashed data, except in the lookup tables of
/// sumhash512, where it must find the dependency.
///
/// The program `constant-time` hashes random bytes in every way with every backend of this machine:
///
/// - portable, SSE2, SSE4.2 and AVX2 under Valgrind, which treats messages as undefined and reports
///   each branch and each address that depends on them;
/// - AVX-512 and the SHA instructions, which Valgrind does not know, on the CPU itself, one
///   instruction at a time (ptrace), following the messages through registers and memory;
/// - AMX in the same way. The watching program emulates its few instructions, so the CPU need not
///   have them.
///
/// It watches one build by one compiler, on the paths that some lengths and counts take. It covers
/// neither the timing of instructions nor NEON.
pub(crate) fn run(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    if let Some(obstacle) = workspace::obstacle_to_watching(sh)? {
        return Ok(Outcome::Skipped(obstacle));
    }
    if fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope")
        .is_ok_and(|scope| scope.trim() == "3")
    {
        return Ok(Outcome::Skipped(
            "ptrace_scope is 3: the kernel lets no process trace another".into(),
        ));
    }
    workspace::build_release(sh)?;
    let program = tools::target(sh).join("release/constant-time");
    cmd!(sh, "{program}").run()?;
    Ok(Outcome::Passed)
}
