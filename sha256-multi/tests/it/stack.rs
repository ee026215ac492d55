//! Tests that every function keeps to the stack that the README promises: an overflow aborts the
//! test program.

use std::iter::repeat_n;
use std::thread;

use sha256_multi::{Backend, Midstate, Sha256Lanes};

/// The promised 32 KiB, and 8 KiB for the thread itself. Without optimisation, or with debug
/// assertions, 1 MiB.
const STACK: usize = if cfg!(debug_assertions) { 1 << 20 } else { (32 + 8) << 10 };

fn run(backend: Backend) {
    let lanes = Sha256Lanes::on(backend);
    let data = vec![7; 70 * 200];
    let equal: Vec<_> = data.chunks(200).collect();
    let digests: Vec<_> = data.chunks(32).collect();
    let ragged: Vec<_> = (0..70).map(|i| &data[..i * 199]).collect();
    let midstate = Midstate::new(&data[..128]);
    for messages in [&equal, &digests, &ragged] {
        let mut outputs = vec![[0; 32]; messages.len()];
        lanes.hash_many_into(messages.iter().copied(), &mut outputs);
        lanes.double_hash_many_into(messages.iter().copied(), &mut outputs);
        lanes.hash_many_after_into(&midstate, messages.iter().copied(), &mut outputs);
    }
    // By value, a group of the largest would not fit.
    let _ = lanes.hash_many((0..70).map(|i| vec![7; i]));
    let _ = lanes.hash_many((0..70_u8).map(|i| [i; 32]));
    let _ = lanes.hash_many((0..70_u8).map(|i| [i; 1024]));

    let mut hasher = lanes.many_hasher(70);
    hasher.update_all(&ragged);
    hasher.update(3, &data);
    let _ = hasher.finalize();
    let _ = lanes.hash(&data);

    let nodes = vec![[7; 64]; 67];
    let mut outputs = vec![[0; 32]; 67];
    lanes.hash_pairs_into(&nodes, &mut outputs);
    lanes.double_hash_pairs_into(&nodes, &mut outputs);

    let mut macs = vec![[0; 32]; 70];
    lanes.hmac_many_into(ragged.iter().copied(), equal.iter().copied(), &mut macs);
    let salts = repeat_n("salt", 70);
    lanes.pbkdf2_many_into(equal.iter().copied(), salts, 3, &mut vec![[0; 50]; 70]);
}

#[test]
fn every_function_in_a_small_stack() {
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let small = thread::Builder::new().stack_size(STACK);
        small.spawn(move || run(backend)).unwrap().join().unwrap();
    }
}
