//! Where the blocks of a tree are stored, and the verification of one block of the data.

use alloc::vec::Vec;

use super::hash::Digest;
use super::{Parameters, VerifyBlockError};

/// Where the blocks of a tree are, with the uppermost level first, as fs-verity and dm-verity store
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    block_size: usize,
    per_block: u64,
    data_len: u64,
    /// The blocks of each level, from 0 above the data.
    levels: Vec<u64>,
}

impl Layout {
    /// The layout of a tree over data of this length.
    #[must_use]
    pub fn new(parameters: &Parameters, data_len: u64) -> Self {
        let per_block = parameters.digests_per_block() as u64;
        let mut levels = Vec::new();
        let mut blocks = data_len.div_ceil(parameters.block_size as u64);
        while blocks > 1 {
            blocks = blocks.div_ceil(per_block);
            levels.push(blocks);
        }
        Self { block_size: parameters.block_size, per_block, data_len, levels }
    }

    /// The blocks of the data.
    #[must_use]
    pub fn data_blocks(&self) -> u64 {
        self.data_len.div_ceil(self.block_size as u64)
    }

    /// The blocks of each level, from 0 above the data. Data of one block has none.
    #[must_use]
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }

    /// The blocks of the tree.
    #[must_use]
    pub fn tree_blocks(&self) -> u64 {
        self.levels.iter().sum()
    }

    /// The number of a block among those of the tree, of which the uppermost is the first; `None`
    /// if there is no such block.
    #[must_use]
    pub fn position(&self, level: usize, index: u64) -> Option<u64> {
        let above: u64 = self.levels.get(level + 1..)?.iter().sum();
        (index < self.levels[level]).then(|| above + index)
    }

    /// The positions of the blocks above a block of the data, from the bottom up: what
    /// [`verify_block`] needs. `None` if there is no such block.
    #[must_use]
    pub fn path(&self, index: u64) -> Option<Vec<u64>> {
        if index >= self.data_blocks() {
            return None;
        }
        let mut index = index;
        (0..self.levels.len())
            .map(|level| {
                index /= self.per_block;
                self.position(level, index)
            })
            .collect()
    }
}

/// Verifies a block of data of `data_len` bytes by the blocks of the tree above it, from the bottom
/// up, and the root. The last block of the data may be shorter.
///
/// ```
/// use merkle_lanes::verity::{Algorithm, FsVerity, Layout, verify_block};
///
/// let (format, data) = (FsVerity::new(Algorithm::Sha256), vec![3; 4096 * 200]);
/// let (parameters, mut hasher) = (format.parameters().clone(), format.hasher());
/// let layout = Layout::new(&parameters, data.len() as u64);
/// let mut tree = vec![0; 4096 * layout.tree_blocks() as usize];
/// let mut store = |block: merkle_lanes::verity::TreeBlock<'_>| {
///     let at = 4096 * layout.position(block.level, block.index).unwrap() as usize;
///     tree[at..][..4096].copy_from_slice(block.bytes);
/// };
/// hasher.update_with(&data, &mut store);
/// let root = hasher.finalize_with(&mut store).root();
///
/// let path = layout.path(150).unwrap();
/// let above: Vec<&[u8]> = path.iter().map(|&at| &tree[4096 * at as usize..][..4096]).collect();
/// let block = &data[4096 * 150..][..4096];
/// verify_block(&parameters, &root, data.len() as u64, 150, block, &above).unwrap();
/// ```
///
/// # Errors
///
/// Returns a [`VerifyBlockError`] that says which block is not that of the data.
pub fn verify_block(
    parameters: &Parameters,
    root: &Digest,
    data_len: u64,
    index: u64,
    block: &[u8],
    above: &[impl AsRef<[u8]>],
) -> Result<(), VerifyBlockError> {
    let layout = Layout::new(parameters, data_len);
    let (size, blocks) = (parameters.block_size, layout.data_blocks());
    if index >= blocks {
        return Err(VerifyBlockError::NoSuchBlock { index, blocks });
    }
    let (expected, found) = (layout.levels.len(), above.len());
    if expected != found {
        return Err(VerifyBlockError::Levels { expected, found });
    }
    let left = data_len - index * size as u64;
    let expected = if left < size as u64 { left as usize } else { size };
    if block.len() != expected {
        return Err(VerifyBlockError::Length { level: None, expected, found: block.len() });
    }
    let hash = parameters.salted();
    let digest_of = |block: &[u8]| {
        let mut padded = block.to_vec();
        padded.resize(size, 0);
        let mut digest = [Digest::zeros(parameters.algorithm)];
        hash.hash(&padded, size, &mut digest);
        digest[0]
    };
    let mut digest = digest_of(block);
    let (mut index, mut below) = (index, None);
    for (level, above) in above.iter().enumerate() {
        let above = above.as_ref();
        if above.len() != size {
            let (level, found) = (Some(level), above.len());
            return Err(VerifyBlockError::Length { level, expected: size, found });
        }
        let len = parameters.algorithm.digest_len();
        let place = (index % layout.per_block) as usize * len;
        if above[place..place + len] != *digest.as_bytes() {
            return Err(VerifyBlockError::WrongDigest { level: below });
        }
        digest = digest_of(above);
        (index, below) = (index / layout.per_block, Some(level));
    }
    if digest == *root { Ok(()) } else { Err(VerifyBlockError::WrongDigest { level: below }) }
}
