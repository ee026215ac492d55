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
mod tracer;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread::{self, available_parallelism};

use jobs::Job;
use tracer::Counts;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        None => everything(),
        Some("memcheck") => memcheck::work(&arguments.collect::<Vec<_>>()),
        Some("traced") => {
            tracer::work(&arguments.next().expect("a backend"));
            ExitCode::SUCCESS
        }
        Some(other) => panic!("no such part: {other}"),
    }
}

/// Whether Valgrind does not know the instructions of a job's backend.
fn is_traced(job: &Job) -> bool {
    ["avx512", "sha"].iter().any(|word| job.backend.contains(word))
}

fn everything() -> ExitCode {
    let (traced, checked): (Vec<Job>, Vec<Job>) = jobs::all().into_iter().partition(is_traced);
    let traced: BTreeSet<_> = traced.iter().map(|job| job.backend).collect();
    let checked: BTreeSet<_> = checked.iter().map(|job| job.backend).collect();

    println!("By Valgrind: {checked:?}\nStep by step: {traced:?}\n");
    let waiting = Mutex::new(traced.iter());
    let next = || waiting.lock().expect("no panic").next();
    let work = |cpu| {
        tracer::share_one_cpu(cpu);
        // Valgrind takes as long as several of the others.
        let mut is_right = cpu > 0 || memcheck::run(&checked);
        let mut counts = Counts::default();
        while let Some(backend) = next() {
            let (faults, followed) = tracer::run(backend);
            is_right &= faults == 0;
            counts = counts + followed;
        }
        (is_right, counts)
    };
    let work = &work;
    let workers = available_parallelism().map_or(1, usize::from);
    let (mut is_right, counts) = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|cpu| scope.spawn(move || work(cpu))).collect();
        let results = workers.into_iter().map(|worker| worker.join().expect("no panic"));
        results.reduce(|(a, b), (c, d)| (a & c, b + d)).expect("a worker")
    });
    println!(
        "instructions executed: {} of AVX-512 on 512 bits, {} of SHA",
        counts.wide, counts.sha
    );
    // A backend that chose other kernels than its name says would have proved nothing.
    for (name, count) in [("avx512", counts.wide), ("sha-ni", counts.sha)] {
        if traced.contains(name) && count == 0 {
            println!("FAULT: some of these were never executed");
            is_right = false;
        }
    }
    println!("{}", if is_right { "no faults" } else { "FAULTS: see above" });
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
