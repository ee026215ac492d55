//! Networks whose addresses are known, but not searched for.

/// Networks with the reason, a sentence about "its addresses".
const UNSUPPORTED: [(&str, &str); 15] = [
    ("bitcoin-cash", CASH_ADDR),
    ("bitcoin-sv", "its addresses are those of bitcoin"),
    (
        "cardano",
        "its addresses are Bech32, or Base58 with a CRC-32 as the checksum: they cannot be \
         recovered here",
    ),
    (
        "decred",
        "the checksum of its addresses is BLAKE-256 instead of SHA-256: they cannot be recovered \
         here",
    ),
    ("ecash", CASH_ADDR),
    (
        "eos",
        "its accounts are names, and the checksum of its keys is RIPEMD-160: neither can be \
         recovered here",
    ),
    (
        "ethereum",
        "the only checksum of its addresses is their letter case, which restores a wrong digit: \
         they are answered without --kind",
    ),
    (
        "groestlcoin",
        "the checksum of its Base58 addresses is Grøstl instead of SHA-256: they cannot be \
         recovered here; its Bech32 addresses are answered without --kind",
    ),
    ("ipfs", "its hashes have no checksum: their case cannot be recovered"),
    (
        "monero",
        "its addresses are not Base58Check, and their checksum is Keccak: they cannot be recovered \
         here",
    ),
    ("nano", "case carries no information in its addresses: write them in lower case"),
    (
        "polkadot",
        "the checksum of its addresses has two bytes, which are too few to recover their case",
    ),
    ("solana", "its addresses have no checksum: their case cannot be recovered"),
    ("stellar", "case carries no information in its addresses: write them in upper case"),
    (
        "tezos",
        "its addresses have a prefix of three bytes, not one or two: they cannot be recovered here",
    ),
];

const CASH_ADDR: &str = "its CashAddr addresses are answered without --kind, and its Base58 \
                         addresses are those of bitcoin";

/// The names of the networks.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    UNSUPPORTED.iter().map(|(name, _)| *name)
}

/// Why the addresses of a network are not searched for.
pub(crate) fn reason(name: &str) -> Option<&'static str> {
    UNSUPPORTED.iter().find(|(unsupported, _)| *unsupported == name).map(|(_, reason)| *reason)
}
