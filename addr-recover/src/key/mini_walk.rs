//! Searches for a mini key: every text is hashed.

use zeroize::Zeroizing;

use super::hit::{KeyHit, KeyOutcome};
use super::mini;
use super::rests::Counts;
use super::space::Node;
use crate::pattern::alphabet::Alphabet;
use crate::search_space::dfa::{Dfa, StateId};
use sha256_multi::{Backend, Sha256Lanes};

/// The number of texts per call of the hash.
const BATCH: usize = 1024;

/// A walk over the texts of one task.
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
        let is_legal = |digit: usize| at > 0 || digit == usize::from(mini::FIRST.1);
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
