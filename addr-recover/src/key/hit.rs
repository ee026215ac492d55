//! Keys found by a search, and their decoder, which shares nothing with the search but the alphabet
//! and the table of kinds.

use std::fmt;

use zeroize::Zeroizing;

use super::{KeyFormat, KeyKind, MINI, mini};
use crate::number::{Natural, Wide};
use crate::pattern::alphabet::Alphabet;
use crate::search::verify::base58check;

/// A key that the damage allows and whose checksum is correct. Its memory is wiped when it is
/// dropped, and `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyHit {
    pub(crate) text: Zeroizing<String>,
    pub(crate) kind: KeyKind,
}

impl KeyHit {
    /// The hit for a key; `None` if the text is not a valid key.
    #[must_use]
    pub fn of(key: &str) -> Option<Self> {
        let (_, kind) = decode(key)?;
        Some(Self { text: Zeroizing::new(key.to_owned()), kind })
    }

    /// Spells the bytes of a key and its checksum; `None` if they are not a valid key.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let digits = Wide::of_bytes(bytes).digits();
        let mut text = Zeroizing::new(String::with_capacity(digits.len()));
        text.extend(digits.iter().map(|&digit| Alphabet::Bitcoin.character(digit.into())));
        Self::of(&text)
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.text
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> KeyKind {
        self.kind
    }

    /// Its bytes, without the checksum. For a mini key, the private key.
    #[must_use]
    pub fn bytes(&self) -> Zeroizing<Vec<u8>> {
        decode(&self.text).map(|(bytes, _)| bytes).unwrap_or_default()
    }
}

impl fmt::Debug for KeyHit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyHit").field("kind", &self.kind.name).finish_non_exhaustive()
    }
}

/// The order of the group of secp256k1 (SEC 2, section 2.4.1).
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
    0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
];

/// The bytes and the kind of a text that is a valid key, case included; `None` if it is not.
fn decode(text: &str) -> Option<(Zeroizing<Vec<u8>>, KeyKind)> {
    if let Some(secret) = mini::decode(text) {
        return Some((secret, MINI));
    }
    let message = base58check(text, Alphabet::Bitcoin)?;
    let kind = KeyKind::of(&message)?;
    is_legal(kind.format, &message).then_some((message, kind))
}

/// Whether the private key is in range, and an extended master key has no parent (BIP 32, test
/// vector 5). Whether a public key is on the curve is not checked.
fn is_legal(format: KeyFormat, message: &[u8]) -> bool {
    let is_in_range = |key: &[u8]| key < &ORDER[..] && key.iter().any(|&byte| byte != 0);
    let has_depth = || message[4] != 0 || message[5..13].iter().all(|&byte| byte == 0);
    match format {
        KeyFormat::Wif => is_in_range(&message[1..33]),
        KeyFormat::ExtendedPrivate => has_depth() && is_in_range(&message[46..]),
        KeyFormat::ExtendedPublic => has_depth(),
        KeyFormat::Encrypted | KeyFormat::Mini => true,
    }
}
