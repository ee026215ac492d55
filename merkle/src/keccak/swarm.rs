//! The binary Merkle tree of a chunk of Swarm.

use alloc::vec;
use alloc::vec::Vec;

use hash_lanes::Backend;
use hash_lanes::engine::check_counts;
use sha3_multi::Keccak256Lanes;

use super::{Node, hash_pairs};
use crate::hasher::{NodeHasher, Odd, check_children};
use crate::hex::hex;
use crate::proof::{InclusionProof, VerifyError};
use crate::sha256;
use crate::tree::Tree;

/// The number of bytes in a segment, which is a leaf.
pub const SEGMENT_BYTES: usize = 32;

/// The number of segments in a chunk.
pub const CHUNK_SEGMENTS: usize = 128;

/// The maximum number of bytes in the payload of a chunk.
pub const CHUNK_BYTES: usize = CHUNK_SEGMENTS * SEGMENT_BYTES;

/// The number of levels above the segments.
const DEPTH: u32 = CHUNK_SEGMENTS.ilog2();

/// The number of chunks whose trees are hashed at a time: 128 KiB of payload.
const CHUNKS_AT_ONCE: usize = 32;

/// The roots of `2^i` segments of zeros, for `i` from 0 to 7.
pub const ZERO_HASHES: [[u8; 32]; 8] = [
    hex("0000000000000000000000000000000000000000000000000000000000000000"),
    hex("ad3228b676f7d3cd4284a5443f17f1962b36e491b30a40b2405849e597ba5fb5"),
    hex("b4c11951957c6f8f642c4af61cd6b24640fec6dc7fc607ee8206a99e92410d30"),
    hex("21ddb9a356815c3fac1026b6dec5df3124afbadb485c9ba5a3e3398a04b7ba85"),
    hex("e58769b32a1beaf1ea27375a44095a0d1fb664ce2dd358e7fcbfb78c26a19344"),
    hex("0eb01ebfc9ed27500cd4dfc979272d1f0913cc9f66540d7e8005811109e1cf2d"),
    hex("887c22bd8750d34016ac3c66b5ff102dacdd73f6b014e710b51e8022af9a1968"),
    hex("ffd70157e48063fc33c97a050f7f640233bf646cc98d9524c6b92bcf3ab56f83"),
];

/// The binary Merkle tree (BMT) of a chunk of Swarm: a tree of 128 segments of 32 bytes. A node is
/// the Keccak-256 of its children, and missing segments are zeros.
///
/// The address of a chunk is the Keccak-256 of its span, 8 bytes in little-endian order, and of the
/// root of this tree.
///
/// ```
/// use merkle_lanes::keccak::{Chunk, Swarm};
///
/// let swarm = Swarm::new();
/// let chunk = Chunk::new(&[7; 100]);
/// let address = swarm.addresses(&[chunk])?[0];
///
/// // The segment with bytes 32 to 63.
/// let tree = swarm.tree(&chunk)?;
/// let proof = tree.prove(1)?;
/// swarm.verify_segment(&address, chunk.span, 1, &[7; 32], &proof)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Swarm {
    backend: Backend,
}

/// A chunk of Swarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// The number of bytes of content below the chunk. In an intermediate chunk, whose payload is
    /// the addresses of others, it is the sum of their spans.
    pub span: u64,
    /// At most 4096 bytes.
    pub payload: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// A chunk of content: its span is the length of its payload.
    #[must_use]
    pub const fn new(payload: &'a [u8]) -> Self {
        Self { span: payload.len() as u64, payload }
    }
}

/// The error for a payload of more than 4096 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkTooLongError {
    /// The index of the chunk.
    pub index: usize,
    /// The length of its payload in bytes.
    pub length: usize,
}

error_messages!(ChunkTooLongError {
    Self { index, length } =>
        "the payload of chunk {index} has {length} bytes, but the maximum is 4096 bytes";
});

sha256::constructors!(Swarm);

impl Swarm {
    /// Computes the addresses of chunks: all segments in lanes, then level by level.
    ///
    /// # Errors
    ///
    /// Returns [`ChunkTooLongError`] if a payload is longer than 4096 bytes.
    pub fn addresses(&self, chunks: &[Chunk<'_>]) -> Result<Vec<[u8; 32]>, ChunkTooLongError> {
        check_lengths(chunks)?;
        let at_once = chunks.len().min(CHUNKS_AT_ONCE);
        let mut segments = vec![[0; SEGMENT_BYTES]; at_once * CHUNK_SEGMENTS];
        let mut roots = vec![[0; 32]; at_once];
        let mut addresses = vec![[0; 32]; chunks.len()];
        for (chunks, addresses) in
            chunks.chunks(CHUNKS_AT_ONCE).zip(addresses.chunks_mut(CHUNKS_AT_ONCE))
        {
            let segments = &mut segments[..chunks.len() * CHUNK_SEGMENTS];
            let roots = &mut roots[..chunks.len()];
            let payloads = segments.as_flattened_mut().chunks_exact_mut(CHUNK_BYTES);
            for (payload, chunk) in payloads.zip(chunks) {
                let (used, unused) = payload.split_at_mut(chunk.payload.len());
                used.copy_from_slice(chunk.payload);
                unused.fill(0);
            }
            self.hash_subtrees(segments, DEPTH, roots);
            let messages =
                chunks.iter().zip(&*roots).map(|(chunk, root)| (chunk.span.to_le_bytes(), root));
            Keccak256Lanes::on(self.backend).hash_concat_many_into(messages, addresses);
        }
        Ok(addresses)
    }

    /// The tree of all 128 segments of a chunk, which proves any of them.
    ///
    /// # Errors
    ///
    /// Returns [`ChunkTooLongError`] if the payload is longer than 4096 bytes.
    pub fn tree(&self, chunk: &Chunk<'_>) -> Result<Tree<Self>, ChunkTooLongError> {
        check_lengths(&[*chunk])?;
        let mut segments = vec![[0; SEGMENT_BYTES]; CHUNK_SEGMENTS];
        segments.as_flattened_mut()[..chunk.payload.len()].copy_from_slice(chunk.payload);
        Ok(Tree::from_leaves(*self, segments))
    }

    /// Verifies that segment `index` of the chunk with this address and span is `segment`. The last
    /// segment of a short payload is padded with zeros.
    ///
    /// The proof has the siblings of the segment from the bottom up: `inclusionProof` of `bmt-js`.
    ///
    /// # Errors
    ///
    /// Returns a [`VerifyError`] if the proof does not show this. The error is
    /// [`VerifyError::WrongRoot`] if it leads to a different address.
    pub fn verify_segment(
        &self,
        address: &[u8; 32],
        span: u64,
        index: u64,
        segment: &[u8; SEGMENT_BYTES],
        proof: &InclusionProof<[u8; 32]>,
    ) -> Result<(), VerifyError> {
        let root = proof.root(self, CHUNK_SEGMENTS as u64, index, segment)?;
        let mut message = [0; 8 + 32];
        message[..8].copy_from_slice(&span.to_le_bytes());
        message[8..].copy_from_slice(&root);
        if Keccak256Lanes::on(self.backend).hash(message) == *address {
            Ok(())
        } else {
            Err(VerifyError::WrongRoot)
        }
    }
}

fn check_lengths(chunks: &[Chunk<'_>]) -> Result<(), ChunkTooLongError> {
    match chunks.iter().position(|chunk| chunk.payload.len() > CHUNK_BYTES) {
        Some(index) => Err(ChunkTooLongError { index, length: chunks[index].payload.len() }),
        None => Ok(()),
    }
}

crate::hasher::hash_node!([] Swarm, [u8; 32]);

impl NodeHasher for Swarm {
    type Node = Node;

    fn odd(&self) -> Odd {
        Odd::Padded
    }

    /// The root of `2^level` segments of zeros.
    ///
    /// # Panics
    ///
    /// Panics if `level` is greater than 7.
    #[track_caller]
    fn missing(&self, level: u32) -> Node {
        assert!(level <= DEPTH, "a missing node on level {level} exceeds the maximum level of 7");
        ZERO_HASHES[level as usize]
    }

    fn empty_root(&self) -> Node {
        self.missing(DEPTH)
    }

    /// Always 7.
    fn depth(&self, _leaves: u64) -> u32 {
        DEPTH
    }

    fn capacity(&self) -> u64 {
        CHUNK_SEGMENTS as u64
    }

    /// Pads each piece of data with zeros to a segment.
    ///
    /// # Panics
    ///
    /// Panics if `data.len() != leaves.len()` or a piece of data is longer than 32 bytes.
    #[track_caller]
    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [Node]) {
        check_counts(data.len(), leaves.len());
        for (leaf, data) in leaves.iter_mut().zip(data) {
            let (data, max) = (data.as_ref(), SEGMENT_BYTES);
            let length = data.len();
            assert!(length <= max, "{length} bytes exceed a segment of {max} bytes");
            *leaf = [0; SEGMENT_BYTES];
            leaf[..length].copy_from_slice(data);
        }
    }

    #[track_caller]
    fn hash_level(&self, children: &[Node], parents: &mut [Node]) {
        check_children(children.len(), parents.len());
        let (pairs, _) = children.as_flattened().as_chunks::<64>();
        hash_pairs(self.backend, pairs, parents);
    }
}
