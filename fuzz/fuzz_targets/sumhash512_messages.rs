//! Compares every table on every backend with bit-by-bit addition: messages of any length at once
//! and with a salt, and blocks compressed into any states.
#![no_main]

use std::sync::LazyLock;

use hashlanes_fuzz::Messages;
use libfuzzer_sys::fuzz_target;
use sumhash512::{Backend, SaltedSumhash512Core, Table};

#[path = "../../sumhash/tests/it/reference.rs"]
#[allow(dead_code, reason = "it is shared with the tests, which need more of it")]
mod reference;

use reference::Reference;

static REFERENCE: LazyLock<Reference> = LazyLock::new(Reference::sumhash512);
static TABLES: LazyLock<[Table; 3]> =
    LazyLock::new(|| [Table::new(), Table::large(), Table::constant_time()]);

const UNWRITTEN: [u8; 64] = [0xee; 64];

fuzz_target!(|input: Messages<'_>| {
    let messages = input.whole();
    let expected: Vec<_> = messages.iter().map(|message| REFERENCE.digest(message)).collect();
    // The states are the blocks in reverse order.
    let blocks: &[[u8; 64]] = input.blocks();
    let states: Vec<_> = blocks.iter().rev().copied().collect();
    let compress = |(state, block): (&[u8; 64], &[u8; 64])| -> [u8; 64] {
        REFERENCE.compress(&[*state, *block].concat()).try_into().unwrap()
    };
    let compressed: Vec<_> = states.iter().zip(blocks).map(compress).collect();
    for backend in Backend::available() {
        for table in TABLES.iter() {
            let mut digests = vec![UNWRITTEN; messages.len()];
            table.hash_many_with(backend, &messages, &mut digests);
            assert_eq!(digests, expected, "{backend}, {table:?}");

            let mut states = states.clone();
            table.compress_many_with(backend, &mut states, blocks);
            assert_eq!(states, compressed, "blocks, {backend}, {table:?}");

            if let (Some(salt), Some(message)) = (blocks.first(), messages.first()) {
                let mut core = SaltedSumhash512Core::with_table(table, salt).with_backend(backend);
                let (whole, rest) = message.as_chunks();
                core.update_blocks(whole);
                assert!(
                    core.finalize(rest)[..] == REFERENCE.hash(Some(salt), message),
                    "salt, {backend}, {table:?}"
                );
            }
        }
    }
});
