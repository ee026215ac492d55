//! Many messages, and many blocks.

use sumhash512::{Backend, compress_many, compress_many_with, hash_many, hash_many_with};

use crate::reference::Reference;
use crate::{UNWRITTEN, painted, tables};

#[test]
fn any_number_of_messages() {
    let reference = Reference::sumhash512();
    let messages: Vec<Vec<u8>> = (0..=33).map(|i| painted(i, i * 37 % 300)).collect();
    let expected: Vec<_> = messages.iter().map(|message| reference.digest(message)).collect();
    for count in 0..=33 {
        let (messages, expected) = (&messages[..count], &expected[..count]);
        let mut digests = vec![UNWRITTEN; count];
        hash_many(messages, &mut digests);
        assert_eq!(digests, expected);
        for backend in Backend::available() {
            digests.fill(UNWRITTEN);
            hash_many_with(backend, messages, &mut digests);
            assert_eq!(digests, expected, "{backend}");
            for table in &tables()[..count.min(3)] {
                digests.fill(UNWRITTEN);
                table.hash_many_with(backend, messages, &mut digests);
                assert_eq!(digests, expected, "{backend}, {table:?}");
            }
        }
    }
}

#[test]
fn any_number_of_blocks() {
    let reference = Reference::sumhash512();
    for count in 0..=33 {
        let states: Vec<[u8; 64]> =
            (0..count).map(|i| painted(i, 64).try_into().unwrap()).collect();
        let blocks: Vec<[u8; 64]> =
            (0..count).map(|i| painted(100 + i, 64).try_into().unwrap()).collect();
        let expected: Vec<[u8; 64]> = states
            .iter()
            .zip(&blocks)
            .map(|(state, block)| {
                reference.compress(&[*state, *block].concat()).try_into().unwrap()
            })
            .collect();
        let mut compressed = states.clone();
        compress_many(&mut compressed, &blocks);
        assert_eq!(compressed, expected);
        for backend in Backend::available() {
            compressed.clone_from(&states);
            compress_many_with(backend, &mut compressed, &blocks);
            assert_eq!(compressed, expected, "{backend}");
            for table in &tables()[..count.min(3)] {
                compressed.clone_from(&states);
                table.compress_many_with(backend, &mut compressed, &blocks);
                assert_eq!(compressed, expected, "{backend}, {table:?}");
            }
        }
    }
}

/// Batches hashed in lockstep, with counts around the lane widths and lengths around the end of a
/// block.
#[test]
fn many_messages_with_few_lengths() {
    let reference = Reference::sumhash512();
    for lengths in [&[0][..], &[47, 46], &[48], &[64], &[100, 111], &[112], &[130], &[200, 0]] {
        // 100 messages of the first length, then 50 of the second.
        let messages: Vec<Vec<u8>> =
            (0..150).map(|i| painted(i, lengths[i / 100 % lengths.len()])).collect();
        let expected: Vec<_> = messages.iter().map(|message| reference.digest(message)).collect();
        for count in [5, 6, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 128, 150] {
            for backend in Backend::available() {
                for table in &tables() {
                    let mut digests = vec![UNWRITTEN; count];
                    table.hash_many_with(backend, &messages[..count], &mut digests);
                    assert_eq!(
                        digests,
                        expected[..count],
                        "{backend}, {table:?}, {count} of {lengths:?}"
                    );
                }
            }
        }
    }
}

/// Several threads hash enough blocks to make the shared table grow.
#[test]
fn while_the_shared_table_grows() {
    let reference = Reference::sumhash512();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let reference = &reference;
            scope.spawn(move || {
                let message = painted(thread, 3000);
                let expected = reference.digest(&message);
                for _ in 0..200 {
                    let mut digests = [UNWRITTEN];
                    hash_many([&message], &mut digests);
                    assert_eq!(digests[0], expected);
                }
            });
        }
    });
}

#[test]
fn backends_of_lanes() {
    let mut digests = [UNWRITTEN];
    for lanes in hash_lanes::Backend::available() {
        let backend = Backend::from(lanes);
        hash_many_with(backend, ["a"], &mut digests);
        let expected = match lanes.name() {
            name if name.starts_with("avx512") => "avx512",
            name if name.starts_with("avx2") => "avx2",
            _ => "portable",
        };
        assert_eq!(backend.name(), expected, "{lanes}");
    }
    assert_eq!(
        (Backend::default(), Backend::detect()),
        (Backend::available()[0], Backend::default())
    );
    assert!("none".parse::<Backend>().is_err());
}
