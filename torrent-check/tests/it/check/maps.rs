//! Tests of content that programs change through memory maps, as libtorrent 2 and rtorrent do.

use std::fs::File;
use std::sync::{Mutex, Once, mpsc};
use std::thread;

use torrent_check::{Check, FileVerdict, State};
use vmap::MapMut;

use super::download::{Download, three_mib, verdicts};
use super::while_checking::in_turn;
use crate::make::FORMATS;

/// Maps a file of the download, and makes each of its pages dirty without a change. `None` if the
/// file system records no stores through maps, as tmpfs does.
fn dirty_map(download: &Download, name: &str) -> Option<(MapMut, File)> {
    let (mut map, file) = MapMut::with_options().write().open(download.place(name)).unwrap();
    let times = |file: &File| {
        let metadata = file.metadata().unwrap();
        (metadata.modified().unwrap(), std::os::unix::fs::MetadataExt::ctime_nsec(&metadata))
    };
    file.sync_all().unwrap();
    download.make_old(name);
    let before = times(&file);
    for at in (0..map.len()).step_by(4096) {
        map[at] = std::hint::black_box(map[at]);
    }
    if times(&file) == before {
        eprintln!("skipped: the file system does not record stores through maps");
        return None;
    }
    download.make_old(name);
    // The pages stay dirty, so this leaves no trace.
    let before = times(&file);
    map[0] ^= 1;
    map[0] ^= 1;
    assert_eq!(times(&file), before);
    Some((map, file))
}

#[test]
fn a_store_through_a_map_is_noticed_by_the_next_check() {
    for format in FORMATS {
        let download = three_mib(format);
        let Some((mut map, file)) = dirty_map(&download, "b.bin") else { return };
        let first = download.check();
        assert!(first.is_complete());
        let state = State::read(&download.torrent, &first.state.to_bytes()).unwrap();
        let again = || Check { state: Some(&state), ..download.to_check() }.run().unwrap();
        assert_eq!(again().counts().trusted, 48);
        map[5] ^= 1;
        // Neither does writing the page back hide it.
        for is_written_back in [false, true] {
            if is_written_back {
                file.sync_all().unwrap();
            }
            let counts = again().counts();
            assert_eq!((counts.trusted, counts.bad), (32, 1), "{format:?} {is_written_back}");
        }
    }
}

/// The piece was read before it is changed.
#[test]
fn a_store_through_a_map_is_noticed_during_a_check() {
    for format in FORMATS {
        let download = three_mib(format);
        // A map belongs to its thread.
        let [(ready, is_ready), (ask, is_asked), (store, is_stored)] =
            std::array::from_fn(|_| mpsc::sync_channel::<bool>(1));
        let once = Once::new();
        let ask_once = Mutex::new((ask, is_stored));
        let progress = |_| {
            once.call_once(|| {
                let (ask, is_stored) = &*ask_once.lock().unwrap();
                ask.send(true).unwrap();
                is_stored.recv().unwrap();
            });
        };
        let report = thread::scope(|scope| {
            let download = &download;
            scope.spawn(move || {
                let map = dirty_map(download, "a.bin");
                ready.send(map.is_some()).unwrap();
                if let Some((mut map, _file)) = map {
                    is_asked.recv().unwrap();
                    map[5] ^= 1;
                    store.send(true).unwrap();
                }
            });
            is_ready.recv().unwrap().then(|| in_turn(download, &progress).run().unwrap())
        });
        let Some(report) = report else { return };
        assert!(once.is_completed());
        let expected = [FileVerdict::Changed, FileVerdict::Good, FileVerdict::Good];
        assert_eq!(verdicts(&report), expected, "{format:?}");
    }
}
