//! A hash for scheduler tests, over lanes and as a naive reference. It mixes well enough to reveal
//! a wrong block, order, length or state.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::convert::Infallible;
use std::thread_local;

use hash_lanes::Backend;
use hash_lanes::engine::{
    BLOCK_BYTES, BLOCK_WORDS, Block, BlockHash, ByteOrder, CompiledHash, Costs, Group, Kernel,
    KernelSet, LaneHash, Lanes, Length, Plans, Row, Rows, ShaExtensions, ShaKernels, Shape, Start,
    Stream, cost, hash_batch, hash_group, hash_one, padded_blocks,
};

pub(crate) const WORDS: usize = 8;

pub(crate) type State = [u32; WORDS];

/// The hash with words in big- or little-endian order.
#[derive(Clone)]
pub(crate) enum Mix<const BIG: bool> {}

const IV: State = [
    0x0123_4567,
    0x89ab_cdef,
    0xfedc_ba98,
    0x7654_3210,
    0xc3d2_e1f0,
    0x0f1e_2d3c,
    0x4b5a_6978,
    0x8796_a5b4,
];

const fn constant(round: usize) -> u32 {
    (round as u32 + 1).wrapping_mul(0x9e37_79b9)
}

thread_local! {
    static COSTS: Cell<Option<Costs>> = const { Cell::new(None) };
    static PLANS: RefCell<HashMap<Vec<Option<u32>>, &'static Plans>> = RefCell::default();
    static HARDWARE_CALLS: Cell<usize> = const { Cell::new(0) };
    static SCHEDULER_CALLS: Cell<usize> = const { Cell::new(0) };
    static SHAPES: Cell<u32> = const { Cell::new(0) };
}

/// Sets the costs of the hash for this thread.
pub(crate) fn set_costs(costs: Costs) {
    COSTS.set(Some(costs));
}

/// The plans for the costs of this thread. They are leaked.
fn plans() -> &'static Plans {
    let costs = COSTS.get().unwrap_or_else(|| crate::all_costs()[0]);
    let key = Kernel::ALL.iter().map(|&kernel| costs.of(kernel)).collect();
    PLANS.with_borrow_mut(|plans| {
        *plans
            .entry(key)
            .or_insert_with(|| Box::leak(Box::new(Plans::fixed(KernelSet::SINGLE_GROUPS, costs))))
    })
}

/// The shapes whose plans this thread asked for since the last call of this function, as bits.
pub(crate) fn take_shapes() -> u32 {
    SHAPES.take()
}

/// The number of "hardware" calls of this thread since the last call of this function.
pub(crate) fn take_hardware_calls() -> usize {
    HARDWARE_CALLS.take()
}

/// The number of times that this thread entered the scheduler since the last call of this function.
pub(crate) fn take_scheduler_calls() -> usize {
    SCHEDULER_CALLS.take()
}

impl<const BIG: bool> LaneHash for Mix<BIG> {
    type Word = u32;
    type State<V: Copy> = [V; WORDS];
    type Digest = [u8; 4 * WORDS];
    type Ending = Length;
    type Sha = ShaExtensions;
    type Suspicions = Infallible;

    const ORDER: ByteOrder = if BIG { ByteOrder::Big } else { ByteOrder::Little };
    const IV: State = IV;

    #[inline(always)]
    fn compress<V: Lanes<Word = u32>>(
        token: V::Token,
        state: &mut [V; WORDS],
        block: [V; BLOCK_WORDS],
        (): (),
    ) {
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
        for i in 0..BLOCK_WORDS {
            let mixed = if i % 2 == 0 { b.choose(c, d) } else { b.xor3(c, d) };
            let next = a.rotate_left(5) + mixed + h + block[i] + V::splat(token, constant(i));
            (a, b, c, d, e, f, g, h) = (next, a, b.rotate_right(2), c, d, e, f, g);
        }
        let ended = [a, b, c, d, e, f, g, h];
        for i in 0..WORDS {
            state[i] = state[i] + ended[i];
        }
    }

    fn plans(shape: Shape) -> &'static Plans {
        SHAPES.set(SHAPES.get() | 1 << shape as u32);
        plans()
    }
}

impl<const BIG: bool> ShaKernels<Mix<BIG>> for ShaExtensions {
    fn compress_streams(self, states: &mut [Row], messages: &[&[Block]]) {
        HARDWARE_CALLS.set(HARDWARE_CALLS.get() + 1);
        let costs = COSTS.get().expect("costs were set");
        assert!(
            costs.of(hash_lanes::engine::Kernel::Shax1).is_some(),
            "called although no SHA kernel has a cost"
        );
        assert!((1..=4).contains(&messages.len()), "{} messages", messages.len());
        assert_eq!(states.len(), messages.len());
        for (state, blocks) in states.iter_mut().zip(messages) {
            assert_eq!(blocks.len(), messages[0].len(), "different numbers of blocks");
            let mut words = Mix::<BIG>::state(state);
            for block in *blocks {
                naive_compress::<BIG>(&mut words, block);
            }
            *state = Mix::<BIG>::row(&words);
        }
    }

    fn hash_equal(
        self,
        streams: usize,
        state: &Row,
        before: u64,
        messages: &[&[u8]],
        rows: &mut [Row],
    ) {
        assert_eq!(messages.len() % streams, 0, "{streams} streams");
        for (messages, rows) in messages.chunks(streams).zip(rows.chunks_mut(streams)) {
            let padded: Vec<Vec<Block>> = messages
                .iter()
                .map(|message| {
                    assert_eq!(message.len(), messages[0].len(), "different lengths");
                    let mut blocks = vec![[0; BLOCK_BYTES]; padded_blocks::<u32>(message.len())];
                    let bytes = blocks.as_flattened_mut();
                    bytes[..message.len()].copy_from_slice(message);
                    bytes[message.len()] = 0x80;
                    let message_bits = before.wrapping_add(message.len() as u64).wrapping_mul(8);
                    let length_at = bytes.len() - 8;
                    bytes[length_at..].copy_from_slice(&match Mix::<BIG>::ORDER {
                        ByteOrder::Big => message_bits.to_be_bytes(),
                        ByteOrder::Little => message_bits.to_le_bytes(),
                    });
                    blocks
                })
                .collect();
            let blocks: Vec<&[Block]> = padded.iter().map(Vec::as_slice).collect();
            rows.fill(*state);
            ShaKernels::<Mix<BIG>>::compress_streams(self, rows, &blocks);
        }
    }
}

impl<const BIG: bool> CompiledHash for Mix<BIG> {
    fn cost(backend: Backend, len: usize, count: usize) -> u64 {
        cost::<Self>(backend, len, count)
    }

    fn hash_one(backend: Backend, start: Start<'_>, bytes: &[u8]) -> Row {
        hash_one::<Self>(backend, start, bytes)
    }

    fn hash_rows(backend: Backend, messages: &[&[u8]], rows: &mut [Row]) {
        hash_batch::<Rows<'_, Self>>(backend, messages, rows);
    }

    fn hash_group(stream: &mut Stream<BlockHash<'_, Self>>, group: &Group<'_>) -> u64 {
        SCHEDULER_CALLS.set(SCHEDULER_CALLS.get() + 1);
        hash_group(stream, group)
    }
}

fn naive_compress<const BIG: bool>(state: &mut State, block: &Block) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (i, bytes) in block.chunks(4).enumerate() {
        let bytes = bytes.try_into().unwrap();
        let word = if BIG { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
        let mixed = if i % 2 == 0 { (b & c) | (!b & d) } else { b ^ c ^ d };
        let next =
            [mixed, h, word, constant(i)].into_iter().fold(a.rotate_left(5), u32::wrapping_add);
        (a, b, c, d, e, f, g, h) = (next, a, b.rotate_left(30), c, d, e, f, g);
    }
    for (word, ended) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(ended);
    }
}

/// The state after hashing `bytes`, starting from `state`; see [`Start`].
pub(crate) fn naive<const BIG: bool>(
    mut state: State,
    bytes: &[u8],
    ends_after: Option<u64>,
) -> State {
    let mut bytes = bytes.to_vec();
    if let Some(before) = ends_after {
        let bits = before.wrapping_add(bytes.len() as u64).wrapping_mul(8);
        bytes.push(0x80);
        while bytes.len() % 64 != 56 {
            bytes.push(0);
        }
        bytes.extend(if BIG { bits.to_be_bytes() } else { bits.to_le_bytes() });
    }
    for block in bytes.as_chunks().0 {
        naive_compress::<BIG>(&mut state, block);
    }
    state
}

pub(crate) fn naive_digest<const BIG: bool>(state: &State) -> Vec<u8> {
    state
        .iter()
        .flat_map(|word| if BIG { word.to_be_bytes() } else { word.to_le_bytes() })
        .collect()
}

/// The digest of a complete message.
pub(crate) fn naive_hash<const BIG: bool>(message: &[u8]) -> Vec<u8> {
    naive_digest::<BIG>(&naive::<BIG>(IV, message, Some(0)))
}
