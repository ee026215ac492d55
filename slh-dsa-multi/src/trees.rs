//! Binary trees of hash values: XMSS trees (FIPS 205 §6) and those of FORS (§8), many at once, so
//! that the few nodes near their roots fill the lanes, too.

use alloc::vec::Vec;

use crate::address::Address;
use crate::parallel;
use crate::suite::{Messages, Node, Nodes, Suite, nodes};
use crate::watch::{Stopped, Watch};

/// A tree, and the leaf whose path is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tree {
    /// The address of its nodes, without height and index.
    pub(crate) address: Address,
    /// The number of its first leaf: FORS counts those of all its trees.
    pub(crate) first: u32,
    /// The leaf, from 0; `None` if no path is wanted.
    pub(crate) leaf: Option<u32>,
}

impl Tree {
    /// The leaf, of a tree that signs.
    pub(crate) fn signing_leaf(&self) -> u32 {
        self.leaf.expect("a tree that signs has a leaf")
    }
}

/// The root of each tree, and the paths of those with a leaf, tree by tree, from the bottom up.
pub(crate) struct Climbed {
    pub(crate) roots: Nodes,
    pub(crate) paths: Nodes,
}

/// The height of the trees that are hashed at once, the greatest of FIPS 205. Taller trees are
/// hashed in parts of this height, so that memory does not grow with them.
pub(crate) const MAX_HEIGHT: usize = 14;

/// The trees of a height whose leaves are hashed together.
const fn group(height: usize) -> usize {
    1 << (MAX_HEIGHT - height)
}

/// Where leaves come from.
pub(crate) struct Leaves<'l, F> {
    /// Makes those of some trees, as many of each as the number says, tree by tree.
    pub(crate) make: F,
    /// The hashes that a leaf takes.
    pub(crate) hashes: u64,
    pub(crate) watch: &'l Watch<'l>,
}

/// Hashes trees of `height`.
pub(crate) fn climb<S: Suite, F: Fn(&[Tree], u32) -> Nodes + Send + Sync>(
    suite: &S,
    n: usize,
    height: usize,
    trees: &[Tree],
    leaves: &Leaves<'_, F>,
) -> Result<Climbed, Stopped> {
    if height <= MAX_HEIGHT {
        let groups: Vec<&[Tree]> = trees.chunks(group(height)).collect();
        let climbed = parallel::try_map(&groups, |trees| {
            let hashes = (trees.len() as u64 * (leaves.hashes + 1)) << height;
            leaves.watch.part(hashes, || {
                climb_from(suite, n, 0, height, trees, (leaves.make)(trees, 1 << height))
            })
        })?;
        let path_nodes = climbed.iter().map(|group| group.paths.len()).sum();
        let mut roots = Nodes::with_capacity(trees.len());
        let mut paths = Nodes::with_capacity(path_nodes);
        for group in climbed {
            roots.extend_from_slice(&group.roots);
            paths.extend_from_slice(&group.paths);
        }
        return Ok(Climbed { roots, paths });
    }
    let lower: Vec<Tree> = trees.iter().flat_map(|tree| lower_parts(tree, height)).collect();
    let lower = climb(suite, n, MAX_HEIGHT, &lower, leaves)?;
    let upper: Vec<Tree> = trees
        .iter()
        .map(|&Tree { address, first, leaf }| {
            let leaf = leaf.map(|leaf| leaf >> MAX_HEIGHT);
            Tree { address, first: first >> MAX_HEIGHT, leaf }
        })
        .collect();
    let upper = climb_from(suite, n, MAX_HEIGHT, height - MAX_HEIGHT, &upper, lower.roots);
    let mut paths = Nodes::with_capacity(lower.paths.len() + upper.paths.len());
    let ends = upper.paths.chunks_exact(height - MAX_HEIGHT);
    for (begin, end) in lower.paths.chunks_exact(MAX_HEIGHT).zip(ends) {
        paths.extend_from_slice(begin);
        paths.extend_from_slice(end);
    }
    Ok(Climbed { roots: upper.roots, paths })
}

/// The parts of [`MAX_HEIGHT`] at the bottom of a taller tree. One has the leaf.
fn lower_parts(tree: &Tree, height: usize) -> impl Iterator<Item = Tree> {
    let Tree { address, first, leaf } = *tree;
    (0..1 << (height - MAX_HEIGHT)).map(move |part: u32| {
        let leaf = leaf.filter(|leaf| leaf >> MAX_HEIGHT == part);
        let leaf = leaf.map(|leaf| leaf & ((1 << MAX_HEIGHT) - 1));
        Tree { address, first: first + (part << MAX_HEIGHT), leaf }
    })
}

/// Hashes trees whose leaves are nodes of the height `base`, tree by tree. The numbers of their
/// first leaves are those at that height.
pub(crate) fn climb_from<S: Suite>(
    suite: &S,
    n: usize,
    base: usize,
    height: usize,
    trees: &[Tree],
    leaves: Nodes,
) -> Climbed {
    let with_leaf = trees.iter().filter(|tree| tree.leaf.is_some()).count();
    let mut paths = nodes(with_leaf * height);
    let mut level = leaves;
    for z in 0..height {
        let width = 1 << (height - z);
        let mut path = paths.chunks_exact_mut(height);
        for (i, tree) in trees.iter().enumerate() {
            let Some(leaf) = tree.leaf else { continue };
            let path = path.next().expect("a path for each tree with a leaf");
            path[z] = level[i * width + (leaf as usize >> z ^ 1)];
        }
        let mut messages = Messages::new(suite, level.len() / 2, 2 * n);
        for (i, children) in level.chunks_exact(2).enumerate() {
            let (tree, node) = (&trees[i / (width / 2)], (i % (width / 2)) as u32);
            let index = (tree.first >> (z + 1)) + node;
            messages.push(suite, tree.address.at((base + z) as u32 + 1, index), n, children);
        }
        level = suite.h(messages);
    }
    Climbed { roots: level, paths }
}

/// The root above each leaf, by its path: `leaves[i]` is the leaf of `trees[i]`.
pub(crate) fn roots_of<S: Suite>(
    suite: &S,
    n: usize,
    height: usize,
    trees: &[Tree],
    leaves: Nodes,
    path: impl Fn(usize, usize) -> Node,
) -> Nodes {
    let mut level = leaves;
    for z in 0..height {
        let mut messages = Messages::new(suite, trees.len(), 2 * n);
        for (i, tree) in trees.iter().enumerate() {
            let leaf = tree.signing_leaf();
            let (node, sibling) = (&level[i], &path(i, z));
            let index = (tree.first + leaf) >> (z + 1);
            let children = if leaf >> z & 1 == 0 { [node, sibling] } else { [sibling, node] };
            messages.push(suite, tree.address.at(z as u32 + 1, index), n, children);
        }
        level = suite.h(messages);
    }
    level
}
