//! The digests of RFC 7693 and of BLAKE2's own `blake2-kat.json`.

use blake2_multi::engine::{Blake2b256, Blake2b512, Blake2s128, Blake2s256};
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
        let lengths = [0, 3, 128, 129, 255, 1024];
        let digests = [
            of_sequences::<Blake2b256>(backend, lengths),
            of_sequences::<Blake2b512>(backend, lengths),
        ]
        .concat();
        let digest = Lanes::<Blake2b512>::on(backend).hash(digests);
        assert_eq!(hex::encode(digest), SELF_TEST_B, "{backend}");
    }
}

const SELF_TEST_S: &str = "dfc10195f4eda59d46e784acdab9c2db762fd623c74f5f1425b28841fbf72e07";

const SELF_TEST_B: &str = "a16e58202ee35c904f028eaebbace946f3332b59054fd3d607d815098db03c53\
                           df61ed42c86e3b10ff0f18271148723982d495ecb7fa81eb3e3fff4da598c073";

/// The digests of the messages 00, 0001, ..., of 0 to 255 bytes: the first, the last, and the
/// digest of all.
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

#[test]
fn blake2b_kat() {
    assert_kat::<Blake2b512>(
        0,
        [
            "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419\
         d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce",
            "5b21c5fd8868367612474fa2e70e9cfa2201ffeee8fafab5797ad58fefa17c9b\
         5b107da4a3db6320baaf2c8617d5a51df914ae88da3867c2d41f0cc14fa67928",
            "9509f3cc828c6fb8e7db1f607ea4bb2eb5f523f81fad4be5fabdf4b4f58b6a60\
         daf580513ea5d404a692c91db485776daa30156fece3c1d7f3b2991d2213e111",
        ],
    );
    assert_kat::<Blake2b512>(
        64,
        [
            "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786\
         b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568",
            "142709d62e28fcccd0af97fad0f8465b971e82201dc51070faa0372aa43e9248\
         4be1c1e73ba10906d5d1853db6a4106e0a7bf9800d373d6dee2d46d62ef2a461",
            "79a51f891c56679c1fff4cff93a7f1ed2922d668560b880f2debecf630d3cdaf\
         f59d3bb380d18c3c24d91e214c20085e6b4b081adccb8fc3025a96e520eb7c34",
        ],
    );
}
