//! Hashes nodes after a prefix: SHA-256(prefix ‖ left ‖ right), as in RFC 6962.

use hash_lanes::Backend;
use hash_lanes::engine::{
    BLOCK_WORDS, BatchHash, Block, ByteOrder, KernelSet, LaneHash, LaneKernel, Lanes, Plans,
    ShaExtensions, ShaKernels, Words, hash_batch, lanes_of_batch, padding_words,
};
use sha256_multi::engine::{COSTS, Sha256};
use sha256_multi::hazmat::{State, compress, compress_const_tail, initial_state, store_digests};

use super::parent_hash::ParentHash;
use crate::hasher::check_children;

/// SHA-256(prefix ‖ left ‖ right). The prefix is the first `BYTES` bytes of `PREFIX`, one to
/// three.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefixed<const BYTES: u32, const PREFIX: u32>;

impl<const BYTES: u32, const PREFIX: u32> Prefixed<BYTES, PREFIX> {
    /// The number of hashed bytes.
    const LEN: usize = BYTES as usize + 64;

    /// Both blocks, with zeros in place of the children.
    const BLOCKS: [Block; 2] = {
        let mut blocks = [[0; 64]; 2];
        let prefix = PREFIX.to_be_bytes();
        let mut i = 0;
        while i < BYTES as usize {
            blocks[0][i] = prefix[i];
            i += 1;
        }
        let words = padding_words(ByteOrder::Big, 8 * Self::LEN as u64);
        i = 0;
        while i < BLOCK_WORDS {
            let bytes = words[i].to_be_bytes();
            let mut j = 0;
            while j < 4 {
                blocks[1][4 * i + j] = bytes[j];
                j += 1;
            }
            i += 1;
        }
        blocks
    };
}

impl<const BYTES: u32, const PREFIX: u32> ParentHash for Prefixed<BYTES, PREFIX> {
    #[inline(always)]
    fn parent<V: Words<Word = u32>>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V> {
        // Each message word combines the last bytes of one word of the children with the first of
        // the next.
        let (right, left) = (8 * BYTES, 32 - 8 * BYTES);
        let mut block = [V::splat(token, PREFIX) | children[0].shift_right(right); BLOCK_WORDS];
        for i in 1..BLOCK_WORDS {
            block[i] = children[i - 1].shift_left(left) | children[i].shift_right(right);
        }
        let mut state = initial_state(token);
        compress(token, &mut state, block);

        // The rest of the children and the padding.
        let padding = const { padding_words(ByteOrder::Big, 8 * Self::LEN as u64) };
        let mut last_block = [V::splat(token, 0); BLOCK_WORDS];
        for i in 0..BLOCK_WORDS {
            last_block[i] = V::splat(token, padding[i]);
        }
        last_block[0] = last_block[0] | children[15].shift_left(left);
        compress_const_tail(token, &mut state, last_block);
        state
    }

    fn lanes(backend: Backend) -> Option<LaneKernel> {
        lanes_of_batch::<Self>(backend)
    }

    #[track_caller]
    fn hash_parents(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        check_children(children.len(), parents.len());
        let (nodes, _) = children.as_flattened().as_chunks();
        match backend.sha() {
            // Every node of a proof waits for the one before it, so the time between them counts.
            Some(sha) if nodes.len() <= 2 => {
                Self::hash_sha(sha, nodes.len(), nodes, parents);
            }
            _ => hash_batch::<Self>(backend, nodes, parents),
        }
    }
}

impl<const BYTES: u32, const PREFIX: u32> BatchHash for Prefixed<BYTES, PREFIX> {
    type Word = u32;
    type Input = Block;
    type Output = [u8; 32];
    type Sha = ShaExtensions;

    const KERNELS: KernelSet = KernelSet::LANES;

    fn sample() -> Block {
        [0; 64]
    }

    fn plans() -> &'static Plans {
        static PLANS: Plans = Plans::new(KernelSet::LANES, COSTS);
        &PLANS
    }

    #[inline(always)]
    fn hash_lanes<V: Lanes<Word = u32>>(
        token: V::Token,
        nodes: &[Block],
        parents: &mut [[u8; 32]],
    ) {
        let nodes = &nodes[..V::COUNT];
        let children = V::load_blocks(
            token,
            ByteOrder::Big,
            #[inline(always)]
            |lane| &nodes[lane],
        );
        store_digests::<V>(Self::parent(token, children), parents);
    }

    /// Both blocks are padded here and hashed in one call. As generic messages, one or two take 1.2
    /// to 1.3 times as long (Granite Rapids).
    #[inline]
    fn hash_sha(sha: ShaExtensions, streams: usize, nodes: &[Block], parents: &mut [[u8; 32]]) {
        if streams == 0 {
            return;
        }
        let mut blocks = [Self::BLOCKS; 4];
        for (nodes, parents) in nodes.chunks(streams).zip(parents.chunks_mut(streams)) {
            for (blocks, node) in blocks.iter_mut().zip(nodes) {
                blocks.as_flattened_mut()[BYTES as usize..Self::LEN].copy_from_slice(node);
            }
            let messages = blocks.each_ref().map(|blocks| &blocks[..]);
            parents.fill(Sha256::row(&Sha256::IV));
            ShaKernels::<Sha256>::compress_streams(sha, parents, &messages[..nodes.len()]);
        }
    }
}
