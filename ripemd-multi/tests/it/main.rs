//! Tests published digests and addresses, with every backend of this machine.
//!
//! These tests are part of the package. Those in `tests/conformance` need a crate that is not
//! published.

use ripemd_multi::{Backend, Hash160Lanes, Ripemd160Lanes, hash};

/// The P2PKH address of a key with this hash, in Base58Check.
fn p2pkh(hash: &[u8; 20]) -> String {
    bs58::encode(hash).with_check_version(0).into_string()
}

fn digest(digits: &str) -> [u8; 20] {
    hex::FromHex::from_hex(digits).unwrap()
}

/// Messages with their digests, from A. Bosselaers' RIPEMD-160 page.
fn published() -> Vec<(Vec<u8>, [u8; 20])> {
    let text = |text: &str, digits| (text.as_bytes().to_vec(), digest(digits));
    vec![
        text("", "9c1185a5c5e9fc54612808977ee8f548b2258d31"),
        text("a", "0bdc9d2d256b3ee9daae347be6f4dc835a467ffe"),
        text("abc", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
        text("message digest", "5d0689ef49d2fae572b881b123a85ffa21595f36"),
        text("abcdefghijklmnopqrstuvwxyz", "f71c27109c692c1b56bbdceb5b9d2865b3708dbc"),
        text(
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "12a053384a9c0c88e405a06c27dcf49ada62eb2b",
        ),
        text(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "b0e20b6e3116640286ed3a87a5713079b21f5189",
        ),
        text(&"1234567890".repeat(8), "9b752e45573d4b39f4dbd3323cab82bf63326bfb"),
        text(&"a".repeat(1_000_000), "52783243c1697bdbe16d37f97f68f08325dc1528"),
    ]
}

#[test]
fn all_at_once() {
    let (messages, expected): (Vec<_>, Vec<_>) = published().into_iter().unzip();
    for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
        let digests = Ripemd160Lanes::on(backend).hash_many(&messages);
        assert_eq!(digests, expected, "{backend}");
    }
}

#[test]
fn one_message() {
    for (message, expected) in published() {
        assert_eq!(hash(&message), expected, "{} bytes", message.len());
    }
}

struct Key {
    bytes: Vec<u8>,
    hash: [u8; 20],
    address: &'static str,
}

/// Bitcoin public keys with their HASH160 and address.
fn known_keys() -> Vec<Key> {
    let key = |bytes: &str, hash, address| Key {
        bytes: hex::decode(bytes).unwrap(),
        hash: digest(hash),
        address,
    };
    vec![
        // The secret keys 1, 2, 3 and n - 1: multiples of the generator (SEC 2 §2.4.1).
        key(
            "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            "751e76e8199196d454941c45d1b3a323f1433bd6",
            "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH",
        ),
        key(
            "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798\
             483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
            "91b24bf9f5288532960ac687abb035127b1d28a5",
            "1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm",
        ),
        key(
            "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5",
            "06afd46bcdfd22ef94ac122aa11f241244a37ecc",
            "1cMh228HTCiwS8ZsaakH8A8wze1JR5ZsP",
        ),
        key(
            "04c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5\
             1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a",
            "d6c8e828c1eca1bba065e1b83e1dc2a36e387a42",
            "1LagHJk2FyCV2VzrNHVqg3gYG4TSYwDV4m",
        ),
        key(
            "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9",
            "7dd65592d0ab2fe0d0257d571abf032cd9db93dc",
            "1CUNEBjYrCn2y1SdiUMohaKUi4wpP326Lb",
        ),
        key(
            "0379be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
            "adde4c73c7b9cee17da6c7b3e2b2eea1a0dcbe67",
            "1GrLCmVQXoyJXaPJQdqssNqwxvha1eUo2E",
        ),
        // The native P2WPKH example of BIP 143, which does not give the address.
        key(
            "025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee6357",
            "1d0f172a0ecb48aee1be1f2687d2963ae33f71a1",
            "",
        ),
        // Outputs on the block chain: the genesis block, block 1, and the key of block 9 that sent
        // the first payment, in block 170.
        key(
            "04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb6\
             49f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f",
            "62e907b15cbf27d5425399ebf6f0fb50ebb88f18",
            "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
        ),
        key(
            "0496b538e853519c726a2c91e61ec11600ae1390813a627c66fb8be7947be63c52\
             da7589379515d4e0a604f8141781e62294721166bf621e73a82cbf2342c858ee",
            "119b098e2e980a229e139a9ed01a469e518e6f26",
            "12c6DSiU4Rq3P4ZxziKxzrL5LmMBrzjrJX",
        ),
        key(
            "0411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5c\
             b2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3",
            "11b366edfc0a8b66feebae5c2e25a7b6a5d1cf31",
            "12cbQLTFMXRnSzktFkuoG3eHoMeFtpTu3S",
        ),
    ]
}

/// Asserts the hashes of these keys in every rotation and in several counts.
fn assert_keys_hashed(mut keys: Vec<&Key>) {
    for _ in 0..keys.len() {
        keys.rotate_right(1);
        for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
            for count in [1, 4, 8, 9, 16, 17, 32, 33, 64, 65] {
                let repeated: Vec<_> = keys.iter().cycle().take(count).collect();
                let bytes = repeated.iter().map(|key| &key.bytes);
                let hashes = Hash160Lanes::on(backend).hash_many(bytes);
                for (lane, (hash, key)) in hashes.iter().zip(&repeated).enumerate() {
                    assert_eq!(*hash, key.hash, "{backend}, lane {lane}, {}", key.address);
                }
            }
        }
    }
}

#[test]
fn keys_in_every_lane() {
    let keys = known_keys();
    assert_keys_hashed(keys.iter().collect());
    assert_keys_hashed(keys.iter().filter(|key| key.bytes.len() == 33).collect());
    assert_keys_hashed(keys.iter().filter(|key| key.bytes.len() == 65).collect());
}

#[test]
fn one_key() {
    for key in known_keys() {
        for backend in Backend::available().into_iter().chain(Backend::single_kernels()) {
            let hash = Hash160Lanes::on(backend).hash(&key.bytes);
            assert_eq!(hash, key.hash, "{backend}, {}", key.address);
            assert!(
                key.address.is_empty() || p2pkh(&hash) == key.address,
                "{backend}, {}",
                key.address
            );
        }
    }
}
