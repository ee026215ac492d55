//! The supported keys: what their bytes begin with, by format and network.

mod encrypted;
mod format;
pub(crate) mod mini;
#[cfg(feature = "curve")]
pub(crate) mod question;
#[cfg(feature = "curve")]
pub(crate) mod range;
pub(crate) mod secrets;

/// The maximum number of characters of a key, which is that of an extended key.
pub(crate) use crate::alphabet::MAX_TEXT as MAX_LENGTH;

/// The minimum number of characters of a key other than a mini key: one in WIF, uncompressed.
pub(crate) const MIN_LENGTH: usize = 51;

/// Whether keys have this many characters.
pub(crate) fn is_length(length: usize) -> bool {
    mini::LENGTHS.contains(&length) || (MIN_LENGTH..=MAX_LENGTH).contains(&length)
}

/// A kind of key: in Base58Check, or a mini key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct KeyKind {
    /// The format, such as `wif`, `bip32`, `bip38` or `mini`.
    pub format: KeyFormat,
    /// A short name, such as `wif-bitcoin` or `xprv`.
    pub id: &'static str,
    /// The common name.
    pub name: &'static str,
    /// The first bytes.
    pub(crate) prefix: &'static [u8],
    /// The number of bytes before the checksum.
    pub(crate) message_bytes: usize,
    /// A byte with few legal values.
    pub(crate) marker: Option<Marker>,
}

/// The format of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum KeyFormat {
    /// The wallet import format: a private key of 32 bytes.
    Wif,
    /// An extended private key of BIP 32.
    ExtendedPrivate,
    /// An extended public key of BIP 32.
    ExtendedPublic,
    /// A private key that is encrypted with a passphrase (BIP 38).
    Encrypted,
    /// A text whose SHA-256 is the private key (Casascius).
    Mini,
}

impl KeyFormat {
    /// The short name of the format: `wif`, `bip32`, `bip38` or `mini`.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Wif => "wif",
            Self::ExtendedPrivate | Self::ExtendedPublic => "bip32",
            Self::Encrypted => "bip38",
            Self::Mini => "mini",
        }
    }
}

/// A byte of a key that has few legal values: a second check besides the checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Marker {
    /// The position of the byte, from 0.
    pub(crate) offset: usize,
    pub(crate) values: &'static [u8],
}

/// All kinds of keys.
///
/// The first bytes were verified against these sources: the networks of iancoleman/bip39
/// (`src/js/bitcoinjs-extensions.js`) and the wiki of Bitcoin for WIF, BIP 32 and SLIP-132 for
/// extended keys, and BIP 38.
pub const KEY_KINDS: &[KeyKind] = &[
    key(WIF, "wif-bitcoin", "Bitcoin WIF, uncompressed", &[0x80]),
    key(COMPRESSED_WIF, "wif-bitcoin", "Bitcoin WIF, compressed", &[0x80]),
    key(WIF, "wif-testnet", "Bitcoin testnet WIF, uncompressed", &[0xef]),
    key(COMPRESSED_WIF, "wif-testnet", "Bitcoin testnet WIF, compressed", &[0xef]),
    key(WIF, "wif-litecoin", "Litecoin WIF, uncompressed", &[0xb0]),
    key(COMPRESSED_WIF, "wif-litecoin", "Litecoin WIF, compressed", &[0xb0]),
    key(WIF, "wif-dogecoin", "Dogecoin WIF, uncompressed", &[0x9e]),
    key(COMPRESSED_WIF, "wif-dogecoin", "Dogecoin WIF, compressed", &[0x9e]),
    key(WIF, "wif-dash", "Dash WIF, uncompressed", &[0xcc]),
    key(COMPRESSED_WIF, "wif-dash", "Dash WIF, compressed", &[0xcc]),
    key(XPRV, "xprv", "BIP 32 extended private key (xprv)", &[0x04, 0x88, 0xad, 0xe4]),
    key(XPUB, "xpub", "BIP 32 extended public key (xpub)", &[0x04, 0x88, 0xb2, 0x1e]),
    key(XPRV, "yprv", "BIP 49 extended private key (yprv)", &[0x04, 0x9d, 0x78, 0x78]),
    key(XPUB, "ypub", "BIP 49 extended public key (ypub)", &[0x04, 0x9d, 0x7c, 0xb2]),
    key(XPRV, "zprv", "BIP 84 extended private key (zprv)", &[0x04, 0xb2, 0x43, 0x0c]),
    key(XPUB, "zpub", "BIP 84 extended public key (zpub)", &[0x04, 0xb2, 0x47, 0x46]),
    key(XPRV, "Yprv", "multi-signature extended private key (Yprv)", &[0x02, 0x95, 0xb0, 0x05]),
    key(XPUB, "Ypub", "multi-signature extended public key (Ypub)", &[0x02, 0x95, 0xb4, 0x3f]),
    key(XPRV, "Zprv", "multi-signature extended private key (Zprv)", &[0x02, 0xaa, 0x7a, 0x99]),
    key(XPUB, "Zpub", "multi-signature extended public key (Zpub)", &[0x02, 0xaa, 0x7e, 0xd3]),
    key(XPRV, "tprv", "testnet extended private key (tprv)", &[0x04, 0x35, 0x83, 0x94]),
    key(XPUB, "tpub", "testnet extended public key (tpub)", &[0x04, 0x35, 0x87, 0xcf]),
    key(XPRV, "uprv", "testnet extended private key (uprv)", &[0x04, 0x4a, 0x4e, 0x28]),
    key(XPUB, "upub", "testnet extended public key (upub)", &[0x04, 0x4a, 0x52, 0x62]),
    key(XPRV, "vprv", "testnet extended private key (vprv)", &[0x04, 0x5f, 0x18, 0xbc]),
    key(XPUB, "vpub", "testnet extended public key (vpub)", &[0x04, 0x5f, 0x1c, 0xf6]),
    key(XPRV, "Ltpv", "Litecoin extended private key (Ltpv)", &[0x01, 0x9d, 0x9c, 0xfe]),
    key(XPUB, "Ltub", "Litecoin extended public key (Ltub)", &[0x01, 0x9d, 0xa4, 0x62]),
    key(XPRV, "Mtpv", "Litecoin extended private key (Mtpv)", &[0x01, 0xb2, 0x67, 0x92]),
    key(XPUB, "Mtub", "Litecoin extended public key (Mtub)", &[0x01, 0xb2, 0x6e, 0xf6]),
    key(XPRV, "dgpv", "Dogecoin extended private key (dgpv)", &[0x02, 0xfa, 0xc3, 0x98]),
    key(XPUB, "dgub", "Dogecoin extended public key (dgub)", &[0x02, 0xfa, 0xca, 0xfd]),
    key(BIP38, "bip38", "BIP 38 encrypted key", &[0x01, 0x42]),
    key(BIP38_MULTIPLIED, "bip38", "BIP 38 encrypted key, EC multiplied", &[0x01, 0x43]),
    MINI,
];

/// Its texts make numbers of 22 bytes.
pub(crate) const MINI: KeyKind =
    key((KeyFormat::Mini, 18, None), "mini", "mini key (Casascius)", &[]);

/// A format, the number of bytes before the checksum, and a byte with few legal values.
type Form = (KeyFormat, usize, Option<Marker>);

/// A version and the 32 bytes of the private key.
const WIF: Form = (KeyFormat::Wif, 33, None);

/// A 1 after the private key says that its public key is compressed.
const COMPRESSED_WIF: Form = (KeyFormat::Wif, 34, marker(33, &[1]));

/// After version (4 bytes), depth, fingerprint (4), index (4) and chain code (32): a zero byte and
/// the private key.
const XPRV: Form = (KeyFormat::ExtendedPrivate, 78, marker(45, &[0]));

/// As [`XPRV`], with a compressed public key instead of the private one.
const XPUB: Form = (KeyFormat::ExtendedPublic, 78, marker(45, &[2, 3]));

/// The prefix, the flags, and 36 bytes of salt and encrypted key.
const BIP38: Form = (KeyFormat::Encrypted, 39, marker(2, &[0xc0, 0xe0]));
const BIP38_MULTIPLIED: Form = (KeyFormat::Encrypted, 39, marker(2, &[0x00, 0x04, 0x20, 0x24]));

const fn marker(offset: usize, values: &'static [u8]) -> Option<Marker> {
    Some(Marker { offset, values })
}

const fn key(
    (format, message_bytes, marker): Form,
    id: &'static str,
    name: &'static str,
    prefix: &'static [u8],
) -> KeyKind {
    KeyKind { format, id, name, prefix, message_bytes, marker }
}

impl KeyKind {
    /// The kinds with this id or of this format: `wif` stands for WIF of all networks. `any` stands
    /// for all kinds. Empty if there is no such kind.
    #[must_use]
    pub fn matching(id: &str) -> Vec<Self> {
        let matches = |kind: &&Self| id == "any" || kind.id == id || kind.format.id() == id;
        KEY_KINDS.iter().filter(matches).copied().collect()
    }

    /// The number of bytes, with the checksum.
    pub(crate) fn bytes(self) -> usize {
        self.message_bytes + 4
    }

    /// The kind of these bytes before their checksum.
    pub(crate) fn of(message: &[u8]) -> Option<Self> {
        let is_kind = |kind: &&Self| {
            !kind.is_mini()
                && message.len() == kind.message_bytes
                && message.starts_with(kind.prefix)
                && kind.marker.is_none_or(|marker| marker.values.contains(&message[marker.offset]))
        };
        KEY_KINDS.iter().find(is_kind).copied()
    }

    pub(crate) fn is_mini(self) -> bool {
        self.format == KeyFormat::Mini
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart() {
        for (at, kind) in KEY_KINDS.iter().enumerate() {
            assert!(KeyKind::matching(kind.id).contains(kind));
            assert!(KeyKind::matching(kind.format.id()).contains(kind));
            if kind.is_mini() {
                continue;
            }
            assert_ne!(kind.prefix[0], 0, "leading zeros are not supported: {kind:?}");
            let mut message = vec![0x55; kind.message_bytes];
            message[..kind.prefix.len()].copy_from_slice(kind.prefix);
            let Some(Marker { offset, values }) = kind.marker else {
                assert_eq!(KeyKind::of(&message), Some(*kind));
                continue;
            };
            assert_eq!(KeyKind::of(&message), None);
            for &value in values {
                message[offset] = value;
                assert_eq!(KeyKind::of(&message), Some(KEY_KINDS[at]));
            }
        }
        assert_eq!(KeyKind::matching("any").len(), KEY_KINDS.len());
        assert!(KeyKind::matching("dollar").is_empty());
    }
}
