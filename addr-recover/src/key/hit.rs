//! Keys found by a search.

use std::fmt;

use zeroize::Zeroizing;

use super::KeyKind;
use super::decode::decode;
use crate::number::{Natural, Wide};
use crate::pattern::alphabet::Alphabet;

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
