//! Tests the buffers of messages in parts, with a hash that counts what it is asked.

use std::cell::{Cell, RefCell};

use hash_lanes::engine::{Absorb, Buffers, Sink};

use crate::painted;

const BLOCK: usize = 10;

/// A hash whose state is a sum, with blocks of ten bytes.
#[derive(Default)]
struct Counting {
    /// The number of messages that were looked at, of passes, and of bytes hashed.
    looks: Cell<usize>,
    passes: Cell<usize>,
    bytes: Cell<usize>,
    /// The parts of the last pass.
    parts: RefCell<Vec<usize>>,
}

fn sum(state: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(state, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
}

impl Absorb for Counting {
    type State = u64;

    fn block_bytes(&self) -> usize {
        BLOCK
    }

    fn whole_bytes(&self, len: usize, _: bool) -> usize {
        self.looks.set(self.looks.get() + 1);
        len / BLOCK * BLOCK
    }

    fn absorb<'p>(
        &self,
        parts: impl Iterator<Item = (&'p u64, u64, &'p [u8])>,
        sink: &mut dyn Sink<u64>,
    ) where
        u64: 'p,
    {
        self.passes.set(self.passes.get() + 1);
        self.parts.borrow_mut().clear();
        for (number, (state, _, part)) in parts.enumerate() {
            let whole = &part[..part.len() / BLOCK * BLOCK];
            self.bytes.set(self.bytes.get() + whole.len());
            self.parts.borrow_mut().push(whole.len());
            sink.finished(number, &[sum(*state, whole)]);
        }
    }
}

fn finished(buffers: &Buffers<u64, 47>) -> Vec<u64> {
    buffers.all().map(|(state, _, rest)| sum(*state, rest)).collect()
}

/// What `count` messages cost that arrive in `parts` parts of `len` bytes, one after the other.
fn cost(count: usize, parts: usize, len: usize) -> [usize; 3] {
    let hash = Counting::default();
    let mut buffers = Buffers::<u64, 47>::new(count, (7, 0), &[]);
    let messages: Vec<_> = (0..count).map(|i| painted(i, parts * len)).collect();
    for part in 0..parts {
        for (i, message) in messages.iter().enumerate() {
            buffers.update(&hash, i, &message[part * len..][..len]);
        }
    }
    let expected: Vec<_> = messages.iter().map(|message| sum(7, message)).collect();
    assert_eq!(finished(&buffers), expected);
    [hash.looks.get(), hash.passes.get(), hash.bytes.get()]
}

/// Twice as many messages, or parts, cost twice as much.
#[test]
fn parts_cost_what_they_hold() {
    for len in [3, 10, 33, 40, 47, 48, 500] {
        let [looks, passes, bytes] = cost(100, 4, len);
        for [twice_looks, twice_passes, twice_bytes] in [cost(200, 4, len), cost(100, 8, len)] {
            assert!(twice_looks <= 2 * looks + 800, "{len}: {looks} looks, {twice_looks} for two");
            assert!(twice_passes <= 2 * passes + 800, "{len}: {passes} passes");
            assert!(twice_bytes <= 2 * bytes + 8000, "{len}: {bytes} bytes");
        }
    }
}

/// All that wait in full buffers are hashed in one pass.
#[test]
fn full_buffers_are_hashed_together() {
    let hash = Counting::default();
    let mut buffers = Buffers::<u64, 47>::new(5, (0, 0), &[]);
    (0..5).for_each(|i| buffers.update(&hash, i, &[1; 40]));
    assert_eq!(hash.passes.get(), 0);
    buffers.update(&hash, 2, &[2; 3]);
    assert_eq!((hash.passes.get(), &hash.parts.borrow()[..]), (1, &[40; 5][..]));
}

/// Parts whose bytes change from call to call give some digest, without a panic.
#[test]
fn parts_that_change() {
    struct Changing(Cell<usize>);

    impl AsRef<[u8]> for Changing {
        fn as_ref(&self) -> &[u8] {
            const BYTES: [u8; 100] = [3; 100];
            self.0.set((self.0.get() * 37 + 11) % 101);
            &BYTES[..self.0.get().min(100)]
        }
    }

    for seed in 0..200 {
        let hash = Counting::default();
        let mut buffers = Buffers::<u64, 47>::new(3, (0, 0), &[]);
        for round in 0..5 {
            buffers.update_all(&hash, &[0, 1, 2].map(|i| Changing(Cell::new(seed + i + round))));
        }
        assert_eq!(finished(&buffers).len(), 3);
    }
}
