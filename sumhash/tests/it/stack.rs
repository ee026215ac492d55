//! Tests that every function keeps to the stack that the README promises: an overflow aborts the
//! test program.

use std::thread;

use sumhash512::{
    Backend, CompressLookup, CompressMatrix, Compressor, Matrix, SaltedSumhash512Core,
    Sumhash512Core, Table, compress_many_with, hash, hash_many_with, hash_salted,
};

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
    for messages in [&equal, &ragged] {
        hash_many_with(backend, messages.iter().copied(), &mut digests);
    }
    hash_many_with(backend, [data.as_slice()], &mut digests[..1]);
    let blocks = digests.clone();
    compress_many_with(backend, &mut digests, &blocks);

    for table in [Table::new, Table::large, Table::constant_time] {
        let table = table();
        for messages in [&equal, &ragged] {
            table.hash_many_with(backend, messages.iter().copied(), &mut digests);
        }
        table.compress_many_with(backend, &mut digests, &blocks);
        let mut plain = Sumhash512Core::with_table(&table).with_backend(backend);
        plain.update_blocks(&blocks);
        let _ = plain.finalize(b"the end");
        let mut salted = SaltedSumhash512Core::with_table(&table, &[7; 64]).with_backend(backend);
        salted.update_blocks(&blocks);
        let _ = salted.finalize(b"the end");
    }
}

/// The compression function of a larger matrix.
fn run_any_size(backend: Backend) {
    fn check(compressor: &impl Compressor) {
        let block = compressor.input_bytes() - compressor.output_bytes();
        let _ = hash(compressor, &[7; 1000]);
        let _ = hash_salted(compressor, &vec![7; block], &[7; 1000]);
    }
    let matrix = Matrix::new(14, 3584, b"seed").unwrap();
    check(&CompressLookup::new(&matrix).with_backend(backend));
    check(&CompressLookup::large(&matrix).with_backend(backend));
    check(&CompressMatrix::new(&matrix).with_backend(backend));
}

#[test]
fn every_function_in_a_small_stack() {
    for backend in Backend::available() {
        in_a_small_stack(move || run(backend));
        in_a_small_stack(move || run_any_size(backend));
    }
}

#[cfg(feature = "digest")]
#[test]
fn digests_in_a_small_stack() {
    use digest::Digest as _;
    use sumhash512::{DigestMany as _, Sumhash512, Sumhash512Ct};

    in_a_small_stack(|| {
        let data = vec![7; 70 * 300];
        let messages: Vec<_> = data.chunks(300).collect();
        let plain = Sumhash512::digest_many(messages.iter().copied());
        let constant_time = Sumhash512Ct::digest_many(messages.iter().copied());
        assert_eq!(plain, constant_time);
        assert_eq!(plain[0], Sumhash512::digest(messages[0]));
        assert_eq!(plain[0], Sumhash512Ct::digest(messages[0]));
    });
}
