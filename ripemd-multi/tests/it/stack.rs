//! Tests that every function keeps to the stack that the README promises: an overflow aborts the
//! test program.

use std::thread;

use ripemd_multi::{Backend, Ripemd160Lanes, hash};

/// The promised 32 KiB, and 8 KiB for the thread itself. Without optimisation, or with debug
/// assertions, 1 MiB.
const STACK: usize = if cfg!(debug_assertions) { 1 << 20 } else { (32 + 8) << 10 };

fn run(backend: Backend) {
    let lanes = Ripemd160Lanes::on(backend);
    let data = vec![7; 70 * 200];
    let equal: Vec<_> = data.chunks(200).collect();
    let digests: Vec<_> = data.chunks(32).collect();
    let keys: Vec<_> = data.chunks_exact(33).collect();
    let long_keys: Vec<_> = data.chunks_exact(65).collect();
    let ragged: Vec<_> = (0..70).map(|i| &data[..i * 199]).collect();
    for messages in [&equal, &digests, &keys, &long_keys, &ragged] {
        let mut outputs = vec![[0; 20]; messages.len()];
        lanes.hash_many_into(messages.iter().copied(), &mut outputs);
        lanes.hash160_many_into(messages.iter().copied(), &mut outputs);
    }
    let mut hasher = lanes.many_hasher(70);
    hasher.update_all(&ragged);
    hasher.update(3, &data);
    let _ = hasher.finalize();
    let _ = hash(&data);
    let _ = lanes.hash160(&data[..33]);
}

#[test]
fn every_function_in_a_small_stack() {
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let small = thread::Builder::new().stack_size(STACK);
        small.spawn(move || run(backend)).unwrap().join().unwrap();
    }
}
