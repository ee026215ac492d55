//! Published digests, and the uses of Keccak-256 in Ethereum.

use sha3_multi::*;

fn hex_of(digest: impl AsRef<[u8]>) -> String {
    hex::encode(digest)
}

/// FIPS 202's examples, and for Keccak the submission's, of the empty message.
#[test]
fn empty_message() {
    assert_eq!(
        hex_of(keccak256::hash(b"")),
        "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
    );
    assert_eq!(
        hex_of(keccak512::hash(b"")),
        "0eab42de4c3ceb9235fc91acffe746b29c29a8c366b7c60e4e67c466f36a4304\
         c00fa9caf9d87976ba469bcbe06713b435f091ef2769fb160cdab33d3670680e"
    );
    assert_eq!(
        hex_of(sha3_224::hash(b"")),
        "6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7"
    );
    assert_eq!(
        hex_of(sha3_256::hash(b"")),
        "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"
    );
    assert_eq!(
        hex_of(sha3_384::hash(b"")),
        "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2a\
         c3713831264adb47fb6bd1e058d5f004"
    );
    assert_eq!(
        hex_of(sha3_512::hash(b"")),
        "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6\
         15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26"
    );
    assert_eq!(
        hex_of(XofLanes::shake128().xof::<32>(b"")),
        "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"
    );
    assert_eq!(
        hex_of(XofLanes::shake256().xof::<32>(b"")),
        "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"
    );
}

/// The addresses of EIP-55: the case of a letter follows the hash of the lower-case digits.
#[test]
fn eip_55() {
    let addresses = [
        "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "fB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "dbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "D1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
        "52908400098527886E0F7030069857D2E4169EE7",
        "de709f2102306220921060314715629080e2fb77",
    ];
    let digests = keccak256::hash_many(addresses.map(str::to_ascii_lowercase));
    for (address, digest) in addresses.into_iter().zip(digests) {
        for (i, letter) in address.bytes().enumerate().filter(|(_, it)| it.is_ascii_alphabetic()) {
            let nibble = digest[i / 2] >> (4 * (1 - i % 2)) & 0xf;
            assert_eq!(letter.is_ascii_uppercase(), nibble >= 8, "{address}, {i}");
        }
    }
}

/// The addresses of the private keys 1 and 2: the last 20 bytes of the digest of the public key.
#[test]
fn addresses_of_public_keys() {
    let keys = [
        "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798\
         483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
        "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5\
         1ae168fea63dc339a3c58419466ceaeef7f632653266d0e1236431a950cfe52a",
    ];
    let addresses =
        ["7e5f4552091a69125d5dfcb7b8c2659029395bdf", "2b5ad5c4795c026514f8317c7a215e218dccd6cf"];
    let digests = keccak256::hash_many(keys.map(|key| hex::decode(key).unwrap()));
    for (digest, address) in digests.iter().zip(addresses) {
        assert_eq!(hex::encode(&digest[12..]), address);
    }
}

/// The slot of `mapping[key]` at slot 0, as Solidity lays storage out, and the selectors and topics
/// of ERC-20.
#[test]
fn slots_selectors_and_topics() {
    let zero_of_slot_0 = keccak256::hash_concat_many([([0; 32], [0; 32])]);
    assert_eq!(
        hex_of(zero_of_slot_0[0]),
        "ad3228b676f7d3cd4284a5443f17f1962b36e491b30a40b2405849e597ba5fb5"
    );
    let transfer = keccak256::hash(b"transfer(address,uint256)");
    assert_eq!(hex::encode(&transfer[..4]), "a9059cbb");
    assert_eq!(
        hex_of(keccak256::hash(b"Transfer(address,address,uint256)")),
        "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
    );
}
