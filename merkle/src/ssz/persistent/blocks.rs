//! A tree of blocks of chunks, with shared nodes.
//!
//! Every node holds eight chunks: a block holds its own, a branch the roots of its children, three
//! levels of the Merkle tree above theirs. The levels in between are not kept. A changed node costs
//! seven hashes instead of three, but in lanes, and needs half the memory.
//!
//! A branch knows which of its children's roots are stale. Hashing collects the stale nodes from
//! the top down, then hashes them from the bottom up, all nodes of a level together.

use alloc::sync::Arc;
use alloc::vec::Vec;

use arrayvec::ArrayVec;

use crate::hasher::NodeHasher;
use crate::ssz::{Chunk, Ssz, zero_hash};

/// The number of chunks in a block, and the maximum number of children of a branch.
pub(super) const BLOCK_CHUNKS: usize = 1 << HEIGHT;

/// The number of levels of the Merkle tree that a node spans.
pub(super) const HEIGHT: u32 = 3;

/// The number of nodes hashed together, or slightly more. Their chunks fit into the L1 cache.
const NODES_AT_ONCE: usize = 96;

/// Consecutive chunks.
pub(super) type Block = [Chunk; BLOCK_CHUNKS];

/// A subtree.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Block(Arc<Block>),
    Branch(Arc<Branch>),
}

/// A node with children, all of them of the same height. Only the last one can be incomplete.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    /// The roots of the children. A missing child has the root of zero chunks.
    pub(super) roots: Block,
    /// The bit `1 << i` is set if `roots[i]` is not the root of child `i`.
    pub(super) stale: u8,
    pub(super) children: ArrayVec<Node, BLOCK_CHUNKS>,
}

impl Node {
    /// The nodes of the Merkle tree three levels below the root of this one.
    fn chunks(&self) -> &Block {
        match self {
            Self::Block(block) => block,
            Self::Branch(branch) => &branch.roots,
        }
    }

    /// A subtree without values, `height` branches above its blocks.
    fn empty(height: u32) -> Self {
        match height {
            0 => Self::Block(Arc::new([[0; 32]; BLOCK_CHUNKS])),
            _ => Self::Branch(Arc::new(Branch::new(height))),
        }
    }
}

impl Branch {
    /// A branch without children, `height` branches above the blocks.
    fn new(height: u32) -> Self {
        let missing = zero_hash(HEIGHT * height);
        Self { roots: [missing; BLOCK_CHUNKS], stale: 0, children: ArrayVec::new() }
    }
}

/// The child on the path to a block, in a branch of this height.
fn slot(index: u64, height: u32) -> usize {
    (index >> (HEIGHT * (height - 1))) as usize % BLOCK_CHUNKS
}

/// Blocks in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    pub(super) len: u64,
    /// The number of branches above each block: the lowest for this number of blocks.
    pub(super) height: u32,
    pub(super) top: Option<Node>,
}

impl Blocks {
    /// The block at an index less than the length.
    pub(super) fn get(&self, index: u64) -> &Block {
        let mut node = self.top.as_ref().expect("there are blocks");
        let mut height = self.height;
        loop {
            match node {
                Node::Block(block) => return block,
                Node::Branch(branch) => node = &branch.children[slot(index, height)],
            }
            height -= 1;
        }
    }

    /// The block at an index up to the length, for a change. A new block is zero.
    pub(super) fn get_mut(&mut self, index: u64) -> &mut Block {
        self.len = self.len.max(index + 1);
        let mut top = self.top.take().unwrap_or_else(|| Node::empty(0));
        while index >> (HEIGHT * self.height) != 0 {
            self.height += 1;
            let mut branch = Branch::new(self.height);
            branch.children.push(top);
            branch.stale = 1;
            top = Node::Branch(Arc::new(branch));
        }
        let mut node = self.top.insert(top);
        let mut height = self.height;
        loop {
            match node {
                Node::Block(block) => return Arc::make_mut(block),
                Node::Branch(branch) => {
                    let branch = Arc::make_mut(branch);
                    let slot = slot(index, height);
                    height -= 1;
                    branch.stale |= 1 << slot;
                    if slot == branch.children.len() {
                        branch.children.push(Node::empty(height));
                    }
                    node = &mut branch.children[slot];
                }
            }
        }
    }

    /// The nodes of the Merkle tree below its top, and their level. They are hashed if stale.
    pub(super) fn top(&mut self, hasher: &Ssz) -> Option<(u32, &Block)> {
        let top = self.top.as_mut()?;
        if let Node::Branch(branch) = &mut *top
            && branch.stale != 0
        {
            hash_children(hasher, Vec::from([Arc::make_mut(branch)]));
        }
        Some((HEIGHT * self.height, top.chunks()))
    }
}

/// Hashes the stale roots in branches of one height.
fn hash_children(hasher: &Ssz, mut branches: Vec<&mut Branch>) {
    let mut below = Vec::new();
    for branch in &mut branches {
        let stale = branch.stale;
        for (slot, child) in branch.children.iter_mut().enumerate() {
            if let (true, Node::Branch(child)) = (stale >> slot & 1 == 1, child)
                && child.stale != 0
            {
                below.push(Arc::make_mut(child));
            }
        }
    }
    if !below.is_empty() {
        hash_children(hasher, below);
    }

    let (mut chunks, mut roots, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let mut hash = |chunks: &mut Vec<Chunk>, places: &mut Vec<&mut Chunk>| {
        roots.resize(places.len(), [0; 32]);
        hasher.hash_subtrees(chunks, HEIGHT, &mut roots);
        for (place, root) in places.drain(..).zip(&roots) {
            *place = *root;
        }
        chunks.clear();
    };
    for branch in branches {
        let stale = core::mem::take(&mut branch.stale);
        for (slot, (root, child)) in branch.roots.iter_mut().zip(&branch.children).enumerate() {
            if stale >> slot & 1 == 1 {
                chunks.extend_from_slice(child.chunks());
                places.push(root);
            }
        }
        if places.len() >= NODES_AT_ONCE {
            hash(&mut chunks, &mut places);
        }
    }
    hash(&mut chunks, &mut places);
}
