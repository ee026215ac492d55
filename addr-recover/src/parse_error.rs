//! Why a text is not a damaged address.

use crate::number::{MAX_LENGTH, MIN_LENGTH};

/// The least number of characters of a part of a key that is treated as one.
pub(crate) const MIN_PART: usize = 39;

/// Why a text cannot be a damaged address. Positions count characters from 1, in the text as given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The text is empty, or only white space.
    #[error("no address given: type or paste one, with ? for each unreadable character")]
    Empty,

    /// Characters are hidden in two places.
    #[error("a second hidden part: only one can be searched; it is at position {position}")]
    SecondGap {
        /// The position where the second part begins.
        position: usize,
    },

    /// The text has several addresses. [`Pattern::split`](crate::Pattern::split) separates them.
    #[error("the text has {count} addresses: give one at a time")]
    Several {
        /// How many.
        count: usize,
    },

    /// No address has this many characters, even with the damage described and likely damage.
    #[error(
        "an address has {MIN_LENGTH} to {MAX_LENGTH} characters, but {given} were given; write \
         ? for an unreadable one, and ... for those that are hidden"
    )]
    Length {
        /// The number of characters; a set counts as one.
        given: usize,
    },

    /// No key has this many characters, even with the damage described.
    #[error(
        "a key has {} to {} characters and a mini key 22 or 30, but {given} were given; write ? \
         for an unreadable one, and ... for those that are hidden",
        crate::key::MIN_LENGTH,
        crate::key::MAX_LENGTH
    )]
    KeyLength {
        /// The number of characters; a set counts as one.
        given: usize,
    },

    /// The text has another format, whose letter case cannot be recovered.
    #[error("{0}")]
    Foreign(Foreign),

    /// The text is an address that was not [selected](crate::Selection).
    #[error("this is an address of another kind ({kinds})")]
    OtherKind {
        /// What it is, such as `Ethereum`.
        kinds: String,
    },

    /// Only networks without Base58Check were [selected](crate::Selection), and the text is not an
    /// address of theirs.
    #[error(
        "this is not an address of {networks} in a format that is repaired: `addr-recover kinds` \
         lists those of Base58Check"
    )]
    NotOfNetworks {
        /// The networks, such as `ethereum or cosmos`.
        networks: String,
    },

    /// The combined damage allows more addresses than can be counted in reasonable memory.
    #[error(
        "the combined damage is too complex: allow fewer typos, or fewer of missing, surplus and \
         swapped characters"
    )]
    TooComplex,
}

impl ParseError {
    /// Whether the text may be a key or a part of one, which must not be repeated.
    #[must_use]
    pub fn may_be_key(&self) -> bool {
        match *self {
            Self::Foreign(Foreign::Unsupported(_)) => true,
            Self::Foreign(foreign) => foreign.is_key(),
            Self::Length { given } => given >= MIN_PART,
            _ => false,
        }
    }

    /// Whether the text is an address, but not one of the [selected](crate::Selection) kinds.
    #[must_use]
    pub fn is_of_selection(&self) -> bool {
        matches!(self, Self::OtherKind { .. } | Self::NotOfNetworks { .. })
    }
}

/// A format that cannot or need not be recovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Foreign {
    /// An address of a format whose checksum restores it, such as Bech32, with more damage than
    /// that.
    #[error(
        "this begins like {what}, where case carries no information; {restores}, but not the \
         damage of this one: write ? for each character that is unreadable"
    )]
    Damaged {
        /// What it is, such as `a Bech32 address`.
        what: &'static str,
        /// What the checksum restores.
        restores: &'static str,
    },
    /// `0x...`, or 40 hexadecimal digits.
    #[error(
        "this looks like an Ethereum address, which is 0x and 40 hexadecimal digits; only the case \
         of its letters is a checksum (EIP-55), for one wrong, missing, extra or swapped \
         character, or three unreadable digits; other damage cannot be undone"
    )]
    Ethereum,
    /// A private key in the wallet import format, or another text that is as long.
    #[error(
        "this has the form of a private key or contains one: keep it secret; `addr-recover key` \
         recovers a damaged key, which it asks for without showing it"
    )]
    PrivateKey,
    /// Fewer hexadecimal digits than those of a private key, and not those of an address.
    #[error(
        "these hexadecimal digits may be a part of a private key: keep them secret; an Ethereum \
         address is 0x and 40 digits; of a key, `addr-recover key --address ADDRESS` finds a few \
         missing digits, but not half of them"
    )]
    PartOfKey,
    /// 43 or 44 characters of Base58 that begin like a private key in the wallet import format.
    #[error(
        "this looks like a Solana address, or a part of a private key: such a part has to stay \
         secret; with ... where its end is lost, `addr-recover key --address ADDRESS` recovers it"
    )]
    SolanaOrKey,
    /// `S...`, 22 or 30 characters.
    #[error(
        "this has the form of a mini key (Casascius): keep it secret; `addr-recover key --address \
         ADDRESS` recovers a damaged one, which it asks for without showing it"
    )]
    MiniKey,
    /// `s...`, 29 or 31 characters.
    #[error(
        "this has the form of a family seed of XRP: keep it secret, and enter it only into a \
         wallet; addr-recover does not recover family seeds"
    )]
    FamilySeed,
    /// A private key of another kind, such as `a private key in Bech32`.
    #[error(
        "this has the form of {0}: keep it secret, and enter it only into a wallet; addr-recover \
         does not recover these keys"
    )]
    OtherKey(&'static str),
    /// `xpub...`, `ypub...`, `zpub...`.
    #[error(
        "this has the form of an extended public key (BIP 32), which shows all payments to whoever \
         has it; `addr-recover key` recovers a damaged one"
    )]
    ExtendedPublicKey,
    /// 12 to 24 words of BIP 39, or those of an old Electrum wallet.
    #[error(
        "this looks like a seed phrase (BIP 39 or Electrum): keep it secret, and enter it only \
         into a wallet; addr-recover does not recover seed phrases"
    )]
    SeedPhrase,
    /// 64 hexadecimal digits.
    #[error(
        "these are 64 hexadecimal digits, such as those of a private key or the name of a \
         transaction: if they are a key, keep it secret; they have no checksum"
    )]
    Hexadecimal,
    /// A word, a phrase, a name or an e-mail address.
    #[error(
        "this is {0}, not a damaged address: ask whoever gave it to you for the address, or a \
         wallet that looks up names"
    )]
    Name(&'static str),
    /// The script of an output in hexadecimal, such as `76a914...88ac`.
    #[error(
        "this is {0} in hexadecimal: it has no checksum, so no damage can be undone; a wallet or \
         `bitcoin-cli decodescript` shows its address"
    )]
    Script(&'static str),
    /// Another format, in which case carries no information, such as `a Nano address`.
    #[error(
        "this looks like {0}, where case carries no information; other damage to it cannot be \
         undone here"
    )]
    Caseless(&'static str),
    /// Another format, such as `a Solana address`.
    #[error("this looks like {0}, which cannot be recovered here")]
    Unsupported(&'static str),
}

impl Foreign {
    /// Whether the text is or may be a key, which must not be repeated.
    #[must_use]
    pub fn is_key(self) -> bool {
        matches!(
            self,
            Self::PrivateKey
                | Self::PartOfKey
                | Self::MiniKey
                | Self::FamilySeed
                | Self::OtherKey(_)
                | Self::ExtendedPublicKey
                | Self::SeedPhrase
                | Self::Hexadecimal
                | Self::SolanaOrKey
        )
    }
}
