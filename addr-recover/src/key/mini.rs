//! Mini keys, which have no bytes: the private key is the hash of the text. The text is legal if
//! the hash of the text and a question mark begins with a zero byte.

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::alphabet::Alphabet;

/// The numbers of characters.
pub(crate) const LENGTHS: [usize; 2] = [22, 30];

/// The first character, and its value as a digit.
pub(crate) const FIRST: (char, u8) = ('S', 25);

/// One in this many texts is legal.
pub(crate) const CHECKS: f64 = 256.0;

/// The private key; `None` if the text is not a mini key.
pub(crate) fn decode(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    let is_digit = |character| Alphabet::Bitcoin.value(character).is_some();
    let has_form =
        LENGTHS.contains(&text.len()) && text.starts_with(FIRST.0) && text.chars().all(is_digit);
    let checked = Zeroizing::new([text.as_bytes(), b"?"].concat());
    let is_legal = has_form && Sha256::digest(&*checked)[0] == 0;
    is_legal.then(|| Zeroizing::new(Sha256::digest(text).to_vec()))
}
