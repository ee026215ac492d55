//! Runs jobs under Valgrind, which tracks for each bit whether it is defined.

use std::collections::{BTreeSet, HashMap};
use std::ffi::c_void;
use std::process::{Command, ExitCode};

use crabgrind::memcheck::{MemState, mark_mem};
use crabgrind::{RunMode, count_errors, run_mode};

use crate::{is_traced, jobs};

/// Runs the jobs of these backends under Valgrind. Returns whether all passed.
pub(crate) fn run(backends: &BTreeSet<&str>) -> bool {
    let program = std::env::current_exe().expect("this program");
    // Expected leaks are not worth reading about.
    let hidden = "--log-file=/dev/null";
    [("tight", "--quiet"), ("leaking", hidden)].into_iter().fold(true, |is_right, (jobs, log)| {
        let mut valgrind = Command::new("valgrind");
        valgrind
            .args(["--error-limit=no", "--num-callers=8", log])
            .arg(&program)
            .args(["memcheck", jobs]);
        let status = valgrind.args(backends).status().expect("valgrind can be started");
        is_right & status.success()
    })
}

/// Under Valgrind: watches the jobs that must not leak (`tight`), or the others (`leaking`), of at
/// least these backends.
pub(crate) fn work(arguments: &[String]) -> ExitCode {
    assert_eq!(run_mode(), RunMode::Valgrind, "this part runs under valgrind");
    let (kind, backends) = arguments.split_first().expect("a kind of jobs");
    let leaking = kind == "leaking";
    if !leaking {
        slh_dsa_multi::declassify_with(|public| mark(public, MemState::Defined));
    }
    let mut missing: BTreeSet<&str> = backends.iter().map(String::as_str).collect();
    let mut digests = HashMap::new();
    let mut is_right = true;
    for job in jobs::all().iter().filter(|job| !is_traced(job)) {
        missing.remove(job.backend);
        if job.leaks != leaking {
            continue;
        }
        // Data that is initialised once is made from other bytes.
        (job.hash)(&job.secret(1));
        let mut secret = job.secret(2);
        mark(&mut secret, MemState::Undefined);
        let before = count_errors();
        let mut digest = (job.hash)(&secret);
        let errors = count_errors() - before;
        mark(&mut digest, MemState::Defined);
        let agrees = *digests.entry(job.name.clone()).or_insert_with(|| digest.clone()) == digest;
        let is_expected = (errors > 0) == leaking && agrees;
        let verdict = if is_expected { "" } else { ": FAULT" };
        let other = if agrees { "" } else { ", its digest differs from the previous backend's" };
        println!("{:<12} {:<40} {errors:>5} leaks{other}{verdict}", job.backend, job.name);
        is_right &= is_expected;
    }
    for backend in &missing {
        println!("{backend}: FAULT: not available under valgrind");
    }
    if is_right && missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn mark(bytes: &mut [u8], state: MemState) {
    // This version of the crate takes success for an error. The leaks that have to be found show
    // that the marking works.
    let _ = mark_mem(bytes.as_mut_ptr().cast::<c_void>(), bytes.len(), state);
}
