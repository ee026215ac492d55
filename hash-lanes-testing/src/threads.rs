//! Tests what hashes on several threads: files, and messages with `rayon`.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::PathBuf;

use hash_lanes::{Backend, ManyHasher, Parallel, ReadProgress};

use crate::extremes::assert_panics;
use crate::{Subject, backends, painted, unwritten};

/// More files than are open at a time, empty ones and ones of several pieces among them, each
/// missing file and folder with its own error.
pub fn files<S: Subject>() {
    let folder = tempfile::tempdir().unwrap();
    let mut paths = Vec::new();
    let mut expected = Vec::new();
    for i in 0..250 {
        let path = folder.path().join(i.to_string());
        let content = painted(i, if i % 50 == 7 { 40_000 + i } else { 37 * (i % 9) });
        let kind = match i % 60 {
            11 => Err(ErrorKind::NotFound),
            12 => {
                fs::create_dir(&path).unwrap();
                // Windows refuses to open it, other systems to read it.
                Err(if cfg!(windows) {
                    ErrorKind::PermissionDenied
                } else {
                    ErrorKind::IsADirectory
                })
            }
            _ => {
                fs::write(&path, &content).unwrap();
                Ok(S::reference(&content))
            }
        };
        paths.push(path);
        expected.push(kind);
    }
    for count in [0, 1, 2, 3, 33, 250] {
        let results = ManyHasher::<S::Hash>::hash_files(&paths[..count]);
        assert_eq!(results.len(), count);
        for ((path, result), expected) in paths.iter().zip(results).zip(&expected) {
            if let Err(error) = &result {
                assert_eq!(error.path(), path);
                assert!(error.to_string().starts_with(&format!("{}: ", path.display())));
            }
            assert_eq!(&result.map_err(|error| error.io_error().kind()), expected);
        }
    }
    for backend in backends() {
        let results = ManyHasher::<S::Hash>::hash_files_with(backend, &paths[..10]);
        let digests: Vec<_> = results.into_iter().map(Result::unwrap).map(Ok).collect();
        assert_eq!(digests, expected[..10], "{backend}");
    }
    assert!(ManyHasher::<S::Hash>::hash_files::<PathBuf>(&[]).is_empty());
    watched_files::<S>(&paths, &expected);
}

/// Progress counts all bytes and files. Files that have not ended when it stops have an error.
fn watched_files<S: Subject>(paths: &[PathBuf], expected: &[Result<S::Digest, ErrorKind>]) {
    let hash = |progress: &mut (dyn FnMut(ReadProgress) -> ControlFlow<()> + Send)| {
        let backend = Backend::detect();
        let results = ManyHasher::<S::Hash>::hash_files_with_progress(backend, paths, progress);
        assert_eq!(results.len(), paths.len());
        let kinds =
            results.into_iter().map(|result| result.map_err(|error| error.io_error().kind()));
        kinds.collect::<Vec<_>>()
    };
    let mut last = ReadProgress::default();
    let results = hash(&mut |progress| {
        assert!(progress.bytes >= last.bytes && progress.ended >= last.ended);
        last = progress;
        ControlFlow::Continue(())
    });
    assert_eq!(results, expected);
    let bytes: u64 =
        paths.iter().flat_map(fs::metadata).filter(Metadata::is_file).map(|m| m.len()).sum();
    assert_eq!((last.bytes, last.ended), (bytes, paths.len()));

    for stops_at in [1, 3] {
        let mut calls = 0;
        let results = hash(&mut |_| {
            calls += 1;
            if calls == stops_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(calls, stops_at, "called after it has stopped the reading");
        assert!(results.contains(&Err(ErrorKind::Interrupted)));
        for (result, expected) in results.iter().zip(expected) {
            assert!(result == expected || *result == Err(ErrorKind::Interrupted));
        }
    }
}

/// Batches around the size of a task, of equal and of different lengths.
pub fn messages<S: Subject>() {
    let parallel = Parallel(S::Lanes::default());
    for (count, len) in [(0, 0), (1, 5), (31, 64), (33, 3000), (1000, 64), (3000, 0), (100, 5000)] {
        let messages: Vec<_> = (0..count).map(|i| painted(i, len - len.min(i % 7))).collect();
        let expected: Vec<_> = messages.iter().map(|message| S::reference(message)).collect();
        assert_eq!(parallel.hash_many(&messages), expected);
        let mut digests = vec![unwritten(); count];
        parallel.hash_many_into(&messages, &mut digests);
        assert_eq!(digests, expected);
    }
    assert_panics("2 messages cannot be hashed into 1 digests", || {
        parallel.hash_many_into(&["a", "b"], &mut [unwritten::<S::Digest>()]);
    });
}
