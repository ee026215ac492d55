//! The families from their definitions, one node at a time.

use sha2::{Digest as _, Sha256, Sha512_256};
use sha3::Keccak256;

/// A node of 32 bytes.
pub(crate) type Hash = [u8; 32];

/// The SHA-256 of concatenated parts.
pub(crate) fn sha256(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// The Keccak-256 of concatenated parts.
pub(crate) fn keccak256(parts: &[&[u8]]) -> Hash {
    let mut hasher = Keccak256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// The SHA-512/256 of concatenated parts.
fn sha512_256(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha512_256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// RFC 9162 §2.1.1, for hashed leaves.
pub(crate) fn rfc6962(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => sha256(&[]),
        [leaf] => *leaf,
        _ => {
            let split = leaves.len().next_power_of_two() / 2;
            sha256(&[&[1], &rfc6962(&leaves[..split]), &rfc6962(&leaves[split..])])
        }
    }
}

/// Bitcoin: a level with an odd number of nodes repeats its last node.
pub(crate) fn bitcoin(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => [0; 32],
        [root] => *root,
        _ => {
            let mut leaves = leaves.to_vec();
            if leaves.len() % 2 == 1 {
                leaves.push(leaves[leaves.len() - 1]);
            }
            let parents: Vec<Hash> =
                leaves.chunks(2).map(|pair| sha256(&[&sha256(&[&pair[0], &pair[1]])])).collect();
            bitcoin(&parents)
        }
    }
}

/// SSZ's `merkleize`: chunks padded with zero chunks to a power of two.
pub(crate) fn ssz(chunks: &[Hash], depth: u32) -> Hash {
    if chunks.is_empty() {
        return (0..depth).fold([0; 32], |zero, _| sha256(&[&zero, &zero]));
    }
    if depth == 0 {
        return chunks[0];
    }
    // The full width, on 32-bit machines too.
    let split = (chunks.len() as u64).min(1 << (depth - 1)) as usize;
    sha256(&[&ssz(&chunks[..split], depth - 1), &ssz(&chunks[split..], depth - 1)])
}

/// A family as defined by its specification.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Definition {
    Rfc6962,
    Bitcoin,
    Ssz,
    /// With room for two to this power of chunks.
    SszOfDepth(u32),
    /// SHA-256 without prefixes: a node without a sibling is promoted.
    AnyPromoted,
    /// The same, but it is hashed with itself.
    AnyDuplicated,
    /// The same, but leaves of ones fill the tree.
    AnyPadded,
    /// "MA" before the children, zeros for a missing node.
    AlgorandSha256,
    AlgorandSha512,
    /// Keccak-256 of 128 segments, of which the last are zeros.
    Swarm,
}

impl Definition {
    pub(crate) fn root(self, leaves: &[Hash]) -> Hash {
        match self {
            Self::Rfc6962 => rfc6962(leaves),
            Self::Bitcoin => bitcoin(leaves),
            Self::Ssz | Self::SszOfDepth(_) => ssz(leaves, self.depth(leaves.len() as u64)),
            _ if leaves.is_empty() => match self {
                Self::AlgorandSha256 | Self::AlgorandSha512 => [0; 32],
                Self::Swarm => self.filler(7),
                _ => sha256(&[]),
            },
            _ => NaiveTree::new(self, leaves).levels.pop().expect("a tree has a root")[0],
        }
    }

    /// The number of levels, if it does not depend on the number of leaves.
    fn fixed_depth(self) -> Option<u32> {
        match self {
            Self::SszOfDepth(depth) => Some(depth),
            Self::Swarm => Some(7),
            _ => None,
        }
    }

    /// The maximum number of leaves.
    pub(crate) fn capacity(self) -> u64 {
        self.fixed_depth().map_or(1 << 63, |depth| 1 << depth)
    }

    /// The node that fills a level.
    fn filler(self, level: usize) -> Hash {
        let leaf = if let Self::AnyPadded = self { [1; 32] } else { [0; 32] };
        (0..level).fold(leaf, |below, _| self.node(&below, &below))
    }

    /// The number of levels above the leaves.
    pub(crate) fn depth(self, size: u64) -> u32 {
        self.fixed_depth().unwrap_or_else(|| {
            (0..).find(|&depth| 1_u128 << depth >= u128::from(size)).expect("a size has 64 bits")
        })
    }

    fn node(self, left: &Hash, right: &Hash) -> Hash {
        match self {
            Self::Rfc6962 => sha256(&[&[1], left, right]),
            Self::Bitcoin => sha256(&[&sha256(&[left, right])]),
            Self::AlgorandSha256 => sha256(&[b"MA", left, right]),
            Self::AlgorandSha512 => sha512_256(&[b"MA", left, right]),
            Self::Swarm => keccak256(&[left, right]),
            _ => sha256(&[left, right]),
        }
    }

    /// What the last node of a level is hashed with if it has no sibling.
    fn stand_in(self, level: usize, node: &Hash) -> Option<Hash> {
        match self {
            Self::Rfc6962 | Self::AnyPromoted => None,
            Self::Bitcoin | Self::AnyDuplicated => Some(*node),
            Self::Ssz | Self::SszOfDepth(_) => Some(ssz(&[], level as u32)),
            Self::AlgorandSha256 | Self::AlgorandSha512 => Some([0; 32]),
            Self::AnyPadded | Self::Swarm => Some(self.filler(level)),
        }
    }

    /// The root of the tree of `size` leaves with `leaf` at `index`, according to an inclusion
    /// proof. `None` if the proof is malformed.
    pub(crate) fn climb(self, size: u64, index: u64, leaf: &Hash, path: &[Hash]) -> Option<Hash> {
        if index >= size {
            return None;
        }
        match self {
            Self::Rfc6962 | Self::AnyPromoted => rfc9162_climb(self, size, index, leaf, path),
            _ => self.climb_full_length(size, index, leaf, path),
        }
    }

    fn climb_full_length(self, size: u64, index: u64, leaf: &Hash, path: &[Hash]) -> Option<Hash> {
        if path.len() != self.depth(size) as usize {
            return None;
        }
        let mut node = *leaf;
        for (level, entry) in path.iter().enumerate() {
            let (index, last) = (index >> level, (size - 1) >> level);
            if index % 2 == 1 {
                node = self.node(entry, &node);
                continue;
            }
            if index == last && self.stand_in(level, &node) != Some(*entry) {
                return None;
            }
            node = self.node(&node, entry);
        }
        Some(node)
    }
}

/// RFC 9162 §2.1.3.2, up to the comparison of the root. The names are those of the RFC.
fn rfc9162_climb(
    definition: Definition,
    tree_size: u64,
    leaf_index: u64,
    hash: &Hash,
    inclusion_path: &[Hash],
) -> Option<Hash> {
    let (mut f, mut s) = (leaf_index, tree_size - 1);
    let mut r = *hash;
    for p in inclusion_path {
        if s == 0 {
            return None;
        }
        if f % 2 == 1 || f == s {
            r = definition.node(p, &r);
            while f % 2 == 0 && f != 0 {
                (f, s) = (f / 2, s / 2);
            }
        } else {
            r = definition.node(&r, p);
        }
        (f, s) = (f / 2, s / 2);
    }
    (s == 0).then_some(r)
}

/// RFC 9162 §2.1.4.2, preceded by the rule that trees of the same size need no proof. The names are
/// those of the RFC.
pub(crate) fn rfc9162_consistent(
    (first, first_hash): (u64, &Hash),
    (second, second_hash): (u64, &Hash),
    consistency_path: &[Hash],
) -> bool {
    if first == 0 || first > second {
        return false;
    }
    if first == second {
        return consistency_path.is_empty() && first_hash == second_hash;
    }
    if consistency_path.is_empty() {
        return false;
    }
    let mut path = consistency_path.to_vec();
    if first.is_power_of_two() {
        path.insert(0, *first_hash);
    }
    let (mut f, mut s) = (first - 1, second - 1);
    while f % 2 == 1 {
        (f, s) = (f / 2, s / 2);
    }
    let (mut fr, mut sr) = (path[0], path[0]);
    for c in &path[1..] {
        if s == 0 {
            return false;
        }
        if f % 2 == 1 || f == s {
            fr = Definition::Rfc6962.node(c, &fr);
            sr = Definition::Rfc6962.node(c, &sr);
            while f % 2 == 0 && f != 0 {
                (f, s) = (f / 2, s / 2);
            }
        } else {
            sr = Definition::Rfc6962.node(&sr, c);
        }
        (f, s) = (f / 2, s / 2);
    }
    fr == *first_hash && sr == *second_hash && s == 0
}

/// A tree with all its nodes.
pub(crate) struct NaiveTree {
    definition: Definition,
    pub(crate) levels: Vec<Vec<Hash>>,
}

impl NaiveTree {
    /// Creates a tree with at least one leaf.
    pub(crate) fn new(definition: Definition, leaves: &[Hash]) -> Self {
        let mut levels = vec![leaves.to_vec()];
        for level in 0..definition.depth(leaves.len() as u64) as usize {
            let parents = levels[level].chunks(2).map(|children| match children {
                [left, right] => definition.node(left, right),
                [node] => match definition.stand_in(level, node) {
                    Some(right) => definition.node(node, &right),
                    None => *node,
                },
                _ => unreachable!("chunks of two"),
            });
            levels.push(parents.collect());
        }
        Self { definition, levels }
    }

    fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// What the ancestor of a leaf is hashed with, for each level.
    fn siblings(&self, index: usize) -> Vec<Option<Hash>> {
        let sibling = |level: usize| {
            let (nodes, index) = (&self.levels[level], index >> level);
            nodes.get(index ^ 1).copied().or_else(|| self.definition.stand_in(level, &nodes[index]))
        };
        (0..self.depth()).map(sibling).collect()
    }

    /// The proof of a leaf.
    pub(crate) fn path(&self, index: usize) -> Vec<Hash> {
        self.siblings(index).into_iter().flatten().collect()
    }

    /// The proof of several leaves: the nodes of the single proofs that cannot be computed from the
    /// leaves, level by level and from left to right.
    pub(crate) fn multiproof(&self, indices: &[usize]) -> Vec<Hash> {
        let mut entries = Vec::new();
        for level in 0..self.depth() {
            let known: Vec<usize> = indices.iter().map(|index| index >> level).collect();
            let mut before = None;
            for &index in indices {
                let node = index >> level;
                if before != Some(node) && !known.contains(&(node ^ 1)) {
                    entries.extend(self.siblings(index)[level]);
                }
                before = Some(node);
            }
        }
        entries
    }

    /// The proof that the tree begins with its first `old` leaves: PROOF of RFC 9162 §2.1.4.1, with
    /// the nodes of this family.
    pub(crate) fn consistency(&self, old: usize) -> Vec<Hash> {
        let size = self.levels[0].len();
        // If the depth is fixed, a complete subtree is never the whole tree.
        let old_is_known = old == size || self.definition.fixed_depth().is_none();
        let places = subproof(old, 0, size, old_is_known);
        places.into_iter().map(|(level, index)| self.levels[level][index]).collect()
    }
}

/// SUBPROOF of RFC 9162 §2.1.4.1 for leaves `start..end`, as levels and indices of nodes.
fn subproof(old: usize, start: usize, end: usize, old_is_known: bool) -> Vec<(usize, usize)> {
    let size = end - start;
    if old == size {
        let level = size.ilog2() as usize;
        return if old_is_known { Vec::new() } else { vec![(level, start >> level)] };
    }
    let split = size.next_power_of_two() / 2;
    let level = split.ilog2() as usize;
    if old <= split {
        let mut places = subproof(old, start, start + split, old_is_known);
        places.push((level, (start + split) >> level));
        places
    } else {
        let mut places = subproof(old - split, start + split, end, false);
        places.push((level, start >> level));
        places
    }
}

/// The tree of `@openzeppelin/merkle-tree`: leaves at the end of an array in reverse order, each
/// node before them the hash of both children in ascending order.
pub(crate) fn open_zeppelin(leaves: &[Hash]) -> Hash {
    let first = leaves.len() - 1;
    let mut tree = vec![[0; 32]; first];
    tree.extend(leaves.iter().rev());
    for i in (0..first).rev() {
        let (one, other) = (tree[2 * i + 1], tree[2 * i + 2]);
        tree[i] = keccak256(&[&one.min(other), &one.max(other)]);
    }
    tree[0]
}

/// The root of fs-verity's tree with SHA-256: blocks of data and of digests, padded with zeros.
pub(crate) fn fs_verity(data: &[u8], block: usize, salt: &[u8]) -> Hash {
    if data.is_empty() {
        return [0; 32];
    }
    // The salt fills whole blocks of the hash.
    let mut prefix = salt.to_vec();
    prefix.resize(salt.len().next_multiple_of(64), 0);
    let mut level = data.to_vec();
    loop {
        level.resize(level.len().next_multiple_of(block), 0);
        let digests: Vec<Hash> =
            level.chunks(block).map(|block| sha256(&[&prefix, block])).collect();
        if let [root] = digests[..] {
            return root;
        }
        level = digests.concat();
    }
}
