//! Checks the machine code: every kernel is a single function, compiled for its own instruction
//! set, and leaves the vector registers clean for SHA instructions.
//!
//! A function left out of line in a kernel is compiled without the kernel's instruction set. It is
//! 100 times slower, but its answers are right, so no test notices. This happens to helpers without
//! `#[inline(always)]`, to closures without it, and to functions passed as values.

mod counts;
mod function;
mod kernels;
mod object_file;
#[cfg(test)]
mod tests;
mod upper_state;

use anyhow::{Result, bail, ensure};
use xshell::{Shell, cmd};

use counts::{RECORDED, Record};

use crate::checks::Outcome;
use crate::tools;
use crate::workspace;

const COUNTS: &str = "ci/counts.txt";

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
        RECORDED.map(|name| name.replace("instructions", "instrs").replace("stack_", "")),
    );
    for package in workspace::checked_by(sh, "kernels")? {
        let krate = package.name.replace('-', "_");
        let functions = object_file::read(&folder.join(format!("lib{krate}.rlib")))?;
        let report = kernels::check_library(&krate, &functions);
        for kernel in report.kernels {
            let row = format!("{krate} {} {}", kernel.job, kernel.set);
            print_row(&row, RECORDED.map(|name| kernel.counts.get(name).to_string()));
            now.insert(format!("{krate}\t{} {}", kernel.job, kernel.set), kernel.counts);
        }
        faults.extend(report.faults.into_iter().map(|fault| format!("{krate} {fault}")));
    }
    println!();

    if arguments == ["--record"] {
        let rustc = cmd!(sh, "rustc --version").read()?;
        let version: Vec<_> = rustc.split(' ').take(2).collect();
        let mut text = format!(
            "# Instructions of the kernels by {}, as `cargo xtask machine-code --record` counts \
             them.\n",
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

fn print_row(first: &str, columns: [String; RECORDED.len()]) {
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
