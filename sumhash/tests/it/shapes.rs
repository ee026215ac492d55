//! Messages of Algorand's Merkle trees, with the digests that the network computes.

use sumhash512::hash_many;

use crate::reference::Reference;
use crate::{UNWRITTEN, assert_hashed, digest, painted, tables};

fn hashed(message: &[u8]) -> [u8; 64] {
    let mut digests = [UNWRITTEN];
    hash_many([message], &mut digests);
    digests[0]
}

/// The bottom leaf of a vector commitment, an empty signature slot, and their parent nodes.
#[test]
fn empty_leaves_and_their_nodes() {
    let tables = tables();
    let bottom = digest(
        "c1a359d33a5e28720f7117a296ceb19d5c5828f98c61743d43c5cc7f9b9d8763\
         195029b14f80ee4bacde8c7d082a4b0c8b26605dfc8abfa0613d666c599d7f02",
    );
    assert_hashed(&tables, None, b"MB", &bottom);
    let empty_slot = digest(
        "3dad11bd629e0c4b8504e644517b3030247abf063cbecb0c0f82f5616c5a2b3b\
         6ed2ab121c8f8e1bf27125f0954be647329cbda0177a9850512c56f8b2ee86f3",
    );
    assert_hashed(&tables, None, b"sps", &empty_slot);
    let node = [b"MA", &bottom[..], &bottom].concat();
    let above_bottom = digest(
        "c017c357546fefa8365b3acb296c08c27504be86b8d71c4bab77d449666a491d\
         ef20f5b45505df68ab0511982e1032a7e18a9b24c5405343946449fdc22b46ea",
    );
    assert_hashed(&tables, None, &node, &above_bottom);
    let above_zeros = digest(
        "94daae317bf0aef3f016cac602da7bdc5bbed925823f1f50f400ea82a94b953a\
         cf0ae4c8351568560d7fc0438954163bb214d071ab7a3678a4b3c50be85b7499",
    );
    assert_hashed(&tables, None, &[b"MA", &[0; 128][..]].concat(), &above_zeros);
}

/// Participants, nodes, keys and signatures: the lengths of every message that Algorand hashes by
/// the thousand.
#[test]
fn lengths_of_leaves_and_nodes() {
    let reference = Reference::sumhash512();
    let tables = tables();
    for length in [83, 130, 1805, 4377] {
        let message = painted(length, length);
        let expected = reference.hash(None, &message);
        assert_hashed(&tables, None, &message, &expected);
        assert_eq!(hashed(&message), *expected);
    }
}
