//! Tests of finding files under the names that clients give them.

use std::fs;
use std::path::PathBuf;

use torrent_check::{Content, FileVerdict};

use super::download::{Download, ragged, verdicts};
use crate::make::{FORMATS, Format, Maker, Value, content, strings};

/// A torrent with the first file renamed to a name that the reference creator would split.
fn with_name(name: &[u8]) -> Vec<u8> {
    with_path(&[name])
}

/// Like [`with_name`], with any number of components.
fn with_path(names: &[&[u8]]) -> Vec<u8> {
    let mut made = Maker::folder("content", 16 << 10)
        .file("odd", content(1, 16 << 10))
        .file("z", content(2, 16 << 10))
        .torrent(Format::V1);
    let names = names.iter().map(|name| name.to_vec().into()).collect();
    made.set(&["info", "files", "0"], "path", Value::List(names));
    made.encode()
}

/// Every client saves these files, under names of their own.
#[test]
fn a_file_with_an_odd_name_does_not_spoil_the_others() {
    for (name, saved) in [
        (&b"a/b"[..], "ab"),
        (b"", "_"),
        (&[b'x'; 300], &"x".repeat(240)),
        #[cfg(unix)]
        (b"a\\b", "ab"),
        #[cfg(unix)]
        (b"\\a", "a"),
        #[cfg(unix)]
        (b"a\\..\\b", "a..b"),
        ("a\u{200b}\u{feff}b".as_bytes(), "ab"),
        ("a\u{202e}b".as_bytes(), "ab"),
        #[cfg(unix)]
        (b"caf\xe9", "caf_"),
        // libtorrent skips as many bytes as the first one announces.
        #[cfg(unix)]
        (b"caf\xe9.txt", "caf_xt"),
        ("a\u{1b}b".as_bytes(), "a_b"),
    ] {
        let download = Download::empty(&with_name(name), "content");
        download.write("z", &content(2, 16 << 10));
        let odd = &download.torrent.files()[0];
        let report = download.check();
        assert_eq!(verdicts(&report), [FileVerdict::Missing, FileVerdict::Good], "{odd:?}");
        download.write(saved, &content(1, 16 << 10));
        let report = download.check();
        assert!(report.is_complete(), "{odd:?}: {report:?}");
        let is_own_path = odd.path().to_text() == saved;
        assert_eq!(report.files[0].saved_as, (!is_own_path).then(|| saved.into()));
        // A file under its own name comes first.
        if !is_own_path {
            fs::write(download.place("").join(odd.path().to_path_buf()), "x").unwrap();
            let expected = FileVerdict::TooShort { by: (16 << 10) - 1 };
            assert_eq!(verdicts(&download.check())[0], expected);
        }
    }
}

/// As `transmission-show` of Transmission 3.00 lists them. Since Transmission 4, a `/` separates,
/// and
/// `_` comes before a reserved name.
#[test]
fn files_are_found_under_the_names_that_transmission_gives_them() {
    for (names, saved) in [
        (&[&b"sl/ash"[..]][..], "sl_ash"),
        (&[b"sl/ash"], "sl/ash"),
        (&[b"dots./a"], "dots/a"),
        (&[b"x", b"", b"empty"], "x/empty"),
        (&[b"que?st: \"a\"<b>|*"], "que_st_ _a__b___"),
        (&[b" lead"], "lead"),
        (&[b"trail. . "], "trail"),
        (&[b"con"], "con_"),
        (&[b"con"], "_con"),
        (&[b"CON.txt"], "CON_.txt"),
        (&[b"lpt9.a.b"], "lpt9_.a.b"),
        (&[b"lpt9.a.b"], "_lpt9.a.b"),
        #[cfg(unix)]
        (&[b"tab\there"], "tab_here"),
        #[cfg(unix)]
        (&[b"b\\s"], "b_s"),
    ] {
        let download = Download::empty(&with_path(names), "content");
        download.write("z", &content(2, 16 << 10));
        assert!(!download.check().is_complete());
        download.write(saved, &content(1, 16 << 10));
        let report = download.check();
        assert!(report.is_complete(), "{names:?} {saved}: {report:?}");
        assert_eq!(report.files[0].saved_as, Some(saved.into()));
        std::fs::rename(download.place(saved), download.place(&format!("{saved}.part"))).unwrap();
        assert!(download.check().is_complete(), "{names:?} {saved}.part");
    }
    for name in ["com1x", "a.con", ".hidden", "com0", "a\u{7f}"] {
        let download = Download::empty(&with_name(name.as_bytes()), "content");
        download.write("z", &content(2, 16 << 10));
        download.write(&format!("{name}_"), &content(1, 16 << 10));
        assert!(!download.check().is_complete(), "{name}");
    }
    // The torrent's own name.
    for (name, saved) in
        [("r?t", "r_t"), ("a/b", "a_b"), ("a/b", "a/b"), ("nul", "nul_"), ("a\u{feff}b", "ab")]
    {
        let folder = Maker::folder(name, 16 << 10).file("f", content(1, 5)).bytes(Format::V1);
        let download = Download::empty(&folder, saved);
        download.write("f", &content(1, 5));
        assert!(download.check().is_complete(), "{name} {saved}");
        let single = Maker::single(name, 16 << 10, content(1, 5)).bytes(Format::V1);
        let download = Download::empty(&single, "");
        download.write(saved, &content(1, 5));
        let report = download.check();
        assert!(report.is_complete(), "{name} {saved}");
        assert_eq!(report.content, Content::InFolder(download.place(saved)));
    }
}

#[test]
fn a_file_whose_path_is_too_long_does_not_spoil_the_others() {
    let long = [b'x'; 255];
    let mut names = vec![&long[..]; 16];
    names.push(b"y");
    let download = Download::empty(&with_path(&names), "content");
    download.write("z", &content(2, 16 << 10));
    let report = download.check();
    assert_eq!(verdicts(&report), [FileVerdict::Missing, FileVerdict::Good]);
}

/// The name that a client would give to a missing file is the name of another one.
#[test]
fn a_file_is_not_mistaken_for_another() {
    let maker = Maker::folder("content", 16 << 10)
        .file("a\u{feff}", content(1, 16 << 10))
        .file("a", content(2, 16 << 10));
    let download = Download::empty(&maker.bytes(Format::V1), "content");
    download.write("a", &content(2, 16 << 10));
    assert_eq!(verdicts(&download.check()), [FileVerdict::Missing, FileVerdict::Good]);
}

/// The names of two files are saved as the same name, under which there is only one file.
#[test]
fn a_file_is_not_checked_against_another() {
    let long = |last: &str| format!("{}{last}", "x".repeat(299));
    for (names, replaced, is_second_valid) in [
        (["a/b".to_owned(), "ab".to_owned()], "ab".to_owned(), true),
        ([long("x"), long("y")], "x".repeat(240), false),
    ] {
        for format in FORMATS {
            let same = content(1, 16 << 10);
            let maker = Maker::folder("content", 16 << 10);
            let mut made = maker.file("0", same.clone()).file("1", same.clone()).torrent(format);
            for (index, name) in ["0", "1"].into_iter().zip(&names) {
                if format != Format::V1 {
                    let file = made.remove(&["info", "file tree"], index);
                    made.set(&["info", "file tree"], name, file);
                }
                if format != Format::V2 {
                    made.set(&["info", "files", index], "path", strings([name.as_str()]));
                }
            }
            let download = Download::empty(&made.encode(), "content");
            let last = download.torrent.warnings().last().map(|warning| &*warning.message);
            let expected = format!("the file \"{replaced}\" is listed twice");
            assert_eq!(last, Some(&*expected), "{format:?}");
            download.write(&replaced, &same);
            let report = download.check();
            let second = if is_second_valid { FileVerdict::Good } else { FileVerdict::Missing };
            assert_eq!(verdicts(&report), [FileVerdict::Missing, second], "{format:?}");
            assert!(!report.is_complete());
        }
    }
}

/// Clients append to the name of a file until it is complete.
#[test]
fn unfinished_files_are_found() {
    for format in FORMATS {
        let download = ragged(format);
        for (file, suffix) in [("a/first", ".!qB"), ("c", ".part"), ("d", ".!ut"), ("e", ".bc!")] {
            let unfinished = format!("{file}{suffix}");
            fs::rename(download.place(file), download.place(&unfinished)).unwrap();
            let report = download.check();
            assert!(report.is_complete(), "{format:?} {file}");
            let saved = report.files[download.index(file)].saved_as.clone();
            assert_eq!(saved, Some(PathBuf::from(unfinished)));
        }
        let single = Download::single(format, 16 << 10, &content(1, 50_000));
        fs::rename(single.place("single.bin"), single.place("single.bin.part")).unwrap();
        let report = single.check();
        assert!(report.is_complete());
        assert_eq!(report.content.path(), single.place("single.bin.part"));

        // It may also be the name of another file.
        let files = [("x", content(1, 5)), ("x.part", content(1, 5))];
        let download = Download::folder(format, 16 << 10, &files);
        download.remove("x");
        assert_eq!(verdicts(&download.check())[0], FileVerdict::Missing);
    }
}

/// With the suffix of an unfinished file, the name is too long for the file system.
#[test]
fn missing_files_with_long_names_are_missing() {
    for bytes in [250, 253, 255] {
        let download = Download::empty(&with_name(&vec![b'n'; bytes]), "content");
        download.write("z", &content(2, 16 << 10));
        assert_eq!(verdicts(&download.check()), [FileVerdict::Missing, FileVerdict::Good]);
    }
}

/// As libtorrent 2.1.1 (`torrent_info.files()`) names them: folders come first, then the files in
/// order, and a path that is taken in any letter case gets a number before the extension.
#[test]
fn files_are_found_under_the_numbers_of_libtorrent() {
    for (names, saved) in [
        (
            &["ReadMe.txt", "readme.txt", "README.TXT"][..],
            &["ReadMe.txt", "readme.1.txt", "README.2.TXT"][..],
        ),
        (&["A/x", "a"], &["A/x", "a.1"]),
        (&["a", "A", "a.1"], &["a", "A.1", "a.1.1"]),
        (&[".x", ".X"], &[".x", ".1.X"]),
        (&["x.d/readme", "x.d/README"], &["x.d/readme", "x.d/README.1"]),
        #[cfg(unix)]
        (&["a\\b.txt", "ab.txt", "AB.TXT"], &["ab.txt", "ab.1.txt", "AB.2.TXT"]),
        (&["a\u{200b}", "a\u{feff}"], &["a", "a.1"]),
    ] {
        let mut maker = Maker::folder("content", 16 << 10);
        for (seed, name) in (1..).zip(names) {
            maker = maker.file(name, content(seed, 16 << 10));
        }
        let download = Download::empty(&maker.bytes(Format::V1), "content");
        for (seed, name) in (1..).zip(saved) {
            download.write(name, &content(seed, 16 << 10));
        }
        let report = download.check();
        assert!(report.is_complete(), "{names:?}: {report:?}");
    }
}

/// An empty name becomes `_`, which a folder has.
#[test]
fn an_empty_name_gets_a_number() {
    let mut made = Maker::folder("content", 16 << 10)
        .file("_/a", content(1, 16 << 10))
        .file("odd", content(2, 16 << 10))
        .torrent(Format::V1);
    made.set(&["info", "files", "1"], "path", strings([""]));
    let download = Download::empty(&made.encode(), "content");
    download.write("_/a", &content(1, 16 << 10));
    download.write("_.1", &content(2, 16 << 10));
    assert!(download.check().is_complete());
}

/// As `transmission-show` 3.00 and `aria2c -S` 1.36.0 list them; since version 4, Transmission has
/// U+FFFD in their places.
#[test]
#[cfg(unix)]
fn names_that_are_not_utf8_are_found() {
    for (name, saved) in [
        (&b"caf\xe9.txt"[..], "caf\u{e9}.txt"),
        (b"caf\xe9.txt", "caf\u{fffd}.txt"),
        (b"caf\xe9 x y.txt", "caf%E9%20x%20y.txt"),
        (b"\xa4\xa6", "\u{20ac}\u{160}"),
        (b"\xa4\xa6", "%A4%A6"),
        (b"\xe2\x82caf", "\u{e2}\u{82}caf"),
        (b"up\xff\xfe\xfd", "up\u{ff}\u{fe}\u{fd}"),
    ] {
        let download = Download::empty(&with_name(name), "content");
        download.write("z", &content(2, 16 << 10));
        assert!(!download.check().is_complete());
        download.write(saved, &content(1, 16 << 10));
        let report = download.check();
        assert!(report.is_complete(), "{name:?} {saved}: {report:?}");
    }
    // Transmission 3 takes the whole path for Latin-1.
    let download = Download::empty(&with_path(&["\u{e9}".as_bytes(), b"\xe9"]), "content");
    download.write("z", &content(2, 16 << 10));
    download.write("\u{c3}\u{a9}/\u{e9}", &content(1, 16 << 10));
    assert!(download.check().is_complete());
}

/// Some clients ignore `path.utf-8` and `name.utf-8`.
#[test]
#[cfg(unix)]
fn raw_names_are_found() {
    let maker = Maker::folder("content", 16 << 10).file("odd", content(1, 20_000));
    let mut made = maker.file("z", content(2, 5)).torrent(Format::V1);
    made.set(&["info", "files", "0"], "path.utf-8", strings(["caf\u{e9}"]));
    made.set(&["info", "files", "0"], "path", Value::List(vec![b"caf\xe9".to_vec().into()]));
    made.set(&["info"], "name.utf-8", "\u{e9}");
    made.set(&["info"], "name", b"\xe9".to_vec());
    for (top, odd) in
        [("\u{e9}", &b"caf\xe9"[..]), ("\u{e9}", b"caf_"), ("_", "caf\u{e9}".as_bytes())]
    {
        let download = Download::empty(&made.encode(), top);
        let odd = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(odd);
        fs::create_dir_all(download.place("")).unwrap();
        fs::write(download.place("").join(odd), content(1, 20_000)).unwrap();
        download.write("z", &content(2, 5));
        let report = download.check();
        assert!(report.is_complete(), "{top} {odd:?}: {report:?}");
    }
}

/// The same path twice, with only the first file there, as libtorrent leaves it when the other one
/// was not wanted: the file there is not the other one.
#[test]
fn of_two_files_with_one_path_the_first_has_it() {
    for (lengths, second) in
        [([40_000, 30_000], FileVerdict::Missing), ([40_000; 2], FileVerdict::Missing)]
    {
        let maker = Maker::folder("content", 16 << 10).file("a", content(1, lengths[0]));
        let maker = maker.file("b", content(3, 20_000)).file("a", content(2, lengths[1]));
        let download = Download::empty(&maker.bytes(Format::V1), "content");
        download.write("a", &content(1, lengths[0]));
        download.write("b", &content(3, 20_000));
        let report = download.check();
        assert_eq!(report.files[2].verdict, second, "{report:?}");
        // The piece that b shares with it is unverifiable, not bad.
        assert_eq!(report.counts().bad, 0, "{report:?}");
        // With its number, it is there, too.
        download.write("a.1", &content(2, lengths[1]));
        assert!(download.check().is_complete());
        // A client that knows no numbers has written the second in its place.
        if lengths[0] != lengths[1] {
            download.remove("a.1");
            download.write("a", &content(2, lengths[1]));
            assert_eq!(download.check().files[2].found_length, Some(lengths[1] as u64));
        }
    }
}
