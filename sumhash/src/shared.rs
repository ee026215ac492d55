//! The tables that all hashers in a process share.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use lazy_static::lazy_static;

use crate::backend::Instructions;
use crate::table::{AnyLayout, Bytes, Table};

lazy_static! {
    static ref SMALL: Table = Table::new();
    static ref LARGE: AnyLayout = match &SMALL.0 {
        AnyLayout::Nibbles(nibbles) => AnyLayout::Bytes(Bytes::new(nibbles)),
        AnyLayout::Bytes(_) => unreachable!("`Table::new` builds the small table"),
    };
}

/// Blocks hashed before the large table is built. Building takes 0.75 ms, mostly page faults, and
/// saves 30 to 40 ns per block, so it pays off after 19,000 to 25,000 blocks (Zen 4).
const GROWS_AFTER: usize = 1 << 14;

/// The number of blocks hashed before the table grew.
static HASHED: AtomicUsize = AtomicUsize::new(0);

/// Whether the large table is ready.
static HAS_GROWN: AtomicBool = AtomicBool::new(false);

/// The small or large table, for the next blocks.
#[inline]
pub(crate) fn table(instructions: Instructions, blocks: usize) -> &'static AnyLayout {
    if instructions.prefers_large() && (HAS_GROWN.load(Ordering::Acquire) || grows(blocks)) {
        &LARGE
    } else {
        &SMALL.0
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
