//! Trees of the Linux kernel that protect the blocks of a file or a disk: [fs-verity] and
//! [dm-verity].
//!
//! Both hash the blocks of the data, 4 KiB each, then blocks full of digests, level by level, until
//! one digest is left. The blocks of a level are equal messages that need not wait for each other,
//! so they fill the lanes. Memory is some blocks for each level, whatever the length of the data.
//!
//! ```
//! use merkle_lanes::verity::{Algorithm, FsVerity};
//!
//! // As `fsverity digest FILE` prints it.
//! let file = vec![7; 1_000_000];
//! let mut digest = FsVerity::new(Algorithm::Sha256).hasher();
//! for part in file.chunks(9999) {
//!     digest.update(part);
//! }
//! let digest = digest.finalize();
//! assert_eq!(digest.file_digest().as_bytes().len(), 32);
//! ```
//!
//! [fs-verity]: https://docs.kernel.org/filesystems/fsverity.html
//! [dm-verity]: https://gitlab.com/cryptsetup/cryptsetup/-/wikis/DMVerity

mod blocks;
mod hash;
mod layout;

use alloc::vec::Vec;
use core::fmt;

use hash_lanes::Backend;

pub use self::blocks::{BlockHasher, TreeBlock};
use self::hash::Salted;
pub use self::hash::{Algorithm, Digest};
pub use self::layout::{Layout, verify_block};

/// The smallest and the largest block.
const BLOCK_SIZES: core::ops::RangeInclusive<usize> = 1 << 10..=1 << 16;

/// How a tree is hashed, which whoever verifies it must know, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    algorithm: Algorithm,
    block_size: usize,
    /// What precedes each block.
    prefix: Vec<u8>,
    backend: Backend,
}

impl Parameters {
    /// The bytes of a block.
    #[must_use]
    pub const fn block_size(&self) -> usize {
        self.block_size
    }

    /// The hash.
    #[must_use]
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The digests in a block.
    const fn digests_per_block(&self) -> usize {
        self.block_size / self.algorithm.digest_len()
    }

    fn salted(&self) -> Salted {
        Salted::new(self.backend, self.algorithm, &self.prefix)
    }

    fn with_block_size(mut self, bytes: usize) -> Result<Self, ParameterError> {
        if !bytes.is_power_of_two() || !BLOCK_SIZES.contains(&bytes) {
            return Err(ParameterError::BlockSize { bytes });
        }
        self.block_size = bytes;
        Ok(self)
    }

    fn new(algorithm: Algorithm) -> Self {
        let backend = Backend::detect();
        Self { algorithm, block_size: 4096, prefix: Vec::new(), backend }
    }
}

/// A block size or a salt that no tree has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterError {
    /// The block size is not a power of two from 1 KiB to 64 KiB.
    BlockSize {
        /// The bytes.
        bytes: usize,
    },
    /// The salt is too long.
    Salt {
        /// The bytes.
        len: usize,
        /// The most that the format has room for.
        max: usize,
    },
}

error_messages!(ParameterError {
    Self::BlockSize { bytes } =>
        "a block has a power of two from 1024 to 65536 bytes, not {bytes}";
    Self::Salt { len, max } => "a salt has at most {max} bytes, not {len}";
});

/// The trees of fs-verity, which protect files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FsVerity {
    parameters: Parameters,
    salt: Vec<u8>,
}

impl FsVerity {
    /// The longest salt.
    pub const MAX_SALT: usize = 32;

    /// With blocks of 4 KiB, as `fsverity` hashes by default, and without a salt.
    #[must_use]
    pub fn new(algorithm: Algorithm) -> Self {
        Self { parameters: Parameters::new(algorithm), salt: Vec::new() }
    }

    /// With blocks of this size: a power of two from 1 KiB to 64 KiB.
    ///
    /// # Errors
    ///
    /// Returns [`ParameterError::BlockSize`] for another size.
    pub fn with_block_size(self, bytes: usize) -> Result<Self, ParameterError> {
        Ok(Self { parameters: self.parameters.with_block_size(bytes)?, ..self })
    }

    /// With a salt of at most 32 bytes. Each block follows it, after zeros up to a block of the
    /// hash.
    ///
    /// # Errors
    ///
    /// Returns [`ParameterError::Salt`] if it is longer.
    pub fn with_salt(mut self, salt: &[u8]) -> Result<Self, ParameterError> {
        if salt.len() > Self::MAX_SALT {
            return Err(ParameterError::Salt { len: salt.len(), max: Self::MAX_SALT });
        }
        self.salt = salt.to_vec();
        self.parameters.prefix = salt.to_vec();
        if !salt.is_empty() {
            self.parameters.prefix.resize(self.parameters.algorithm.block_len(), 0);
        }
        Ok(self)
    }

    /// On this backend.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.parameters.backend = backend;
        self
    }

    /// How the tree is hashed.
    #[must_use]
    pub const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// A hasher of the bytes of a file.
    #[must_use]
    pub fn hasher(self) -> FsVerityHasher {
        FsVerityHasher { blocks: BlockHasher::new(self.parameters.clone()), format: self }
    }
}

/// Hashes the bytes of a file, which arrive in parts.
#[derive(Clone, Debug)]
pub struct FsVerityHasher {
    format: FsVerity,
    blocks: BlockHasher,
}

impl FsVerityHasher {
    /// The next bytes of the file.
    pub fn update(&mut self, bytes: &[u8]) {
        self.blocks.update(bytes, |_| {});
    }

    /// [`Self::update`]. Passes each block of the tree that is full to `sink`.
    pub fn update_with(&mut self, bytes: &[u8], sink: impl FnMut(TreeBlock<'_>)) {
        self.blocks.update(bytes, sink);
    }

    /// The end of the file.
    #[must_use]
    pub fn finalize(self) -> FsVerityDigest {
        self.finalize_with(|_| {})
    }

    /// [`Self::finalize`]. Passes the last blocks of the tree to `sink`.
    #[must_use]
    pub fn finalize_with(self, sink: impl FnMut(TreeBlock<'_>)) -> FsVerityDigest {
        let Self { format, blocks } = self;
        let data_len = blocks.data_len();
        let root = match blocks.finalize(sink) {
            Some(root) => root,
            None => Digest::zeros(format.parameters.algorithm),
        };
        FsVerityDigest { format, data_len, root }
    }
}

/// What fs-verity knows of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FsVerityDigest {
    format: FsVerity,
    data_len: u64,
    root: Digest,
}

impl FsVerityDigest {
    /// The root of the tree; zeros for an empty file.
    #[must_use]
    pub const fn root(&self) -> Digest {
        self.root
    }

    /// The bytes of the file.
    #[must_use]
    pub const fn data_len(&self) -> u64 {
        self.data_len
    }

    /// `struct fsverity_descriptor`, without a signature.
    #[must_use]
    pub fn descriptor(&self) -> [u8; 256] {
        let FsVerity { parameters, salt } = &self.format;
        let mut bytes = [0; 256];
        bytes[0] = 1; // the version
        bytes[1] = match parameters.algorithm {
            Algorithm::Sha256 => 1,
            Algorithm::Sha512 => 2,
        };
        bytes[2] = parameters.block_size.ilog2() as u8;
        bytes[3] = salt.len() as u8;
        bytes[8..16].copy_from_slice(&self.data_len.to_le_bytes());
        let root = self.root.as_bytes();
        bytes[16..16 + root.len()].copy_from_slice(root);
        bytes[80..80 + salt.len()].copy_from_slice(salt);
        bytes
    }

    /// The digest of the file: that of its descriptor. `fsverity digest` prints it, and signatures
    /// sign it.
    #[must_use]
    pub fn file_digest(&self) -> Digest {
        let Parameters { algorithm, backend, .. } = self.format.parameters;
        let mut digest = [Digest::zeros(algorithm)];
        Salted::new(backend, algorithm, &[]).hash(&self.descriptor(), 256, &mut digest);
        digest[0]
    }
}

/// The trees of dm-verity, format 1, which protect disks. Data and tree have blocks of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DmVerity {
    parameters: Parameters,
}

impl DmVerity {
    /// The longest salt.
    pub const MAX_SALT: usize = 256;

    /// With blocks of 4 KiB, as `veritysetup` formats by default, and without a salt.
    #[must_use]
    pub fn new(algorithm: Algorithm) -> Self {
        Self { parameters: Parameters::new(algorithm) }
    }

    /// With blocks of this size: a power of two from 1 KiB to 64 KiB.
    ///
    /// # Errors
    ///
    /// Returns [`ParameterError::BlockSize`] for another size.
    pub fn with_block_size(self, bytes: usize) -> Result<Self, ParameterError> {
        Ok(Self { parameters: self.parameters.with_block_size(bytes)? })
    }

    /// With a salt of at most 256 bytes, which precedes each block.
    ///
    /// # Errors
    ///
    /// Returns [`ParameterError::Salt`] if it is longer.
    pub fn with_salt(mut self, salt: &[u8]) -> Result<Self, ParameterError> {
        if salt.len() > Self::MAX_SALT {
            return Err(ParameterError::Salt { len: salt.len(), max: Self::MAX_SALT });
        }
        self.parameters.prefix = salt.to_vec();
        Ok(self)
    }

    /// On this backend.
    #[must_use]
    pub fn with_backend(mut self, backend: Backend) -> Self {
        self.parameters.backend = backend;
        self
    }

    /// How the tree is hashed.
    #[must_use]
    pub const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// A hasher of the data, whose root [`BlockHasher::finalize`] returns. A last block that is not
    /// full is hashed with zeros; `veritysetup` leaves it out.
    #[must_use]
    pub fn hasher(self) -> BlockHasher {
        BlockHasher::new(self.parameters)
    }

    /// The superblock of a hash device for data of this many blocks, as `veritysetup` writes it at
    /// the begin of the device. The tree follows at the next block.
    #[must_use]
    pub fn superblock(&self, uuid: [u8; 16], data_blocks: u64) -> [u8; 512] {
        let Parameters { algorithm, block_size, prefix: salt, .. } = &self.parameters;
        let mut bytes = [0; 512];
        let mut at = 0;
        let mut put = |part: &[u8], room: usize| {
            bytes[at..at + part.len()].copy_from_slice(part);
            at += room;
        };
        put(b"verity", 8);
        put(&1_u32.to_le_bytes(), 4); // the version of the superblock
        put(&1_u32.to_le_bytes(), 4); // the format of the tree
        put(&uuid, 16);
        put(algorithm.name().as_bytes(), 32);
        put(&(*block_size as u32).to_le_bytes(), 4);
        put(&(*block_size as u32).to_le_bytes(), 4);
        put(&data_blocks.to_le_bytes(), 8);
        put(&(salt.len() as u16).to_le_bytes(), 8);
        put(salt, 256);
        bytes
    }
}

/// The error of a block that is not that of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyBlockError {
    /// The data has no such block.
    NoSuchBlock {
        /// The number of the block.
        index: u64,
        /// The blocks of the data.
        blocks: u64,
    },
    /// There are not as many blocks of the tree as levels.
    Levels {
        /// The levels.
        expected: usize,
        /// The blocks.
        found: usize,
    },
    /// A block has another length: blocks of the tree are whole, and so are those of the data but
    /// for the last one.
    Length {
        /// The level of the tree, from 0 at the bottom; `None` for the block of the data.
        level: Option<usize>,
        /// The bytes that it needs.
        expected: usize,
        /// The bytes that it has.
        found: usize,
    },
    /// A block does not have the digest that the block above it has, or the root.
    WrongDigest {
        /// The level of the tree, from 0 at the bottom; `None` for the block of the data.
        level: Option<usize>,
    },
}

impl fmt::Display for VerifyBlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |f: &mut fmt::Formatter<'_>, level: Option<usize>| match level {
            Some(level) => write!(f, "the block of level {level}"),
            None => f.write_str("the block of the data"),
        };
        match *self {
            Self::NoSuchBlock { index, blocks } => {
                write!(f, "there is no block {index} in data of {blocks} blocks")
            }
            Self::Levels { expected, found } => {
                write!(f, "the tree has {expected} levels, and {found} blocks are given")
            }
            Self::Length { level, expected, found } => {
                of(f, level)?;
                write!(f, " has {found} bytes instead of {expected}")
            }
            Self::WrongDigest { level } => {
                of(f, level)?;
                f.write_str(" is damaged, or of other data: it has another digest")
            }
        }
    }
}

impl core::error::Error for VerifyBlockError {}
