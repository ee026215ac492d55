//! Mini keys, which have no bytes: the private key is the hash of the text. The text is legal if
//! the hash of the text and a question mark begins with a zero byte.

use hash_lanes::Backend;
use sha2::{Digest, Sha256};
use sha256_multi::Sha256Lanes;
use zeroize::{Zeroize, Zeroizing};

use super::KeyKind;
use crate::format::{Approach, Subtree};
use crate::number::{Natural, Wide};
use crate::pattern::alphabet::Alphabet;
use crate::search_space::dfa::{Dfa, Node};

/// The numbers of characters.
pub(crate) const LENGTHS: [usize; 2] = [22, 30];

/// The first character, and its value as a digit.
pub(crate) const FIRST: (char, u8) = ('S', 25);

/// One in this many texts is legal.
pub(crate) const CHECKS: f64 = 256.0;

/// The maximum number of texts per call of the hash.
const BATCH: u64 = 4096;

/// The private key; `None` if the text is not a mini key.
pub(crate) fn decode(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    let is_digit = |character| Alphabet::Bitcoin.value(character).is_some();
    let has_form =
        LENGTHS.contains(&text.len()) && text.starts_with(FIRST.0) && text.chars().all(is_digit);
    let checked = Zeroizing::new([text.as_bytes(), b"?"].concat());
    let is_legal = has_form && Sha256::digest(&*checked)[0] == 0;
    is_legal.then(|| Zeroizing::new(Sha256::digest(text).to_vec()))
}

/// Hashes mini keys: every text is hashed.
pub(crate) struct MiniKeys {
    backend: Backend,
    /// The last text, followed by a question mark.
    text: Zeroizing<Vec<u8>>,
    /// All texts, each followed by a question mark.
    messages: Zeroizing<Vec<u8>>,
    numbers: Zeroizing<Vec<Wide>>,
    digests: Vec<[u8; 32]>,
}

impl MiniKeys {
    pub(crate) fn new(backend: Backend) -> Self {
        let (text, messages, numbers) = Default::default();
        Self { backend, text, messages, numbers, digests: Vec::new() }
    }

    /// Appends the texts of a subtree that are legal, unless it has too many.
    pub(crate) fn search(&mut self, at: &Subtree<'_, KeyKind>, found: &mut Vec<Wide>) -> Approach {
        let &Subtree { dfa, node, .. } = at;
        if dfa.numbers(node).count > BATCH.into() && node.places > 0 {
            return Approach::Divide;
        }
        // The first digit is not zero.
        let digits = node.base.digits();
        self.text.clear();
        self.text.extend(digits.iter().map(|&digit| spelled(digit.into())));
        self.text.resize(dfa.length() + 1, b'?');
        self.text[dfa.length()] = b'?';
        self.collect(dfa, node);
        let messages = self.messages.chunks_exact(dfa.length() + 1);
        self.digests.resize(messages.len(), [0; 32]);
        Sha256Lanes::on(self.backend).hash_many_into(messages, &mut self.digests);
        let legal = self.numbers.iter().zip(&self.digests).filter(|(_, digest)| digest[0] == 0);
        found.extend(legal.map(|(number, _)| *number));
        let hashes = self.digests.len() as u64;
        self.messages.clear();
        self.numbers.zeroize();
        Approach::Searched(hashes)
    }

    fn collect(&mut self, dfa: &Dfa<Wide>, node: Node<Wide>) {
        if node.places == 0 {
            self.messages.extend_from_slice(&self.text);
            self.numbers.push(node.base);
        }
        for ((digit, _), longer) in dfa.digits(node.state).zip(dfa.longer(node)) {
            self.text[dfa.length() - node.places] = spelled(digit);
            self.collect(dfa, longer);
        }
    }
}

fn spelled(digit: usize) -> u8 {
    Alphabet::Bitcoin.character(digit) as u8
}
