//! Keys, salts and personalization strings: digests by Python's `hashlib`, and the limits.

use blake2_multi::Params;
use blake2_multi::engine::{Blake2b256, Blake2b512, Blake2s128, Blake2s256};
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
    assert_digests::<Blake2b512>(
        8,
        &[
            [
                "b345bd531b8a55a08faa9652e5c1957a8607645461cf063e84197c0dcd42eaed\
             ee3b907370d7be6692745e0a9d790e6f2518785b5c2e8f887dbd7f40d0a5126c",
                "d1d92bb6aed188ba594c2ab4e70aa611c5e4e0e47fa1dc9c795312bdb16e9d51\
             74511cb3d18f3405140fc2328a04b265c2fa66f85d108393e0d466be86f78b03",
                "a0f6d68c6848bc9f93450672edbc9b4ea42e0982c0ebfc5135b7af35ee06f5db\
             897b2639ca13b61479ee53149f29344e1416f0459dd14206c1e3aee58aca7a77",
                "0e210ea0252dd86e7f84e76ee851310ae55c4452db028c5d49ff1acbada3f6ec\
             0fe28cdc1c2a8bf95164efae31c6b810c192d0ee406018869a70d377449cf9b4",
            ],
            [
                "27bc717363d2733a06ab9f4bba598cf96d2aad24ae951c492cd4e73d392fde60\
             91c4ffc79bf1ff3e30bdadfe05c41b59909ca078d2bcced0064412cf1609f0d8",
                "ed20bad56335022af0c3ec13f1a7556f0a2f52e6f0dc1e6f8b7af43f5768df82\
             666d44e91cccba5c39b3b5181c4bb9ed19c37940983b6fe4175cae252ad4bdc2",
                "3506556fa0972987066d9fefe9155fb14eed503213c509db54a864ed34634b60\
             b25aa82b016ebc00cd19cc5feadae8cbd6a78195bca228dc0d876ba60ea9f4d8",
                "89ab243a30e68666e12527113f3c57003f7adaac6377817f4eeea1ea0b24bed1\
             43c8d9f1e0eda0ee53673f51009ebac57f2876d6136ae5d00318b9659bbeaa56",
            ],
            [
                "d769cb37f46ad28687d445c3ef32a6d9f6bc8a8c7775c060a8ab5682964a136c\
             3235208ed7a25636aa013b8769f954ae3bb4bc31aa4bed908e46404212e2d468",
                "5b547050d8a9e1c972f52401b51209b138d98296472a2608a3196d7a56137db0\
             4e98f17aae7fdaeebbe9f7174813e5071c285207083c6ff8615759dcbc5290c6",
                "fd2c6fc44360ef2dd402263d20d5f91129de53f3a3136edd5f789bc5bc318e3f\
             8a14d00b76166e9d6eea43b06a9ef87d5d5ecbbc338fa1e2a24c30862411e226",
                "e2c14622ebcbcbcf3287a379e74b753a37833d592ab2a0c67f3d057028787972\
             9c49c7132277eaee5e9d11497ce551f1425bb2e8a8ca2ffb9c73286333cbb642",
            ],
            [
                "5253dc2f4a4534eba8bdf28a2b1395b2b0239939abd3da5036811bd1eb60b228\
             8a6394fdfb61e8064996863bd39c0dd138a7b6903a629b9a64c4a3b5aac0deda",
                "8d44605803ea04dc456b98f4278612e4044c36c5991d9dedaa658d3d4cf5c3fd\
             39bf72cc9484ce20abc7807b63a77fde3d36b0fcf772f15985a5aaff0cf341d5",
                "f2e94e8f0435b423dd264208cbb24687af5ce4b875fbcebaca1cdeae5e13a7f1\
             5857bb1aabd5f759336999565ddc51c9e272313a53999e3b0ed9f470fdcdcae6",
                "1923130061495e365638ae2c4ded07b955e5749f75639b18c6d7473a35da7933\
             0c80c76d75eab817bef197420dbec4d1c1aa558c21754bf3bab287c7c8d3806c",
            ],
        ],
    );
    assert_digests::<Blake2b256>(
        8,
        &[
            [
                "1325b6a02bfbf0ddacfac0843350f889a6ab067083bbce1de0859bcfc029f5c6",
                "ceaa446a74ac13c6c3a842c34fa8c04b213b1b455e9bdcd60b0eaaae0f9dcd8c",
                "5491f218e1cba7853dcd5bffdaa83ab9f0e8ac3c3299ab30ed2c4c0c3099d474",
                "f16caf38e6832d819ee3f8bc7d9c7ed5eff32595d26a57c3bffa8dc89370ef98",
            ],
            [
                "1dee888785dd143ffd1cab6192ba44dfc0d9df7ce612316ae62ad44a2d67e012",
                "a22a65a67b0e4adf7d595d2e96fd5ef13277cff1ba05dec564a1ca914ec7725b",
                "e9d9556b6e9dfdbfb43cf1b6b3bd5a398006c85a4218e8f8775473446e2fee40",
                "5dd6d1ef83c8d8dbc42deaab76d98f9af48aab497ef87a738b617b80ca82db1d",
            ],
            [
                "e9ce625d8b42c97e9005ceaf4826b742ae0dde117b40a93fb6ec8cef55862ad4",
                "ea5d1a02a7368f24dc0c6beb6350fa36b9f95738c3c682c3ed4ce7dc052fa041",
                "b1b27407e1728bb3612afd2848225e0a49b11f31df26574aefb704b84d40f0ba",
                "cc273a92752676a960337001d7ca553bbb838b1adbaade5a5b5d09ace9f9e6af",
            ],
            [
                "4af7d5fe7e4b6c9b961719cfeb851a1e3af0d5b2ccf759600518aec5f518ba4e",
                "cc456538582700abad79e769d018880d70fdf20cabb061c2e72339ead123f9f1",
                "039fda67b588eb80f171a42eac5d8b8a4839de4a3456a599a153dd2739d379f0",
                "45ebbf0b74dbaa714fbab0ee2272c7adbed1cbf8ee2d5d70d4766d2349f47ba0",
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
