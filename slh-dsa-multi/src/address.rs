//! ADRS: says what a hash is for, and where in the structure (FIPS 205 §4.2, §11.2).

/// An address, as the words of FIPS 205 §4.2. It is public.
#[derive(Clone, Copy, Debug, Default)]
pub struct Address {
    /// The key whose hash it is, of those that the suite has. Not a part of ADRS.
    pub(crate) key: u32,
    /// The layer of the hypertree, from 0 at the bottom.
    pub(crate) layer: u32,
    /// The tree in its layer. No parameter set has more than 2^64.
    pub(crate) tree: u64,
    pub(crate) kind: Kind,
    /// The leaf of the tree whose WOTS+ key or FORS key it is; 0 for nodes of XMSS trees.
    pub(crate) key_pair: u32,
    /// The chain of a WOTS+ key, or the height of a node.
    pub(crate) chain_or_height: u32,
    /// The hash in the chain, or the index of a node in its height.
    pub(crate) hash_or_index: u32,
}

/// The types of addresses, with their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    WotsHash = 0,
    WotsKey = 1,
    Tree = 2,
    ForsTree = 3,
    ForsRoots = 4,
    WotsPrf = 5,
    ForsPrf = 6,
}

impl Address {
    /// The bytes of [`Self::bytes`].
    pub(crate) const LEN: usize = 32;

    /// The bytes of [`Self::compressed`].
    pub(crate) const COMPRESSED_LEN: usize = 22;

    /// The tree `tree` of `layer`, of the suite's first key.
    pub(crate) const fn of_tree(layer: u32, tree: u64) -> Self {
        let kind = Kind::WotsHash;
        Self { key: 0, layer, tree, kind, key_pair: 0, chain_or_height: 0, hash_or_index: 0 }
    }

    /// The same place in the structure of another key.
    pub(crate) const fn of_key(self, key: u32) -> Self {
        Self { key, ..self }
    }

    /// The address of this kind in the same tree, with zeros for the rest.
    pub(crate) const fn with(self, kind: Kind, key_pair: u32) -> Self {
        Self { kind, key_pair, ..Self::of_tree(self.layer, self.tree).of_key(self.key) }
    }

    /// With other last two words.
    pub(crate) const fn at(self, chain_or_height: u32, hash_or_index: u32) -> Self {
        Self { chain_or_height, hash_or_index, ..self }
    }

    /// The bytes of FIPS 205 §4.2.
    pub(crate) fn bytes(&self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        bytes[..4].copy_from_slice(&self.layer.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.tree.to_be_bytes());
        bytes[16..20].copy_from_slice(&(self.kind as u32).to_be_bytes());
        bytes[20..24].copy_from_slice(&self.key_pair.to_be_bytes());
        bytes[24..28].copy_from_slice(&self.chain_or_height.to_be_bytes());
        bytes[28..].copy_from_slice(&self.hash_or_index.to_be_bytes());
        bytes
    }

    /// The compressed form for SHA-2 (FIPS 205 §11.2): a byte of the layer, eight of the tree, a
    /// byte of the type.
    #[inline]
    pub(crate) fn compressed(&self) -> [u8; Self::COMPRESSED_LEN] {
        let mut compressed = [0; Self::COMPRESSED_LEN];
        compressed[0] = self.layer as u8;
        compressed[1..9].copy_from_slice(&self.tree.to_be_bytes());
        compressed[9] = self.kind as u8;
        compressed[10..14].copy_from_slice(&self.key_pair.to_be_bytes());
        compressed[14..18].copy_from_slice(&self.chain_or_height.to_be_bytes());
        compressed[18..].copy_from_slice(&self.hash_or_index.to_be_bytes());
        compressed
    }
}
