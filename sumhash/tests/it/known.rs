//! Published digests, from the tests of Algorand's go-sumhash and from its networks.

use crate::{assert_hashed, digest, shake256, tables};

#[test]
fn short_messages() {
    let tables = tables();
    for (message, expected) in [
        (
            "",
            "591591c93181f8f90054d138d6fa85b63eeeb416e6fd201e8375ba05d3cb5539\
             1047b9b64e534042562cc61944930c0075f906f16710cdade381ee9dd47d10a0",
        ),
        (
            "a",
            "ea067eb25622c633f5ead70ab83f1d1d76a7def8d140a587cb29068b63cb6407\
             107aceecfdffa92579ed43db1eaa5bbeb4781223a6e07dd5b5a12d5e8bde82c6",
        ),
        (
            "ab",
            "ef09d55b6add510f1706a52c4b45420a6945d0751d73b801cbc195a54bc0ade0\
             c9ebe30e09c2c00864f2bd1692eba79500965925e2be2d1ac334425d8d343694",
        ),
        (
            "abc",
            "a8e9b8259a93b8d2557434905790114a2a2e979fbdc8aa6fd373315a322bf092\
             0a9b49f3dc3a744d8c255c46cd50ff196415c8245cdbb2899dec453fca2ba0f4",
        ),
        (
            "abcd",
            "1d4277f17e522c4607bc2912bb0d0ac407e60e3c86e2b6c7daa99e1f740fe2b4\
             fc928defad8e1ccc4e7d96b79896ffe086836c172a3db40a154d2229484f359b",
        ),
        (
            "You must be the change you wish to see in the world. -Mahatma Gandhi",
            "5c5f63ac24392d640e5799c4164b7cc03593feeec85844cc9691ea0612a97caa\
             bc8775482624e1cd01fb8ce1eca82a17dd9d4b73e00af4c0468fd7d8e6c2e4b5",
        ),
        (
            "I think, therefore I am. – Rene Descartes.",
            "2d4583cdb18710898c78ec6d696a86cc2a8b941bb4d512f9d46d96816d95cbe3\
             f867c9b8bd31964406c847791f5669d60b603c9c4d69dadcb87578e613b60b7a",
        ),
    ] {
        assert_hashed(&tables, message.as_bytes(), &digest(expected));
    }
}

#[test]
fn six_thousand_bytes() {
    let message = shake256(b"sumhash input", 6000);
    let expected = digest(
        "43dc59ca43da473a3976a952f1c33a2b284bf858894ef7354b8fc0bae02b9663\
         91070230dd23e0713eaf012f7ad525f198341000733aa87a904f7053ce1a43c6",
    );
    assert_hashed(&tables(), &message, &expected);
}

/// The bottom leaf of a vector commitment, an empty signature slot, and their parent nodes.
#[test]
fn empty_leaves_and_their_nodes() {
    let tables = tables();
    let bottom = digest(
        "c1a359d33a5e28720f7117a296ceb19d5c5828f98c61743d43c5cc7f9b9d8763\
         195029b14f80ee4bacde8c7d082a4b0c8b26605dfc8abfa0613d666c599d7f02",
    );
    assert_hashed(&tables, b"MB", &bottom);
    let empty_slot = digest(
        "3dad11bd629e0c4b8504e644517b3030247abf063cbecb0c0f82f5616c5a2b3b\
         6ed2ab121c8f8e1bf27125f0954be647329cbda0177a9850512c56f8b2ee86f3",
    );
    assert_hashed(&tables, b"sps", &empty_slot);
    let node = [b"MA", &bottom[..], &bottom].concat();
    let above_bottom = digest(
        "c017c357546fefa8365b3acb296c08c27504be86b8d71c4bab77d449666a491d\
         ef20f5b45505df68ab0511982e1032a7e18a9b24c5405343946449fdc22b46ea",
    );
    assert_hashed(&tables, &node, &above_bottom);
    let above_zeros = digest(
        "94daae317bf0aef3f016cac602da7bdc5bbed925823f1f50f400ea82a94b953a\
         cf0ae4c8351568560d7fc0438954163bb214d071ab7a3678a4b3c50be85b7499",
    );
    assert_hashed(&tables, &[b"MA", &[0; 128][..]].concat(), &above_zeros);
}
