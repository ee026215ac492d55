//! A family chosen at run time, so that tests over every family are compiled once.

#[cfg(feature = "algorand")]
use merkle_lanes::algorand::{Algorand, Sha256, Sha512_256};
use merkle_lanes::bep52::Bep52;
use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{AnyDigest, NodeHasher, Odd};
use sha256_multi::Sha256Lanes;

use crate::oracle::Hash;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Family {
    Rfc6962(Rfc6962),
    Bitcoin(Bitcoin),
    Ssz(Ssz),
    Bep52(Bep52),
    Any(&'static AnyDigest<Sha256Lanes, 32>),
    #[cfg(feature = "rayon")]
    Parallel(merkle_lanes::Parallel<Ssz>),
    #[cfg(feature = "algorand")]
    AlgorandSha256(Algorand<Sha256>),
    #[cfg(feature = "algorand")]
    AlgorandSha512(Algorand<Sha512_256>),
}

impl Family {
    /// Each kind of family without a limit.
    pub(crate) fn unlimited() -> Vec<Self> {
        let any = AnyDigest::<Sha256Lanes, 32>::default();
        let leaked = |any| Self::Any(Box::leak(Box::new(any)));
        vec![
            Self::Rfc6962(Rfc6962::new()),
            Self::Bitcoin(Bitcoin::new()),
            Self::Ssz(Ssz::new()),
            Self::Bep52(Bep52::new()),
            leaked(any),
            leaked(any.duplicated()),
            leaked(any.padded_with_subtrees_of([1; 32])),
            #[cfg(feature = "rayon")]
            Self::Parallel(merkle_lanes::Parallel(Ssz::new())),
            #[cfg(feature = "algorand")]
            Self::AlgorandSha256(Algorand::new(Sha256::new(), b"")),
            #[cfg(feature = "algorand")]
            Self::AlgorandSha512(Algorand::new(Sha512_256, b"")),
        ]
    }
}

macro_rules! delegate {
    ($self:ident, $hasher:ident => $call:expr) => {
        match $self {
            Family::Rfc6962($hasher) => $call,
            Family::Bitcoin($hasher) => $call,
            Family::Ssz($hasher) => $call,
            Family::Bep52($hasher) => $call,
            Family::Any($hasher) => $call,
            #[cfg(feature = "rayon")]
            Family::Parallel($hasher) => $call,
            #[cfg(feature = "algorand")]
            Family::AlgorandSha256($hasher) => $call,
            #[cfg(feature = "algorand")]
            Family::AlgorandSha512($hasher) => $call,
        }
    };
}

/// Every method is delegated, also those with a default.
impl NodeHasher for Family {
    type Node = Hash;

    fn odd(&self) -> Odd {
        delegate!(self, hasher => hasher.odd())
    }

    fn missing(&self, level: u32) -> Hash {
        delegate!(self, hasher => hasher.missing(level))
    }

    fn empty_root(&self) -> Hash {
        delegate!(self, hasher => hasher.empty_root())
    }

    fn depth(&self, leaves: u64) -> u32 {
        delegate!(self, hasher => hasher.depth(leaves))
    }

    fn capacity(&self) -> u64 {
        delegate!(self, hasher => hasher.capacity())
    }

    fn hash_leaves<M: AsRef<[u8]> + Sync>(&self, data: &[M], leaves: &mut [Hash]) {
        delegate!(self, hasher => hasher.hash_leaves(data, leaves));
    }

    fn hash_level(&self, children: &[Hash], parents: &mut [Hash]) {
        delegate!(self, hasher => hasher.hash_level(children, parents));
    }

    fn subtree_height(&self, nodes: usize) -> u32 {
        delegate!(self, hasher => hasher.subtree_height(nodes))
    }

    fn hash_subtrees(&self, leaves: &[Hash], height: u32, roots: &mut [Hash]) {
        delegate!(self, hasher => hasher.hash_subtrees(leaves, height, roots));
    }

    fn hash_leaf(&self, data: &[u8]) -> Hash {
        delegate!(self, hasher => hasher.hash_leaf(data))
    }

    fn hash_node(&self, left: &Hash, right: &Hash) -> Hash {
        delegate!(self, hasher => hasher.hash_node(left, right))
    }
}
