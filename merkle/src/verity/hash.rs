//! The hashes of blocks after a salt.

use alloc::boxed::Box;
use core::fmt;

use hash_lanes::Backend;
use sha256_multi::{Midstate, Sha256Lanes};
use sha512_multi::Sha512Lanes;

/// The hash of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names say all")]
pub enum Algorithm {
    Sha256,
    Sha512,
}

impl Algorithm {
    /// The name, as the kernel's and the tools' `sha256`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Sha512 => "sha512",
        }
    }

    /// The bytes of a digest.
    #[must_use]
    pub const fn digest_len(self) -> usize {
        match self {
            Self::Sha256 => 32,
            Self::Sha512 => 64,
        }
    }

    /// The bytes of a block of the hash.
    pub(super) const fn block_len(self) -> usize {
        2 * self.digest_len()
    }
}

/// A digest: 32 bytes of SHA-256, or 64 of SHA-512.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest {
    bytes: [u8; 64],
    len: usize,
}

impl Digest {
    /// A digest of zeros.
    pub(super) const fn zeros(algorithm: Algorithm) -> Self {
        Self { bytes: [0; 64], len: algorithm.digest_len() }
    }

    /// The digest with these bytes.
    ///
    /// # Panics
    ///
    /// Panics unless they are 32 or 64.
    #[track_caller]
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let len = bytes.len();
        assert!(len == 32 || len == 64, "a digest has 32 or 64 bytes, not {len}");
        let mut digest = Self { bytes: [0; 64], len };
        digest.bytes[..len].copy_from_slice(bytes);
        digest
    }

    /// Its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl AsRef<[u8]> for Digest {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

/// In hexadecimal.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// A hash after a salt.
#[derive(Clone, Debug)]
pub(super) enum Salted {
    /// After whole blocks of the hash, or nothing.
    Sha256(Sha256Lanes, Midstate),
    Sha256After(Box<sha256_multi::Prefix>),
    Sha512(Sha512Lanes),
    Sha512After(Box<sha512_multi::Prefix>),
}

/// Hashed together: every lane has two blocks with the most lanes.
pub(super) const BATCH: usize = 64;

impl Salted {
    pub(super) fn new(backend: Backend, algorithm: Algorithm, prefix: &[u8]) -> Self {
        match algorithm {
            Algorithm::Sha256 => match Midstate::try_new(prefix) {
                Ok(midstate) => Self::Sha256(Sha256Lanes::on(backend), midstate),
                Err(_) => {
                    Self::Sha256After(Box::new(sha256_multi::Prefix::with_backend(backend, prefix)))
                }
            },
            Algorithm::Sha512 if prefix.is_empty() => Self::Sha512(Sha512Lanes::on(backend)),
            Algorithm::Sha512 => {
                Self::Sha512After(Box::new(sha512_multi::Prefix::with_backend(backend, prefix)))
            }
        }
    }

    /// Hashes blocks of `size` bytes that lie end to end, on all cores with the feature `rayon`.
    pub(super) fn hash(&self, blocks: &[u8], size: usize, digests: &mut [Digest]) {
        debug_assert_eq!(blocks.len(), size * digests.len());
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            let batches = blocks.par_chunks(BATCH * size).zip(digests.par_chunks_mut(BATCH));
            batches.for_each(|(blocks, digests)| self.hash_batch(blocks, size, digests));
        }
        #[cfg(not(feature = "rayon"))]
        for (blocks, digests) in blocks.chunks(BATCH * size).zip(digests.chunks_mut(BATCH)) {
            self.hash_batch(blocks, size, digests);
        }
    }

    fn hash_batch(&self, blocks: &[u8], size: usize, digests: &mut [Digest]) {
        let count = digests.len();
        let blocks = blocks.chunks_exact(size);
        let (mut short, mut long) = ([[0; 32]; BATCH], [[0; 64]; BATCH]);
        let (short, long) = (&mut short[..count], &mut long[..count]);
        match self {
            Self::Sha256(lanes, prefix) => {
                prefix.hash_many_into_with(lanes.backend(), blocks, short);
            }
            Self::Sha256After(prefix) => prefix.hash_many_into(blocks.map(|it| (it,)), short),
            Self::Sha512(lanes) => lanes.hash_many_into(blocks, long),
            Self::Sha512After(prefix) => prefix.hash_many_into(blocks.map(|it| (it,)), long),
        }
        match self {
            Self::Sha256(..) | Self::Sha256After(_) => {
                for (digest, bytes) in digests.iter_mut().zip(short) {
                    *digest = Digest::from_bytes(bytes);
                }
            }
            Self::Sha512(_) | Self::Sha512After(_) => {
                for (digest, bytes) in digests.iter_mut().zip(long) {
                    *digest = Digest::from_bytes(bytes);
                }
            }
        }
    }
}
