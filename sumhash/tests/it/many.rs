//! Many messages, and wrong counts of them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sumhash512::{Backend, Sumhash512Core, Sumhash512Lanes, Table, hash_many, hash_many_into};

use crate::reference::Reference;
use crate::{UNWRITTEN, painted, tables};

#[test]
fn any_number_of_messages() {
    let reference = Reference::new();
    let messages: Vec<Vec<u8>> = (0..=33).map(|i| painted(i, i * 37 % 300)).collect();
    let expected: Vec<_> = messages.iter().map(|message| reference.digest(message)).collect();
    for count in 0..=33 {
        let (messages, expected) = (&messages[..count], &expected[..count]);
        assert_eq!(hash_many(messages), expected);
        let mut digests = vec![UNWRITTEN; count];
        hash_many_into(messages, &mut digests);
        assert_eq!(digests, expected);
        for backend in Backend::available() {
            let shared = Sumhash512Lanes::default().on(backend);
            assert_eq!(shared.hash_many(messages), expected, "{backend}");
            for table in &tables()[..count.min(2)] {
                digests.fill(UNWRITTEN);
                let hash = Sumhash512Lanes::with_table(table).on(backend);
                hash.hash_many_into(messages, &mut digests);
                assert_eq!(digests, expected, "{backend}, {table:?}");
            }
        }
    }
}

/// Several threads hash enough blocks to make the shared table grow.
#[test]
fn while_the_shared_table_grows() {
    let reference = Reference::new();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let reference = &reference;
            scope.spawn(move || {
                let message = painted(thread, 3000);
                let expected = reference.digest(&message);
                for _ in 0..200 {
                    assert_eq!(hash_many([&message]), [expected]);
                }
            });
        }
    });
}

/// Asserts that a job panics with a message that contains `expected`.
fn assert_panics<T>(expected: &str, job: impl FnOnce() -> T) {
    // Where a panic aborts, as in WebAssembly, nothing is left to assert.
    if cfg!(panic = "abort") {
        return;
    }
    let Err(payload) = catch_unwind(AssertUnwindSafe(job)) else { panic!("no panic: {expected}") };
    let message = payload.downcast_ref::<String>().expect("a formatted message");
    assert!(message.contains(expected), "{message}");
}

#[test]
fn counts_that_do_not_match() {
    let table = Table::new();
    assert_panics("2 messages cannot be hashed into 1 digests", || {
        hash_many_into(["", ""], &mut [[0; 64]]);
    });
    assert_panics("1 messages cannot be hashed into 2 digests", || {
        Sumhash512Lanes::with_table(&table).hash_many_into([""], &mut [[0; 64]; 2]);
    });
}

#[test]
fn whole_blocks_as_rest() {
    for length in [64, 65] {
        let message =
            format!("`rest` is {length} bytes long, but must be shorter than a block (64 bytes)");
        assert_panics(&message, || Sumhash512Core::new().finalize(&vec![0; length]));
    }
}
