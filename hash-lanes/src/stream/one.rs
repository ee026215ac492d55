//! Hashes one message.

use super::zero_row;
use crate::backend::Backend;
use crate::hash::{LaneHash, Shape, Start};
use crate::kernel::Pass;
use crate::lanes::{Lanes, Portable, Vectors};
use crate::padding::Padding;
use crate::rows::{load_states, store_rows};
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
    let kernel = H::plans(Shape::OneBlock).of_few(backend).first(1).0;
    if let (Pass::Sha(sha, _), Some(before)) = (backend.pass(kernel), start.ends_after) {
        let mut rows = [zero_row::<H>()];
        H::hash_equal(sha, 1, &row, before, &[bytes], &mut rows);
        return rows[0];
    }
    let body = H::Word::blocks_of(bytes).0;
    if !body.is_empty() {
        compress_one::<H>(backend, &mut row, body);
    }
    if start.ends_after.is_some() {
        let mut padding = Padding::<H::Word>::none();
        padding.end(H::ORDER, start.ends_after, bytes);
        compress_one::<H>(backend, &mut row, padding.blocks());
    }
    row
}

fn compress_one<H: LaneHash>(backend: Backend, row: &mut Row<H::Word>, blocks: &[Block<H::Word>]) {
    let kernel = H::plans(Shape::OneBlock).of_few(backend).first(1).0;
    if let Pass::Sha(sha, _) = backend.pass(kernel) {
        return H::compress_streams(sha, core::slice::from_mut(row), &[blocks]);
    }
    type Scalar<H> = <<H as LaneHash>::Word as Vectors>::Portable;
    let mut state = load_states::<Scalar<H>, H>(Portable, |_| row);
    for block in blocks {
        let block = Scalar::<H>::load_blocks(Portable, H::ORDER, |_| block);
        H::compress(Portable, &mut state, block);
    }
    store_rows::<Scalar<H>, H>(Portable, state, core::slice::from_mut(row));
}
