//! What is timed: the operations, and for each the messages.

use clap::ValueEnum;

/// What is done with the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// SHA-256 of 64-byte nodes.
    HashPairs,
    /// SHA-256 of messages of any length.
    HashMany,
    /// SHA-256 twice of 64-byte nodes, as in Bitcoin's tree of transactions.
    DoubleHashPairs,
    /// SHA-256 twice of messages of any length, as of Bitcoin's block headers.
    DoubleHashMany,
    /// One digest by sha2 right after [`Self::HashPairs`]; only that digest is timed.
    DigestAfterPairs,
}

impl Operation {
    /// The name, which for all but the last is that of the function.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HashPairs => "hash_pairs",
            Self::HashMany => "hash_many",
            Self::DoubleHashPairs => "double_hash_pairs",
            Self::DoubleHashMany => "double_hash_many",
            Self::DigestAfterPairs => "digest_after_pairs",
        }
    }
}

/// How many messages of which lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Messages {
    /// Messages of one length, in bytes.
    Equal {
        /// How many.
        count: usize,
        /// Bytes of each.
        len: usize,
    },
    /// This many messages of 0 to 4096 bytes, in no order.
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
            // 1009 is prime to 4097: neighbours differ, and no length comes twice within 4097 messages.
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
    /// The set that it belongs to.
    pub set: Set,
    /// What is done.
    pub operation: Operation,
    /// With what.
    pub messages: Messages,
}

impl Shape {
    /// The messages in words, such as `4096` nodes or `16x1MiB`.
    #[must_use]
    pub fn label(&self) -> String {
        match self.set {
            // Some of these also stand in `pairs`, beside more rivals.
            Set::Small => format!("small-{}", self.messages.label()),
            _ => self.messages.label(),
        }
    }

    /// Operation and messages, such as `hash_pairs/4096`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.operation.name(), self.label())
    }
}

/// Shapes that show one thing together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Set {
    /// Levels of a tree: from a batch below most lane counts to one that fills them all.
    Pairs,
    /// Batches of 1 to 64 nodes: what the choice of a kernel for a count is worth.
    Small,
    /// SHA-256 twice.
    Double,
    /// Messages of other lengths than 64 bytes.
    Long,
    /// What the lanes' kernels cost the SHA-256 that runs after them.
    AfterLanes,
}

impl Set {
    /// The shapes of the set.
    #[must_use]
    pub fn shapes(self) -> Vec<Shape> {
        use Messages::{Equal, Ragged};
        const KIB: usize = 1 << 10;
        const MIB: usize = 1 << 20;

        let shapes = |operation, messages: &[Messages]| -> Vec<Shape> {
            messages.iter().map(|&messages| Shape { set: self, operation, messages }).collect()
        };
        match self {
            Self::Pairs => shapes(Operation::HashPairs, &[8, 16, 64, 4096].map(Messages::nodes)),
            Self::Small => shapes(Operation::HashPairs, &(1..=64).map(Messages::nodes).collect::<Vec<_>>()),
            Self::Double => {
                let mut all = shapes(Operation::DoubleHashPairs, &[1, 8, 64, 1024].map(Messages::nodes));
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
        }
    }
}
