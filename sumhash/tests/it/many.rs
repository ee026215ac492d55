//! Many messages, and many blocks.

use sumhash512::{Backend, Sumhash512Lanes, compress_many, hash_many, hash_many_into};

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
            for table in &tables()[..count.min(3)] {
                digests.fill(UNWRITTEN);
                let hash = Sumhash512Lanes::with_table(table).on(backend);
                hash.hash_many_into(messages, &mut digests);
                assert_eq!(digests, expected, "{backend}, {table:?}");
            }
        }
    }
}

#[test]
fn any_number_of_blocks() {
    let reference = Reference::new();
    for count in 0..=33 {
        let states: Vec<[u8; 64]> =
            (0..count).map(|i| painted(i, 64).try_into().unwrap()).collect();
        let blocks: Vec<[u8; 64]> =
            (0..count).map(|i| painted(100 + i, 64).try_into().unwrap()).collect();
        let expected: Vec<[u8; 64]> = states
            .iter()
            .zip(&blocks)
            .map(|(state, block)| reference.compress(state, block))
            .collect();
        let mut compressed = states.clone();
        compress_many(&mut compressed, &blocks);
        assert_eq!(compressed, expected);
        for backend in Backend::available() {
            compressed.clone_from(&states);
            Sumhash512Lanes::default().on(backend).compress_many(&mut compressed, &blocks);
            assert_eq!(compressed, expected, "{backend}");
            for table in &tables()[..count.min(3)] {
                compressed.clone_from(&states);
                let hash = Sumhash512Lanes::with_table(table).on(backend);
                hash.compress_many(&mut compressed, &blocks);
                assert_eq!(compressed, expected, "{backend}, {table:?}");
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
