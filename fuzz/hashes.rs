//! What the fuzz targets of the hashes share: messages, and parts of messages in any order.

use arbitrary::Arbitrary;

/// More messages than the widest kernel has lanes, twice.
const MAX_MESSAGES: usize = 40;

/// Beyond the buffer of a hasher, which has 1024 bytes.
const MAX_BYTES: usize = 1300;

/// The lengths of some messages, and steps that hash messages in parts.
#[derive(Arbitrary, Debug)]
pub struct Input {
    /// Picks one of the backends.
    backend: u8,
    /// Makes the bytes of the messages.
    seed: u8,
    lengths: Vec<u16>,
    steps: Vec<Step>,
}

#[derive(Arbitrary, Debug)]
enum Step {
    /// Appends this many bytes to one message.
    Update(u8, u16),
    /// Appends bytes to each message. The lengths repeat.
    UpdateAll(u16, u16, u16),
    /// Takes the digest of one message, and begins it again.
    FinalizeOne(u8),
}

/// A hasher of many messages that arrive in parts.
pub trait Parts {
    fn update(&mut self, index: usize, part: &[u8]);
    fn update_all(&mut self, parts: &[Vec<u8>]);
    fn finalize_one(&mut self, index: usize) -> Vec<u8>;
    fn finalize(self) -> Vec<Vec<u8>>;
}

/// Implements [`Parts`] for the `ManyHasher` of a hash.
#[macro_export]
macro_rules! parts_of {
    ($hasher:ty) => {
        impl $crate::hashes::Parts for $hasher {
            fn update(&mut self, index: usize, part: &[u8]) {
                self.update(index, part);
            }

            fn update_all(&mut self, parts: &[Vec<u8>]) {
                self.update_all(parts);
            }

            fn finalize_one(&mut self, index: usize) -> Vec<u8> {
                self.finalize_one(index).to_vec()
            }

            fn finalize(self) -> Vec<Vec<u8>> {
                self.finalize().iter().map(|digest| digest.to_vec()).collect()
            }
        }
    };
}

impl Input {
    /// One of these backends.
    pub fn backend<B: Copy>(&self, all: &[B]) -> B {
        all[usize::from(self.backend) % all.len()]
    }

    /// The messages.
    pub fn messages(&self) -> Vec<Vec<u8>> {
        let lengths = self.lengths.iter().take(MAX_MESSAGES).enumerate();
        lengths.map(|(nth, &length)| self.bytes(nth, length)).collect()
    }

    /// Takes the steps with a hasher of that many messages, and compares all digests with those of
    /// whole messages.
    pub fn check_parts<P: Parts>(
        &self,
        hasher: impl Fn(usize) -> P,
        digest: impl Fn(&[u8]) -> Vec<u8>,
    ) {
        let count = self.lengths.len().min(MAX_MESSAGES);
        let mut messages = vec![Vec::new(); count];
        let mut hasher = hasher(count);
        for (nth, step) in self.steps.iter().enumerate() {
            match *step {
                // There is no message.
                _ if count == 0 => {}
                Step::Update(index, length) => {
                    let index = usize::from(index) % count;
                    let part = self.bytes(nth, length);
                    hasher.update(index, &part);
                    messages[index].extend(part);
                }
                Step::UpdateAll(one, two, three) => {
                    let lengths = [one, two, three].into_iter().cycle().zip(&mut messages);
                    let parts: Vec<Vec<u8>> = lengths
                        .zip(nth..)
                        .map(|((length, message), nth)| {
                            let part = self.bytes(nth, length);
                            message.extend(&part);
                            part
                        })
                        .collect();
                    hasher.update_all(&parts);
                }
                Step::FinalizeOne(index) => {
                    let index = usize::from(index) % count;
                    let message = std::mem::take(&mut messages[index]);
                    assert_eq!(hasher.finalize_one(index), digest(&message));
                }
            }
        }
        let expected: Vec<Vec<u8>> = messages.iter().map(|message| digest(message)).collect();
        assert_eq!(hasher.finalize(), expected);
    }

    /// Bytes with a period that is prime, so that no two blocks are equal.
    fn bytes(&self, nth: usize, length: u16) -> Vec<u8> {
        let first = usize::from(self.seed) + 7 * nth;
        (first..).map(|i| (i % 251) as u8).take(usize::from(length) % MAX_BYTES).collect()
    }
}
