//! Tests published digests.

use sha256_multi::{Backend, Sha256Lanes, double_hash_many, double_hash_many_into};

use crate::{digest, double_sha256};

/// Messages with their digests.
fn published() -> Vec<(Vec<u8>, [u8; 32])> {
    let text = |text: &str, digits| (text.as_bytes().to_vec(), digest(digits));
    let bytes = |message: &str, digits| (hex::decode(message).unwrap(), digest(digits));
    vec![
        // The examples of FIPS 180-2 Appendix B, and those of NIST with 0 and 896 bits.
        text("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        text(
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
        text(
            &"a".repeat(1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
        ),
        text("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        text(
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmno\
             pqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
        ),
        // NIST CAVP, SHA256ShortMsg.rsp of CAVS 11.0.
        bytes("d3", "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
        bytes("b4190e", "dff2e73091f6c05e528896c4c831b9448653dc2ff043528f6769437bc7b975c2"),
        bytes(
            "5738c929c4f4ccb6",
            "963bb88f27f512777aab6c8b1a02c70ec0ad651d428f870036e1917120fb48bf",
        ),
        bytes(
            "3ebfb06db8c38d5ba037f1363e118550aad94606e26835a01af05078533cc25f2f39573c04b632f62f68c\
             294ab31f2a3e2a1a0d8c2be51",
            "6595a2ef537a69ba8583dfbf7f5bec0ab1f93ce4c8ee1916eff44a93af5749c4",
        ),
        bytes(
            "2d52447d1244d2ebc28650e7b05654bad35b3a68eedc7f8515306b496d75f3e73385dd1b002625024b81a\
             02f2fd6dffb6e6d561cb7d0bd7a",
            "cfb88d6faf2de3a69d36195acec2e255e2af2b7d933997f348e09f6ce5758360",
        ),
        bytes(
            "5a86b737eaea8ee976a0a24da63e7ed7eefad18a101c1211e2b3650c5187c2a8\
             a650547208251f6d4237e661c7bf4c77f335390394c37fa1a9f9be836ac28509",
            "42e61e174fbb3897d6dd6cef3dd2802fe67b331953b06114a65c772859dfc1aa",
        ),
    ]
}

#[test]
fn all_at_once() {
    let (messages, expected): (Vec<_>, Vec<_>) = published().into_iter().unzip();
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let digests = Sha256Lanes::on(backend).hash_many(&messages);
        assert_eq!(digests, expected, "{backend}");
    }
}

/// The header of Bitcoin's first block, and its double SHA-256.
#[test]
fn bitcoin_genesis_block() {
    let header = hex::decode(
        "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27\
         ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c",
    )
    .unwrap();
    // Block hashes are written in reverse byte order.
    let mut expected = digest("000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f");
    expected.reverse();
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        for count in 1..=17 {
            let digests = Sha256Lanes::on(backend).double_hash_many(vec![&header; count]);
            assert!(digests.iter().all(|digest| *digest == expected), "{backend}, {count} headers");
        }
    }
    assert_eq!(double_hash_many([&header]), [expected]);
    let mut digests = [[0; 32]];
    double_hash_many_into([&header], &mut digests);
    assert_eq!(digests, [expected]);
}

/// The node above two zero leaves: Ethereum's first zero hash.
#[test]
fn node_of_zeros() {
    let expected = digest("f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        for count in 1..=33 {
            let nodes = vec![[0; 64]; count];
            let lanes = Sha256Lanes::on(backend);
            assert_eq!(lanes.hash_pairs(&nodes), vec![expected; count], "{backend}");
            let pairs = vec![[0; 32]; 2 * count];
            assert_eq!(lanes.hash_pairs(&pairs), vec![expected; count], "{backend}");
            let twice = double_sha256([0; 64]);
            assert_eq!(lanes.double_hash_pairs(&nodes), vec![twice; count], "{backend}");
            assert_eq!(lanes.double_hash_pairs(&pairs), vec![twice; count], "{backend}");
        }
    }
}
