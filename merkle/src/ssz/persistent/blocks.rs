//! A tree of blocks of chunks, with shared nodes.
//!
//! Every node holds eight chunks: a block holds values, a branch the roots of its eight children.
//! It thus covers three levels of the Merkle tree and stores one, which halves the memory. A
//! changed node costs seven hashes instead of three, but they are computed in lanes.
//!
//! A branch knows which of its children's roots are stale. Hashing collects the stale nodes from
//! the top down, then hashes them from the bottom up, all nodes of a level together.

use alloc::sync::Arc;
use alloc::vec::Vec;

use arrayvec::ArrayVec;

use crate::fold::fold;
use crate::hasher::NodeHasher;
use crate::ssz::{Chunk, Ssz, zero_hash};

/// The number of chunks in a block, and the maximum number of children of a branch.
pub(super) const BLOCK_CHUNKS: usize = 1 << HEIGHT;

/// The number of levels of the Merkle tree that a node spans.
const HEIGHT: u32 = 3;

/// The number of nodes hashed together, or slightly more. Their chunks fit into the L1 cache.
const NODES_AT_ONCE: usize = 96;

/// Consecutive chunks.
pub(super) type Block = [Chunk; BLOCK_CHUNKS];

/// A subtree.
#[derive(Clone, Debug)]
enum Node {
    Block(Arc<Block>),
    Branch(Arc<Branch>),
}

/// A node with children, all of them of the same height. Only the last one can be incomplete.
#[derive(Clone, Debug)]
struct Branch {
    /// The roots of the children. A missing child has the root of zero chunks.
    roots: Block,
    /// The bit `1 << i` is set if `roots[i]` is not the root of child `i`.
    stale: u8,
    children: ArrayVec<Node, BLOCK_CHUNKS>,
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

/// The maximum number of blocks in a node of this height.
fn capacity(height: u32) -> u64 {
    1 << (HEIGHT * height)
}

/// Blocks in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    pub(super) len: u64,
    /// The number of branches above each block: the lowest for this number of blocks.
    height: u32,
    top: Option<Node>,
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

    /// Truncates to the first `len` blocks.
    pub(super) fn truncate(&mut self, len: u64) {
        if len >= self.len {
            return;
        }
        self.len = len;
        if len == 0 {
            *self = Self::default();
            return;
        }
        while self.height > 0 && len <= capacity(self.height - 1) {
            if let Some(Node::Branch(branch)) = &self.top {
                self.top = Some(branch.children[0].clone());
            }
            self.height -= 1;
        }
        let mut node = self.top.as_mut().expect("there are blocks");
        let mut height = self.height;
        // A complete subtree keeps all its blocks.
        while let Node::Branch(branch) = node
            && !len.is_multiple_of(capacity(height))
        {
            let (branch, slot) = (Arc::make_mut(branch), slot(len - 1, height));
            branch.children.truncate(slot + 1);
            branch.roots[slot + 1..].fill(zero_hash(HEIGHT * height));
            height -= 1;
            let is_changed = !len.is_multiple_of(capacity(height));
            branch.stale = branch.stale & !(0xff << slot << 1) | u8::from(is_changed) << slot;
            node = &mut branch.children[slot];
        }
    }

    /// A node of the Merkle tree that has values below it. All nodes must be hashed.
    pub(super) fn node(&self, hasher: &Ssz, level: u32, index: u64) -> Chunk {
        // The chunks of a node at this height are on the same level, or one or two below.
        let height = (level / HEIGHT).min(self.height);
        let above = level - HEIGHT * height;
        let at = index.checked_shr(HEIGHT.saturating_sub(above)).unwrap_or(0);
        let mut node = self.top.as_ref().expect("there are blocks");
        for above in (height..self.height).rev() {
            if let Node::Branch(branch) = node {
                let slot = at >> (HEIGHT * (above - height));
                node = &branch.children[slot as usize % BLOCK_CHUNKS];
            }
        }
        let width = BLOCK_CHUNKS.min(1 << above.min(HEIGHT));
        let start = (index as usize).wrapping_mul(width) % BLOCK_CHUNKS;
        fold(hasher, &node.chunks()[start..start + width], HEIGHT * height, level)
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

/// Sharing and comparing the subtrees of two trees.
impl Blocks {
    /// Shares all equal subtrees of another tree.
    pub(super) fn rebase_on(&mut self, other: &Self) {
        if let (Some(own), Some(base)) = (self.subtree(), other.subtree())
            && let Some(rebased) = rebased(own, base)
        {
            self.top = Some(rebased);
        }
    }

    /// Whether the first `len` blocks are equal. Both trees must have at least `len` blocks.
    pub(super) fn begin_alike(&self, other: &Self, len: u64) -> bool {
        match (self.subtree(), other.subtree()) {
            (Some(one), Some(two)) if len > 0 => begin_alike(one, two, len),
            _ => true,
        }
    }

    fn subtree(&self) -> Option<Subtree<'_>> {
        self.top.as_ref().map(|node| Subtree { node, height: self.height, len: self.len })
    }
}

/// A node, the number of branches above each of its blocks, and the number of its blocks.
#[derive(Clone, Copy)]
struct Subtree<'a> {
    node: &'a Node,
    height: u32,
    len: u64,
}

impl<'a> Subtree<'a> {
    fn child(self, branch: &'a Branch, slot: usize) -> Self {
        let height = self.height - 1;
        let full = 1 << (HEIGHT * height);
        let len = full.min(self.len - full * slot as u64);
        Self { node: &branch.children[slot], height, len }
    }
}

/// The blocks of `own`, with nodes of `base` in place of equal ones. `None` if all equal nodes are
/// already shared.
fn rebased(own: Subtree<'_>, base: Subtree<'_>) -> Option<Node> {
    match (own.node, base.node) {
        (Node::Block(one), Node::Block(other)) => {
            (!Arc::ptr_eq(one, other) && one == other).then(|| base.node.clone())
        }
        (_, Node::Branch(branch)) if own.height < base.height => {
            rebased(own, base.child(branch, 0))
        }
        (Node::Branch(branch), _) if own.height > base.height => {
            let child = rebased(own.child(branch, 0), base)?;
            let mut branch = Branch::clone(branch);
            branch.children[0] = child;
            Some(Node::Branch(Arc::new(branch)))
        }
        (Node::Branch(one), Node::Branch(other)) => {
            if Arc::ptr_eq(one, other) {
                None
            } else {
                rebased_branch((own, one), (base, other))
            }
        }
        _ => unreachable!("nodes of the same height are of the same kind"),
    }
}

/// See [`rebased`], for branches of the same height.
fn rebased_branch(
    (own, branch): (Subtree<'_>, &Branch),
    (base, other): (Subtree<'_>, &Branch),
) -> Option<Node> {
    let mut changed: Option<Branch> = None;
    let mut all_shared = own.len == base.len;
    for slot in 0..branch.children.len().min(other.children.len()) {
        let (one, two) = (own.child(branch, slot), base.child(other, slot));
        if is_same(one.node, two.node) {
            continue;
        }
        let is_hashed = (branch.stale | other.stale) >> slot & 1 == 0;
        // Zero blocks do not change a root, so the lengths must be equal, too.
        let is_equal = is_hashed && one.len == two.len && branch.roots[slot] == other.roots[slot];
        let child = if is_equal { Some(two.node.clone()) } else { rebased(one, two) };
        let Some(child) = child else {
            all_shared = false;
            continue;
        };
        all_shared &= is_same(&child, two.node);
        changed.get_or_insert_with(|| branch.clone()).children[slot] = child;
    }
    // Sharing the whole node would lose hashes that only `own` has.
    let hashes_more = other.stale & !branch.stale != 0;
    if all_shared && !hashes_more {
        Some(base.node.clone())
    } else {
        changed.map(|all| Node::Branch(Arc::new(all)))
    }
}

fn is_same(one: &Node, other: &Node) -> bool {
    match (one, other) {
        (Node::Block(one), Node::Block(other)) => Arc::ptr_eq(one, other),
        (Node::Branch(one), Node::Branch(other)) => Arc::ptr_eq(one, other),
        _ => false,
    }
}

/// Whether the first `len` blocks, at least one, are equal.
fn begin_alike(one: Subtree<'_>, two: Subtree<'_>, len: u64) -> bool {
    match (one.node, two.node) {
        (Node::Branch(branch), _) if one.height > two.height => {
            begin_alike(one.child(branch, 0), two, len)
        }
        (_, Node::Branch(branch)) if one.height < two.height => {
            begin_alike(one, two.child(branch, 0), len)
        }
        (Node::Branch(first), Node::Branch(second)) => {
            let width = capacity(one.height - 1);
            is_same(one.node, two.node)
                || (0..len.div_ceil(width) as usize).all(|slot| {
                    let (below, other) = (one.child(first, slot), two.child(second, slot));
                    let len = width.min(len - width * slot as u64);
                    let is_hashed = (first.stale | second.stale) >> slot & 1 == 0;
                    if is_hashed && [below.len, other.len] == [len; 2] {
                        first.roots[slot] == second.roots[slot]
                    } else {
                        begin_alike(below, other, len)
                    }
                })
        }
        (Node::Block(first), Node::Block(second)) => is_same(one.node, two.node) || first == second,
        _ => unreachable!("nodes of the same height are of the same kind"),
    }
}
