//! Proofs of hashes in a layer: the messages `hash request`, `hashes` and `hash reject`.

use alloc::vec::Vec;

use super::{BLOCK_BYTES, Hash};
use crate::fold::fold;
use crate::hasher::{Node, NodeHasher, levels_above};
use crate::tree::Tree;

/// The maximum number of hashes per request.
const MAX_HASHES: u32 = 512;

/// The size of a request in bytes.
const REQUEST_BYTES: usize = 32 + 4 * 4;

/// The depth of the tree of the largest file.
const MAX_LAYERS: u32 = u64::BITS - BLOCK_BYTES.trailing_zeros();

/// The payload of `hash request` and `hash reject`. It requests a run of hashes of one layer and
/// the uncles that prove them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HashRequest {
    /// The root of the file.
    pub pieces_root: Hash,
    /// The layer of the hashes; 0 for the leaves.
    pub base_layer: u32,
    /// The index of the first hash within its layer; a multiple of `length`.
    pub index: u32,
    /// The number of hashes; a power of two from 2 to 512.
    pub length: u32,
    /// The number of layers above the base layer that the proof covers. Uncles that can be computed
    /// from the hashes themselves are omitted.
    pub proof_layers: u32,
}

/// The payload of `hashes`: a request and its answer. The answer is the hashes of the base layer,
/// then the uncles, the one closest to the root last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hashes {
    request: HashRequest,
    hashes: Vec<Hash>,
}

/// The node that [`Hashes`] lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerNode {
    /// Its layer; 0 for the leaves.
    pub layer: u32,
    /// Its index within that layer.
    pub index: u64,
    /// Its hash.
    pub hash: Hash,
}

/// The error for a request that cannot be answered, or hashes that are not proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayerProofError {
    /// The number of hashes is not a power of two from 2 to 512.
    #[error("the request is for {0} hashes, which is not a power of two from 2 to {MAX_HASHES}")]
    Length(u32),
    /// The first hash does not begin a subtree.
    #[error("index {index} is not a multiple of the length {length}")]
    Index {
        /// The index of the first hash.
        index: u32,
        /// The number of hashes.
        length: u32,
    },
    /// The proof would go above the root.
    #[error("the proof leads to layer {layer}, above the root at layer {root}")]
    AboveRoot {
        /// The layer of the node that the proof leads to.
        layer: u64,
        /// The layer of the root, or of the deepest possible root if the file is not known.
        root: u32,
    },
    /// The hashes extend beyond the end of the layer.
    #[error("the request is for hashes {index} to {last} of a layer of {hashes} hashes")]
    BeyondLayer {
        /// The index of the first hash.
        index: u32,
        /// The index of the last hash.
        last: u64,
        /// The number of hashes in the layer.
        hashes: u64,
    },
    /// The proof leads to a node below the root, so the root alone cannot verify it.
    #[error("the proof leads only to layer {layer}, below the root at layer {root}")]
    BelowRoot {
        /// The layer of the node that the proof leads to.
        layer: u32,
        /// The layer of the root.
        root: u32,
    },
    /// The request names the root of a different file.
    #[error("the request is for a file with a different root")]
    OtherFile,
    /// The hashes answer a different request.
    #[error("the hashes answer a different request")]
    OtherRequest,
    /// The hashes lead to a different root.
    #[error("the hashes lead to a different root")]
    WrongRoot,
}

/// The error for bytes that are not a valid payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PayloadError {
    /// The payload has the wrong length.
    #[error("expected a payload of {expected} bytes, got {got}")]
    WrongLength {
        /// The expected number of bytes, according to the request if it is complete.
        expected: u64,
        /// The actual number of bytes.
        got: usize,
    },
    /// The request cannot be answered for any file.
    #[error("the request cannot be answered for any file")]
    Request(#[from] LayerProofError),
}

impl HashRequest {
    /// Checks everything that does not depend on the file.
    ///
    /// # Errors
    ///
    /// Returns a [`LayerProofError`] if the request cannot be answered for any file.
    pub fn check(&self) -> Result<(), LayerProofError> {
        let Self { index, length, .. } = *self;
        if !length.is_power_of_two() || !(2..=MAX_HASHES).contains(&length) {
            return Err(LayerProofError::Length(length));
        }
        if !index.is_multiple_of(length) {
            return Err(LayerProofError::Index { index, length });
        }
        self.check_layers(MAX_LAYERS)
    }

    /// Checks that the request can be answered for a file of `file_bytes` bytes.
    ///
    /// # Errors
    ///
    /// Returns a [`LayerProofError`] if it cannot.
    pub fn check_file(&self, file_bytes: u64) -> Result<(), LayerProofError> {
        self.check()?;
        self.check_tree(root_layer(file_bytes))
    }

    /// The number of proof layers up to the root of a file of `file_bytes` bytes. 0 if the hashes
    /// are not below the root.
    #[must_use]
    pub fn all_proof_layers(base_layer: u32, file_bytes: u64) -> u32 {
        root_layer(file_bytes).saturating_sub(base_layer).saturating_sub(1)
    }

    /// The bytes of the payload.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; REQUEST_BYTES] {
        let mut bytes = [0; REQUEST_BYTES];
        bytes[..32].copy_from_slice(&self.pieces_root);
        let numbers = [self.base_layer, self.index, self.length, self.proof_layers];
        bytes[32..].copy_from_slice(numbers.map(u32::to_be_bytes).as_flattened());
        bytes
    }

    /// Checks a well-formed request against the layer of the root.
    fn check_tree(&self, root: u32) -> Result<(), LayerProofError> {
        self.check_layers(root)?;
        let last = u64::from(self.index) + u64::from(self.length) - 1;
        let hashes = 1 << (root - self.base_layer);
        if last >= hashes {
            return Err(LayerProofError::BeyondLayer { index: self.index, last, hashes });
        }
        Ok(())
    }

    fn check_layers(&self, root: u32) -> Result<(), LayerProofError> {
        let layer = u64::from(self.base_layer)
            + u64::from(self.proof_layers).saturating_add(1).max(self.own_layers().into());
        if layer > root.into() { Err(LayerProofError::AboveRoot { layer, root }) } else { Ok(()) }
    }

    /// The number of layers above the base layer that can be computed from the hashes themselves.
    fn own_layers(&self) -> u32 {
        self.length.ilog2()
    }

    /// The number of uncles. The first is on layer `base_layer + own_layers`, and is included if
    /// `proof_layers >= own_layers`.
    fn uncles(&self) -> u32 {
        (self.proof_layers + 1).saturating_sub(self.own_layers())
    }
}

impl TryFrom<&[u8]> for HashRequest {
    type Error = PayloadError;

    fn try_from(bytes: &[u8]) -> Result<Self, PayloadError> {
        let wrong_length =
            PayloadError::WrongLength { expected: REQUEST_BYTES as u64, got: bytes.len() };
        let bytes: &[u8; REQUEST_BYTES] = bytes.try_into().map_err(|_| wrong_length)?;
        let (pieces_root, numbers) =
            bytes.split_first_chunk().expect("a request begins with a root");
        let number = |i: usize| u32::from_be_bytes(numbers.as_chunks().0[i]);
        let request = Self {
            pieces_root: *pieces_root,
            base_layer: number(0),
            index: number(1),
            length: number(2),
            proof_layers: number(3),
        };
        request.check()?;
        Ok(request)
    }
}

/// Answers a request from the tree of a file.
///
/// ```
/// use merkle_lanes::Tree;
/// use merkle_lanes::bep52::{Bep52, HashRequest, Hashes, answer};
///
/// let content = vec![5; 100_000];
/// let mut tree = Tree::new(Bep52::new());
/// tree.extend_data(&content.chunks(16 << 10).collect::<Vec<_>>());
///
/// let request = HashRequest {
///     pieces_root: tree.root(),
///     base_layer: 0,
///     index: 4,
///     length: 2,
///     proof_layers: HashRequest::all_proof_layers(0, 100_000),
/// };
/// let payload = answer(&tree, &request)?.to_bytes();
///
/// let hashes = Hashes::try_from(payload.as_slice())?;
/// hashes.verify(&Bep52::new(), &request, 100_000)?;
/// assert_eq!(hashes.base(), &tree.leaves()[4..6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns a [`LayerProofError`] if the request goes beyond the tree or names a different root.
pub fn answer<H>(tree: &Tree<H>, request: &HashRequest) -> Result<Hashes, LayerProofError>
where
    H: NodeHasher<Node = Hash>,
{
    request.check()?;
    request.check_tree(tree.depth())?;
    if tree.root() != request.pieces_root {
        return Err(LayerProofError::OtherFile);
    }
    let index = u64::from(request.index);
    let base = (index..index + u64::from(request.length))
        .map(|index| tree.node_or_missing(request.base_layer, index));
    let own = request.own_layers();
    let uncles = (own..own + request.uncles())
        .map(|above| tree.node_or_missing(request.base_layer + above, (index >> above) ^ 1));
    Ok(Hashes { request: *request, hashes: base.chain(uncles).collect() })
}

impl Hashes {
    /// The request that the hashes answer.
    #[must_use]
    pub fn request(&self) -> &HashRequest {
        &self.request
    }

    /// The hashes of the base layer.
    #[must_use]
    pub fn base(&self) -> &[Hash] {
        &self.hashes[..self.request.length as usize]
    }

    /// The uncles, from the lowest to the one closest to the root.
    #[must_use]
    pub fn uncles(&self) -> &[Hash] {
        &self.hashes[self.request.length as usize..]
    }

    /// Verifies that the file of `file_bytes` bytes with the root in `request` has these hashes.
    ///
    /// # Errors
    ///
    /// Returns a [`LayerProofError`] if they answer a different request, are outside the tree, are
    /// not proven up to the root, or lead to a different root.
    pub fn verify<H>(
        &self,
        hasher: &H,
        request: &HashRequest,
        file_bytes: u64,
    ) -> Result<(), LayerProofError>
    where
        H: NodeHasher<Node = Hash>,
    {
        if self.request != *request {
            return Err(LayerProofError::OtherRequest);
        }
        let root = root_layer(file_bytes);
        request.check_tree(root)?;
        let ancestor = self.ancestor(hasher);
        if ancestor.layer != root {
            return Err(LayerProofError::BelowRoot { layer: ancestor.layer, root });
        }
        if ancestor.hash != request.pieces_root {
            return Err(LayerProofError::WrongRoot);
        }
        Ok(())
    }

    /// The node that the hashes lead to, to be compared with a known one. For example, the leaves
    /// of a piece lead to its entry in the piece layer without any uncle.
    pub fn ancestor<H: NodeHasher<Node = Hash>>(&self, hasher: &H) -> LayerNode {
        let HashRequest { base_layer, index, .. } = self.request;
        let mut layer = base_layer + self.request.own_layers();
        let mut index = u64::from(index) >> self.request.own_layers();
        let mut hash = fold(hasher, self.base(), base_layer, layer);
        for uncle in self.uncles() {
            hash = if index % 2 == 1 {
                hasher.hash_node(uncle, &hash)
            } else {
                hasher.hash_node(&hash, uncle)
            };
            index /= 2;
            layer += 1;
        }
        LayerNode { layer, index, hash }
    }

    /// The bytes of the payload.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.request.to_bytes(), Hash::as_bytes(&self.hashes)].concat()
    }
}

impl TryFrom<&[u8]> for Hashes {
    type Error = PayloadError;

    fn try_from(bytes: &[u8]) -> Result<Self, PayloadError> {
        let (request, hashes) = bytes.split_at(bytes.len().min(REQUEST_BYTES));
        let request = HashRequest::try_from(request)?;
        let expected = u64::from(request.length + request.uncles());
        if hashes.len() as u64 != 32 * expected {
            let expected = REQUEST_BYTES as u64 + 32 * expected;
            return Err(PayloadError::WrongLength { expected, got: bytes.len() });
        }
        Ok(Self { request, hashes: Hash::from_bytes(hashes).0.to_vec() })
    }
}

/// The layer of the root of a file.
fn root_layer(file_bytes: u64) -> u32 {
    levels_above(file_bytes.div_ceil(BLOCK_BYTES as u64))
}
