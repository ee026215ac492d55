//! The hash functions of Algorand's trees.

use core::fmt::Debug;

use hash_lanes::Backend;
use sha256_multi::Sha256Lanes;
use sha512_multi::Sha512_256Lanes;
use sumhash512::Sumhash512Lanes;

use super::{Algorand, NODE};
use crate::hasher::{Node, height_at_once, level_by_level};
use crate::sha256::{self, ParentHash as _, Prefixed};
use crate::staged::{self, HashMessages};

/// Nodes with the prefix "MA", in lanes.
type MaPrefixed = Prefixed<2, 0x4d41_0000>;

/// A hash function of Algorand's trees.
pub trait HashFunction:
    Copy + Debug + Default + Send + Sync + 'static + sealed::Function<Node: Node>
{
}

pub(super) mod sealed {
    use super::{
        Algorand, HashFunction, HashMessages, NODE, height_at_once, level_by_level, staged,
    };

    /// The sealed supertrait.
    pub trait Function: HashMessages + Sized {
        /// See [`NodeHasher::hash_level`](crate::NodeHasher::hash_level).
        #[track_caller]
        fn hash_level(&self, children: &[Self::Node], parents: &mut [Self::Node]) {
            staged::hash_parents(self, NODE, children, parents);
        }

        /// See [`NodeHasher::subtree_height`](crate::NodeHasher::subtree_height).
        fn subtree_height(&self, nodes: usize) -> u32 {
            height_at_once(nodes)
        }

        /// See [`NodeHasher::hash_subtrees`](crate::NodeHasher::hash_subtrees).
        #[track_caller]
        fn hash_subtrees(
            trees: &Algorand<Self>,
            leaves: &[Self::Node],
            height: u32,
            roots: &mut [Self::Node],
        ) where
            Self: HashFunction,
        {
            level_by_level(trees, leaves, height, roots);
        }
    }
}

/// sumhash512: for the trees of state proofs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sumhash512 {
    backend: Backend,
}

sha256::constructors!(Sumhash512);

impl HashFunction for Sumhash512 {}

impl sealed::Function for Sumhash512 {}

impl HashMessages for Sumhash512 {
    type Node = [u8; 64];

    fn hash_many<'m, I>(&self, messages: I, digests: &mut [[u8; 64]])
    where
        I: ExactSizeIterator<Item = &'m [u8]>,
    {
        Sumhash512Lanes::default().on(self.backend).hash_many_into(messages, digests);
    }
}

/// SHA-512/256: for the trees of transactions in a block.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sha512_256 {
    backend: Backend,
}

sha256::constructors!(Sha512_256);

impl HashFunction for Sha512_256 {}

impl sealed::Function for Sha512_256 {}

impl HashMessages for Sha512_256 {
    type Node = [u8; 32];

    fn hash_many<'m, I>(&self, messages: I, digests: &mut [[u8; 32]])
    where
        I: ExactSizeIterator<Item = &'m [u8]>,
    {
        Sha512_256Lanes::on(self.backend).hash_many_into(messages, digests);
    }
}

/// SHA-256: for the trees of light block headers, and of transactions for clients without
/// SHA-512/256.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sha256 {
    backend: Backend,
}

sha256::constructors!(Sha256);

impl HashFunction for Sha256 {}

impl HashMessages for Sha256 {
    type Node = [u8; 32];

    fn hash_many<'m, I>(&self, messages: I, digests: &mut [[u8; 32]])
    where
        I: ExactSizeIterator<Item = &'m [u8]>,
    {
        Sha256Lanes::on(self.backend).hash_many_into(messages, digests);
    }
}

impl sealed::Function for Sha256 {
    #[track_caller]
    fn hash_level(&self, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        MaPrefixed::hash_parents(self.backend, children, parents);
    }

    fn subtree_height(&self, nodes: usize) -> u32 {
        sha256::subtree_height::<MaPrefixed>(self.backend, nodes)
    }

    #[track_caller]
    fn hash_subtrees(
        trees: &Algorand<Self>,
        leaves: &[[u8; 32]],
        height: u32,
        roots: &mut [[u8; 32]],
    ) {
        sha256::hash_subtrees::<MaPrefixed, _>(
            trees.function.backend,
            trees,
            leaves,
            height,
            roots,
        );
    }
}
