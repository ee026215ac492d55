//! Hashes readers side by side, and writes to one message of many.

use alloc::vec::Vec;
use core::iter::repeat_with;
use core::ops::ControlFlow;
use std::io::{self, ErrorKind, Read, Write};

use crate::any_hash::AnyHash;
use crate::erase::Erased;
use crate::many_hasher::ManyHasher;

/// The number of bytes read from each reader at a time. 64 pieces fit into a second-level cache.
const PIECE_BYTES: usize = 16 * 1024;

/// A hasher of many messages that arrive in parts.
pub trait UpdateMany {
    /// The number of messages.
    fn count(&self) -> usize;

    /// Appends bytes to message `index`.
    fn update(&mut self, index: usize, bytes: &[u8]);

    /// Appends a piece to each message.
    fn update_all<P: AsRef<[u8]>>(&mut self, pieces: &[P]);
}

/// A hasher of many messages that arrive in parts, which has one digest for each.
pub trait PiecesHasher: UpdateMany {
    /// The digest of a message.
    type Digest: Send;

    /// Returns the digest of each message.
    fn finalize(self) -> Vec<Self::Digest>;
}

impl<F: AnyHash> UpdateMany for ManyHasher<F> {
    fn count(&self) -> usize {
        self.len()
    }

    fn update(&mut self, index: usize, bytes: &[u8]) {
        self.update(index, bytes);
    }

    fn update_all<P: AsRef<[u8]>>(&mut self, pieces: &[P]) {
        self.update_all(pieces);
    }
}

impl<F: AnyHash> PiecesHasher for ManyHasher<F> {
    type Digest = F::Digest;

    fn finalize(self) -> Vec<F::Digest> {
        self.finalize()
    }
}

/// How far the reading of many files or readers has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadProgress {
    /// The bytes that were read from all of them.
    pub bytes: u64,
    /// How many have been read to their ends, or have failed.
    pub ended: usize,
}

impl ReadProgress {
    pub(crate) fn add(&mut self, more: Self) {
        self.bytes += more.bytes;
        self.ended += more.ended;
    }
}

impl<F: AnyHash> ManyHasher<F> {
    /// Appends what each reader has until its end to the message of its index, and returns the
    /// digest of each message.
    ///
    /// The readers are read in turns on this thread, 16 KiB at a time, so that a slow one delays
    /// the others. Each takes a buffer of 16 KiB. `progress` is called after each turn, and may
    /// stop the reading.
    ///
    /// # Errors
    ///
    /// Each reader has its own result. One that fails does not affect the others. Those that have
    /// not ended when `progress` stops the reading have an error of [`ErrorKind::Interrupted`].
    ///
    /// # Panics
    ///
    /// Panics if `readers.len() != self.len()`.
    #[track_caller]
    pub fn hash_readers<R: Read>(
        self,
        readers: &mut [R],
        progress: impl FnMut(ReadProgress) -> ControlFlow<()>,
    ) -> Vec<io::Result<F::Digest>> {
        hash_readers(self, readers, progress)
    }

    /// Message `index` as a [`Write`], for functions that write to one, such as [`io::copy`].
    ///
    /// # Panics
    ///
    /// Panics if `index >= self.len()`.
    #[track_caller]
    pub fn writer(&mut self, index: usize) -> MessageWriter<'_, Self> {
        MessageWriter::new(self, index)
    }
}

/// [`ManyHasher::hash_readers`] with the hasher of any function.
#[track_caller]
pub fn hash_readers<R: Read, H: PiecesHasher>(
    hasher: H,
    readers: &mut [R],
    mut progress: impl FnMut(ReadProgress) -> ControlFlow<()>,
) -> Vec<io::Result<H::Digest>> {
    let (count, messages) = (readers.len(), hasher.count());
    assert!(count == messages, "{count} readers, but {messages} messages");
    let mut sum = ReadProgress::default();
    hash_side_by_side(hasher, readers.iter_mut().map(Ok), |more| {
        sum.add(more);
        progress(sum)
    })
}

/// The error of what had not ended when the reading was stopped.
pub(crate) fn stopped() -> io::Error {
    io::Error::new(ErrorKind::Interrupted, "stopped before its end")
}

/// What a reader has to give yet.
enum Reader<R> {
    Open(R),
    Ended,
    Failed(io::Error),
}

/// The result of each of a few readers, which are read in turns. `step` takes what each turn adds.
pub(crate) fn hash_side_by_side<R: Read, H: PiecesHasher>(
    mut hasher: H,
    readers: impl Iterator<Item = io::Result<R>>,
    mut step: impl FnMut(ReadProgress) -> ControlFlow<()>,
) -> Vec<io::Result<H::Digest>> {
    let mut readers: Vec<_> =
        readers.map(|reader| reader.map_or_else(Reader::Failed, Reader::Open)).collect();
    let piece = || Erased::<u8>::with_capacity(PIECE_BYTES);
    let mut pieces: Vec<_> = repeat_with(piece).take(readers.len()).collect();
    let failed = readers.iter().filter(|reader| matches!(reader, Reader::Failed(_))).count();
    let mut more = ReadProgress { bytes: 0, ended: failed };
    loop {
        for (reader, piece) in readers.iter_mut().zip(&mut pieces) {
            piece.clear();
            let Reader::Open(open) = reader else { continue };
            let read = open.take(PIECE_BYTES as u64).read_to_end(piece.as_vec());
            more.bytes += piece.len() as u64;
            match read {
                Ok(PIECE_BYTES) => continue,
                Ok(_) => *reader = Reader::Ended,
                Err(error) => *reader = Reader::Failed(error),
            }
            more.ended += 1;
        }
        // One call with all pieces fills the lanes.
        hasher.update_all(&pieces);
        let stops = step(core::mem::take(&mut more)).is_break();
        let mut open = readers.iter_mut().filter(|reader| matches!(reader, Reader::Open(_)));
        if stops {
            open.for_each(|reader| *reader = Reader::Failed(stopped()));
            break;
        }
        if open.next().is_none() {
            break;
        }
    }
    let digests = hasher.finalize().into_iter().zip(readers);
    digests
        .map(|(digest, reader)| match reader {
            Reader::Failed(error) => Err(error),
            Reader::Open(_) | Reader::Ended => Ok(digest),
        })
        .collect()
}

/// One message of a hasher of many, as a [`Write`] that appends to it and never fails.
#[derive(Debug)]
pub struct MessageWriter<'h, H> {
    hasher: &'h mut H,
    index: usize,
}

impl<'h, H: UpdateMany> MessageWriter<'h, H> {
    /// Message `index` of a hasher.
    ///
    /// # Panics
    ///
    /// Panics if the hasher has no message of this index.
    #[doc(hidden)]
    #[track_caller]
    pub fn new(hasher: &'h mut H, index: usize) -> Self {
        let count = hasher.count();
        assert!(index < count, "message {index} of a hasher of {count} messages");
        Self { hasher, index }
    }
}

impl<H: UpdateMany> Write for MessageWriter<'_, H> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.update(self.index, bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
