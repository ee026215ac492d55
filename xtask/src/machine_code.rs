//! Checks the machine code: every kernel is one function of the instructions it is written for, and
//! leaves the vector registers clean for the SHA instructions.
//!
//! A function left out of line in a kernel is compiled without the kernel's instruction set. It is
//! 100 times slower, but its answers are right, so no test notices. This happens to helpers without
//! `#[inline(always)]`, to closures without it, and to functions passed as values.

mod counts;
mod expected;
mod function;
mod kernels;
mod object_file;
#[cfg(test)]
mod tests;
mod upper_state;

use std::path::Path;

use anyhow::{Result, bail, ensure};
use xshell::{Shell, cmd};

use counts::Record;

use crate::checks::Outcome;
use crate::tools;
use crate::workspace::{self, MANGLING, WITH_KERNELS};

const COUNTS: &str = "ci/counts.txt";

/// The counts in the table.
const COLUMNS: [&str; 9] = [
    "instructions",
    "panics",
    "rounds",
    "ternary",
    "rotates",
    "adds",
    "permutes",
    "stack_loads",
    "stack_stores",
];

/// Checks the kernels of the release build, as users of the crates get it. With `--record` it
/// writes the instruction counts instead of comparing them.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    ensure!(
        arguments.is_empty() || arguments == ["--record"],
        "usage: cargo xtask machine-code [--record]"
    );
    if !cfg!(target_arch = "x86_64") {
        return Ok(Outcome::Skipped("only the code for x86-64 is checked".into()));
    }
    workspace::build_release(sh)?;
    let folder = tools::target(sh).join("release");

    let (mut now, mut faults) = (Record::new(), Vec::new());
    print_row(
        "kernel",
        COLUMNS.map(|name| name.replace("instructions", "instrs").replace("stack_", "")),
    );
    for krate in WITH_KERNELS.map(|package| package.replace('-', "_")) {
        let functions = object_file::read(&folder.join(format!("lib{krate}.rlib")), |_| true)?;
        let report = kernels::check_library(&krate, &functions);
        for kernel in report.kernels {
            let row = format!("{krate} {} {}", kernel.job, kernel.set);
            print_row(&row, COLUMNS.map(|name| kernel.counts.get(name).to_string()));
            now.insert(format!("{krate}\t{} {}", kernel.job, kernel.set), kernel.counts);
        }
        faults.extend(report.faults.into_iter().map(|fault| format!("{krate} {fault}")));
    }
    println!();

    if arguments == ["--record"] {
        let rustc = cmd!(sh, "rustc --version").read()?;
        let version: Vec<_> = rustc.split(' ').take(2).collect();
        let mut text = format!(
            "# Instructions of the kernels by {}, as `cargo xtask machine-code --record` counts them.\n",
            version.join(" ")
        );
        for (key, counts) in &now {
            text.push_str(&format!("{key}\t{counts}\n"));
        }
        sh.write_file(COUNTS, text)?;
        println!("recorded in {COUNTS}");
    } else {
        let (notes, lost) = counts::compare(&counts::parse(&sh.read_file(COUNTS)?), &now);
        println!("kernels that differ by more than 5 % from {COUNTS}: {}", notes.len());
        for note in notes {
            println!("  {note}");
        }
        faults.extend(lost);
    }
    conclude(&faults)
}

/// Checks the upper halves of the vector registers in code for one CPU.
///
/// A program compiled for one CPU may have AVX code and SHA instructions in one function, with the
/// moves of both VEX-encoded. That is where dirty upper halves cost the most, for example on Ice
/// Lake. The code is not run.
pub(crate) fn run_for_cpu(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    if !cfg!(target_arch = "x86_64") {
        return Ok(Outcome::Skipped("only the code for x86-64 is checked".into()));
    }
    let _flags = sh.push_env("RUSTFLAGS", format!("{MANGLING} -C target-cpu=icelake-server"));
    // Naming the target keeps these flags from build scripts, which are run.
    let host = &tools::host(sh)?;
    let target = &tools::target(sh).join("native");
    let folder = target.join(host).join("release");

    let mut faults = Vec::new();
    println!("{:<40} {:>15} {:>18}", "functions with", "wide registers", "SHA instructions");
    let crates = ["sha1-multi", "sha256-multi", "ripemd-multi", "merkle-lanes"];
    let packages = crates.iter().flat_map(|package| ["-p", package]);
    cmd!(sh, "cargo build --release --target {host} --target-dir {target} {packages...}").run()?;
    for krate in crates {
        let library = format!("lib{}.rlib", krate.replace('-', "_"));
        check_upper_state(&folder.join(library), &mut faults)?;
    }

    let _lto = sh.push_env("CARGO_PROFILE_RELEASE_LTO", "fat");
    // The functions of a program are found by their symbols.
    let unstripped = ["--config", "profile.release.package.addr-recover.strip=false"];
    let programs =
        ["-p", "addr-recover", "-p", "ripemd-multi", "-p", "sha1-multi", "--bin", "addr-recover"];
    let examples = ["--example", "p2pkh_addresses", "--example", "sha1_pieces"];
    let options = [&unstripped[..], &programs, &examples].concat();
    cmd!(sh, "cargo build --release --target {host} --target-dir {target} {options...}").run()?;
    for program in ["addr-recover", "examples/p2pkh_addresses", "examples/sha1_pieces"] {
        check_upper_state(&folder.join(program), &mut faults)?;
    }
    println!();
    conclude(&faults)
}

fn check_upper_state(path: &Path, faults: &mut Vec<String>) -> Result<()> {
    // The crates whose kernels may be inlined into a function, or that may run SHA instructions.
    let is_ours = |name: &str| {
        ["hash_lanes::", "sha1_multi::", "sha256_multi::", "ripemd_multi::"]
            .iter()
            .any(|part| name.contains(part))
    };
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let (wide, sha, found) = kernels::check_upper_state(&object_file::read(path, is_ours)?);
    println!("{file:<40} {wide:>15} {sha:>18}");
    if wide == 0 {
        faults.push(format!(
            "{file}: no function uses 256-bit registers: the kernels were not found by their names"
        ));
    }
    faults.extend(found.into_iter().map(|fault| format!("{file} {fault}")));
    Ok(())
}

fn print_row(first: &str, columns: [String; COLUMNS.len()]) {
    let columns = columns.map(|text| format!("{text:>9}"));
    println!("{first:<60}{}", columns.concat());
}

fn conclude(faults: &[String]) -> Result<Outcome> {
    for fault in faults {
        println!("FAULT: {fault}");
    }
    if !faults.is_empty() {
        bail!("{} faults in the machine code", faults.len());
    }
    println!("no faults");
    Ok(Outcome::Passed)
}
