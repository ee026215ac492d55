//! Decodes keys byte by byte. Shares nothing with the search but the alphabet and the table of
//! kinds.

use zeroize::Zeroizing;

use super::{KeyFormat, KeyKind, MINI, mini};
use crate::pattern::alphabet::Alphabet;
use crate::search::verify::base58check;

/// The order of the group of secp256k1 (SEC 2, section 2.4.1).
const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
    0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
];

/// The bytes and the kind of a text that is a valid key, case included; `None` if it is not.
pub(crate) fn decode(text: &str) -> Option<(Zeroizing<Vec<u8>>, KeyKind)> {
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
