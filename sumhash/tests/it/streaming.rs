//! Messages hashed in parts through the cores.

use sumhash512::{SaltedSumhash512Core, Sumhash512Core, Table};

use crate::painted;
use crate::reference::Reference;

#[test]
fn blocks_in_parts() {
    let message = painted(5, 64 * 9 + 30);
    let (blocks, rest) = message.as_chunks();
    let reference = Reference::sumhash512();
    let salt: [u8; 64] = painted(6, 64).try_into().unwrap();
    let expected = reference.hash(None, &message);
    let expected_salted = reference.hash(Some(&salt), &message);
    let table = Table::new();
    for first in 0..=9 {
        let mut core = Sumhash512Core::with_table(&table);
        let mut salted = SaltedSumhash512Core::with_table(&table, &salt);
        for blocks in [&blocks[..first], &[], &blocks[first..]] {
            core.update_blocks(blocks);
            salted.update_blocks(blocks);
        }
        assert_eq!(core.finalize(rest), *expected);
        // Finalizing leaves the state unchanged.
        assert_eq!(core.clone().finalize(rest), *expected);
        assert_eq!(salted.finalize(rest), *expected_salted);
        assert_eq!(salted.finalize(rest), *expected_salted);
        assert_eq!(*salted.salt(), salt);
    }
}

#[test]
fn reset_starts_a_new_message() {
    let salt: [u8; 64] = painted(6, 64).try_into().unwrap();
    let mut core = Sumhash512Core::new();
    let mut salted = SaltedSumhash512Core::new(&salt);
    core.update_blocks(&[[7; 64]; 3]);
    salted.update_blocks(&[[7; 64]; 3]);
    core.reset();
    salted.reset();
    assert_eq!(core.finalize(b"abc"), Sumhash512Core::new().finalize(b"abc"));
    assert_eq!(salted.finalize(b"abc"), SaltedSumhash512Core::new(&salt).finalize(b"abc"));
}

#[test]
fn nothing_secret_is_printed() {
    assert_eq!(format!("{:?}", Sumhash512Core::new()), "Sumhash512Core { ... }");
    assert_eq!(
        format!("{:?}", SaltedSumhash512Core::new(&[1; 64])),
        "SaltedSumhash512Core { ... }"
    );
    assert_eq!(format!("{:?}", Table::new()), "Table(\"small\")");
}
