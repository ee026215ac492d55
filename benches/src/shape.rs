//! Defines what is timed: the operations, and the messages for each.

use clap::ValueEnum;

/// The hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// SHA-1.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-256 of the SHA-256.
    Sha256Double,
    /// RIPEMD-160.
    Ripemd160,
    /// RIPEMD-160 of the SHA-256.
    Hash160,
    /// PBKDF2 with HMAC-SHA-256; the messages are passwords.
    Pbkdf2Sha256,
    /// PBKDF2 with HMAC-SHA-1; the messages are passwords.
    Pbkdf2Sha1,
}

impl Function {
    /// Digest length in bytes.
    #[must_use]
    pub fn digest_bytes(self) -> usize {
        match self {
            Self::Sha256 | Self::Sha256Double | Self::Pbkdf2Sha256 => 32,
            Self::Sha1 | Self::Ripemd160 | Self::Hash160 | Self::Pbkdf2Sha1 => 20,
        }
    }

    /// Our crate that computes it.
    #[must_use]
    pub fn crate_name(self) -> &'static str {
        match self {
            Self::Sha1 | Self::Pbkdf2Sha1 => "sha1-multi",
            Self::Sha256 | Self::Sha256Double | Self::Pbkdf2Sha256 => "sha256-multi",
            Self::Ripemd160 | Self::Hash160 => "ripemd-multi",
        }
    }
}

/// The operation on the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// SHA-256 of 64-byte nodes.
    HashPairs,
    /// SHA-256 of messages of any length.
    HashMany,
    /// Double SHA-256 of 64-byte nodes, as in Bitcoin's transaction tree.
    DoubleHashPairs,
    /// Double SHA-256 of messages of any length, as for Bitcoin's block headers.
    DoubleHashMany,
    /// One sha2 digest right after [`Self::HashPairs`]. Only that digest is timed.
    DigestAfterPairs,
    /// SHA-1 of messages of any length.
    Sha1Many,
    /// SHA-1 of one message.
    Sha1One,
    /// RIPEMD-160 of messages of any length.
    Ripemd160Many,
    /// RIPEMD-160 of one message.
    Ripemd160One,
    /// HASH160 of messages of any length, such as public keys.
    Hash160Many,
    /// HASH160 of one message.
    Hash160One,
    /// 1000 rounds of PBKDF2 with HMAC-SHA-256 of many passwords.
    Pbkdf2Sha256Many,
    /// The same with HMAC-SHA-1.
    Pbkdf2Sha1Many,
}

/// Rounds of PBKDF2 for each password.
pub(crate) const PBKDF2_ROUNDS: u32 = 1000;

impl Operation {
    /// The name: our function for SHA-256, or the hash and its input for the other hashes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HashPairs => "hash_pairs",
            Self::HashMany => "hash_many",
            Self::DoubleHashPairs => "double_hash_pairs",
            Self::DoubleHashMany => "double_hash_many",
            Self::DigestAfterPairs => "digest_after_pairs",
            Self::Sha1Many => "sha1_many",
            Self::Sha1One => "sha1",
            Self::Ripemd160Many => "ripemd160_many",
            Self::Ripemd160One => "ripemd160",
            Self::Hash160Many => "hash160_many",
            Self::Hash160One => "hash160",
            Self::Pbkdf2Sha256Many => "pbkdf2_sha256_many",
            Self::Pbkdf2Sha1Many => "pbkdf2_sha1_many",
        }
    }

    /// The hash function that it computes.
    #[must_use]
    pub fn function(self) -> Function {
        match self {
            Self::HashPairs | Self::HashMany | Self::DigestAfterPairs => Function::Sha256,
            Self::DoubleHashPairs | Self::DoubleHashMany => Function::Sha256Double,
            Self::Sha1Many | Self::Sha1One => Function::Sha1,
            Self::Ripemd160Many | Self::Ripemd160One => Function::Ripemd160,
            Self::Hash160Many | Self::Hash160One => Function::Hash160,
            Self::Pbkdf2Sha256Many => Function::Pbkdf2Sha256,
            Self::Pbkdf2Sha1Many => Function::Pbkdf2Sha1,
        }
    }
}

/// The number of messages and their lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Messages {
    /// Messages of one length, in bytes.
    Equal {
        /// The number of messages.
        count: usize,
        /// The length of each in bytes.
        len: usize,
    },
    /// This many messages of 0 to 4096 bytes, in mixed order.
    Ragged(usize),
}

impl Messages {
    const fn nodes(count: usize) -> Self {
        Self::Equal { count, len: 64 }
    }

    /// The length of each message, in bytes.
    #[must_use]
    pub fn lengths(self) -> Vec<usize> {
        match self {
            Self::Equal { count, len } => vec![len; count],
            // 1009 and 4097 are coprime: neighbours differ, and no length repeats within 4097
            // messages.
            Self::Ragged(count) => (0..count).map(|i| i * 1009 % 4097).collect(),
        }
    }

    fn label(self) -> String {
        match self {
            Self::Equal { count, len: 64 } => format!("{count}"),
            Self::Equal { count, len } if len >= 1 << 20 => format!("{count}x{}MiB", len >> 20),
            Self::Equal { count, len } if len >= 1 << 10 => format!("{count}x{}KiB", len >> 10),
            Self::Equal { count, len } => format!("{count}x{len}B"),
            Self::Ragged(count) => format!("ragged-{count}"),
        }
    }
}

/// An operation on certain messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The set of this shape.
    pub set: Set,
    /// The operation.
    pub operation: Operation,
    /// The messages.
    pub messages: Messages,
}

impl Shape {
    /// A label for the messages, such as `4096` for nodes or `16x1MiB`.
    #[must_use]
    pub fn label(&self) -> String {
        // Some of the small batches are also in another set, with more rivals.
        let set = if self.set.is_small() { "small-" } else { "" };
        format!("{set}{}", self.messages.label())
    }

    /// Operation and messages, such as `hash_pairs/4096`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.operation.name(), self.label())
    }
}

/// A set of related shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Set {
    /// Levels of a tree, from a batch below most lane counts to one that fills all lanes.
    Pairs,
    /// Batches of 1 to 64 nodes, to check the kernel chosen for each count.
    Small,
    /// Double SHA-256.
    Double,
    /// Messages of lengths other than 64 bytes.
    Long,
    /// The cost of lane kernels for the SHA-256 that runs after them.
    AfterLanes,
    /// SHA-1 of messages of several lengths, including torrent pieces.
    Sha1Long,
    /// SHA-1 of 1 to 64 messages.
    Sha1Small,
    /// SHA-1 of one message.
    Sha1Single,
    /// RIPEMD-160 of many digests.
    Ripemd160Digests,
    /// RIPEMD-160 of 1 to 64 digests.
    Ripemd160Small,
    /// RIPEMD-160 of messages longer than one block.
    Ripemd160Long,
    /// RIPEMD-160 of one message.
    Ripemd160Single,
    /// HASH160 of many public keys.
    Hash160Keys,
    /// HASH160 of 1 to 64 public keys.
    Hash160Small,
    /// HASH160 of one public key.
    Hash160Single,
    /// PBKDF2 of 1, 8 and 64 passwords.
    Pbkdf2,
}

impl Set {
    /// Whether these are the batches of 1 to 64 messages. There are so many of these shapes that
    /// each gets less time, and one line instead of a table.
    #[must_use]
    pub fn is_small(self) -> bool {
        matches!(self, Self::Small | Self::Sha1Small | Self::Ripemd160Small | Self::Hash160Small)
    }

    /// The shapes of the set.
    #[must_use]
    pub fn shapes(self) -> Vec<Shape> {
        use Messages::{Equal, Ragged};
        const KIB: usize = 1 << 10;
        const MIB: usize = 1 << 20;
        /// Lengths of a secp256k1 public key in bytes, compressed and uncompressed.
        const KEYS: [usize; 2] = [33, 65];

        let shapes = |operation, messages: &[Messages]| -> Vec<Shape> {
            messages.iter().map(|&messages| Shape { set: self, operation, messages }).collect()
        };
        let small = |operation, len| -> Vec<Shape> {
            shapes(operation, &(1..=64).map(|count| Equal { count, len }).collect::<Vec<_>>())
        };
        match self {
            Self::Pairs => shapes(Operation::HashPairs, &[8, 16, 64, 4096].map(Messages::nodes)),
            Self::Small => small(Operation::HashPairs, 64),
            Self::Double => {
                let mut all =
                    shapes(Operation::DoubleHashPairs, &[1, 8, 64, 1024].map(Messages::nodes));
                all.extend(shapes(Operation::DoubleHashMany, &[Equal { count: 1000, len: 80 }]));
                all
            }
            Self::Long => shapes(
                Operation::HashMany,
                &[
                    Equal { count: 1000, len: 32 },
                    Equal { count: 64, len: KIB },
                    Equal { count: 16, len: 16 * KIB },
                    Equal { count: 16, len: MIB },
                    Equal { count: 1, len: MIB },
                    Ragged(256),
                ],
            ),
            Self::AfterLanes => shapes(Operation::DigestAfterPairs, &[Messages::nodes(16)]),
            Self::Sha1Long => shapes(
                Operation::Sha1Many,
                &[
                    Equal { count: 64, len: KIB },
                    Equal { count: 16, len: 16 * KIB },
                    Equal { count: 256, len: 256 * KIB },
                    Ragged(256),
                ],
            ),
            Self::Sha1Small => small(Operation::Sha1Many, 16 * KIB),
            Self::Sha1Single => {
                shapes(Operation::Sha1One, &[64, 16 * KIB].map(|len| Equal { count: 1, len }))
            }
            Self::Ripemd160Digests => {
                shapes(Operation::Ripemd160Many, &[Equal { count: 4096, len: 32 }])
            }
            Self::Ripemd160Small => small(Operation::Ripemd160Many, 32),
            Self::Ripemd160Long => {
                shapes(Operation::Ripemd160Many, &[Equal { count: 64, len: KIB }])
            }
            Self::Ripemd160Single => {
                shapes(Operation::Ripemd160One, &[Equal { count: 1, len: 32 }])
            }
            Self::Hash160Keys => {
                shapes(Operation::Hash160Many, &KEYS.map(|len| Equal { count: 4096, len }))
            }
            Self::Hash160Small => small(Operation::Hash160Many, KEYS[0]),
            Self::Hash160Single => {
                shapes(Operation::Hash160One, &KEYS.map(|len| Equal { count: 1, len }))
            }
            Self::Pbkdf2 => {
                let passwords = [1, 8, 64].map(|count| Equal { count, len: 12 });
                let mut all = shapes(Operation::Pbkdf2Sha256Many, &passwords);
                all.extend(shapes(Operation::Pbkdf2Sha1Many, &passwords));
                all
            }
        }
    }
}
