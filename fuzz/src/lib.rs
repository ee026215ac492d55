//! What the fuzz targets of the hashes have in common: messages of any lengths, whole and in parts.

use std::fmt::Debug;

use arbitrary::Arbitrary;
use hash_lanes::ManyHasher;
use hash_lanes::engine::LaneHash;

/// More than two groups of the messages that are looked at together.
const MAX_MESSAGES: usize = 130;

/// More than two times the 1024 bytes that wait in a [`ManyHasher`].
const LONGEST: usize = 2200;

/// The most parts in which messages arrive.
const MAX_PARTS: usize = 100;

/// Messages that are pieces of one text, which is repeated without end.
#[derive(Arbitrary, Debug)]
pub struct Messages<'a> {
    /// Where each begins, and its length.
    spans: Vec<(u16, u16)>,
    /// A message, and how many bytes of it come next; without any, it ends there and begins anew.
    parts: Vec<(u8, u16)>,
    text: &'a [u8],
}

impl Messages<'_> {
    /// The messages.
    pub fn whole(&self) -> Vec<Vec<u8>> {
        let text = if self.text.is_empty() { &[0] } else { self.text };
        let message = |&(begin, length): &(u16, u16)| {
            let bytes = text.iter().copied().cycle().skip(usize::from(begin) % text.len());
            bytes.take(usize::from(length) % (LONGEST + 1)).collect()
        };
        self.spans.iter().take(MAX_MESSAGES).map(message).collect()
    }

    /// The text in blocks, without the bytes left over.
    pub fn blocks<const N: usize>(&self) -> &[[u8; N]] {
        self.text.as_chunks().0
    }

    /// Asserts that the messages, given to a hasher of as many in the parts in which they arrive,
    /// have the digests of `reference`.
    pub fn assert_hashed_in_parts<H, const WORDS: usize>(
        &self,
        mut hasher: ManyHasher<H, WORDS>,
        reference: impl Fn(&[u8]) -> H::Digest,
    ) where
        H: LaneHash<WORDS>,
        H::Digest: Debug + PartialEq,
    {
        let messages = self.whole();
        let mut given = vec![0; messages.len()];
        for &(index, length) in self.parts.iter().take(MAX_PARTS).filter(|_| !messages.is_empty()) {
            let index = usize::from(index) % messages.len();
            let (message, given) = (&messages[index], &mut given[index]);
            if length == 0 {
                assert_eq!(hasher.finalize_one(index), reference(&message[..*given]), "{index}");
                *given = 0;
            } else {
                let end = message.len().min(*given + usize::from(length));
                hasher.update(index, &message[*given..end]);
                *given = end;
            }
        }
        let rest: Vec<_> =
            messages.iter().zip(&given).map(|(message, &given)| &message[given..]).collect();
        hasher.update_all(&rest);
        let expected: Vec<_> = messages.iter().map(|message| reference(message)).collect();
        assert_eq!(hasher.finalize(), expected);
    }
}
