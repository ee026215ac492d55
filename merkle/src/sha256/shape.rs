//! What is hashed of two children, in lanes.

use hash_lanes::engine::Plan;
use hash_lanes::{BLOCK_WORDS, Backend, Words};
use sha256_multi::hazmat::{
    State, compress, compress_32_bytes, compress_64_bytes, compress_const_tail, initial_state,
    plan_of_nodes,
};

use crate::hasher::check_children;

/// How two children become the message that is their parent's digest.
pub(crate) trait NodeShape {
    /// The parent of two children, the words of the left one before those of the right one.
    fn parent<V: Words>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V>;

    /// The plan for many nodes.
    fn plan(backend: Backend) -> &'static Plan;

    /// Hashes a level of nodes; there is a parent for each two children.
    fn hash_level(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]);
}

/// SHA-256(left ‖ right).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl NodeShape for Plain {
    #[inline(always)]
    fn parent<V: Words>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V> {
        compress_64_bytes(token, children)
    }

    fn plan(backend: Backend) -> &'static Plan {
        plan_of_nodes(backend, false)
    }

    #[track_caller]
    fn hash_level(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        check_children(children.len(), parents.len());
        let (nodes, _) = children.as_flattened().as_chunks();
        sha256_multi::hash_pairs_with(backend, nodes, parents);
    }
}

/// SHA-256(SHA-256(left ‖ right)).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Double;

impl NodeShape for Double {
    #[inline(always)]
    fn parent<V: Words>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V> {
        compress_32_bytes(token, Plain::parent(token, children))
    }

    fn plan(backend: Backend) -> &'static Plan {
        plan_of_nodes(backend, true)
    }

    #[track_caller]
    fn hash_level(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        check_children(children.len(), parents.len());
        let (nodes, _) = children.as_flattened().as_chunks();
        sha256_multi::double_hash_pairs_with(backend, nodes, parents);
    }
}

/// SHA-256(prefix ‖ left ‖ right), the prefix being the first `BYTES` bytes, one to three, of
/// `PREFIX`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefixed<const BYTES: u32, const PREFIX: u32>;

impl<const BYTES: u32, const PREFIX: u32> NodeShape for Prefixed<BYTES, PREFIX> {
    #[inline(always)]
    fn parent<V: Words>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V> {
        // Each word of the message has the last bytes of one word of the children and the first of
        // the next.
        let (behind, before) = (8 * BYTES, 32 - 8 * BYTES);
        let mut block = [V::splat(token, PREFIX) | children[0].shift_right(behind); BLOCK_WORDS];
        for i in 1..BLOCK_WORDS {
            block[i] = children[i - 1].shift_left(before) | children[i].shift_right(behind);
        }
        let mut state = initial_state(token);
        compress(token, &mut state, block);

        // What is left of the children, a one bit, zeros, and the length in bits.
        let mut last_block = [V::splat(token, 0); BLOCK_WORDS];
        last_block[0] = children[15].shift_left(before) | V::splat(token, 0x8000_0000 >> behind);
        last_block[15] = V::splat(token, 8 * (64 + BYTES));
        compress_const_tail(token, &mut state, last_block);
        state
    }

    fn plan(backend: Backend) -> &'static Plan {
        super::costs::plan_of_prefixed_nodes(backend)
    }

    #[track_caller]
    fn hash_level(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        super::hash_prefixed::<BYTES, PREFIX>(backend, children, parents);
    }
}
