//! Tests of states that the next check reuses.

use std::fs::File;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use torrent_check::{Check, PieceVerdict, Report, State};

use super::download::{Download, pieces, ragged, three_mib};
use crate::make::{FORMATS, Format, with_checksum};

fn check<'d>(download: &'d Download, state: &'d State) -> Report<'d> {
    Check { state: Some(state), ..download.to_check() }.run().unwrap()
}

fn round_trip(download: &Download, report: &Report<'_>) -> State {
    State::read(&download.torrent, &report.state.to_bytes()).unwrap()
}

fn trusted(report: &Report<'_>) -> Vec<u64> {
    pieces(report, |verdict| verdict == PieceVerdict::Trusted)
}

#[test]
fn unchanged_files_are_not_read_again() {
    for format in FORMATS {
        let download = three_mib(format);
        download.change("b.bin", |data| data[0] ^= 1);
        let first = download.check();
        let state = round_trip(&download, &first);
        let second = check(&download, &state);
        assert_eq!(trusted(&second).len(), 47);
        // The bad piece is read again.
        assert_eq!(second.bytes_checked, 64 << 10);
        assert_eq!(second.bitfield(), first.bitfield());
        assert_eq!(second.counts().good, 47);

        // Trusted pieces stay trusted.
        let state = round_trip(&download, &second);
        download.change("a.bin", |data| data[70_000] ^= 1);
        let third = check(&download, &state);
        assert_eq!(trusted(&third).len(), 31);
        assert_eq!(pieces(&third, |verdict| matches!(verdict, PieceVerdict::Bad(_))), [1, 16]);
    }
}

#[test]
fn pieces_of_changed_files_are_read_again() {
    let download = ragged(Format::V1);
    let state = round_trip(&download, &download.check());
    download.change("c", |_| ());
    File::options()
        .write(true)
        .open(download.place("c"))
        .unwrap()
        .set_modified(SystemTime::UNIX_EPOCH)
        .unwrap();
    let report = check(&download, &state);
    assert!(report.is_complete());
    let own = report.torrent.pieces().of_file(download.index("c"));
    assert_eq!(
        trusted(&report),
        (0..report.counts().total()).filter(|piece| !own.contains(piece)).collect::<Vec<_>>()
    );
}

/// A check that is killed leaves what it passed on.
#[test]
fn results_are_passed_on_during_the_check() {
    for format in FORMATS {
        let download = three_mib(format);
        let saved = Mutex::new(Vec::new());
        let save = |state: &State| saved.lock().unwrap().push(state.clone());
        let check_every = |interval| {
            let save_every = Some((interval, &save as &(dyn Fn(&State) + Sync)));
            let threads = Some(NonZeroUsize::MIN);
            Check { threads, save_every, ..download.to_check() }.run().unwrap()
        };
        check_every(Duration::from_secs(1000));
        assert!(saved.lock().unwrap().is_empty());
        download.change("b.bin", |data| data[0] ^= 1);
        let report = check_every(Duration::ZERO);
        let saved = saved.lock().unwrap();
        // Sixteen pieces are read together. The first of the second file is bad.
        assert_eq!(saved.len(), 3);
        for (due, state) in [(16..48, &saved[0]), (32..48, &saved[1]), (48..48, &saved[2])] {
            let is_trusted = |piece: &u64| *piece != 16 && !due.contains(piece);
            let second = check(&download, state);
            assert_eq!(trusted(&second), (0..48).filter(is_trusted).collect::<Vec<_>>());
            assert_eq!(second.bitfield(), report.bitfield());
        }
        assert_eq!(saved[2], report.state);
    }
}

/// The modification time can be restored, but the change time cannot.
#[test]
#[cfg(unix)]
fn hidden_changes_are_detected() {
    for format in FORMATS {
        let download = three_mib(format);
        let state = round_trip(&download, &download.check());
        // Wait for the file system's clock to tick.
        std::thread::sleep(std::time::Duration::from_millis(50));
        let file = File::options().write(true).open(download.place("b.bin")).unwrap();
        let modified = file.metadata().unwrap().modified().unwrap();
        std::os::unix::fs::FileExt::write_all_at(&file, b"x", 0).unwrap();
        file.set_modified(modified).unwrap();
        let report = check(&download, &state);
        assert_eq!(trusted(&report).len(), 32);
        assert_eq!(pieces(&report, |verdict| matches!(verdict, PieceVerdict::Bad(_))), [16]);
    }
}

/// A hard link changes no byte, but the change time. Whoever ignores that time also ignores changes
/// that restore the modification time.
#[test]
#[cfg(unix)]
fn change_times_are_ignored_on_demand() {
    for format in FORMATS {
        let download = three_mib(format);
        let state = round_trip(&download, &download.check());
        std::thread::sleep(Duration::from_millis(50));
        std::fs::hard_link(download.place("b.bin"), download.place("link")).unwrap();
        let check = |state, trust_modified| {
            let check = Check { state: Some(state), trust_modified, ..download.to_check() };
            check.run().unwrap()
        };
        assert_eq!(trusted(&check(&state, false)).len(), 32);
        let report = check(&state, true);
        assert_eq!(trusted(&report).len(), 48);
        // The next check needs no such trust.
        let state = round_trip(&download, &report);
        assert_eq!(trusted(&check(&state, false)).len(), 48);
        // Another size, modification time or inode counts.
        download.change("a.bin", |data| data[0] ^= 1);
        File::options()
            .write(true)
            .open(download.place("a.bin"))
            .unwrap()
            .set_modified(SystemTime::UNIX_EPOCH)
            .unwrap();
        let data = std::fs::read(download.place("c.bin")).unwrap();
        let modified = std::fs::metadata(download.place("c.bin")).unwrap().modified().unwrap();
        std::fs::write(download.place("other"), data).unwrap();
        File::options()
            .write(true)
            .open(download.place("other"))
            .unwrap()
            .set_modified(modified)
            .unwrap();
        std::fs::rename(download.place("other"), download.place("c.bin")).unwrap();
        assert_eq!(trusted(&check(&state, true)).len(), 16);
    }
}

/// A later write might leave the same time.
#[test]
fn files_written_just_now_are_not_trusted() {
    for format in FORMATS {
        let download = three_mib(format);
        let file = File::options().write(true).open(download.place("a.bin")).unwrap();
        file.set_modified(SystemTime::now()).unwrap();
        let state = round_trip(&download, &download.check());
        assert_eq!(trusted(&check(&download, &state)).len(), 32);
    }
}

#[test]
fn unchecked_pieces_keep_their_results() {
    let only = |name: &'static str| move |file: &torrent_check::File| file.path().to_text() == name;
    let (only_b, only_c) = (only("b.bin"), only("c.bin"));
    for format in FORMATS {
        let download = three_mib(format);
        let only_b = Check { files: Some(&only_b), ..download.to_check() };
        let state = round_trip(&download, &only_b.run().unwrap());
        let only_c = Check { files: Some(&only_c), state: Some(&state), ..download.to_check() };
        let state = round_trip(&download, &only_c.run().unwrap());
        let report = check(&download, &state);
        assert_eq!(trusted(&report), (16..48).collect::<Vec<_>>());
        // A cancelled check keeps the results, too.
        let cancel = std::sync::atomic::AtomicBool::new(true);
        let all = round_trip(&download, &report);
        download.change("c.bin", |data| data[0] ^= 1);
        let (state, cancelling) = (Some(&all), Some(&cancel));
        let cancelled = Check { state, cancel: cancelling, ..download.to_check() };
        let report = cancelled.run().unwrap();
        assert!(report.is_cancelled);
        let state = round_trip(&download, &report);
        let report = check(&download, &state);
        assert_eq!(trusted(&report), (0..32).collect::<Vec<_>>());
    }
}

/// The flag may be set after everything has been checked.
#[test]
fn a_check_with_nothing_left_is_not_cancelled() {
    let download = three_mib(Format::V1);
    let state = round_trip(&download, &download.check());
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let check = Check { state: Some(&state), cancel: Some(&cancel), ..download.to_check() };
    let report = check.run().unwrap();
    assert!(report.is_complete() && !report.is_cancelled);
}

#[test]
fn invalid_states_are_refused() {
    let [v1, v2] = [Format::V1, Format::V2].map(three_mib);
    let bytes = v1.check().state.to_bytes();
    let error = |bytes: &[u8]| State::read(&v1.torrent, bytes).unwrap_err().to_string();
    let other = State::read(&v2.torrent, &bytes).unwrap_err().to_string();
    assert_eq!(other, "it belongs to another torrent");
    for bytes in [&b""[..], b"{}", b"[]", &bytes[..bytes.len() - 1], b"\xff"] {
        assert!(error(bytes).starts_with("not the state of a torrent: "), "{bytes:?}");
    }
    let text = String::from_utf8(bytes).unwrap();
    let other = text.replace("torrent-check state 3", "torrent-check state 2");
    assert!(error(other.as_bytes()).starts_with("the format is "));
    for (from, to) in [
        ("ffffffffffff", "ffffffffffffff"),
        ("ffffffffffff", ""),
        ("\"files\":[", "\"files\":[null,"),
    ] {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text);
        assert_eq!(error(damaged.as_bytes()), "it is damaged", "{damaged}");
        // Not even with the right checksum.
        let numbers = "its numbers of pieces or files are not those of the torrent";
        assert_eq!(error(with_checksum(&damaged).as_bytes()), numbers, "{damaged}");
    }
    let good = with_checksum(&text);
    assert_eq!(good, text);
    for (digits, fault) in [
        ("fffgffffffff", "Invalid character 'g' at position 3 at line 1 column "),
        ("ffffffffff\u{e9}", " at position 10 at line 1 column "),
        ("fffffffffff", "Odd number of digits at line 1 column "),
    ] {
        let damaged = text.replacen("ffffffffffff", digits, 1);
        assert!(error(damaged.as_bytes()).contains(fault), "{digits}");
    }
}

/// A flipped bit must not call a bad piece good, nor any other result be used.
#[test]
fn no_flipped_bit_is_believed() {
    let download = three_mib(Format::Hybrid);
    download.change("b.bin", |data| data[0] ^= 1);
    let bytes = download.check().state.to_bytes();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let read = State::read(&download.torrent, &damaged);
            assert!(read.is_err(), "byte {at}, bit {bit}");
        }
    }
}

/// A store through a memory map does not change the times of tmpfs, so nothing is trusted there.
#[test]
#[cfg(target_os = "linux")]
fn nothing_is_trusted_on_tmpfs() {
    let Ok(folder) = tempfile::tempdir_in("/dev/shm") else { return };
    const TMPFS: u64 = 0x0102_1994;
    if rustix::fs::statfs(folder.path()).is_ok_and(|it| u64::try_from(it.f_type) != Ok(TMPFS)) {
        return;
    }
    for format in FORMATS {
        let download = three_mib(format);
        let there = folder.path().join(format!("{format:?}"));
        std::fs::create_dir_all(there.join("content")).unwrap();
        for file in ["a.bin", "b.bin", "c.bin"] {
            std::fs::copy(download.place(file), there.join("content").join(file)).unwrap();
            let file = std::fs::File::options().write(true).open(there.join("content").join(file));
            file.unwrap().set_modified(SystemTime::now() - Duration::from_secs(1000)).unwrap();
        }
        let first = Check::new(&download.torrent, &there).run().unwrap();
        assert_eq!(first.without_times.get("tmpfs"), Some(&3));
        let again = Check { state: Some(&first.state), ..Check::new(&download.torrent, &there) };
        let again = again.run().unwrap();
        assert_eq!((again.counts().trusted, again.bytes_checked), (0, 3 << 20), "{format:?}");
        // A state that an earlier version wrote has stamps.
        let elsewhere = download.check();
        assert!(elsewhere.without_times.is_empty());
        let text = String::from_utf8(elsewhere.state.to_bytes()).unwrap();
        let stamps = ["a.bin", "b.bin", "c.bin"].map(|file| {
            use std::os::unix::fs::MetadataExt;
            let it = std::fs::metadata(there.join("content").join(file)).unwrap();
            format!(
                r#"{{"device":{},"inode":{},"length":{},"modified":[{},{}],"changed":[{},{}]}}"#,
                it.dev(),
                it.ino(),
                it.len(),
                it.mtime(),
                it.mtime_nsec(),
                it.ctime(),
                it.ctime_nsec()
            )
        });
        let begin = text.find(r#""files":["#).unwrap();
        let end = text[begin..].find(']').unwrap();
        let end = begin + text[begin..].find("],\"checksum").unwrap_or(end);
        let text = format!(r#"{}"files":[{}{}"#, &text[..begin], stamps.join(","), &text[end..]);
        let state = State::read(&download.torrent, crate::make::with_checksum(&text).as_bytes());
        let state = state.unwrap();
        let check = Check { state: Some(&state), ..Check::new(&download.torrent, &there) };
        assert_eq!(check.run().unwrap().counts().trusted, 0, "{format:?}");
    }
}
