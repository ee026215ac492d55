//! Generates messages of any length, whole and in parts, for the fuzz targets of the hashes.

use std::fmt::Debug;

use arbitrary::Arbitrary;
use hash_lanes::ManyHasher;
use hash_lanes::engine::LaneHash;

/// More than two of the groups in which messages are scheduled.
const MAX_MESSAGES: usize = 130;

/// More than twice the 1024 bytes that a [`ManyHasher`] buffers.
const MAX_LEN: usize = 2200;

/// The maximum number of parts.
const MAX_PARTS: usize = 100;

/// Messages that are slices of one endlessly repeated text.
#[derive(Arbitrary, Debug)]
pub struct Messages<'a> {
    /// The start and the length of each message.
    spans: Vec<(u16, u16)>,
    /// A message, and the number of its bytes that come next. Zero bytes finalize the message,
    /// which then starts again.
    parts: Vec<(u8, u16)>,
    text: &'a [u8],
}

impl Messages<'_> {
    /// The messages.
    pub fn whole(&self) -> Vec<Vec<u8>> {
        let text = if self.text.is_empty() { &[0] } else { self.text };
        let message = |&(begin, length): &(u16, u16)| {
            let bytes = text.iter().copied().cycle().skip(usize::from(begin) % text.len());
            bytes.take(usize::from(length) % (MAX_LEN + 1)).collect()
        };
        self.spans.iter().take(MAX_MESSAGES).map(message).collect()
    }

    /// The whole blocks of the text.
    pub fn blocks<const N: usize>(&self) -> &[[u8; N]] {
        self.text.as_chunks().0
    }

    /// Feeds the messages to a hasher in parts, and asserts that the digests match `reference`.
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
