//! Messages hashed in parts through the core.

use sumhash512::{Sumhash512Core, Table};

use crate::painted;
use crate::reference::Reference;

#[test]
fn blocks_in_parts() {
    let message = painted(5, 64 * 9 + 30);
    let (blocks, rest) = message.as_chunks();
    let expected = Reference::new().digest(&message);
    let table = Table::new();
    for first in 0..=9 {
        let mut core = Sumhash512Core::with_table(&table);
        for blocks in [&blocks[..first], &[], &blocks[first..]] {
            core.update_blocks(blocks);
        }
        assert_eq!(core.finalize(rest), expected);
        // Finalizing leaves the state unchanged.
        assert_eq!(core.clone().finalize(rest), expected);
    }
}

#[test]
fn reset_starts_a_new_message() {
    let mut core = Sumhash512Core::new();
    core.update_blocks(&[[7; 64]; 3]);
    core.reset();
    assert_eq!(core.finalize(b"abc"), Sumhash512Core::new().finalize(b"abc"));
}

#[test]
fn nothing_secret_is_printed() {
    assert_eq!(format!("{:?}", Sumhash512Core::new()), "Sumhash512Core { ... }");
    assert_eq!(format!("{:?}", Table::new()), "Table(\"small\")");
}
