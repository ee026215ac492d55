//! The one list of families, and a family chosen at run time, so that tests over every family are
//! compiled once. The fuzz targets share it.

#[cfg(feature = "algorand")]
use merkle_lanes::algorand::{Algorand, Sha256, Sha512_256};
use merkle_lanes::bep52::Bep52;
use merkle_lanes::bitcoin::Bitcoin;
use merkle_lanes::rfc6962::Rfc6962;
use merkle_lanes::ssz::Ssz;
use merkle_lanes::{AnyDigest, Backend, NodeHasher, Odd};
use sha256_multi::Sha256Lanes;

use crate::oracle::{Definition, Hash};

type Any = &'static AnyDigest<Sha256Lanes, 32>;

fn any(
    change: fn(AnyDigest<Sha256Lanes, 32>) -> AnyDigest<Sha256Lanes, 32>,
    backend: Backend,
) -> Any {
    Box::leak(Box::new(change(AnyDigest::new(Sha256Lanes::on(backend)))))
}

/// Every family with nodes of 32 bytes: a name, the type, how it is made for a backend, and its
/// definition. A new one is a row here, and a definition.
macro_rules! families {
    ($each:ident $dollar:tt) => {
        $each! {
            $dollar
            Rfc6962: Rfc6962, |backend| Rfc6962::new().with_backend(backend), Definition::Rfc6962;
            Bitcoin: Bitcoin, |backend| Bitcoin::new().with_backend(backend), Definition::Bitcoin;
            Ssz: Ssz, |backend| Ssz::new().with_backend(backend), Definition::Ssz;
            SszOfDepth: Ssz, |backend| Ssz::with_limit(1 << 20).with_backend(backend),
                Definition::SszOfDepth(20);
            Bep52: Bep52, |backend| Bep52::new().with_backend(backend), Definition::Ssz;
            AnyPromoted: Any, |backend| any(AnyDigest::promoted, backend), Definition::AnyPromoted;
            AnyDuplicated: Any, |backend| any(AnyDigest::duplicated, backend),
                Definition::AnyDuplicated;
            AnyPadded: Any, |backend| any(|any| any.padded_with_subtrees_of([1; 32]), backend),
                Definition::AnyPadded;
            #[cfg(feature = "rayon")]
            Parallel: merkle_lanes::Parallel<Ssz>,
                |backend| merkle_lanes::Parallel(Ssz::new().with_backend(backend)), Definition::Ssz;
            #[cfg(feature = "algorand")]
            AlgorandSha256: Algorand<Sha256>,
                |backend| Algorand::new(Sha256::new().with_backend(backend), b""),
                Definition::AlgorandSha256;
            #[cfg(feature = "algorand")]
            AlgorandSha512: Algorand<Sha512_256>,
                |backend| Algorand::new(Sha512_256::new().with_backend(backend), b""),
                Definition::AlgorandSha512;
            #[cfg(feature = "keccak")]
            Swarm: merkle_lanes::keccak::Swarm,
                |backend| merkle_lanes::keccak::Swarm::new().with_backend(backend),
                Definition::Swarm;
        }
    };
}

macro_rules! family {
    ($dollar:tt $($(#[$attribute:meta])* $Name:ident: $Type:ty, $new:expr, $definition:expr;)+) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Family {
            $($(#[$attribute])* $Name($Type),)+
        }

        impl Family {
            /// Every family on a backend, with its definition.
            pub(crate) fn all(backend: Backend) -> Vec<(Self, Definition)> {
                fn made<T>(new: impl FnOnce(Backend) -> T, backend: Backend) -> T {
                    new(backend)
                }
                vec![$($(#[$attribute])* (Self::$Name(made($new, backend)), $definition),)+]
            }
        }

        macro_rules! delegate {
            ($dollar family:ident, $dollar hasher:ident => $dollar call:expr) => {
                match $dollar family {
                    $($(#[$attribute])* Family::$Name($dollar hasher) => $dollar call,)+
                }
            };
        }
    };
}
families!(family $);

impl Family {
    /// Each family without a limit on the number of leaves that a test could reach.
    pub(crate) fn unlimited() -> Vec<Self> {
        let all = Self::all(Backend::detect()).into_iter().map(|(family, _)| family);
        all.filter(|family| family.capacity() >= 1 << 62).collect()
    }
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
