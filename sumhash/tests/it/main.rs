//! Compares every table on every backend with a reference that adds bit by bit.

mod construction;
#[cfg(any(feature = "digest", feature = "digest-0_10"))]
mod digests;
mod known;
mod many;
mod messages;
mod reference;
mod stack;

use reference::shake256;
use sumhash512::{Backend, Sumhash512Core, Table};

/// Bytes with a period of 251, so that no two blocks are equal. Different seeds give different
/// bytes.
fn painted(seed: usize, length: usize) -> Vec<u8> {
    let step = 1 + seed / 251;
    (0..length).map(|i| ((seed + i * step) % 251) as u8).collect()
}

fn digest(digits: &str) -> [u8; 64] {
    hex::FromHex::from_hex(digits).unwrap()
}

/// The contents of a digest before it is written.
const UNWRITTEN: [u8; 64] = [0xee; 64];

/// Each kind of table.
fn tables() -> [Table; 2] {
    [Table::new(), Table::large()]
}

/// Asserts the digest of a message with every table on every backend.
fn assert_hashed(tables: &[Table], message: &[u8], expected: &[u8; 64]) {
    let (blocks, rest) = message.as_chunks();
    for backend in Backend::available() {
        for table in tables {
            let mut core = Sumhash512Core::with_table(table).with_backend(backend);
            core.update_blocks(blocks);
            let digest = core.finalize(rest);
            assert_eq!(digest, *expected, "{backend}, {table:?}, {} bytes", message.len());
        }
    }
}

const fn assert_send_and_sync<T: Send + Sync>() {}
const _: () = {
    assert_send_and_sync::<Table>();
    assert_send_and_sync::<Sumhash512Core<'_>>();
    assert_send_and_sync::<Backend>();
};
