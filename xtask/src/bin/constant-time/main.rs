//! Checks that no branch or address depends on hashed data.
//!
//! The portable kernels and those of SSE and AVX2 run under Valgrind's memcheck ([`memcheck`]). It
//! is told that the messages are undefined, and reports each branch and each address that depends
//! on undefined bits. It does not know the instructions of the other kernels, which are
//! single-stepped on the CPU ([`tracer`]). Both also have to find known leaks, such as the tables
//! of sumhash512.
#![forbid(unsafe_code)]

mod jobs;
mod memcheck;
mod taint;
mod tiles;
mod traced;
mod tracer;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::thread;

use jobs::Job;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        None => everything(),
        Some("memcheck") => memcheck::work(&arguments.collect::<Vec<_>>()),
        Some("traced") => {
            traced::work();
            ExitCode::SUCCESS
        }
        Some(other) => panic!("no such part: {other}"),
    }
}

/// Whether Valgrind does not know the instructions of a job's backend.
fn is_traced(job: &Job) -> bool {
    ["avx512", "sha", "amx"].iter().any(|word| job.backend.contains(word))
}

fn everything() -> ExitCode {
    let (traced, checked): (Vec<Job>, Vec<Job>) = jobs::all().into_iter().partition(is_traced);
    let traced: BTreeSet<_> = traced.iter().map(|job| job.backend).collect();
    let checked: BTreeSet<_> = checked.iter().map(|job| job.backend).collect();

    println!("By Valgrind: {checked:?}\nStep by step: {traced:?}\n");
    // Each uses one core.
    let (is_tight, (faults, counts)) = thread::scope(|scope| {
        let memcheck = scope.spawn(|| memcheck::run(&checked));
        let traced = tracer::run();
        (memcheck.join().expect("no panic"), traced)
    });
    println!(
        "instructions executed: {} of AVX-512 on 512 bits, {} of SHA, {} of AMX",
        counts.wide, counts.sha, counts.tiles
    );
    let mut is_right = is_tight && faults == 0;
    // A backend that chose other kernels than its name says would have proved nothing.
    for (name, count) in [("avx512", counts.wide), ("sha-ni", counts.sha), ("avx512", counts.tiles)]
    {
        if traced.contains(name) && count == 0 {
            println!("FAULT: some of these were never executed");
            is_right = false;
        }
    }
    println!("{}", if is_right { "no faults" } else { "FAULTS: see above" });
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
