//! The tables that all hashers in a process share.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicUsize, Ordering};

use hash_lanes::engine::least_times;
use once_cell::race::OnceBox;

use crate::BLOCK_BYTES;
use crate::backend::Instructions;
use crate::table::{AnyLayout, Table};

static SMALL: OnceBox<Table> = OnceBox::new();
static LARGE: OnceBox<Table> = OnceBox::new();

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
    if instructions.prefer_large()
        && let Some(large) = LARGE.get().or_else(|| grown(blocks))
    {
        (&large.0, fastest(large, instructions))
    } else {
        (&small().0, instructions)
    }
}

fn small() -> &'static Table {
    SMALL.get_or_init(|| Box::new(Table::new()))
}

/// Counts the blocks. The one thread that crosses the limit builds the large table, while the
/// others continue with the small one.
#[cold]
fn grown(blocks: usize) -> Option<&'static Table> {
    let before = HASHED.fetch_add(blocks, Ordering::Relaxed);
    let is_due = before < GROWS_AFTER && before + blocks >= GROWS_AFTER;
    is_due.then(|| LARGE.get_or_init(|| Box::new(small().grown())))
}

/// The fastest instructions for the large table on this CPU.
fn fastest(large: &Table, instructions: Instructions) -> Instructions {
    static FASTEST: OnceBox<Instructions> = OnceBox::new();
    if !instructions.adds_whole_columns() {
        return instructions;
    }
    // Each block comes here: asking the CPU for AVX2 belongs into the closure.
    *FASTEST.get_or_init(|| {
        let Some(halves) = Instructions::halves() else { return Box::new(instructions) };
        let all = [instructions, halves];
        // Pseudo-random, so that lookups miss the nearest cache as often as those of messages.
        let mut random = 1_u64;
        let mut state = [0; BLOCK_BYTES];
        let mut blocks = [[0; BLOCK_BYTES]; TURN_BLOCKS];
        let times = least_times(&mut |i| {
            for word in blocks.as_flattened_mut().as_chunks_mut().0 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *word = random.rotate_left(32).to_le_bytes();
            }
            large.0.chain(&all[i], &mut state, &blocks, false);
        });
        // Whole columns take 8 % longer on Zen 4, and 38 % less on Granite Rapids.
        Box::new(match times {
            Some([whole, halves]) if whole + whole / 16 > halves => all[1],
            _ => all[0],
        })
    })
}

/// The number of blocks in a turn of a measurement: enough to bring half of the large table into
/// the caches.
const TURN_BLOCKS: usize = 128;
