//! How two children are hashed into their parent, in lanes.

use hash_lanes::engine::Plan;
use hash_lanes::{BLOCK_WORDS, Backend, Words};
use sha256_multi::hazmat::{
    State, compress, compress_32_bytes, compress_64_bytes, compress_const_tail, initial_state,
    plan_of_nodes,
};

use crate::hasher::check_children;

/// A SHA-256 of two children: plain, double or after a prefix.
pub(crate) trait ParentHash {
    /// Hashes two children into their parent. The words of the left child come first.
    fn parent<V: Words>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V>;

    /// The plan for many nodes.
    fn plan(backend: Backend) -> &'static Plan;

    /// Hashes a level of nodes: two children for each parent.
    fn hash_parents(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]);
}

/// SHA-256(left ‖ right).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl ParentHash for Plain {
    #[inline(always)]
    fn parent<V: Words>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V> {
        compress_64_bytes(token, children)
    }

    fn plan(backend: Backend) -> &'static Plan {
        plan_of_nodes(backend, false)
    }

    #[track_caller]
    fn hash_parents(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        check_children(children.len(), parents.len());
        sha256_multi::hash_pairs_with(backend, children, parents);
    }
}

/// SHA-256(SHA-256(left ‖ right)).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Double;

impl ParentHash for Double {
    #[inline(always)]
    fn parent<V: Words>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V> {
        compress_32_bytes(token, Plain::parent(token, children))
    }

    fn plan(backend: Backend) -> &'static Plan {
        plan_of_nodes(backend, true)
    }

    #[track_caller]
    fn hash_parents(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        check_children(children.len(), parents.len());
        sha256_multi::double_hash_pairs_with(backend, children, parents);
    }
}

/// SHA-256(prefix ‖ left ‖ right). The prefix is the first `BYTES` bytes of `PREFIX`, one to
/// three.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefixed<const BYTES: u32, const PREFIX: u32>;

impl<const BYTES: u32, const PREFIX: u32> ParentHash for Prefixed<BYTES, PREFIX> {
    #[inline(always)]
    fn parent<V: Words>(token: V::Token, children: [V; BLOCK_WORDS]) -> State<V> {
        // Each message word combines the last bytes of one word of the children with the first of
        // the next.
        let (right, left) = (8 * BYTES, 32 - 8 * BYTES);
        let mut block = [V::splat(token, PREFIX) | children[0].shift_right(right); BLOCK_WORDS];
        for i in 1..BLOCK_WORDS {
            block[i] = children[i - 1].shift_left(left) | children[i].shift_right(right);
        }
        let mut state = initial_state(token);
        compress(token, &mut state, block);

        // The rest of the children, a one bit, zeros, and the length in bits.
        let mut last_block = [V::splat(token, 0); BLOCK_WORDS];
        last_block[0] = children[15].shift_left(left) | V::splat(token, 0x8000_0000 >> right);
        last_block[15] = V::splat(token, 8 * (64 + BYTES));
        compress_const_tail(token, &mut state, last_block);
        state
    }

    fn plan(backend: Backend) -> &'static Plan {
        super::costs::plan_of_prefixed_nodes(backend)
    }

    #[track_caller]
    fn hash_parents(backend: Backend, children: &[[u8; 32]], parents: &mut [[u8; 32]]) {
        super::hash_prefixed::<BYTES, PREFIX>(backend, children, parents);
    }
}
