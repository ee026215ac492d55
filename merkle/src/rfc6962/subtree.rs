//! Subtrees of logs, as Merkle Tree Certificates sign them:
//! [draft-ietf-plants-merkle-tree-certs].
//!
//! [draft-ietf-plants-merkle-tree-certs]: https://datatracker.ietf.org/doc/draft-ietf-plants-merkle-tree-certs/

use alloc::vec::Vec;

use super::Rfc6962;
use crate::hasher::{NodeHasher, levels_above};
use crate::proof::{ConsistencyProof, InclusionProof, TreeHead, VerifyError};
use crate::tree::{NoSuchLeafError, Tree};

/// A subtree of a log: the entries from `start` on, before `end`. Its root is that of a log with
/// these entries alone; it may have none.
///
/// ```
/// use merkle_lanes::rfc6962::{Rfc6962, Subtree};
/// use merkle_lanes::{NodeHasher, Tree};
///
/// let mut log = Tree::new(Rfc6962::new());
/// log.extend_data(&(0..14).map(|i| format!("entry {i}")).collect::<Vec<_>>());
/// let subtree = Subtree::new(8, 13)?;
/// let root = subtree.root(&log)?;
///
/// // A certificate: an entry is in a subtree whose root is trusted.
/// let (hasher, leaf) = (Rfc6962::new(), log.hasher().hash_leaf(b"entry 12"));
/// subtree.verify(&hasher, &root, 12, &leaf, &subtree.prove(&log, 12)?)?;
/// // A cosigner: the subtree is part of the log.
/// subtree.verify_consistency(&hasher, &root, &log.head(), &subtree.prove_consistency(&log)?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subtree {
    start: u64,
    end: u64,
}

impl Subtree {
    /// Creates the subtree of the entries from `start` on, before `end`.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidSubtreeError`] unless `start` is at most `end`, `end` is at most 2^63, and
    /// `start` is a multiple of the number of entries, rounded up to a power of two. Without
    /// entries it may be any number.
    pub fn new(start: u64, end: u64) -> Result<Self, InvalidSubtreeError> {
        let is_aligned = || start == end || start.is_multiple_of(1 << levels_above(end - start));
        let is_valid = start <= end && end <= 1 << 63 && is_aligned();
        if is_valid { Ok(Self { start, end }) } else { Err(InvalidSubtreeError { start, end }) }
    }

    /// Two adjacent subtrees with all entries from `start` on, before `end`, and no later ones. The
    /// first also has earlier entries, but fewer than half of it. The second one of a single entry
    /// is empty, and so are both of none.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidSubtreeError`] unless `start` is at most `end`, and `end` at most 2^63.
    pub fn covering(start: u64, end: u64) -> Result<(Self, Self), InvalidSubtreeError> {
        if start > end || end > 1 << 63 {
            return Err(InvalidSubtreeError { start, end });
        }
        let empty = Self { start: end, end };
        if start == end {
            return Ok((empty, empty));
        }
        let last = end - 1;
        let Some(split) = (start ^ last).checked_ilog2() else {
            return Ok((Self { start, end }, empty));
        };
        // Where the paths of the first and the last entry meet, the last one's begins here.
        let below = (1 << split) - 1;
        let middle = last & !below;
        let left_levels = u64::BITS - (!start & below).leading_zeros();
        let left_start = start & !((1 << left_levels) - 1);
        Ok((Self { start: left_start, end: middle }, Self { start: middle, end }))
    }

    /// Whether it has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The index of the first entry.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The index after the last entry.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The subtree as a log of its own.
    fn alone(&self, log: &Tree<Rfc6962>) -> Result<Tree<Rfc6962>, NoSuchLeafError> {
        let size = log.len();
        if self.end > size {
            return Err(NoSuchLeafError { index: self.end - 1, size });
        }
        let entries = &log.leaves()[self.start as usize..self.end as usize];
        Ok(Tree::from_leaves(*log.hasher(), entries))
    }

    /// Computes the root. Hashes the entries of the subtree again.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if the log ends before the subtree.
    pub fn root(&self, log: &Tree<Rfc6962>) -> Result<[u8; 32], NoSuchLeafError> {
        self.alone(log).map(|tree| tree.root())
    }

    /// Proves that the entry at `index` of the log is in the subtree. Hashes the entries of the
    /// subtree again.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if the log ends before the subtree, or the entry is not in the
    /// subtree.
    pub fn prove(
        &self,
        log: &Tree<Rfc6962>,
        index: u64,
    ) -> Result<InclusionProof<[u8; 32]>, NoSuchLeafError> {
        let outside = NoSuchLeafError { index, size: log.len() };
        self.alone(log)?.prove(index.checked_sub(self.start).ok_or(outside)?).map_err(|_| outside)
    }

    /// Verifies that the subtree with this root has `leaf` at `index` of the log.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the proof does not show this.
    pub fn verify(
        &self,
        hasher: &Rfc6962,
        root: &[u8; 32],
        index: u64,
        leaf: &[u8; 32],
        proof: &InclusionProof<[u8; 32]>,
    ) -> Result<(), VerifyError> {
        if self.evaluate(hasher, index, leaf, proof)? == *root {
            Ok(())
        } else {
            Err(VerifyError::WrongRoot)
        }
    }

    /// Computes the root of the subtree that has `leaf` at `index` of the log, according to this
    /// proof.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the subtree does not have the index or the proof does not match
    /// its shape.
    pub fn evaluate(
        &self,
        hasher: &Rfc6962,
        index: u64,
        leaf: &[u8; 32],
        proof: &InclusionProof<[u8; 32]>,
    ) -> Result<[u8; 32], VerifyError> {
        if !(self.start..self.end).contains(&index) {
            return Err(VerifyError::NoSuchLeaf { index, size: self.end });
        }
        proof.root(hasher, self.end - self.start, index - self.start, leaf)
    }

    /// Proves that the log has the entries of the subtree: `SUBTREE_PROOF`. For an empty subtree,
    /// the proof is empty.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if the log ends before the subtree.
    pub fn prove_consistency(
        &self,
        log: &Tree<Rfc6962>,
    ) -> Result<ConsistencyProof<[u8; 32]>, NoSuchLeafError> {
        let size = log.len();
        if self.end > size {
            return Err(NoSuchLeafError { index: self.end - 1, size });
        }
        let mut nodes = Vec::new();
        if self.is_empty() {
            return Ok(ConsistencyProof(nodes));
        }
        let path = Path::new(self, size);
        if !path.begins_at_root() {
            nodes.push(log.node(path.level, path.last));
        }
        for level in path.level..log.depth() {
            let index = path.last >> (level - path.level);
            let sibling = index ^ 1;
            if sibling <= (size - 1) >> level {
                nodes.push(log.node(level, sibling));
            }
        }
        Ok(ConsistencyProof(nodes))
    }

    /// Verifies that the log with this head has the entries of the subtree with this root, at the
    /// same indices. Of an empty subtree only the root is checked, which every log has.
    ///
    /// The size and the root of `log` must come from one signed head: the proof shows nothing if
    /// somebody else can choose one of them.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::WrongOldRoot`] if the proof leads to another root of the subtree, and
    /// another [`VerifyError`] if it does not show this otherwise.
    pub fn verify_consistency(
        &self,
        hasher: &Rfc6962,
        root: &[u8; 32],
        log: &TreeHead<[u8; 32]>,
        proof: &ConsistencyProof<[u8; 32]>,
    ) -> Result<(), VerifyError> {
        let capacity = hasher.capacity();
        if log.size > capacity {
            return Err(VerifyError::TooManyLeaves { size: log.size, capacity });
        }
        if self.end > log.size {
            return Err(VerifyError::Shrunk { old: self.end, new: log.size });
        }
        if self.is_empty() {
            return match proof.nodes().len() {
                0 if *root == hasher.empty_root() => Ok(()),
                0 => Err(VerifyError::WrongOldRoot),
                got => Err(VerifyError::WrongLength { expected: 0, got }),
            };
        }
        let path = Path::new(self, log.size);
        let levels = path.level..hasher.depth(log.size);
        let has_sibling =
            |level: &u32| (path.last >> (level - path.level)) ^ 1 <= (log.size - 1) >> level;
        let expected =
            usize::from(!path.begins_at_root()) + levels.clone().filter(has_sibling).count();
        let got = proof.nodes().len();
        if got != expected {
            return Err(VerifyError::WrongLength { expected, got });
        }

        let mut nodes = proof.nodes().iter();
        let first = if path.begins_at_root() { root } else { next(&mut nodes) };
        let (mut in_subtree, mut in_log) = (*first, *first);
        for level in levels.filter(has_sibling) {
            let above = level - path.level;
            let sibling = next(&mut nodes);
            if (path.last >> above).is_multiple_of(2) {
                in_log = hasher.hash_node(&in_log, sibling);
                continue;
            }
            in_log = hasher.hash_node(sibling, &in_log);
            // To the left, the subtree has nodes until its first entry is below the same node.
            if path.first >> above < path.last >> above {
                in_subtree = hasher.hash_node(sibling, &in_subtree);
            }
        }
        if in_subtree != *root {
            Err(VerifyError::WrongOldRoot)
        } else if in_log != log.root {
            Err(VerifyError::WrongRoot)
        } else {
            Ok(())
        }
    }
}

fn next<'a>(nodes: &mut core::slice::Iter<'a, [u8; 32]>) -> &'a [u8; 32] {
    nodes.next().expect("the length was checked")
}

/// Where a consistency proof begins: the largest node of both trees that ends with the last entry
/// of the subtree, which is not empty.
struct Path {
    level: u32,
    /// The index on this level of the node with the first entry of the subtree.
    first: u64,
    /// The index on this level of the node with its last entry.
    last: u64,
}

impl Path {
    fn new(subtree: &Subtree, size: u64) -> Self {
        let (first, last) = (subtree.start, subtree.end - 1);
        // Up to the root of the subtree, or as far as every node ends with its last entry.
        let top = u64::BITS - (first ^ last).leading_zeros();
        let level = if subtree.end == size { top } else { top.min(last.trailing_ones()) };
        Self { level, first: first >> level, last: last >> level }
    }

    /// Whether that node is the root of the subtree, which the verifier knows.
    fn begins_at_root(&self) -> bool {
        self.first == self.last
    }
}

/// The error for entries that are not a subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSubtreeError {
    /// The index of the first entry.
    pub start: u64,
    /// The index after the last entry.
    pub end: u64,
}

error_messages!(InvalidSubtreeError {
    Self { start, end } =>
        "the entries from {start} on, before {end}, are not a subtree: it must begin at a multiple \
         of its number of entries, rounded up to a power of two";
});
