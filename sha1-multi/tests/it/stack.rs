//! Tests that every function keeps to the stack that the README promises: an overflow aborts the
//! test program.

use std::iter::repeat_n;
use std::thread;

use sha1_multi::{Backend, Sha1Lanes};

/// The promised 32 KiB, and 8 KiB for the thread itself. Without optimisation, or with debug
/// assertions, 1 MiB.
const STACK: usize = if cfg!(debug_assertions) { 1 << 20 } else { (32 + 8) << 10 };

fn run(backend: Backend) {
    let lanes = Sha1Lanes::on(backend);
    let data = vec![7; 70 * 200];
    let equal: Vec<_> = data.chunks(200).collect();
    let digests: Vec<_> = data.chunks(32).collect();
    let ragged: Vec<_> = (0..70).map(|i| &data[..i * 199]).collect();
    for messages in [&equal, &digests, &ragged] {
        lanes.hash_many_into(messages.iter().copied(), &mut vec![[0; 20]; messages.len()]);
    }
    let mut hasher = lanes.many_hasher(70);
    hasher.update_all(&ragged);
    hasher.update(3, &data);
    let _ = hasher.finalize();
    let _ = lanes.hash(&data);

    let mut macs = vec![[0; 20]; 70];
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
