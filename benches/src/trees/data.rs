//! Generates leaves, proofs and updates, independently of the code under test.

/// A leaf or a node.
pub(super) type Node<const N: usize = 32> = [u8; N];

/// `SplitMix64`: unpredictable for branch predictors, but the same in every run.
#[derive(Debug)]
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn node<const N: usize>(&mut self) -> Node<N> {
        let mut node = [0; N];
        for word in node.as_chunks_mut().0 {
            *word = self.next().to_le_bytes();
        }
        node
    }

    pub(super) fn index(&mut self, size: usize) -> usize {
        (self.next() % size as u64) as usize
    }
}

/// Distinct random nodes. With equal nodes, a verifier that hashes equal pairs only once would
/// appear too fast.
pub(super) fn random_nodes<const N: usize>(count: usize) -> Vec<Node<N>> {
    let mut random = Random(1);
    (0..count).map(|_| random.node()).collect()
}

/// Inclusion proofs of random leaves in one complete tree. The last one is invalid: its leaf was
/// changed.
#[derive(Debug)]
pub(super) struct Proofs {
    pub(super) root: Node,
    /// The number of leaves in the tree.
    pub(super) size: usize,
    pub(super) all: Vec<Proof>,
}

#[derive(Debug)]
pub(super) struct Proof {
    pub(super) index: usize,
    /// The leaf, or the data that is hashed into it.
    pub(super) data: Node,
    /// The siblings from the leaf up to just below the root.
    pub(super) path: Vec<Node>,
}

impl Proofs {
    /// Proofs of leaves.
    pub(super) fn new(leaves: Vec<Node>, count: usize, parent: fn(&Node, &Node) -> Node) -> Self {
        let data = leaves.clone();
        Self::prove(&data, leaves, count, parent)
    }

    /// Proofs of data.
    pub(super) fn of_data(
        data: &[Node],
        count: usize,
        leaf: fn(&Node) -> Node,
        parent: fn(&Node, &Node) -> Node,
    ) -> Self {
        Self::prove(data, data.iter().map(leaf).collect(), count, parent)
    }

    fn prove(
        data: &[Node],
        leaves: Vec<Node>,
        count: usize,
        parent: fn(&Node, &Node) -> Node,
    ) -> Self {
        let size = leaves.len();
        assert!(
            size.is_power_of_two() && size > 1,
            "proofs need a complete tree, but there are {size} leaves"
        );
        let mut levels = vec![leaves];
        while levels[levels.len() - 1].len() > 1 {
            let (pairs, _) = levels[levels.len() - 1].as_chunks();
            levels.push(pairs.iter().map(|[left, right]| parent(left, right)).collect());
        }
        let mut random = Random(2);
        let mut all: Vec<Proof> = (0..count)
            .map(|_| {
                let index = random.index(size);
                let siblings = levels[..levels.len() - 1].iter().enumerate();
                let path = siblings.map(|(level, nodes)| nodes[(index >> level) ^ 1]).collect();
                Proof { index, data: data[index], path }
            })
            .collect();
        if let Some(last) = all.last_mut() {
            last.data[0] ^= 1;
        }
        Self { root: levels[levels.len() - 1][0], size, all }
    }

    /// The expected verdicts: 1 for each valid proof, 0 for the last one.
    pub(super) fn verdicts(&self) -> Vec<u8> {
        let mut verdicts = vec![1; self.all.len()];
        if let Some(last) = verdicts.last_mut() {
            *last = 0;
        }
        verdicts
    }
}

/// The leaves of a tree, and replacements for some of them.
#[derive(Debug)]
pub(super) struct Update {
    pub(super) leaves: Vec<Node>,
    /// The replacements with their indices, in random order.
    pub(super) replaced: Vec<(u64, Node)>,
}

impl Update {
    /// Generates replacements for `count` random leaves.
    pub(super) fn new(leaves: Vec<Node>, count: usize) -> Self {
        let mut random = Random(3);
        let replaced =
            (0..count).map(|_| (random.index(leaves.len()) as u64, random.node())).collect();
        Self { leaves, replaced }
    }

    /// The leaves after the update.
    pub(super) fn after(&self) -> Vec<Node> {
        let mut leaves = self.leaves.clone();
        for &(index, leaf) in &self.replaced {
            leaves[index as usize] = leaf;
        }
        leaves
    }
}
