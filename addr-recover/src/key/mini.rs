//! Mini keys, which have no bytes: the private key is the hash of the text. The text is legal if
//! the hash of the text and a question mark begins with a zero byte.

use hash_lanes::Backend;
use sha2::{Digest, Sha256};
use sha256_multi::Sha256Lanes;
use zeroize::Zeroizing;

use crate::number::{Natural, Wide};
use crate::pattern::alphabet::Alphabet;
use crate::search_space::dfa::{Dfa, Node};

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

/// Hashes every text of a node. Appends the legal ones, and returns the number of texts.
pub(super) fn hash_texts(
    backend: Backend,
    dfa: &Dfa<Wide>,
    node: Node<Wide>,
    found: &mut Vec<(usize, Wide)>,
) -> u64 {
    let (count, length) = (dfa.numbers(node).count.low() as usize, dfa.length + 1);
    // The first digit is not zero.
    let begin = node.base.text(0, Alphabet::Bitcoin);
    let mut text = Zeroizing::new(vec![b'?'; length]);
    text[..begin.len()].copy_from_slice(begin.as_bytes());
    let mut messages = Zeroizing::new(Vec::with_capacity(count * length));
    let mut numbers = Zeroizing::new(Vec::with_capacity(count));
    visit(dfa, node, &mut text, &mut |text, number| {
        messages.extend_from_slice(text);
        numbers.push(number);
    });
    let mut digests = vec![[0; 32]; count];
    let messages = messages.chunks_exact(length);
    Sha256Lanes::on(backend).hash_many_into(messages, &mut digests);
    let legal = numbers.iter().zip(&digests).filter(|(_, digest)| digest[0] == 0);
    found.extend(legal.map(|(&number, _)| (0, number)));
    count as u64
}

/// Visits the texts of a node, each followed by a question mark, and their numbers.
fn visit(
    dfa: &Dfa<Wide>,
    node: Node<Wide>,
    text: &mut [u8],
    visit_text: &mut impl FnMut(&[u8], Wide),
) {
    if node.places == 0 {
        return visit_text(text, node.base);
    }
    for ((digit, _), longer) in dfa.digits(node.state).zip(dfa.longer(node)) {
        text[dfa.length - node.places] = spelled(digit);
        visit(dfa, longer, text, visit_text);
    }
}

fn spelled(digit: usize) -> u8 {
    Alphabet::Bitcoin.character(digit) as u8
}
