//! Sharing equal subtrees of two trees of blocks.

use alloc::sync::Arc;

use super::blocks::{Blocks, Branch, HEIGHT, Node};

impl Blocks {
    /// Shares all equal subtrees of another tree.
    pub(super) fn rebase_on(&mut self, other: &Self) {
        if let (Some(own), Some(base)) = (&self.top, &other.top) {
            let own = Subtree { node: own, height: self.height, len: self.len };
            let base = Subtree { node: base, height: other.height, len: other.len };
            if let Some(rebased) = rebased(own, base) {
                self.top = Some(rebased);
            }
        }
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
