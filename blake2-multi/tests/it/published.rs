//! The digests of RFC 7693 and of BLAKE2's own `blake2-kat.json`.

use blake2_multi::engine::{Blake2s128, Blake2s256};
use blake2_multi::{Backend, Lanes, Params};
use hash_lanes::engine::{Array, HashFunction};

use crate::backends;

/// The bytes that appendix E takes as messages and keys.
fn sequence(len: usize) -> Vec<u8> {
    let (mut a, mut b) = (0xdead_4bad_u32.wrapping_mul(len as u32), 1_u32);
    let mut next = || {
        (a, b) = (b, a.wrapping_add(b));
        (b >> 24) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// Digests of one length of the messages of appendix E, unkeyed and keyed.
fn of_sequences<F: HashFunction>(backend: Backend, lengths: [usize; 6]) -> Vec<u8> {
    let messages = lengths.map(sequence);
    let digest_bytes = F::Digest::filled(0).elements().len();
    let plain = Lanes::<F>::on(backend).hash_many(&messages);
    let keyed = Params::<F>::new().key(&sequence(digest_bytes)).on(backend).hash_many(&messages);
    let pairs = plain.iter().zip(&keyed);
    pairs.flat_map(|(plain, keyed)| [plain.as_ref(), keyed.as_ref()].concat()).collect()
}

/// The self-test of appendix E has four lengths of digests. Two of them are in this crate, so the
/// expected digest is that of their part.
#[test]
fn self_test_of_the_rfc() {
    for backend in backends() {
        let lengths = [0, 3, 64, 65, 255, 1024];
        let digests = [
            of_sequences::<Blake2s128>(backend, lengths),
            of_sequences::<Blake2s256>(backend, lengths),
        ]
        .concat();
        let digest = Lanes::<Blake2s256>::on(backend).hash(digests);
        assert_eq!(hex::encode(digest), SELF_TEST_S, "{backend}");
    }
}

const SELF_TEST_S: &str = "dfc10195f4eda59d46e784acdab9c2db762fd623c74f5f1425b28841fbf72e07";

/// The digests of the messages 00, 0001, ..., of 0 to 255 bytes: the first, the last, and the digest
/// of all.
fn assert_kat<F: HashFunction>(key_bytes: usize, expected: [&str; 3]) {
    let bytes: Vec<u8> = (0..=255).collect();
    let messages = (0..256).map(|len| &bytes[..len]);
    for backend in backends() {
        let lanes = Lanes::<F>::on(backend);
        let params = Params::<F>::new().key(&bytes[..key_bytes]).on(backend);
        let alone: Vec<_> = messages.clone().map(|message| params.hash(message)).collect();
        let mut all = vec![params.hash_many(messages.clone()), alone];
        if key_bytes == 0 {
            all.push(lanes.hash_many(messages.clone()));
        }
        let mut hasher = params.many_hasher(256);
        hasher.update_all(&messages.clone().collect::<Vec<_>>());
        all.push(hasher.finalize());
        for digests in all {
            let bytes: Vec<u8> = digests.iter().flat_map(|it| it.as_ref().to_vec()).collect();
            let [first, .., last] = &digests[..] else { unreachable!() };
            let given =
                [first.as_ref(), last.as_ref(), lanes.hash(bytes).as_ref()].map(hex::encode);
            assert_eq!(given, expected, "{backend}");
        }
    }
}

#[test]
fn blake2s_kat() {
    assert_kat::<Blake2s256>(
        0,
        [
            "69217a3079908094e11121d042354a7c1f55b6482ca1a51e1b250dfd1ed0eef9",
            "f03f5789d3336b80d002d59fdf918bdb775b00956ed5528e86aa994acb38fe2d",
            "6d86d20a9d486cc270bc10f4523a3e811f7f88636204b0a9a76277823b30b672",
        ],
    );
    assert_kat::<Blake2s256>(
        32,
        [
            "48a8997da407876b3d79c0d92325ad3b89cbb754d86ab71aee047ad345fd2c49",
            "3fb735061abc519dfe979e54c1ee5bfad0a9d858b3315bad34bde999efd724dd",
            "2582f7b18a91f66ef22aa9455384ada69b2590306a6470ee8588df75ee982f02",
        ],
    );
}
