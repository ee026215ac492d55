//! Mini keys, which have no bytes: the private key is the hash of the text. The text is legal if
//! the hash of the text and a question mark begins with a zero byte.

use sha2::{Digest, Sha256};
use sha256_multi::{Backend, Sha256Lanes};
use zeroize::Zeroizing;

use super::hit::{KeyHit, KeyOutcome};
use super::space::{Counts, Node};
use crate::pattern::alphabet::Alphabet;
use crate::search_space::dfa::{Dfa, StateId};

/// The numbers of characters.
pub(crate) const LENGTHS: [usize; 2] = [22, 30];

/// The first character, and its value as a digit.
pub(crate) const FIRST: (char, u8) = ('S', 25);

/// One in this many texts is legal.
pub(crate) const CHECKS: f64 = 256.0;

/// The number of texts per call of the hash.
const BATCH: usize = 1024;

/// The private key; `None` if the text is not a mini key.
pub(crate) fn decode(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    let is_digit = |character| Alphabet::Bitcoin.value(character).is_some();
    let has_form =
        LENGTHS.contains(&text.len()) && text.starts_with(FIRST.0) && text.chars().all(is_digit);
    let checked = Zeroizing::new([text.as_bytes(), b"?"].concat());
    let is_legal = has_form && Sha256::digest(&*checked)[0] == 0;
    is_legal.then(|| Zeroizing::new(Sha256::digest(text).to_vec()))
}

/// A walk over the texts of one task: every text is hashed.
pub(super) struct MiniWalk<'s> {
    dfa: &'s Dfa<Counts>,
    backend: Backend,
    keeps: &'s dyn Fn(&KeyHit) -> bool,
    /// Called with the number of new steps; returns whether to continue.
    on_steps: &'s dyn Fn(u64) -> bool,
    /// The text, followed by a question mark.
    text: Zeroizing<Vec<u8>>,
    messages: Zeroizing<Vec<u8>>,
    digests: Vec<[u8; 32]>,
    found: KeyOutcome,
}

impl<'s> MiniWalk<'s> {
    pub(super) fn new(
        dfa: &'s Dfa<Counts>,
        backend: Backend,
        keeps: &'s dyn Fn(&KeyHit) -> bool,
        on_steps: &'s dyn Fn(u64) -> bool,
    ) -> Self {
        let text = vec![b'?'; dfa.length() + 1];
        let messages = Vec::with_capacity(BATCH * text.len());
        Self {
            dfa,
            backend,
            keeps,
            on_steps,
            text: Zeroizing::new(text),
            messages: Zeroizing::new(messages),
            digests: vec![[0; 32]; BATCH],
            found: KeyOutcome::default(),
        }
    }

    /// Searches all texts that begin like a node. Returns `None` if cancelled.
    pub(super) fn search(mut self, node: Node) -> Option<KeyOutcome> {
        // The first digit is not zero.
        let digits = node.number.digits();
        for (at, &digit) in digits.iter().take(self.dfa.length() - node.places).enumerate() {
            self.text[at] = spelled(digit.into());
        }
        self.texts(node.state, node.places)?;
        self.flush()?;
        Some(self.found)
    }

    fn texts(&mut self, state: StateId, places: usize) -> Option<()> {
        if places == 0 {
            self.messages.extend_from_slice(&self.text);
            let is_full = self.messages.len() == BATCH * self.text.len();
            return if is_full { self.flush() } else { Some(()) };
        }
        let (dfa, at) = (self.dfa, self.dfa.length() - places);
        let is_legal = |digit: usize| at > 0 || digit == usize::from(FIRST.1);
        for (digit, next) in dfa.digits(state).filter(|&(digit, _)| is_legal(digit)) {
            self.text[at] = spelled(digit);
            self.texts(next, places - 1)?;
        }
        Some(())
    }

    /// Hashes the texts collected, and keeps those that are legal. Returns `None` if told to stop.
    fn flush(&mut self) -> Option<()> {
        let messages = self.messages.chunks_exact(self.text.len());
        let digests = &mut self.digests[..messages.len()];
        Sha256Lanes::on(self.backend).hash_many_into(messages.clone(), digests);
        self.found.hashes += digests.len() as u64;
        let steps = digests.len() as u64;
        for (message, _) in messages.zip(digests).filter(|(_, digest)| digest[0] == 0) {
            let text = str::from_utf8(&message[..message.len() - 1]).ok();
            let hit = text.and_then(KeyHit::of).filter(self.keeps);
            self.found.hits.extend(hit);
        }
        self.messages.clear();
        (self.on_steps)(steps).then_some(())
    }
}

fn spelled(digit: usize) -> u8 {
    Alphabet::Bitcoin.character(digit) as u8
}
