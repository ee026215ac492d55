//! The tables that all hashers in a process share.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hash_lanes::engine::least_times;
use lazy_static::lazy_static;

use crate::BLOCK_BYTES;
use crate::backend::Instructions;
use crate::table::{AnyLayout, Table};

lazy_static! {
    static ref SMALL: Table = Table::new();
    static ref LARGE: Table = SMALL.grown();
    /// The fastest instructions for the large table on a CPU with AVX-512.
    static ref FASTEST: Option<Instructions> = measured();
}

/// Whether the large table has been built. A `lazy_static` does not tell.
static HAS_GROWN: AtomicBool = AtomicBool::new(false);

/// Blocks hashed before the large table is built. Building takes 0.75 ms, mostly page faults, and
/// saves 30 to 40 ns per block, so it pays off after 19,000 to 25,000 blocks (Zen 4).
const GROWS_AFTER: usize = 1 << 14;

/// The number of blocks hashed before the table grew.
static HASHED: AtomicUsize = AtomicUsize::new(0);

/// The small or large table for the next blocks, and the instructions that are fastest with it.
#[inline]
pub(crate) fn table(
    instructions: Instructions,
    blocks: usize,
) -> (&'static AnyLayout, Instructions) {
    if instructions.prefer_large() && (HAS_GROWN.load(Ordering::Acquire) || grows(blocks)) {
        (&LARGE.0, fastest(instructions))
    } else {
        (&SMALL.0, instructions)
    }
}

/// Counts the blocks. The one thread that crosses the limit builds the large table, while the
/// others continue with the small one.
#[cold]
fn grows(blocks: usize) -> bool {
    let before = HASHED.fetch_add(blocks, Ordering::Relaxed);
    let is_due = before < GROWS_AFTER && before + blocks >= GROWS_AFTER;
    if is_due {
        lazy_static::initialize(&LARGE);
        HAS_GROWN.store(true, Ordering::Release);
    }
    is_due
}

/// The fastest instructions for the large table on this CPU, out of those of a backend.
fn fastest(instructions: Instructions) -> Instructions {
    if instructions.adds_whole_columns() { FASTEST.unwrap_or(instructions) } else { instructions }
}

/// Measures whether adding columns in halves is faster. `None` if it is not.
fn measured() -> Option<Instructions> {
    let all = [Instructions::whole()?, Instructions::halves()?];
    // Pseudo-random, so that lookups miss the nearest cache as often as those of messages.
    let mut random = 1_u64;
    let mut state = [0; BLOCK_BYTES];
    let mut blocks = [[0; BLOCK_BYTES]; TURN_BLOCKS];
    let [whole, halves] = least_times(&mut |i| {
        for word in blocks.as_flattened_mut().as_chunks_mut().0 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *word = random.rotate_left(32).to_le_bytes();
        }
        LARGE.0.chain(&all[i], &mut state, &blocks, false);
    })?;
    // Whole columns take 8 % longer on Zen 4, and 38 % less on Granite Rapids.
    (whole + whole / 16 > halves).then_some(all[1])
}

/// The number of blocks in a turn of a measurement: enough to bring half of the large table into
/// the caches.
const TURN_BLOCKS: usize = 128;
