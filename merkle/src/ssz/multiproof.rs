//! Multiproofs by generalized indices: several nodes of an object, on any levels.

use alloc::vec;
use alloc::vec::Vec;

use super::{Chunk, GeneralizedIndex, NodeAt, Ssz};
use crate::hasher::NodeHasher;
use crate::proof::{VerifyError, nodes};

/// Proves that an object has several nodes: the siblings on their paths to the root that cannot be
/// computed from the nodes themselves.
///
/// These are the nodes at [`helper_indices`], in that order: descending generalized indices, as in
/// `ssz/merkle-proofs.md` of the consensus specifications. A [`MultiProof`](crate::MultiProof) has
/// another order and is for the leaves of one tree.
///
/// ```
/// use merkle_lanes::ssz::{GeneralizedIndex, NodeAt, Object, PersistentList, Ssz, SszMultiProof};
///
/// // Container { balances: List[uint64, 2^40], slot: uint64 }
/// let ssz = Ssz::new();
/// let mut balances = PersistentList::<u64>::new(Ssz::with_limit(1 << 38));
/// balances.extend(0..1000);
/// let len = balances.len();
/// let list = Object::with_length(&ssz, balances.hashed(), len);
/// let state = Object::container(&ssz, [list, Object::from([7; 32])]);
///
/// // Two chunks of the list and the other field.
/// let field = GeneralizedIndex::at(1, 0).unwrap();
/// let chunks = field.concat(GeneralizedIndex::at(1, 0).unwrap()).unwrap();
/// let indices = [
///     chunks.concat(GeneralizedIndex::at(38, 0).unwrap()).unwrap(),
///     chunks.concat(GeneralizedIndex::at(38, 249).unwrap()).unwrap(),
///     GeneralizedIndex::at(1, 1).unwrap(),
/// ];
/// let proof = SszMultiProof::new(&state, &indices)?;
///
/// // A light client that knows the root.
/// let root = state.root();
/// let nodes = indices.map(|index| (index, state.node_at(index).unwrap()));
/// proof.verify(&ssz, &root, &nodes)?;
/// # Ok::<(), merkle_lanes::VerifyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SszMultiProof(pub(crate) Vec<Chunk>);
nodes!([] SszMultiProof, Chunk, usize::MAX);

impl SszMultiProof {
    /// Proves the nodes of an object at these indices. They can be in any order and on any levels.
    ///
    /// # Errors
    ///
    /// Returns [`VerifyError::NoSuchNode`] if the object has no node at an index,
    /// [`VerifyError::Repeated`] if an index is repeated, and [`VerifyError::NoLeaves`] if there
    /// are none.
    pub fn new<O: NodeAt + ?Sized>(
        object: &O,
        indices: &[GeneralizedIndex],
    ) -> Result<Self, VerifyError> {
        let node = |index: GeneralizedIndex| {
            object.node_at(index).ok_or(VerifyError::NoSuchNode { index: index.get() })
        };
        for &index in indices {
            node(index)?;
        }
        helper_indices(indices)?.into_iter().map(node).collect::<Result<_, _>>().map(Self)
    }

    /// Verifies that the object with this root has these nodes, given with their indices in any
    /// order: `verify_merkle_multiproof` of the specification.
    ///
    /// Unlike the specification's function, it checks every node. An index that is repeated is an
    /// error. If the path of one node leads through another, the latter must be what the nodes
    /// below it hash to.
    ///
    /// Each level is hashed in one call. [`verify_multiproofs`] does so for many proofs.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the proof does not show this.
    pub fn verify(
        &self,
        ssz: &Ssz,
        root: &Chunk,
        nodes: &[(GeneralizedIndex, Chunk)],
    ) -> Result<(), VerifyError> {
        check_root(root, self.root(ssz, nodes))
    }

    /// Computes the root of the object that has these nodes, according to this proof:
    /// `calculate_multi_merkle_root` of the specification.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if an index is repeated, if there are none, if the proof has
    /// another number of nodes than [`helper_indices`], or if a node is not the hash of those below
    /// it.
    pub fn root(
        &self,
        ssz: &Ssz,
        nodes: &[(GeneralizedIndex, Chunk)],
    ) -> Result<Chunk, VerifyError> {
        let [root] = roots(ssz, [(nodes, self)].into_iter()).try_into().expect("one proof");
        root
    }
}

/// The indices of the nodes in a [`SszMultiProof`], in descending order: `get_helper_indices` of
/// the specification.
///
/// ```
/// use merkle_lanes::ssz::{GeneralizedIndex, helper_indices};
///
/// let indices = [8, 9, 14].map(|index| GeneralizedIndex::new(index).unwrap());
/// let helpers = helper_indices(&indices)?;
/// assert_eq!(helpers.iter().map(|index| index.get()).collect::<Vec<_>>(), [15, 6, 5]);
/// # Ok::<(), merkle_lanes::VerifyError>(())
/// ```
///
/// # Errors
///
/// Returns [`VerifyError::Repeated`] if an index is repeated, and [`VerifyError::NoLeaves`] if
/// there are none.
pub fn helper_indices(indices: &[GeneralizedIndex]) -> Result<Vec<GeneralizedIndex>, VerifyError> {
    let mut path = Path::new(indices.iter().map(|index| (index.get(), ())).collect())?;
    let mut helpers = Vec::new();
    for depth in (1..=path.depth()).rev() {
        path.join(depth)?;
        path.climb(|sibling| helpers.extend(GeneralizedIndex::new(sibling)), |(), ()| ());
    }
    Ok(helpers)
}

/// The claim of one proof in a batch: the object with this root has these nodes.
#[derive(Clone, Copy, Debug)]
pub struct MultiClaim<'a> {
    /// The root.
    pub root: &'a Chunk,
    /// The nodes with their indices, in any order.
    pub nodes: &'a [(GeneralizedIndex, Chunk)],
    /// The proof.
    pub proof: &'a SszMultiProof,
}

/// Verifies a batch of multiproofs, for one object or several. The `i`-th result is what
/// [`SszMultiProof::verify`] returns for the `i`-th claim.
///
/// Each level of all proofs is hashed in one call.
#[must_use = "each result says whether its claim is proven"]
pub fn verify_multiproofs(ssz: &Ssz, claims: &[MultiClaim<'_>]) -> Vec<Result<(), VerifyError>> {
    let roots = roots(ssz, claims.iter().map(|claim| (claim.nodes, claim.proof)));
    claims.iter().zip(roots).map(|(claim, root)| check_root(claim.root, root)).collect()
}

fn check_root(root: &Chunk, computed: Result<Chunk, VerifyError>) -> Result<(), VerifyError> {
    if computed? == *root { Ok(()) } else { Err(VerifyError::WrongRoot) }
}

/// The root that each proof leads to.
fn roots<'a>(
    ssz: &Ssz,
    proofs: impl Iterator<Item = (&'a [(GeneralizedIndex, Chunk)], &'a SszMultiProof)>,
) -> Vec<Result<Chunk, VerifyError>> {
    let mut paths: Vec<_> = proofs
        .map(|(nodes, proof)| {
            let indices: Vec<_> = nodes.iter().map(|&(index, _)| index).collect();
            let (expected, got) = (helper_indices(&indices)?.len(), proof.0.len());
            if got != expected {
                return Err(VerifyError::WrongLength { expected, got });
            }
            let path = Path::new(nodes.iter().map(|&(index, node)| (index.get(), node)).collect())?;
            Ok((path, proof.0.iter()))
        })
        .collect();
    let deepest = paths.iter().flatten().map(|(path, _)| path.depth()).max().unwrap_or(0);
    let (mut children, mut parents) = (Vec::new(), Vec::new());
    for depth in (0..=deepest).rev() {
        children.clear();
        for entry in &mut paths {
            let Ok((path, helpers)) = entry else { continue };
            match path.join(depth) {
                Ok(()) if depth > 0 => path.climb(
                    |_| *helpers.next().expect("the length was checked"),
                    |left, right| children.extend([left, right]),
                ),
                Ok(()) => {}
                Err(error) => *entry = Err(error),
            }
        }
        parents.clear();
        parents.resize(children.len() / 2, [0; 32]);
        ssz.hash_level(&children, &mut parents);
        let known = paths.iter_mut().flatten().flat_map(|(path, _)| &mut path.known);
        for ((_, node), parent) in known.zip(&parents) {
            *node = *parent;
        }
    }
    paths.into_iter().map(|entry| entry.map(|(path, _)| path.known[0].1)).collect()
}

/// The known nodes of one object, while its levels are climbed.
struct Path<T> {
    /// The given nodes that were not reached yet, in ascending order of their indices.
    given: Vec<(u64, T)>,
    /// The known nodes of a level, in descending order.
    known: Vec<(u64, T)>,
}

impl<T: Copy + PartialEq> Path<T> {
    fn new(mut given: Vec<(u64, T)>) -> Result<Self, VerifyError> {
        given.sort_unstable_by_key(|&(index, _)| index);
        if let Some(pair) = given.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(VerifyError::Repeated { index: pair[0].0 });
        }
        if given.is_empty() {
            Err(VerifyError::NoLeaves)
        } else {
            Ok(Self { given, known: vec![] })
        }
    }

    /// The depth of the deepest given node, before any is reached.
    fn depth(&self) -> u32 {
        self.given.last().map_or(0, |&(index, _)| index.ilog2())
    }

    /// Adds the given nodes of a level to those that were computed for it.
    fn join(&mut self, depth: u32) -> Result<(), VerifyError> {
        let computed = self.known.len();
        while let Some(node) = self.given.pop_if(|&mut (index, _)| index.ilog2() == depth) {
            self.known.push(node);
        }
        if computed > 0 && self.known.len() > computed {
            self.known.sort_unstable_by_key(|&(index, _)| core::cmp::Reverse(index));
            let differ = |pair: &&[(u64, T)]| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1;
            if let Some(pair) = self.known.windows(2).find(differ) {
                return Err(VerifyError::NotParent { index: pair[0].0 });
            }
            self.known.dedup_by_key(|&mut (index, _)| index);
        }
        Ok(())
    }

    /// Replaces the nodes of a level by their parents, which still have to be computed. Calls
    /// `pair` for each pair of siblings; `unknown` returns the sibling at an index that is not
    /// known.
    fn climb(&mut self, mut unknown: impl FnMut(u64) -> T, mut pair: impl FnMut(T, T)) {
        let (mut i, mut parents) = (0, 0);
        while let Some(&(index, node)) = self.known.get(i) {
            i += 1;
            let sibling = match self.known.get(i) {
                Some(&(next, sibling)) if next == index ^ 1 => {
                    i += 1;
                    sibling
                }
                _ => unknown(index ^ 1),
            };
            if index % 2 == 1 {
                pair(sibling, node);
            } else {
                pair(node, sibling);
            }
            self.known[parents].0 = index / 2;
            parents += 1;
        }
        self.known.truncate(parents);
    }
}
