//! Merkle trees of SSZ, Bitcoin and RFC 6962.

use std::hash::{Hash, Hasher};

use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{InclusionProof, NodeHasher, RootBuilder, Tree, TreeHead};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::buffers::{buffer, buffers, count, reserve, size, slices};
use crate::functions::hexadecimal;
use crate::hashes::bytes;

type Node = [u8; 32];

/// The largest limit of an SSZ list, in chunks.
const MAX_LIMIT: u64 = 1 << 63;

/// The number of leaves that take a fraction of a second.
const LEAVES: usize = 1 << 22;

/// Calls `$body` with the hasher of a family.
macro_rules! with_family {
    ($family:expr, $limit:expr, |$hasher:ident| $body:expr) => {
        match ($family, $limit) {
            ("ssz", None) => {
                let $hasher = Ssz::new();
                $body
            }
            ("ssz", Some(limit)) if limit <= MAX_LIMIT => {
                let $hasher = Ssz::with_limit(limit);
                $body
            }
            ("ssz", Some(_)) => Err(PyValueError::new_err("the limit exceeds 2^63 chunks")),
            ("bitcoin", None) => {
                let $hasher = Bitcoin::new();
                $body
            }
            ("rfc6962", None) => {
                let $hasher = Rfc6962::new();
                $body
            }
            ("bitcoin" | "rfc6962", Some(_)) => {
                Err(PyValueError::new_err("only trees of SSZ have a limit"))
            }
            (family, _) => Err(PyValueError::new_err(format!(
                "the family is {family:?}, not \"ssz\", \"bitcoin\" or \"rfc6962\""
            ))),
        }
    };
}

/// The leaves of a tree: those in the buffer, and after them a last one that is padded, if the
/// family is SSZ. Refused if there are more than the tree has room for.
fn leaves<'a, H: NodeHasher<Node = Node>>(
    bytes: &'a [u8],
    hasher: &H,
    family: &str,
) -> PyResult<(&'a [Node], Option<Node>)> {
    let (leaves, rest) = bytes.as_chunks();
    let last = if family == "ssz" && !rest.is_empty() {
        let mut last = [0; 32];
        last[..rest.len()].copy_from_slice(rest);
        Some(last)
    } else {
        count(bytes, 32)?;
        None
    };
    let count = leaves.len() as u64 + u64::from(last.is_some());
    if count > hasher.capacity() {
        return Err(PyValueError::new_err(format!(
            "{count} leaves, but the tree has room for {}",
            hasher.capacity()
        )));
    }
    Ok((leaves, last))
}

/// The node in these bytes.
fn node(bytes: &Bound<'_, PyBytes>, name: impl Fn() -> String) -> PyResult<Node> {
    let bytes = bytes.as_bytes();
    bytes
        .try_into()
        .map_err(|_| PyValueError::new_err(format!("{} has {} bytes, not 32", name(), bytes.len())))
}

/// Returns the root of the Merkle tree with these leaves, 32 bytes each and end to end.
///
/// family="ssz": the chunks of an SSZ value; the last one is padded with zeros. `limit` is the
/// maximum number of chunks of a list. Without it, the depth follows the number of chunks, as in
/// vectors and containers. The length of a list is not mixed in.
///
/// family="bitcoin": transaction ids in the order of bytes in which they are hashed. Lists that end
/// with repeated ids can have the same root (CVE-2012-2459).
///
/// family="rfc6962": the hashes of entries, from rfc6962_leaves.
#[pyfunction]
#[pyo3(signature = (leaves, limit=None, *, family="ssz"))]
pub(crate) fn merkle_root<'py>(
    leaves: &Bound<'py, PyAny>,
    limit: Option<u64>,
    family: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = leaves.py();
    let buffer = buffer(leaves, "leaves")?;
    let root = with_family!(family, limit, |hasher| {
        let (leaves, last) = self::leaves(buffer.as_bytes(), &hasher, family)?;
        // Its memory does not grow with the leaves.
        let mut builder = RootBuilder::new(hasher);
        for leaves in leaves.chunks(LEAVES) {
            py.detach(|| builder.extend(leaves));
            py.check_signals()?;
        }
        builder.extend(last.as_slice());
        Ok(py.detach(|| builder.root()))
    })?;
    Ok(PyBytes::new(py, &root))
}

/// Hashes entries to leaves of a tree of RFC 6962: SHA-256 of a zero byte and the entry. Returns
/// the leaves end to end.
#[pyfunction]
pub(crate) fn rfc6962_leaves<'py>(entries: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let py = entries.py();
    let entries = buffers(entries, "entry")?;
    let entries = slices(&entries)?;
    PyBytes::new_with(py, size(entries.len(), 32)?, |leaves| {
        let leaves = leaves.as_chunks_mut().0;
        py.detach(|| Rfc6962::new().hash_leaves(&entries, leaves));
        Ok(())
    })
}

/// Raises ValueError unless the proof shows that the leaf has this index in the tree with this root
/// and `size` leaves.
///
/// The other arguments are those of merkle_root. For SSZ, `size` is the number of chunks.
#[pyfunction]
#[pyo3(signature = (root, size, index, leaf, proof, limit=None, *, family="ssz"))]
pub(crate) fn verify_proof(
    root: &Bound<'_, PyAny>,
    size: u64,
    index: u64,
    leaf: &Bound<'_, PyAny>,
    proof: &Bound<'_, PyAny>,
    limit: Option<u64>,
    family: &str,
) -> PyResult<()> {
    let root = node(&buffer(root, "root")?, || "the root".into())?;
    let leaf = node(&buffer(leaf, "leaf")?, || "the leaf".into())?;
    let proof = buffers(proof, "node")?;
    let mut nodes = Vec::new();
    reserve(&mut nodes, proof.len())?;
    for (i, bytes) in proof.iter().enumerate() {
        nodes.push(node(bytes, || format!("node {i}"))?);
    }
    let proof = InclusionProof::from(nodes);
    with_family!(family, limit, |hasher| {
        let head = TreeHead { root, size };
        let verified = proof.verify(&hasher, &head, index, &leaf);
        verified.map_err(|error| PyValueError::new_err(error.to_string()))
    })
}

/// A tree of any family.
trait AnyTree: Send + Sync {
    fn len(&self) -> u64;
    fn root(&self) -> Node;
    fn prove(&self, index: u64) -> PyResult<Vec<Node>>;
    fn leaves(&self) -> &[Node];
}

impl<H: NodeHasher<Node = Node> + Send + Sync> AnyTree for Tree<H> {
    fn len(&self) -> u64 {
        self.len()
    }

    fn root(&self) -> Node {
        self.root()
    }

    fn prove(&self, index: u64) -> PyResult<Vec<Node>> {
        let proof = self.prove(index).map_err(|error| PyIndexError::new_err(error.to_string()))?;
        Ok(proof.into_nodes())
    }

    fn leaves(&self) -> &[Node] {
        self.leaves()
    }
}

/// A Merkle tree that keeps its nodes, so that it can prove its leaves. The arguments are those of
/// merkle_root.
///
/// It never changes. Trees are equal if their families, limits and leaves are.
#[pyclass(frozen, eq, hash, module = "hashlanes")]
pub(crate) struct MerkleTree {
    family: String,
    limit: Option<u64>,
    tree: Box<dyn AnyTree>,
}

impl MerkleTree {
    /// What differs for different trees. The number of leaves is the shape of a tree, and with it
    /// the root stands for the leaves.
    fn identity(&self) -> (&str, Option<u64>, u64, Node) {
        (&self.family, self.limit, self.tree.len(), self.tree.root())
    }
}

impl PartialEq for MerkleTree {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Hash for MerkleTree {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

#[pymethods]
impl MerkleTree {
    #[new]
    #[pyo3(signature = (leaves, limit=None, *, family="ssz"))]
    fn new(leaves: &Bound<'_, PyAny>, limit: Option<u64>, family: &str) -> PyResult<Self> {
        let py = leaves.py();
        let buffer = buffer(leaves, "leaves")?;
        let tree = with_family!(family, limit, |hasher| {
            let (leaves, last) = self::leaves(buffer.as_bytes(), &hasher, family)?;
            let mut list = Vec::new();
            reserve(&mut list, leaves.len() + 1)?;
            py.detach(|| {
                list.extend_from_slice(leaves);
                list.extend(last);
                let tree = Tree::try_from_leaves(hasher, list);
                tree.map(|tree| Box::new(tree) as Box<dyn AnyTree>)
            })
            .map_err(|error| PyMemoryError::new_err(error.to_string()))
        })?;
        Ok(Self { family: family.to_owned(), limit, tree })
    }

    fn __len__(&self) -> usize {
        // The leaves fit into memory.
        self.tree.len() as usize
    }

    fn __repr__(&self) -> String {
        let (family, limit, len, root) = self.identity();
        let limit = limit.map_or_else(String::new, |limit| format!(", limit {limit}"));
        let leaves = if len == 1 { "leaf" } else { "leaves" };
        let root = hexadecimal(&root);
        format!("<hashlanes.MerkleTree: {family}{limit}, {len} {leaves}, root {root}>")
    }

    /// What pickle makes the tree from again: its leaves, and not its nodes.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let leaves = bytes(py, self.tree.leaves().as_flattened())?;
        let family = PyDict::new(py);
        family.set_item("family", &self.family)?;
        Ok(((leaves, self.limit).into_pyobject(py)?, family))
    }

    /// Returns the tree itself, which nothing can change.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Returns the tree itself, which nothing can change.
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// The family: "ssz", "bitcoin" or "rfc6962".
    #[getter]
    fn family(&self) -> &str {
        &self.family
    }

    /// The maximum number of chunks of an SSZ list, or None.
    #[getter]
    fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// The root, 32 bytes.
    #[getter]
    fn root<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.tree.root())
    }

    /// Returns the proof that the leaf of this index is in the tree, from the bottom up, for
    /// verify_proof.
    fn prove<'py>(&self, py: Python<'py>, index: u64) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let proof = self.tree.prove(index)?;
        Ok(proof.iter().map(|node| PyBytes::new(py, node)).collect())
    }
}
