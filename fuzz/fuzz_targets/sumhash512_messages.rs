//! Compares every table on every backend with bit-by-bit addition: messages of any length at
//! once, and blocks compressed into any states.
#![no_main]

use std::sync::LazyLock;

use hashlanes_fuzz::Messages;
use libfuzzer_sys::fuzz_target;
use sumhash512::{Backend, Sumhash512Lanes, Table};

#[path = "../../sumhash/tests/it/reference.rs"]
#[allow(dead_code, reason = "it is shared with the tests, which need more of it")]
mod reference;

use reference::Reference;

static REFERENCE: LazyLock<Reference> = LazyLock::new(Reference::new);
static TABLES: LazyLock<[Table; 3]> =
    LazyLock::new(|| [Table::new(), Table::large(), Table::constant_time()]);

const UNWRITTEN: [u8; 64] = [0xee; 64];

fuzz_target!(|input: Messages<'_>| {
    let messages = input.whole();
    let expected: Vec<_> = messages.iter().map(|message| REFERENCE.digest(message)).collect();
    // The states are the blocks in reverse order.
    let blocks: &[[u8; 64]] = input.blocks();
    let states: Vec<_> = blocks.iter().rev().copied().collect();
    let compress = |(state, block)| REFERENCE.compress(state, block);
    let compressed: Vec<_> = states.iter().zip(blocks).map(compress).collect();
    for backend in Backend::available() {
        for table in TABLES.iter() {
            let mut digests = vec![UNWRITTEN; messages.len()];
            let hash = Sumhash512Lanes::with_table(table).on(backend);
            hash.hash_many_into(&messages, &mut digests);
            assert_eq!(digests, expected, "{backend}, {table:?}");

            let mut states = states.clone();
            hash.compress_many(&mut states, blocks);
            assert_eq!(states, compressed, "blocks, {backend}, {table:?}");
        }
    }
});
