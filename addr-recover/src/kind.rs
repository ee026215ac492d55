//! The supported addresses: versions by network and kind.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, segwit};

use crate::alphabet::{Alphabet, BASE, Digits, exactly};
use crate::number::{MAX_LENGTH, Natural, Number};

/// A network's name for a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// A short name, such as `bitcoin-p2sh`.
    pub id: &'static str,
    /// The common name, such as `Bitcoin P2SH`.
    pub name: &'static str,
    /// The bytes before the payload.
    pub version: Version,
}

/// The number of common kinds, which are the first of [`KINDS`].
const COMMON: usize = 33;

/// All named kinds: the common ones, then the others.
///
/// Every version was verified against at least one of these sources:
///
/// - the networks of iancoleman/bip39 (`src/js/bitcoinjs-extensions.js`), for most kinds;
/// - the coin definitions of Trezor's firmware (`common/defs/bitcoin/*.json` and the generated
///   `core/src/apps/common/coininfo.py`): Bitcoin and its test networks, Ravencoin, Qtum, Flo, Koto
///   and `digibyte-p2sh`;
/// - cryptocoinjs/coininfo (`lib/coins`): `litecoin-p2sh-old` and `peercoin-p2sh`;
/// - `chainparams.cpp` of Namecoin (`namecoin-p2sh`), Lynx, Neblio, Verus, Particl and Elements
///   (Liquid);
/// - `Constant.java` of java-tron, the page "base58 encodings" of xrpl.org, and `protocol.json` and
///   `ProtocolSettings.cs` of neo-project/neo.
///
/// Where sources disagree, the network's own code decides, or else the newer P2SH version. Trezor
/// lists version 5 for Namecoin P2SH, for example, but Namecoin's own code has 13.
///
/// All kinds have 20 bytes of payload, and the first four bytes of a double SHA-256 as the
/// checksum.
///
/// The test networks of Bitcoin (testnet, signet, regtest) share their versions. So do networks
/// that split from another one and kept its versions, such as Bitcoin Cash: they have no kinds.
pub const KINDS: &[Kind] = &[
    kind("bitcoin-p2pkh", "Bitcoin P2PKH", Version::byte(0)),
    kind("bitcoin-p2sh", "Bitcoin P2SH", Version::byte(5)),
    kind("testnet-p2pkh", "Bitcoin testnet P2PKH", Version::byte(111)),
    kind("testnet-p2sh", "Bitcoin testnet P2SH", Version::byte(196)),
    kind("litecoin-p2pkh", "Litecoin P2PKH", Version::byte(48)),
    kind("litecoin-p2sh", "Litecoin P2SH", Version::byte(50)),
    kind("litecoin-p2sh-old", "Litecoin P2SH (old prefix)", Version::byte(5)),
    kind("dogecoin-p2pkh", "Dogecoin P2PKH", Version::byte(30)),
    kind("dogecoin-p2sh", "Dogecoin P2SH", Version::byte(22)),
    kind("dash-p2pkh", "Dash P2PKH", Version::byte(76)),
    kind("dash-p2sh", "Dash P2SH", Version::byte(16)),
    kind("zcash-p2pkh", "Zcash P2PKH (t1)", Version::two_bytes(0x1cb8)),
    kind("zcash-p2sh", "Zcash P2SH (t3)", Version::two_bytes(0x1cbd)),
    kind("tron", "Tron", Version::byte(65)),
    kind("namecoin-p2pkh", "Namecoin P2PKH", Version::byte(52)),
    kind("namecoin-p2sh", "Namecoin P2SH", Version::byte(13)),
    kind("peercoin-p2pkh", "Peercoin P2PKH", Version::byte(55)),
    kind("peercoin-p2sh", "Peercoin P2SH", Version::byte(117)),
    kind("ripple", "Ripple (XRP)", Version::RIPPLE),
    kind("ravencoin-p2pkh", "Ravencoin P2PKH", Version::byte(60)),
    kind("ravencoin-p2sh", "Ravencoin P2SH", Version::byte(122)),
    kind("komodo-p2pkh", "Komodo P2PKH", Version::byte(60)),
    kind("komodo-p2sh", "Komodo P2SH", Version::byte(85)),
    kind("verus-p2pkh", "Verus P2PKH", Version::byte(60)),
    kind("verus-p2sh", "Verus P2SH", Version::byte(85)),
    kind("bitcoin-gold-p2pkh", "Bitcoin Gold P2PKH", Version::byte(38)),
    kind("bitcoin-gold-p2sh", "Bitcoin Gold P2SH", Version::byte(23)),
    kind("digibyte-p2pkh", "DigiByte P2PKH", Version::byte(30)),
    kind("digibyte-p2sh", "DigiByte P2SH", Version::byte(63)),
    kind("horizen-p2pkh", "Horizen P2PKH (zn)", Version::two_bytes(0x2089)),
    kind("horizen-p2sh", "Horizen P2SH (zs)", Version::two_bytes(0x2096)),
    kind("qtum-p2pkh", "Qtum P2PKH", Version::byte(58)),
    kind("qtum-p2sh", "Qtum P2SH", Version::byte(50)),
    // The others.
    kind("firo-p2pkh", "Firo P2PKH", Version::byte(82)),
    kind("firo-p2sh", "Firo P2SH", Version::byte(7)),
    kind("vertcoin-p2pkh", "Vertcoin P2PKH", Version::byte(71)),
    kind("viacoin-p2pkh", "Viacoin P2PKH", Version::byte(71)),
    kind("viacoin-p2sh", "Viacoin P2SH", Version::byte(33)),
    kind("monacoin-p2pkh", "Monacoin P2PKH", Version::byte(50)),
    kind("monacoin-p2sh", "Monacoin P2SH", Version::byte(55)),
    kind("neo", "NEO (legacy)", Version::byte(23)),
    kind("neo-n3", "NEO N3", Version::byte(53)),
    kind("liquid-p2pkh", "Liquid P2PKH", Version::byte(57)),
    kind("liquid-p2sh", "Liquid P2SH", Version::byte(39)),
    kind("pivx-p2pkh", "PIVX P2PKH", Version::byte(30)),
    kind("pivx-p2sh", "PIVX P2SH", Version::byte(13)),
    kind("verge-p2pkh", "Verge P2PKH", Version::byte(30)),
    kind("verge-p2sh", "Verge P2SH", Version::byte(33)),
    kind("syscoin-p2pkh", "Syscoin P2PKH", Version::byte(63)),
    kind("reddcoin-p2pkh", "Reddcoin P2PKH", Version::byte(61)),
    kind("navcoin-p2pkh", "Navcoin P2PKH", Version::byte(53)),
    kind("navcoin-p2sh", "Navcoin P2SH", Version::byte(85)),
    kind("lbry-p2pkh", "LBRY P2PKH", Version::byte(85)),
    kind("lbry-p2sh", "LBRY P2SH", Version::byte(122)),
    kind("bitcore-p2pkh", "Bitcore P2PKH", Version::byte(3)),
    kind("bitcore-p2sh", "Bitcore P2SH", Version::byte(125)),
    kind("feathercoin-p2pkh", "Feathercoin P2PKH", Version::byte(14)),
    kind("blackcoin-p2pkh", "Blackcoin P2PKH", Version::byte(25)),
    kind("blackcoin-p2sh", "Blackcoin P2SH", Version::byte(85)),
    kind("gridcoin-p2pkh", "Gridcoin P2PKH", Version::byte(62)),
    kind("gridcoin-p2sh", "Gridcoin P2SH", Version::byte(85)),
    kind("particl-p2pkh", "Particl P2PKH", Version::byte(56)),
    kind("particl-p2sh", "Particl P2SH", Version::byte(60)),
    kind("flo-p2pkh", "Flo P2PKH", Version::byte(35)),
    kind("flo-p2sh", "Flo P2SH", Version::byte(94)),
    kind("fujicoin-p2pkh", "Fujicoin P2PKH", Version::byte(36)),
    kind("fujicoin-p2sh", "Fujicoin P2SH", Version::byte(16)),
    kind("koto-p2pkh", "Koto P2PKH (k1)", Version::two_bytes(0x1836)),
    kind("koto-p2sh", "Koto P2SH (k3)", Version::two_bytes(0x183b)),
    kind("neblio-p2pkh", "Neblio P2PKH", Version::byte(53)),
    kind("neblio-p2sh", "Neblio P2SH", Version::byte(112)),
    kind("novacoin-p2pkh", "Novacoin P2PKH", Version::byte(8)),
    kind("novacoin-p2sh", "Novacoin P2SH", Version::byte(20)),
    kind("clams-p2pkh", "Clams P2PKH", Version::byte(137)),
    kind("gulden-p2pkh", "Gulden P2PKH", Version::byte(38)),
    kind("gulden-p2sh", "Gulden P2SH", Version::byte(98)),
    kind("unobtanium-p2pkh", "Unobtanium P2PKH", Version::byte(130)),
    kind("unobtanium-p2sh", "Unobtanium P2SH", Version::byte(30)),
    kind("auroracoin-p2pkh", "Auroracoin P2PKH", Version::byte(23)),
    kind("maza-p2pkh", "Maza P2PKH", Version::byte(50)),
    kind("maza-p2sh", "Maza P2SH", Version::byte(9)),
    kind("einsteinium-p2pkh", "Einsteinium P2PKH", Version::byte(33)),
    kind("energi-p2pkh", "Energi P2PKH", Version::byte(33)),
    kind("energi-p2sh", "Energi P2SH", Version::byte(53)),
    kind("lynx-p2pkh", "Lynx P2PKH", Version::byte(45)),
    kind("lynx-p2sh", "Lynx P2SH", Version::byte(22)),
];

const fn kind(id: &'static str, name: &'static str, version: Version) -> Kind {
    Kind { id, name, version }
}

/// A network that has Bech32 addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bech32Network {
    /// What precedes the `1` (the human-readable part of BIP 173).
    pub prefix: &'static str,
    /// The short name of the network. Test networks share one.
    pub id: &'static str,
    /// The name of the network.
    pub name: &'static str,
    /// Whether addresses are those of BIP 173 and BIP 350, which begin with the version of a
    /// witness program. Others are 20 or 32 bytes with the checksum of BIP 173.
    pub is_segwit: bool,
}

/// The networks that have Bech32 addresses, from SLIP-173. Those of Qtum and Flo are not
/// registered: they are from Qtum's `chainparams.cpp` and from Trezor's definitions. Those of the
/// Cosmos ecosystem that are missing there are from cosmos/chain-registry, that of `MultiversX`
/// from its documentation, and those of Nostr from NIP-19. `tests/recover/kinds.rs` has an address
/// of each.
pub(crate) const BECH32_NETWORKS: &[Bech32Network] = &[
    segwit("bc", "bitcoin", "Bitcoin"),
    segwit("tb", "testnet", "Bitcoin testnet"),
    segwit("bcrt", "testnet", "Bitcoin regtest"),
    segwit("ltc", "litecoin", "Litecoin"),
    segwit("nc", "namecoin", "Namecoin"),
    segwit("dgb", "digibyte", "DigiByte"),
    segwit("vtc", "vertcoin", "Vertcoin"),
    segwit("via", "viacoin", "Viacoin"),
    segwit("mona", "monacoin", "Monacoin"),
    segwit("btg", "bitcoin-gold", "Bitcoin Gold"),
    segwit("grs", "groestlcoin", "Groestlcoin"),
    segwit("sys", "syscoin", "Syscoin"),
    segwit("qc", "qtum", "Qtum"),
    segwit("flo", "flo", "Flo"),
    bytes("cosmos", "cosmos", "Cosmos Hub"),
    bytes("osmo", "osmosis", "Osmosis"),
    bytes("celestia", "celestia", "Celestia"),
    bytes("terra", "terra", "Terra"),
    bytes("inj", "injective", "Injective"),
    bytes("akash", "akash", "Akash"),
    bytes("juno", "juno", "Juno"),
    bytes("stars", "stargaze", "Stargaze"),
    bytes("kava", "kava", "Kava"),
    bytes("secret", "secret", "Secret Network"),
    bytes("axelar", "axelar", "Axelar"),
    bytes("dydx", "dydx", "dYdX"),
    bytes("evmos", "evmos", "Evmos"),
    bytes("neutron", "neutron", "Neutron"),
    bytes("noble", "noble", "Noble"),
    bytes("sei", "sei", "Sei"),
    bytes("stride", "stride", "Stride"),
    bytes("kujira", "kujira", "Kujira"),
    bytes("band", "band", "Band Protocol"),
    bytes("regen", "regen", "Regen"),
    bytes("persistence", "persistence", "Persistence"),
    bytes("fetch", "fetch", "Fetch.ai"),
    bytes("agoric", "agoric", "Agoric"),
    bytes("thor", "thorchain", "THORChain"),
    bytes("bnb", "binance-chain", "Binance Chain"),
    bytes("cro", "cronos", "Crypto.org Chain"),
    bytes("zil", "zilliqa", "Zilliqa"),
    bytes("erd", "multiversx", "MultiversX"),
    bytes("npub", "nostr", "Nostr public key"),
    bytes("note", "nostr", "Nostr note"),
];

const fn segwit(prefix: &'static str, id: &'static str, name: &'static str) -> Bech32Network {
    Bech32Network { prefix, id, name, is_segwit: true }
}

const fn bytes(prefix: &'static str, id: &'static str, name: &'static str) -> Bech32Network {
    Bech32Network { prefix, id, name, is_segwit: false }
}

impl Bech32Network {
    /// The network whose addresses begin like a text in lower case, and what follows the `1`.
    #[must_use]
    pub fn of(text: &str) -> Option<(&'static Self, &str)> {
        BECH32_NETWORKS.iter().find_map(|network| {
            let data = text.strip_prefix(network.prefix)?.strip_prefix('1')?;
            Some((network, data))
        })
    }

    /// The numbers of characters after the `1`, for 20 and for 32 bytes.
    #[must_use]
    pub fn lengths(&self) -> [usize; 2] {
        if self.is_segwit { [39, 59] } else { [38, 58] }
    }

    /// Whether a text is a valid address of this network.
    #[must_use]
    pub fn is_address(&self, text: &str) -> bool {
        if self.is_segwit {
            return segwit::decode(text).is_ok_and(|(read, ..)| read.to_lowercase() == self.prefix);
        }
        let Ok(read) = CheckedHrpstring::new::<Bech32>(text) else { return false };
        read.hrp().to_lowercase() == self.prefix && matches!(read.byte_iter().count(), 20 | 32)
    }
}

/// The networks with addresses in CashAddr: what precedes the colon, which may be left out, their
/// short name, and their name.
pub(crate) const CASH_ADDR_NETWORKS: &[(&str, &str, &str)] = &[
    ("bitcoincash", "bitcoin-cash", "Bitcoin Cash"),
    ("bchtest", "bitcoin-cash", "Bitcoin Cash testnet"),
    ("ecash", "ecash", "eCash"),
    ("simpleledger", "bitcoin-cash", "Bitcoin Cash SLP"),
];

impl Kind {
    /// The kind with this id, or all kinds of the network with this name: `bitcoin` stands for
    /// `bitcoin-p2pkh` and `bitcoin-p2sh`, and `any` for all kinds. Empty if there are none.
    #[must_use]
    pub fn matching(id: &str) -> Vec<Self> {
        let is_of_network = |kind: &Self| {
            let rest = kind.id.strip_prefix(id).and_then(|rest| rest.strip_prefix('-'));
            rest.is_some_and(|rest| rest.starts_with("p2"))
        };
        let matches = |kind: &&Self| id == "any" || kind.id == id || is_of_network(kind);
        KINDS.iter().filter(matches).copied().collect()
    }

    /// The names of a version; none if no network here uses it.
    pub fn names(version: Version) -> impl Iterator<Item = &'static str> {
        KINDS.iter().filter(move |kind| kind.version == version).map(|kind| kind.name)
    }

    /// The versions of all kinds, each once.
    #[must_use]
    pub fn all_versions() -> Vec<Version> {
        versions_of(KINDS)
    }

    /// The versions of the common kinds, each once: those of Bitcoin and its test networks,
    /// Litecoin, Dogecoin, Dash, Zcash, Tron, Ripple and others.
    ///
    /// A lower-cased first letter fits fewer of them than of all, so a search takes less time.
    #[must_use]
    pub fn common_versions() -> Vec<Version> {
        versions_of(&KINDS[..COMMON])
    }
}

fn versions_of(kinds: &[Kind]) -> Vec<Version> {
    let mut versions: Vec<Version> = kinds.iter().map(|kind| kind.version).collect();
    versions.sort_unstable();
    versions.dedup();
    versions
}

/// The first one or two bytes of an address, before it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    value: u16,
    bytes: u8,
    alphabet: Alphabet,
}

impl Version {
    /// Accounts of Ripple (XRP): version 0 in Ripple's own alphabet, in which `r` is zero.
    pub const RIPPLE: Self = Self { value: 0, bytes: 1, alphabet: Alphabet::Ripple };

    /// A one-byte version, as in nearly all networks.
    #[must_use]
    pub const fn byte(value: u8) -> Self {
        Self { value: value as u16, bytes: 1, alphabet: Alphabet::Bitcoin }
    }

    /// A two-byte version, as in Zcash.
    #[must_use]
    pub const fn two_bytes(value: u16) -> Self {
        Self { value, bytes: 2, alphabet: Alphabet::Bitcoin }
    }

    /// The version as a big-endian number.
    #[must_use]
    pub const fn value(self) -> u16 {
        self.value
    }

    /// Whether the version has one byte, not two.
    #[must_use]
    pub const fn is_one_byte(self) -> bool {
        self.bytes == 1
    }

    /// The characters that addresses with this version begin with.
    #[must_use]
    pub fn first_characters(self) -> String {
        let (first, last) = Number::with_prefix(&self.prefix(), self.message_bytes() + 4);
        let is_first = |&value: &usize| {
            let product = |value, place| Number::product(value, place);
            (0..MAX_LENGTH)
                .any(|place| product(value, place) <= last && first < product(value + 1, place))
        };
        let values = if self.prefix()[0] == 0 { 0..1 } else { 1..BASE };
        values.filter(is_first).map(|value| self.alphabet.character(value)).collect()
    }

    /// The digits that addresses with this version begin with.
    pub(crate) fn first_digits(self) -> Digits {
        // Each takes thousands of products, and every text asks for them.
        static KNOWN: LazyLock<HashMap<Version, Digits>> = LazyLock::new(|| {
            Kind::all_versions().into_iter().map(|it| (it, digits_of(it))).collect()
        });
        fn digits_of(version: Version) -> Digits {
            version.first_characters().chars().fold(0, |digits, first| digits | exactly(first))
        }
        KNOWN.get(&self).copied().unwrap_or_else(|| digits_of(self))
    }

    /// The number of bytes that the checksum covers.
    pub(crate) fn message_bytes(self) -> usize {
        usize::from(self.bytes) + 20
    }

    /// The version of a valid address in an alphabet, case included; `None` if its checksum is
    /// wrong.
    pub(crate) fn decode(text: &str, alphabet: Alphabet) -> Option<Self> {
        let version = match alphabet.decode(text)?[..] {
            [byte, ref payload @ ..] if payload.len() == 20 => Self::byte(byte),
            [a, b, ref payload @ ..] if payload.len() == 20 => {
                Self::two_bytes(u16::from_be_bytes([a, b]))
            }
            _ => return None,
        };
        // Only one version is written in Ripple's alphabet.
        Some(Self { alphabet, ..version })
            .filter(|&it| alphabet == Alphabet::Bitcoin || it == Self::RIPPLE)
    }

    /// The version of a valid address, in either alphabet.
    pub(crate) fn of_address(text: &str) -> Option<Self> {
        let alphabets = [Alphabet::Bitcoin, Alphabet::Ripple];
        alphabets.into_iter().find_map(|alphabet| Self::decode(text, alphabet))
    }

    pub(crate) fn alphabet(self) -> Alphabet {
        self.alphabet
    }

    /// The smallest and the greatest number of addresses of a length, without their leading `1`s.
    pub(crate) fn bounds(self, length: usize, leading_ones: usize) -> Option<(Number, Number)> {
        let bytes = self.message_bytes() + 4;
        Number::written(&self.prefix(), bytes, leading_ones, length - leading_ones)
    }

    fn prefix(self) -> Vec<u8> {
        self.value.to_be_bytes()[2 - usize::from(self.bytes)..].to_vec()
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::RIPPLE {
            f.write_str("ripple")
        } else if self.is_one_byte() {
            write!(f, "{}", self.value)
        } else {
            write!(f, "0x{:04x}", self.value)
        }
    }
}

/// Why a text is not a [`Version`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a version is a number from 0 to 255 or 0x00 to 0xff, two bytes as four hexadecimal digits, \
     such as 0x1cb8, or `ripple`"
)]
pub struct VersionError;

impl FromStr for Version {
    type Err = VersionError;

    /// Parses `65`, `0x41`, `0x1cb8` for two bytes, or `ripple`.
    fn from_str(text: &str) -> Result<Self, VersionError> {
        if text == "ripple" {
            return Ok(Self::RIPPLE);
        }
        let hexadecimal = text.strip_prefix("0x");
        let (digits, radix) = hexadecimal.map_or((text, 10), |digits| (digits, 16));
        // The standard library's parser accepts a sign.
        let value = u16::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'));
        match value.ok_or(VersionError)? {
            value if radix == 16 && digits.len() == 4 => Ok(Self::two_bytes(value)),
            value => u8::try_from(value).map(Self::byte).map_err(|_| VersionError),
        }
    }
}
