//! Decodes keys byte by byte. Shares nothing with the search but the alphabet and the table of
//! kinds.

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::{KeyFormat, KeyKind, MINI, mini};
use crate::pattern::alphabet::Alphabet;

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
    let mut bytes = Zeroizing::new(vec![0; 82]);
    for character in text.chars() {
        let mut carry = u32::from(Alphabet::Bitcoin.value(character)?);
        for byte in bytes.iter_mut().rev() {
            carry += 58 * u32::from(*byte);
            *byte = (carry & 0xff) as u8;
            carry >>= 8;
        }
        if carry != 0 {
            return None;
        }
    }
    // No key begins with a zero byte, so none has a leading 1.
    let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    if text.starts_with('1') {
        return None;
    }
    let (message, checksum) = bytes[zeros..].split_last_chunk::<4>()?;
    let kind = KeyKind::of(message)?;
    let is_right = Sha256::digest(Sha256::digest(message)).starts_with(checksum);
    (is_right && is_legal(kind.format, message)).then(|| (Zeroizing::new(message.to_vec()), kind))
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
