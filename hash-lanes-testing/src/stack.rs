//! Tests that functions keep to the stack that the READMEs promise: an overflow aborts the test
//! program.

use std::thread;

use hash_lanes::{Backend, HashMany, ManyHasher, Prefix};

use crate::{Subject, backends};

/// The promised 32 KiB, and 8 KiB for the thread itself. Without optimisation, or with debug
/// assertions, 1 MiB.
const STACK: usize = if cfg!(debug_assertions) { 1 << 20 } else { (32 + 8) << 10 };

/// Runs a job in a thread with little stack, for each backend.
///
/// # Panics
///
/// Panics if the job does.
pub fn on_each_backend(job: fn(Backend)) {
    for backend in backends() {
        let small = thread::Builder::new().stack_size(STACK);
        small.spawn(move || job(backend)).unwrap().join().unwrap();
    }
}

/// Each group of functions has a caller of its own: a caller of all would need a quarter of the
/// stack for what it inlines.
pub fn messages<S: Subject>() {
    on_each_backend(ways::<S>);
    on_each_backend(by_value::<S>);
    on_each_backend(hashers::<S>);
    on_each_backend(prefixes::<S>);
}

/// Messages of equal length, then ragged ones.
fn batches() -> Vec<Vec<Vec<u8>>> {
    let data = vec![7; 70 * 200];
    let chunks = |len| data.chunks_exact(len).take(70).map(<[u8]>::to_vec).collect();
    let mut batches: Vec<Vec<Vec<u8>>> = [32, 33, 65, 200].map(chunks).into();
    batches.push((0..70).map(|i| data[..i * 199].to_vec()).collect());
    batches
}

fn ways<S: Subject>(backend: Backend) {
    let batches = batches();
    for way in S::ways() {
        for messages in &batches {
            let _ = (way.hash_many)(backend, messages);
        }
        if let Some(hash) = way.hash {
            let _ = hash(backend, &batches[4][69]);
        }
    }
}

/// A group of the largest would not fit.
fn by_value<S: Subject>(backend: Backend) {
    let lanes = S::on(backend);
    let _ = lanes.hash_many((0..70).map(|i| vec![7; i]));
    let _ = lanes.hash_many((0..70_u8).map(|i| [i; 32]));
    let _ = lanes.hash_many((0..70_u8).map(|i| [i; 1024]));
}

fn hashers<S: Subject>(backend: Backend) {
    let batches = batches();
    let mut hasher = ManyHasher::<S::Hash>::with_backend(backend, 70);
    hasher.update_all(&batches[4]);
    hasher.update(3, &batches[4][69]);
    let _ = hasher.finalize();
}

fn prefixes<S: Subject>(backend: Backend) {
    let data = vec![7; 1000];
    let prefix = Prefix::<S::Hash>::with_backend(backend, &data[..100]);
    let _ = prefix.hash_many((0..70).map(|i| (&data[..i], &data[..i * 9])));
}
