//! Hashes one message.

use crate::backend::Backend;
use crate::blocks::block_bytes;
use crate::ending::{Ending, body_blocks};
use crate::hash::{LaneHash, ShaKernels, Shape, Start, Suspicions};
use crate::kernel::{Kernel, ONLY_PORTABLE, Pass};
use crate::lanes::{Lanes, Portable, Vectors};
use crate::padding::Padding;
use crate::rows::{load_states, store_rows, zero_row};
use crate::word::{Block, Row, Word};

/// Hashes a message with the SHA instructions if they support this hash, else with portable code;
/// implements [`CompiledHash::hash_one`](crate::stream::CompiledHash::hash_one).
#[must_use]
pub fn hash_one<H: LaneHash>(
    backend: Backend,
    start: Start<'_, Row<H::Word>>,
    bytes: &[u8],
) -> Row<H::Word> {
    let mut row = start.row::<H>();
    if let (Pass::Sha(sha, _), true) = (pass_of_one::<H>(backend), start.ends) {
        let mut rows = [zero_row::<H>()];
        sha.hash_equal(1, &row, start.before, &[bytes], &mut rows);
        return rows[0];
    }
    let body = body_blocks::<H::Ending, H::Word>(bytes.len(), start.ends);
    if body > 0 {
        let first = start.before.wrapping_add(block_bytes::<H::Word>() as u64);
        let offset = H::Ending::offset(first, false);
        compress_one::<H>(backend, &mut row, &H::Word::blocks_of(bytes).0[..body], offset);
    }
    if start.ends {
        let mut padding = Padding::<H::Word>::none();
        padding.end::<H::Ending>(H::ORDER, start.before, bytes);
        let offset = H::Ending::offset(padding.message_bytes(), true);
        compress_one::<H>(backend, &mut row, padding.blocks(), offset);
    }
    row
}

/// The fastest kernel for one message.
#[inline]
fn pass_of_one<H: LaneHash>(backend: Backend) -> Pass<H::Sha> {
    let kernel = if ONLY_PORTABLE {
        Kernel::Portable
    } else {
        H::plans(Shape::OneBlock).of_few(backend).first(1).0
    };
    backend.pass(kernel)
}

/// Hashes blocks of one message, the first of which has this offset.
fn compress_one<H: LaneHash>(
    backend: Backend,
    row: &mut Row<H::Word>,
    blocks: &[Block<H::Word>],
    offset: <H::Ending as Ending>::Offset,
) {
    if let Some(suspicions) = H::Suspicions::RAISED {
        return suspicions.compress_alone(backend.widest(), backend.sha(), row, blocks);
    }
    if let Pass::Sha(sha, _) = pass_of_one::<H>(backend) {
        return sha.compress_streams(core::slice::from_mut(row), &[blocks]);
    }
    type Scalar<H> = <<H as LaneHash>::Word as Vectors>::Portable;
    let mut state = load_states::<Scalar<H>, H>(Portable, |_| row);
    let mut params = H::Ending::equal_params::<Scalar<H>>(Portable, offset);
    for block in blocks {
        let block = Scalar::<H>::load_blocks(Portable, H::ORDER, |_| block);
        H::compress(Portable, &mut state, block, params);
        params = H::Ending::next_params::<Scalar<H>>(Portable, params);
    }
    store_rows::<Scalar<H>, H>(Portable, state, core::slice::from_mut(row));
}
