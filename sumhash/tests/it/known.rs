//! Published digests, from the tests of Algorand's go-sumhash.

use sumhash512::{CompressLookup, CompressMatrix, Matrix, hash, hash_salted};

use crate::{assert_hashed, digest, shake256, tables};

#[test]
fn short_messages() {
    let tables = tables();
    for (message, expected) in [
        (
            "",
            "591591c93181f8f90054d138d6fa85b63eeeb416e6fd201e8375ba05d3cb55391047b9b64e534042562cc61944930c00\
             75f906f16710cdade381ee9dd47d10a0",
        ),
        (
            "a",
            "ea067eb25622c633f5ead70ab83f1d1d76a7def8d140a587cb29068b63cb6407107aceecfdffa92579ed43db1eaa5bbe\
             b4781223a6e07dd5b5a12d5e8bde82c6",
        ),
        (
            "ab",
            "ef09d55b6add510f1706a52c4b45420a6945d0751d73b801cbc195a54bc0ade0c9ebe30e09c2c00864f2bd1692eba795\
             00965925e2be2d1ac334425d8d343694",
        ),
        (
            "abc",
            "a8e9b8259a93b8d2557434905790114a2a2e979fbdc8aa6fd373315a322bf0920a9b49f3dc3a744d8c255c46cd50ff19\
             6415c8245cdbb2899dec453fca2ba0f4",
        ),
        (
            "abcd",
            "1d4277f17e522c4607bc2912bb0d0ac407e60e3c86e2b6c7daa99e1f740fe2b4fc928defad8e1ccc4e7d96b79896ffe0\
             86836c172a3db40a154d2229484f359b",
        ),
        (
            "You must be the change you wish to see in the world. -Mahatma Gandhi",
            "5c5f63ac24392d640e5799c4164b7cc03593feeec85844cc9691ea0612a97caabc8775482624e1cd01fb8ce1eca82a17\
             dd9d4b73e00af4c0468fd7d8e6c2e4b5",
        ),
        (
            "I think, therefore I am. – Rene Descartes.",
            "2d4583cdb18710898c78ec6d696a86cc2a8b941bb4d512f9d46d96816d95cbe3f867c9b8bd31964406c847791f5669d6\
             0b603c9c4d69dadcb87578e613b60b7a",
        ),
    ] {
        assert_hashed(&tables, None, message.as_bytes(), &digest(expected));
    }
}

#[test]
fn six_thousand_bytes() {
    let message = shake256(b"sumhash input", 6000);
    let expected = digest(
        "43dc59ca43da473a3976a952f1c33a2b284bf858894ef7354b8fc0bae02b966391070230dd23e0713eaf012f7ad525f1\
         98341000733aa87a904f7053ce1a43c6",
    );
    assert_hashed(&tables(), None, &message, &expected);
}

#[test]
fn six_thousand_bytes_with_a_salt() {
    let message = shake256(b"sumhash input", 6000);
    let salt: [u8; 64] = shake256(b"sumhash salt", 64).try_into().unwrap();
    let expected = digest(
        "c9be08eed13218c30f8a673f7694711d87dfec9c7b0cb1c8e18bf68420d4682530e45c1cd5d886b1c6ab44214161f06e\
         091b0150f28374d6b5ca0c37efc2bca7",
    );
    assert_hashed(&tables(), Some(&salt), &message, &expected);
    let compress = CompressLookup::new(&Matrix::sumhash512());
    assert_eq!(hash_salted(&compress, &salt, &message), expected);
}

/// 14 rows and blocks of 336 bytes.
#[test]
fn other_sizes() {
    let matrix = Matrix::new(14, 3584, &[0x11, 0x22, 0x33, 0x44]).unwrap();
    let expected = hex::decode(
        "fc91828801365750f0267edd5530a301d1471736c485472bbadf22507731a81fd67e0d80cce722a81c6dc690b698f577\
         1713855c5d1927488d79713e3abd81053de2c7db1430b8fb106b3f6aa6b93e54aec351e47bcc176c0df58a0336d24979\
         a064f3acb67a693db399c6402149157b",
    )
    .unwrap();
    assert_eq!(hash(&CompressLookup::new(&matrix), b"1234567890"), expected);
    assert_eq!(hash(&CompressLookup::large(&matrix), b"1234567890"), expected);
    assert_eq!(hash(&CompressMatrix::new(&matrix), b"1234567890"), expected);
}
