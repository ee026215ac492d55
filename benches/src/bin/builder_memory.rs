//! Checks that a streaming root takes constant memory.
//!
//! Prints the peak memory of a fresh process for each tree of 2^14 to 2^26 leaves, which are
//! generated on the fly. Fails if a larger tree takes more.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fs;
use std::process::{Command, ExitCode};

use merkle_lanes::RootBuilder;
use merkle_lanes::ssz::Ssz;

/// The number of leaves generated at a time.
const AT_ONCE: u64 = 1000;

/// How much the peaks may differ: the system counts whole pages, and their placement varies.
const TOLERANCE_KIB: u64 = 256;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if let Some(leaves) = std::env::args().nth(1) {
        println!("{}", peak_kib(leaves.parse()?)?);
        return Ok(ExitCode::SUCCESS);
    }

    let program = std::env::current_exe()?;
    println!("   leaves   all leaves, KiB   peak memory of the process, KiB");
    let mut peaks = Vec::new();
    for log2 in [14, 18, 22, 26] {
        let leaves: u64 = 1 << log2;
        let output = Command::new(&program).arg(leaves.to_string()).output()?;
        if !output.status.success() {
            return Err(
                format!("2^{log2} leaves: {}", String::from_utf8_lossy(&output.stderr)).into()
            );
        }
        let peak: u64 = String::from_utf8(output.stdout)?.trim().parse()?;
        println!("     2^{log2}  {:>16}  {peak:>32}", leaves * 32 / 1024);
        peaks.push(peak);
    }
    if peaks.iter().any(|&peak| peak > peaks[0] + TOLERANCE_KIB) {
        eprintln!(
            "error: the peak grows with the number of leaves, by more than {TOLERANCE_KIB} KiB"
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// Computes the root of that many leaves, and returns the peak memory of this process in KiB.
fn peak_kib(leaves: u64) -> Result<u64, Box<dyn Error>> {
    let mut builder = RootBuilder::new(Ssz::new());
    let mut waiting = Vec::new();
    for leaf in 0..leaves {
        let mut node = [0; 32];
        node[..8].copy_from_slice(&leaf.to_le_bytes());
        waiting.push(node);
        if waiting.len() as u64 == AT_ONCE.min(leaves - builder.len()) {
            builder.extend(&waiting);
            waiting.clear();
        }
    }
    assert_eq!(builder.len(), leaves);
    std::hint::black_box(builder.root());

    let status = fs::read_to_string("/proc/self/status")
        .map_err(|error| format!("/proc/self/status: {error} (this program needs Linux)"))?;
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    Ok(peak.ok_or("no VmHWM in /proc/self/status")?.trim().parse()?)
}
