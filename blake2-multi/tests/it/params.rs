//! Keys, salts and personalization strings: digests by Python's `hashlib`, and the limits.

use blake2_multi::Params;
use blake2_multi::engine::{Blake2s128, Blake2s256};
use hash_lanes::engine::HashFunction;

use crate::backends;

/// Messages of 0, 1, 64 and 300 bytes with a salt, with a personalization string, with all, and
/// with the longest of all.
fn assert_digests<F: HashFunction>(words: usize, expected: &[[&str; 4]; 4]) {
    let bytes: Vec<u8> = (0..300).map(|i| (i % 251) as u8).collect();
    let range = |range: std::ops::Range<usize>| range.map(|i| i as u8).collect::<Vec<u8>>();
    let (key, salt, personal) =
        (range(0..8 * words), range(0..2 * words), range(100..100 + 2 * words));
    let params: [[&[u8]; 3]; 4] = [
        [b"", b"salty", b""],
        [b"", b"", b"person"],
        [b"key", b"salt", b"personal"],
        [&key, &salt, &personal],
    ];
    for ([key, salt, personal], expected) in params.into_iter().zip(expected) {
        for backend in backends() {
            let params = Params::<F>::new().salt(salt).key(key).personal(personal).on(backend);
            let messages = [0, 1, 64, 300].map(|len| &bytes[..len]);
            let digests = params.hash_many(messages);
            let given: Vec<_> = digests.iter().map(|digest| hex::encode(digest.as_ref())).collect();
            assert_eq!(given, expected, "{backend}");
            assert!(messages.map(|message| params.hash(message))[..] == digests, "{backend}");
            let same = Params::<F>::try_new(key, salt, personal).unwrap().on(backend);
            assert!(same.try_hash_many(messages.map(Ok::<_, ()>)) == Ok(digests.clone()));
            // After a prefix, which may be empty, and in parts.
            for split in [0, 1] {
                let prefix = params.prefix(&bytes[..split]);
                let given = prefix.hash_many(messages[split..].iter().map(|it| (&it[split..],)));
                assert!(given == digests[split..], "{backend}, {split}");
            }
            let mut hasher = params.many_hasher(4);
            for (i, message) in messages.iter().enumerate() {
                for part in message.chunks(37) {
                    hasher.update(i, part);
                }
            }
            assert!(hasher.finalize_one(2) == digests[2], "{backend}");
            hasher.update_all(&[b"".as_slice(), b"", messages[2], b""]);
            assert!(hasher.clone().finalize() == digests, "{backend}");
            hasher.reset();
            assert!(hasher.finalize() == [digests[0]; 4], "{backend}");
        }
    }
}

#[test]
fn salts_keys_and_personal_strings() {
    assert_digests::<Blake2s256>(
        4,
        &[
            [
                "e4faad83ef70174a51fab8732313f7d334a6900a39dd57ff163c038661cf7a5c",
                "0cd87db30fb5e77dc365fe69d98f112ce21a0f14ee5dee87250d82f69fce1740",
                "af11aff25ea249dfca304db927d8c679333f06ab4269010981938d327c96fffd",
                "6063e0914b1a55f53af556cbc4d3d8983dbe608b2cf044cef4eaaea3b488db2f",
            ],
            [
                "71e4f65576ae3f985d2aac77ce4483b2fc507cb2ed1c0435288d366a18e1192e",
                "d50cf3e3d0769e4071fe1ae53516bf2a21f02d0ed857422fa89a479029386b1d",
                "fd2fcabb8aaee58e9cee002cbb455e9d6087e23a6077f8629acc733b537a6586",
                "a730039853b6d7a153f40ccd7222690ca3e1ed18aac91bd3e0b35c676f7b2517",
            ],
            [
                "1868d9e9062d8ae0f992483f9b986ff5f2248d98e7fbacbff3d2abeef39306d9",
                "b92e14d4423caaae6880f98a7e4649a3e649912c9539cc36a8ea9e2c5efd6ffa",
                "d46544052dac20c496a669dfefac3b67713e63b9ed83431b5179296f8351193d",
                "7a75ca179bb8d9ee49f02d9544cef905023b5fa72203bb99483f21eb61ddd687",
            ],
            [
                "59986eff71b0c609ea36b74f8f85d6a9ea5a74eee348d12c05a46b3518224c2b",
                "ffd367c4059284dbd0a599fd0e32bd1ac5a22686220e8fa33e8025456c2e676c",
                "562fd83afbb257604ded88041043a133b436e8181c21de4f1c0e02cfdfc50078",
                "676b2efd90e24b0b712c104d8cf22445605ce4aabd17fd4d62129dc8f49fc51c",
            ],
        ],
    );
    assert_digests::<Blake2s128>(
        4,
        &[
            [
                "c3d07890c2979475a70da582c4eed7f2",
                "ace8ced4414907ae255da1bd43dc6fda",
                "ed9f4125e351f3567d7c1ad1d09b6ec3",
                "015b8620427ce72684010269d3012735",
            ],
            [
                "28e0cccb2ad226d2319fcf658c360d39",
                "828d65035aa25435865314fdeb13a408",
                "c58049d5677be88e67fa0f0734216d93",
                "4481efe8d91da4d26c31d4f0bff1ccfb",
            ],
            [
                "8ecff334fa78b5f25a865cd475109c2a",
                "ed708924a5e4035dbedff3eb0096f809",
                "774433b30b431dc20ea06c647ec37a0f",
                "fd76072a65682ef166d9f2b55096c323",
            ],
            [
                "edee8e4672854b6ef40b998f8d52420e",
                "4ae0bbc5056febd66c7904ff69c726fc",
                "262e1ff82a283f64c54fa015c45bcec1",
                "edfd0e74fa1bb6bc116eda81df95aae5",
            ],
        ],
    );
}

/// More empty messages than a group, among others.
#[test]
fn empty_messages_with_a_key() {
    for backend in backends() {
        let params = Params::<Blake2s256>::new().key(b"key").on(backend);
        for empty in [|_| true, |i| i % 3 == 0, |i| i > 60, |i| i == 199] {
            let messages: Vec<_> =
                (0..200).map(|i| if empty(i) { vec![] } else { vec![7; i % 150 + 1] }).collect();
            let expected: Vec<_> = messages.iter().map(|message| params.hash(message)).collect();
            assert_eq!(params.hash_many(&messages), expected, "{backend}");
            let mut digests = vec![[0; 32]; 200];
            params.hash_many_into(&messages, &mut digests);
            assert_eq!(digests, expected, "{backend}");
        }
    }
}

#[test]
fn too_long() {
    type Params = blake2_multi::Params<Blake2s256>;
    assert_eq!((Params::MAX_KEY_BYTES, Params::MAX_SALT_BYTES), (32, 8));
    for (key, salt, personal, message) in [
        (33, 0, 0, "the key has 33 bytes, more than 32"),
        (32, 9, 0, "the salt has 9 bytes, more than 8"),
        (0, 8, 9, "the personalization string has 9 bytes, more than 8"),
    ] {
        let error = Params::try_new(&vec![0; key], &vec![0; salt], &vec![0; personal]).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
#[should_panic(expected = "the key has 40 bytes, more than 32")]
fn key_too_long() {
    let _ = blake2_multi::blake2s256::Params::new().key(&[1; 40]);
}

#[test]
fn debug_output_omits_the_key() {
    let params = blake2_multi::blake2s256::Params::new().key(&[123; 32]);
    assert!(!format!("{params:?}").contains("123"));
}
