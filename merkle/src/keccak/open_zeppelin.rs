//! The trees of `@openzeppelin/merkle-tree` and the verifiers of `MerkleProof.sol`.

use alloc::vec;
use alloc::vec::Vec;

use hash_lanes::Backend;
use sha3_multi::Keccak256Lanes;

use super::{Node, Pair, hash_pairs};
use crate::proof::{InclusionProof, VerifyError};
use crate::tree::NoSuchLeafError;

/// The trees of `@openzeppelin/merkle-tree`, and the proofs that OpenZeppelin's `MerkleProof.sol`
/// verifies.
///
/// A node is the Keccak-256 of its two children, the smaller one first. A proof therefore does not
/// show the position of a leaf, and a verifier needs the root alone.
///
/// ```
/// use merkle_lanes::keccak::OpenZeppelin;
///
/// // abi.encode(address, uint256) of each entry of an airdrop.
/// let values = [[1; 64], [2; 64], [3; 64]];
/// let hasher = OpenZeppelin::new();
/// let tree = hasher.standard_tree(&values).expect("there are values");
/// let proof = tree.prove(1)?;
///
/// // What the contract does: MerkleProof.verify(proof, root, leaf).
/// let leaf = hasher.standard_leaf(&values[1]);
/// hasher.verify(&tree.root(), &leaf, &proof)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Leaves of 64 bytes
///
/// A leaf that is the hash of 64 bytes can pass for a node, and a node for a leaf. The leaves of a
/// [standard tree](Self::standard_tree) are hashed twice, which prevents this. Before you prove
/// leaves of a [simple tree](Self::simple_tree), make sure that they are not hashes of 64 bytes.
#[derive(Clone, Copy, Debug)]
pub struct OpenZeppelin {
    backend: Backend,
    sort_leaves: bool,
}

impl Default for OpenZeppelin {
    fn default() -> Self {
        Self { backend: Backend::default(), sort_leaves: true }
    }
}

impl OpenZeppelin {
    /// Uses the best backend of this CPU. Trees sort their leaves.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses an explicit backend.
    #[must_use]
    pub fn with_backend(self, backend: Backend) -> Self {
        Self { backend, ..self }
    }

    /// Whether trees sort their leaves: the option `sortLeaves` of the package, which is true by
    /// default.
    #[must_use]
    pub fn sort_leaves(self, sort_leaves: bool) -> Self {
        Self { sort_leaves, ..self }
    }

    /// The leaf of a value in a [standard tree](Self::standard_tree): the Keccak-256 of its
    /// Keccak-256. `encoded` is what `abi.encode` returns for the value.
    #[must_use]
    pub fn standard_leaf(&self, encoded: &[u8]) -> [u8; 32] {
        let keccak = Keccak256Lanes::on(self.backend);
        keccak.hash(keccak.hash(encoded))
    }

    /// The [leaf](Self::standard_leaf) of each value.
    #[must_use]
    pub fn standard_leaves<M: AsRef<[u8]>>(&self, encoded: &[M]) -> Vec<[u8; 32]> {
        let keccak = Keccak256Lanes::on(self.backend);
        keccak.hash_many(keccak.hash_many(encoded))
    }

    /// `StandardMerkleTree.of`: a tree of values, each as `abi.encode` returns it. Returns `None`
    /// if there are no values.
    #[must_use]
    #[doc(alias = "StandardMerkleTree")]
    pub fn standard_tree<M: AsRef<[u8]>>(&self, encoded: &[M]) -> Option<OpenZeppelinTree> {
        self.simple_tree(&self.standard_leaves(encoded))
    }

    /// `SimpleMerkleTree.of`: a tree of leaves that the caller has hashed. Returns `None` if there
    /// are no leaves.
    #[must_use]
    #[doc(alias = "SimpleMerkleTree")]
    pub fn simple_tree(&self, leaves: &[[u8; 32]]) -> Option<OpenZeppelinTree> {
        let last = (2 * leaves.len()).checked_sub(2)?;
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        if self.sort_leaves {
            order.sort_by_key(|&index| leaves[index]);
        }
        let mut nodes = vec![[0; 32]; last + 1];
        let mut positions = vec![0; leaves.len()];
        for (rank, index) in order.into_iter().enumerate() {
            positions[index] = last - rank;
            nodes[last - rank] = leaves[index];
        }
        // The inner nodes are the first ones. Those that are equally far from the root are
        // neighbours, and so are their children.
        let mut end = leaves.len() - 1;
        while end > 0 {
            let start = (1 << end.ilog2()) - 1;
            let (parents, children) = nodes.split_at_mut(2 * start + 1);
            let (children, _) = children[..2 * (end - start)].as_chunks();
            let pairs = children.iter().map(|[left, right]| sorted(left, right));
            hash_pairs(self.backend, pairs, &mut parents[start..end]);
            end = start;
        }
        Some(OpenZeppelinTree { nodes, positions })
    }

    /// The parent of two nodes, in any order: `Hashes.commutativeKeccak256`.
    #[must_use]
    pub fn hash_node(&self, one: &[u8; 32], other: &[u8; 32]) -> [u8; 32] {
        Keccak256Lanes::on(self.backend).hash(sorted(one, other))
    }

    /// Computes the root that a proof leads to from a leaf: `MerkleProof.processProof`.
    #[must_use]
    pub fn process_proof(&self, leaf: &[u8; 32], proof: &InclusionProof<[u8; 32]>) -> [u8; 32] {
        proof.nodes().iter().fold(*leaf, |node, sibling| self.hash_node(&node, sibling))
    }

    /// [`process_proof`](Self::process_proof) for many leaves, level by level in lanes.
    #[must_use]
    pub fn process_proofs(
        &self,
        claims: &[(&[u8; 32], &InclusionProof<[u8; 32]>)],
    ) -> Vec<[u8; 32]> {
        let mut nodes: Vec<Node> = claims.iter().map(|&(leaf, _)| *leaf).collect();
        let mut parents = vec![[0; 32]; claims.len()];
        // The claims whose proofs have further nodes.
        let mut active: Vec<usize> = (0..claims.len()).collect();
        for level in 0.. {
            active.retain(|&claim| level < claims[claim].1.nodes().len());
            if active.is_empty() {
                break;
            }
            let pairs =
                active.iter().map(|&claim| sorted(&nodes[claim], &claims[claim].1.nodes()[level]));
            let parents = &mut parents[..active.len()];
            hash_pairs(self.backend, pairs, parents);
            for (&claim, parent) in active.iter().zip(parents) {
                nodes[claim] = *parent;
            }
        }
        nodes
    }

    /// Verifies that the tree with this root has a leaf: `MerkleProof.verify`.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::WrongRoot`] if the proof does not show this.
    pub fn verify(
        &self,
        root: &[u8; 32],
        leaf: &[u8; 32],
        proof: &InclusionProof<[u8; 32]>,
    ) -> Result<(), VerifyError> {
        if self.process_proof(leaf, proof) == *root { Ok(()) } else { Err(VerifyError::WrongRoot) }
    }
}

/// A tree of [`OpenZeppelin`]: a complete binary tree in an array. The root is node 0, the children
/// of node `i` are nodes `2 * i + 1` and `2 * i + 2`, and the leaves are the last nodes, from the
/// end backwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenZeppelinTree {
    nodes: Vec<Node>,
    /// The index in `nodes` of each leaf, in the order in which they were given.
    positions: Vec<usize>,
}

impl OpenZeppelinTree {
    /// The root.
    #[must_use]
    pub fn root(&self) -> [u8; 32] {
        self.nodes[0]
    }

    /// The number of leaves. At least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a tree has a leaf")]
    pub fn len(&self) -> u64 {
        self.positions.len() as u64
    }

    /// All nodes: the field `tree` of what `dump` returns in the package.
    #[must_use]
    pub fn nodes(&self) -> &[[u8; 32]] {
        &self.nodes
    }

    /// The leaf that was given at `index`.
    #[must_use]
    pub fn leaf(&self, index: u64) -> Option<&[u8; 32]> {
        Some(&self.nodes[self.position(index).ok()?])
    }

    /// The index in [`nodes`](Self::nodes) of the leaf that was given at `index`: the field
    /// `treeIndex` of what `dump` returns in the package.
    #[must_use]
    pub fn tree_index(&self, index: u64) -> Option<u64> {
        Some(self.position(index).ok()? as u64)
    }

    fn position(&self, index: u64) -> Result<usize, NoSuchLeafError> {
        let position = usize::try_from(index).ok().and_then(|index| self.positions.get(index));
        position.copied().ok_or(NoSuchLeafError { index, size: self.len() })
    }

    /// Proves that the tree has the leaf that was given at `index`: `getProof`.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if `index >= self.len()`.
    pub fn prove(&self, index: u64) -> Result<InclusionProof<[u8; 32]>, NoSuchLeafError> {
        let mut position = self.position(index)?;
        let mut proof = Vec::new();
        while position > 0 {
            proof.push(self.nodes[sibling(position)]);
            position = parent(position);
        }
        Ok(InclusionProof(proof))
    }

    /// Proves that the tree has the leaves that were given at `indices`: `getMultiProof`. The
    /// indices may be in any order; repeated ones are proven once.
    ///
    /// Returns also the indices in the order in which the verifier must take their leaves. If the
    /// tree sorts its leaves, this is the ascending order of the leaves.
    ///
    /// # Errors
    ///
    /// Returns [`NoSuchLeafError`] if an index is out of range.
    pub fn prove_many(
        &self,
        indices: &[u64],
    ) -> Result<(Vec<u64>, OpenZeppelinMultiProof), NoSuchLeafError> {
        let mut proven = Vec::with_capacity(indices.len());
        for &index in indices {
            proven.push((self.position(index)?, index));
        }
        proven.sort_unstable_by(|one, other| other.cmp(one));
        proven.dedup();
        let (mut proof, mut flags) = (Vec::new(), Vec::new());
        // A queue of the nodes that the verifier knows: it hashes them in this order.
        let mut known: Vec<usize> = proven.iter().map(|&(position, _)| position).collect();
        let mut next = 0;
        while next < known.len() && known[next] > 0 {
            let (position, sibling) = (known[next], sibling(known[next]));
            let is_known = known.get(next + 1) == Some(&sibling);
            flags.push(is_known);
            if !is_known {
                proof.push(self.nodes[sibling]);
            }
            next += 1 + usize::from(is_known);
            known.push(parent(position));
        }
        if proven.is_empty() {
            proof.push(self.root());
        }
        let order = proven.into_iter().map(|(_, index)| index).collect();
        Ok((order, OpenZeppelinMultiProof { nodes: proof, flags }))
    }
}

/// Proves that several leaves are in an [`OpenZeppelinTree`]: the `proof` and the `proofFlags` of
/// `MerkleProof.multiProofVerify`.
///
/// A verifier keeps a queue, which begins with the leaves. For each flag, it takes a node from the
/// queue, hashes it with the next one of the queue if the flag is true or of the proof if not, and
/// puts the parent at the end of the queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpenZeppelinMultiProof {
    nodes: Vec<Node>,
    flags: Vec<bool>,
}

impl OpenZeppelinMultiProof {
    /// A proof of these nodes and flags, which [`verify`](Self::verify) checks.
    #[must_use]
    pub fn new(nodes: Vec<[u8; 32]>, flags: Vec<bool>) -> Self {
        Self { nodes, flags }
    }

    /// The nodes of the proof: `proof`.
    #[must_use]
    pub fn nodes(&self) -> &[[u8; 32]] {
        &self.nodes
    }

    /// Which nodes are hashed with one that the verifier knows: `proofFlags`.
    #[must_use]
    pub fn flags(&self) -> &[bool] {
        &self.flags
    }

    /// Verifies that the tree with this root has these leaves, in the order that
    /// [`prove_many`](OpenZeppelinTree::prove_many) returned.
    ///
    /// In this it differs from `MerkleProof.multiProofVerify`, which accepts a proof of no leaves.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::NoLeaves`] if there are no leaves, [`VerifyError::WrongFlags`] if the
    /// flags do not match the leaves and nodes, and [`VerifyError::WrongRoot`] if the proof leads
    /// to a different root.
    pub fn verify(
        &self,
        hasher: &OpenZeppelin,
        root: &[u8; 32],
        leaves: &[[u8; 32]],
    ) -> Result<(), VerifyError> {
        if leaves.is_empty() {
            return Err(VerifyError::NoLeaves);
        }
        if self.root(hasher, leaves)? == *root { Ok(()) } else { Err(VerifyError::WrongRoot) }
    }

    /// Computes the root that the proof leads to: `MerkleProof.processMultiProof`. Nodes that do
    /// not depend on one another are hashed in lanes.
    ///
    /// As in the contract, a proof of no leaves is its only node, whatever it is.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::WrongFlags`] if the flags do not match the leaves and nodes:
    /// `MerkleProofInvalidMultiproof`.
    pub fn root(
        &self,
        hasher: &OpenZeppelin,
        leaves: &[[u8; 32]],
    ) -> Result<[u8; 32], VerifyError> {
        let (nodes, mut flags) = (&self.nodes, self.flags.as_slice());
        let from_proof = flags.iter().filter(|&&flag| !flag).count();
        let fits = leaves.len() + nodes.len() == flags.len() + 1
            && (flags.is_empty() || from_proof == nodes.len());
        if !fits {
            let (leaves, nodes, flags) = (leaves.len(), nodes.len(), flags.len());
            return Err(VerifyError::WrongFlags { leaves, nodes, flags });
        }
        let mut siblings = nodes.iter();
        let mut queue = leaves.to_vec();
        // There is one leaf more than there are true flags, each of which takes one node more than
        // it adds. The queue therefore has enough nodes for every flag, and ends with the root.
        while !flags.is_empty() {
            let mut pairs: Vec<Pair> = Vec::new();
            let mut taken = 0;
            while let [flag, rest @ ..] = flags {
                let (node, sibling) = match (&queue[taken..], flag) {
                    ([node, sibling, ..], true) => (node, sibling),
                    ([node, ..], false) => (node, siblings.next().expect("they were counted")),
                    _ => break,
                };
                pairs.push(sorted(node, sibling));
                taken += 1 + usize::from(*flag);
                flags = rest;
            }
            // What is left has to wait for the first parent.
            queue.drain(..taken);
            let left = queue.len();
            queue.resize(left + pairs.len(), [0; 32]);
            hash_pairs(hasher.backend, &pairs, &mut queue[left..]);
        }
        Ok(*queue.first().unwrap_or_else(|| &nodes[0]))
    }
}

/// Two nodes, the smaller one first.
fn sorted(one: &Node, other: &Node) -> Pair {
    let mut pair = [0; 64];
    let (first, second) = pair.split_at_mut(32);
    first.copy_from_slice(one.min(other));
    second.copy_from_slice(one.max(other));
    pair
}

/// The other child of the parent of a node, which is not the root.
fn sibling(position: usize) -> usize {
    if position % 2 == 1 { position + 1 } else { position - 1 }
}

/// The parent of a node, which is not the root.
fn parent(position: usize) -> usize {
    (position - 1) / 2
}
