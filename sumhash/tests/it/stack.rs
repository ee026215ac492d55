//! Tests that every function keeps to the stack that the README promises: an overflow aborts the
//! test program.

use std::thread;

use sumhash512::{Backend, Sumhash512Core, Sumhash512Lanes, Table};

/// The promised 32 KiB, and 8 KiB for the thread itself. Without optimisation, or with debug
/// assertions, 1 MiB.
const STACK: usize = if cfg!(debug_assertions) { 1 << 20 } else { (32 + 8) << 10 };

fn in_a_small_stack(job: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(STACK).spawn(job).unwrap().join().unwrap();
}

/// sumhash512 with shared tables, and with each kind of table.
fn run(backend: Backend) {
    // Enough for the shared table to grow.
    let data = vec![7; 3 << 19];
    let equal: Vec<_> = data.chunks(300).take(70).collect();
    let ragged: Vec<_> = (0..70).map(|i| &data[..i * 299]).collect();
    let mut digests = vec![[0; 64]; 70];
    let shared = Sumhash512Lanes::default().on(backend);
    for messages in [&equal, &ragged] {
        shared.hash_many_into(messages, &mut digests);
    }
    shared.hash_many_into([&data], &mut digests[..1]);
    let blocks = shared.hash_many(&equal);

    for table in [Table::new, Table::large] {
        let table = table();
        let hash = Sumhash512Lanes::with_table(&table).on(backend);
        for messages in [&equal, &ragged] {
            hash.hash_many_into(messages, &mut digests);
        }
        let mut plain = Sumhash512Core::with_table(&table).with_backend(backend);
        plain.update_blocks(&blocks);
        let _ = plain.finalize(b"the end");
    }
}

#[test]
fn every_function_in_a_small_stack() {
    for backend in Backend::available() {
        in_a_small_stack(move || run(backend));
    }
}

#[cfg(feature = "digest")]
#[test]
fn digests_in_a_small_stack() {
    use digest::Digest as _;
    use sumhash512::{DigestMany as _, Sumhash512};

    in_a_small_stack(|| {
        let data = vec![7; 70 * 300];
        let messages: Vec<_> = data.chunks(300).collect();
        let plain = Sumhash512::digest_many(&messages);
        assert_eq!(plain[0], Sumhash512::digest(messages[0]));
    });
}
