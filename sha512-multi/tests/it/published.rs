//! Published digests.

use sha512_multi::{HashMany, Sha384Lanes, Sha512_256Lanes, Sha512Lanes};

use crate::{backends, digest};

/// Messages with their digests.
type Published<const N: usize> = Vec<(Vec<u8>, [u8; N])>;

/// The message of two blocks in the examples of FIPS 180-2 Appendix C.
const TWO_BLOCKS: &str = "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnop\
                          jklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";

fn text<const N: usize>(text: &str, digits: &str) -> (Vec<u8>, [u8; N]) {
    (text.as_bytes().to_vec(), digest(digits))
}

fn assert_published<H: HashMany<Output = [u8; N]>, const N: usize>(
    on: impl Fn(sha512_multi::Backend) -> H,
    published: Published<N>,
) {
    let (messages, expected): (Vec<_>, Vec<_>) = published.into_iter().unzip();
    for backend in backends() {
        assert_eq!(on(backend).hash_many(&messages), expected, "{backend}");
        // Alone, and in every lane.
        for (message, expected) in messages.iter().zip(&expected) {
            assert_eq!(on(backend).hash_many([message]), [*expected], "{backend}");
            assert_eq!(on(backend).hash_many([message; 19]), vec![*expected; 19], "{backend}");
        }
    }
}

#[test]
fn sha512() {
    let published = vec![
        // The examples of NIST, with 24, 896, 0 and 8,000,000 bits.
        text(
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
                 2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ),
        text(
            TWO_BLOCKS,
            "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018\
                 501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
        ),
        text(
            "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
                 47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
        ),
        text(
            &"a".repeat(1_000_000),
            "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb\
                 de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b",
        ),
        // NIST CAVP, SHA512ShortMsg.rsp.
        (
            hex::decode("21").unwrap(),
            digest(
                "3831a6a6155e509dee59a7f451eb35324d8f8f2df6e3708894740f98fdee2388\
                 9f4de5adb0c5010dfb555cda77c8ab5dc902094c52de3278f35a75ebc25f093a",
            ),
        ),
        (
            hex::decode("9083").unwrap(),
            digest(
                "55586ebba48768aeb323655ab6f4298fc9f670964fc2e5f2731e34dfa4b0c09e\
                 6e1e12e3d7286b3145c61c2047fb1a2a1297f36da64160b31fa4c8c2cddd2fb4",
            ),
        ),
    ];
    assert_published(Sha512Lanes::on, published);
}

#[test]
fn sha384() {
    let published = vec![
        // The examples of NIST, with 24, 896, 0 and 8,000,000 bits.
        text(
            "abc",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed\
                 8086072ba1e7cc2358baeca134c825a7",
        ),
        text(
            TWO_BLOCKS,
            "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712\
                 fcc7c71a557e2db966c3e9fa91746039",
        ),
        text(
            "",
            "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da\
                 274edebfe76f65fbd51ad2f14898b95b",
        ),
        text(
            &"a".repeat(1_000_000),
            "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b\
                 07b8b3dc38ecc4ebae97ddd87f3d8985",
        ),
        // NIST CAVP, SHA384ShortMsg.rsp.
        (
            hex::decode("c5").unwrap(),
            digest(
                "b52b72da75d0666379e20f9b4a79c33a329a01f06a2fb7865c9062a28c1de860\
                 ba432edfd86b4cb1cb8a75b46076e3b1",
            ),
        ),
        (
            hex::decode("6ece").unwrap(),
            digest(
                "53d4773da50d8be4145d8f3a7098ff3691a554a29ae6f652cc7121eb8bc96fd2\
                 210e06ae2fa2a36c4b3b3497341e70f0",
            ),
        ),
    ];
    assert_published(Sha384Lanes::on, published);
}

#[test]
fn sha512_256() {
    let published = vec![
        // The examples of NIST, with 24, 896, 0 and 8,000,000 bits.
        text("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        text(TWO_BLOCKS, "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"),
        text("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
        text(
            &"a".repeat(1_000_000),
            "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21",
        ),
        // NIST CAVP, SHA512_256ShortMsg.rsp.
        (
            hex::decode("fa").unwrap(),
            digest("c4ef36923c64e51e875720e550298a5ab8a3f2f875b1e1a4c9b95babf7344fef"),
        ),
    ];
    assert_published(Sha512_256Lanes::on, published);
}
