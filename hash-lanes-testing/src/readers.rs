//! Tests messages that are read from readers, or written.

use std::io::{self, Error, ErrorKind, Read, Write as _};
use std::ops::ControlFlow;

use hash_lanes::ManyHasher;

use crate::extremes::assert_panics;
use crate::{Subject, backends, painted};

/// The lengths around a piece, and some that end in different turns.
const LENGTHS: [usize; 9] = [0, 1, 64, 16_383, 16_384, 16_385, 32_768, 50_000, 7];

/// Gives a few bytes at a time, is interrupted once, and must not be read after its end.
struct Slow {
    content: Vec<u8>,
    at: usize,
    interrupted: bool,
    ended: bool,
    fails_at: usize,
}

fn slow(content: Vec<u8>) -> Slow {
    Slow { content, at: 0, interrupted: false, ended: false, fails_at: usize::MAX }
}

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        assert!(!self.ended, "read after its end");
        if self.at >= 10 && !self.interrupted {
            self.interrupted = true;
            return Err(Error::from(ErrorKind::Interrupted));
        }
        if self.at >= self.fails_at {
            self.ended = true;
            return Err(Error::from(ErrorKind::ConnectionReset));
        }
        let end = self.content.len().min(self.at + 977);
        let count = (&self.content[self.at..end]).read(buffer)?;
        self.at += count;
        self.ended = count == 0;
        Ok(count)
    }
}

/// Readers of all lengths, of which one fails, on every backend.
pub fn hashed_side_by_side<S: Subject>() {
    for backend in backends() {
        let contents = LENGTHS.map(|length| painted(length, length));
        let mut readers = contents.clone().map(slow);
        readers[7].fails_at = 20_000;
        let mut last = None;
        let hasher = ManyHasher::<S::Hash>::with_backend(backend, LENGTHS.len());
        let results = hasher.hash_readers(&mut readers, |progress| {
            assert!(last.is_none_or(
                    |(bytes, ended)| (bytes, ended) <= (progress.bytes, progress.ended)
                ));
            last = Some((progress.bytes, progress.ended));
            ControlFlow::Continue(())
        });
        for (i, (content, result)) in contents.iter().zip(&results).enumerate() {
            match result {
                Ok(digest) => assert_eq!(*digest, S::reference(content), "{backend}, reader {i}"),
                Err(error) => assert_eq!((error.kind(), i), (ErrorKind::ConnectionReset, 7)),
            }
        }
        assert!(results[7].is_err(), "an error is not a digest");
        let (bytes, ended) = last.unwrap();
        assert_eq!(ended, LENGTHS.len());
        assert_eq!(bytes, readers.iter().map(|reader| reader.at as u64).sum::<u64>());
    }
    let mut none: [&[u8]; 0] = [];
    let new = ManyHasher::<S::Hash>::new;
    assert!(new(0).hash_readers(&mut none, |_| ControlFlow::Continue(())).is_empty());
    assert_panics("2 readers, but 3 messages", || {
        new(3).hash_readers(&mut [&b""[..]; 2], |_| ControlFlow::Continue(()));
    });
}

/// Readers that have not ended when the reading is stopped have an error, and are not read on.
pub fn stopped<S: Subject>() {
    let mut readers = LENGTHS.map(|length| slow(painted(length, length)));
    let mut calls = 0;
    let hasher = ManyHasher::<S::Hash>::new(LENGTHS.len());
    let results = hasher.hash_readers(&mut readers, |_| {
        calls += 1;
        if calls == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(calls, 2);
    for ((length, reader), result) in LENGTHS.into_iter().zip(&readers).zip(results) {
        assert!(reader.at <= 32_768);
        match result {
            Ok(digest) => assert_eq!(digest, S::reference(&painted(length, length))),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Interrupted);
                assert!(length >= 32_768, "a reader of {length} bytes had ended");
            }
        }
    }
}

/// What is written to a message is appended to it.
pub fn written<S: Subject>() {
    let contents = LENGTHS.map(|length| painted(length, length));
    let mut hasher = ManyHasher::<S::Hash>::new(LENGTHS.len());
    for (i, content) in contents.iter().enumerate() {
        let mut reader = slow(content.clone());
        let copied = io::copy(&mut reader, &mut hasher.writer(i)).unwrap();
        assert_eq!(copied, content.len() as u64);
        write!(hasher.writer(i), "{i}").unwrap();
        hasher.writer(i).flush().unwrap();
    }
    for (i, (mut content, digest)) in contents.into_iter().zip(hasher.finalize()).enumerate() {
        content.extend_from_slice(i.to_string().as_bytes());
        assert_eq!(digest, S::reference(&content));
    }
    assert_panics("message 2 of a hasher of 2 messages", || {
        let _ = ManyHasher::<S::Hash>::new(2).writer(2);
    });
}
