//! The process that [`tracer`](crate::tracer) watches. It stops before and after each watched job.

use std::collections::HashMap;
use std::hint::black_box;
use std::io::Write as _;

use nix::sys::ptrace;
use nix::sys::signal::{Signal, raise};
use sumhash512::Backend;

use crate::jobs;
use crate::tracer::Region;

pub(crate) fn work(backend: &str) {
    ptrace::traceme().expect("the parent watches");
    if backend == "amx" {
        // Only while single-stepped can it be made to believe in AMX.
        watched("the question for AMX", &[], false, Backend::amx);
    }
    let mut digests = HashMap::new();
    for job in jobs::all() {
        // All backends must compute the same digest.
        let expected =
            digests.entry(job.name.clone()).or_insert_with(|| (job.hash)(&job.secret(2)));
        // A known leak shows that the tracer works.
        if job.backend != backend && job.name != jobs::CONTROL {
            continue;
        }
        // Data that is initialised once is made from other bytes.
        (job.hash)(&job.secret(1));
        let secret = job.secret(2);
        let name = format!("{:<12} {}", job.backend, job.name);
        let digest = watched(&name, &secret, job.leaks, || (job.hash)(&secret));
        assert_eq!(digest, *expected, "{name}");
    }
}

/// Has `work` watched, which processes the secret.
fn watched<T>(name: &str, secret: &[u8], leaks: bool, work: impl FnOnce() -> T) -> T {
    let region =
        Region { secret: (secret.as_ptr() as u64, secret.len() as u64), leaks, name: name.into() };
    println!("{}", region.to_line());
    std::io::stdout().flush().expect("the parent reads");
    raise(Signal::SIGUSR1).expect("a stop");
    let result = black_box(work());
    raise(Signal::SIGUSR1).expect("a stop");
    result
}
