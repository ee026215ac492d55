//! Calls as people, scripts and clients make them: what the tool answers.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::make::{Format, Maker, content};
use crate::place::{Place, code, output_of, stderr, stdout};

/// The files of `Show.S01`.
fn files() -> Vec<(String, Vec<u8>)> {
    let episode = |nth: u8| (format!("E{nth:02}.mkv"), content(nth, 50_000 + usize::from(nth)));
    (1..=5).map(episode).chain([("Sub/info.nfo".to_owned(), content(9, 500))]).collect()
}

/// A folder with `show.torrent` and `movie.torrent`, which has a single file.
fn place() -> Place {
    let place = Place { folder: tempfile::tempdir().unwrap() };
    let maker = Maker::folder("Show.S01", 16 << 10);
    let maker = files().into_iter().fold(maker, |maker, (path, data)| maker.file(&path, data));
    fs::write(place.path("show.torrent"), maker.bytes(Format::V1)).unwrap();
    let movie = Maker::single("Movie.mkv", 16 << 10, content(7, 70_000));
    fs::write(place.path("movie.torrent"), movie.bytes(Format::V2)).unwrap();
    place
}

/// Writes the files of the show into a folder, under other names.
fn put(place: &Place, folder: &str, name: impl Fn(&str) -> String) {
    for (path, data) in files() {
        write(&place.path(folder).join(name(&path)), &data);
    }
}

fn write(path: &Path, data: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, data).unwrap();
}

/// Runs the tool with these arguments, separated by spaces. `\_` stands for a space.
fn run(place: &Place, arguments: &str) -> Output {
    place.run(arguments.split(' ').map(|argument| argument.replace("\\_", " ")))
}

#[test]
fn content_is_found_where_people_put_it() {
    let place = place();
    let same = |name: &str| name.to_owned();
    put(&place, "moved/tv/Show.S01", same);
    put(&place, "flat", same);
    put(&place, "renamed/My Show", same);
    put(&place, "case/show.s01", |name| name.to_uppercase());
    put(&place, "part/Show.S01.part", same);
    // macOS decomposes letters, and other systems do not.
    let accents = Maker::folder("Amélie", 16 << 10).file("scène.mkv", content(6, 40_000));
    let accents = accents.file("e\u{301}tude.mkv", content(8, 30_000));
    fs::write(place.path("accents.torrent"), accents.bytes(Format::V1)).unwrap();
    write(&place.path("mac/Ame\u{301}lie/sce\u{300}ne.mkv"), &content(6, 40_000));
    write(&place.path("mac/Ame\u{301}lie/\u{e9}tude.mkv"), &content(8, 30_000));
    put(
        &place,
        "unfinished/x",
        |name| if name < "E03" { format!("{name}.!qB") } else { same(name) },
    );
    put(&place, "unwanted/Show.S01", |name| name.replace("E01", ".unwanted/E01"));
    put(&place, "empty/tv/Show.S01", same);
    fs::create_dir(place.path("empty/Show.S01")).unwrap();
    put(&place, "twice/1", same);
    put(&place, "twice/2's", same);
    let movie = content(7, 70_000);
    write(&place.path("films/2020/MOVIE.mkv"), &movie);
    write(&place.path("folder/Movie.mkv/Movie.mkv"), &movie);
    write(&place.path("other/film.mkv"), &movie);
    let found = [
        ("show.torrent moved", "moved/tv/Show.S01"),
        ("show.torrent flat", "flat"),
        ("show.torrent renamed", "renamed/My Show"),
        ("show.torrent renamed/My\\_Show", "renamed/My Show"),
        #[cfg(target_os = "linux")]
        ("show.torrent case", "case/show.s01"),
        ("show.torrent part", "part/Show.S01.part"),
        #[cfg(not(target_os = "macos"))]
        ("accents.torrent mac", "mac/Ame\u{301}lie"),
        ("show.torrent unfinished", "unfinished/x"),
        ("show.torrent empty", "empty/tv/Show.S01"),
        ("movie.torrent films", "films/2020/MOVIE.mkv"),
        ("movie.torrent folder", "folder/Movie.mkv/Movie.mkv"),
    ];
    for (arguments, expected) in found {
        let output = run(&place, arguments);
        let mut lines = stdout(&output).lines();
        assert_eq!(lines.next().unwrap(), format!("content found in {expected}"), "{arguments}");
        assert_eq!((code(&output), stderr(&output)), (0, ""), "{arguments}");
        let json = run(&place, &format!("{arguments} --json"));
        assert!(stdout(&json).contains("\"content_found\":\"found\""), "{}", stdout(&json));
    }
    assert_eq!(code(&run(&place, "show.torrent unwanted")), 0);
    // The root that has it is searched, too.
    let output = run(&place, "show.torrent movie.torrent --root other --root films --root moved");
    assert!(stdout(&output).contains("2 torrents: 2 complete;"), "{}", stdout(&output));
    let output = run(&place, "show.torrent movie.torrent --root moved --root films --extra -q");
    assert_eq!((code(&output), stdout(&output)), (0, ""));
    // Suggestions can be pasted into a shell.
    #[cfg(unix)]
    for (arguments, suggestions) in [
        ("show.torrent twice", &["twice/1", r"'twice/2'\''s'"][..]),
        ("movie.torrent other", &["other/film.mkv"]),
    ] {
        // All pieces of one of them are good.
        let output = run(&place, arguments);
        let found = format!("content found in {}", suggestions[0]);
        assert_eq!((code(&output), stdout(&output).lines().next()), (0, Some(&found[..])));
        let arguments = &format!("{arguments} --sizes-only");
        let output = run(&place, arguments);
        assert_eq!(code(&output), 1, "{arguments}");
        let lines = stdout(&output).lines().filter(|line| line.starts_with("if this is"));
        let expected =
            suggestions.iter().map(|it| format!("if this is the content: --content {it}"));
        assert!(lines.eq(expected), "{}", stdout(&output));
        assert!(stdout(&run(&place, &format!("{arguments} --json"))).contains("\"suggestions\":["));
    }
}

#[test]
fn calls_are_understood_or_explained() {
    let place = place();
    put(&place, "dl/Show.S01", str::to_owned);
    write(&place.path("other/film.mkv"), &content(7, 70_000));
    let good = [
        ("check show.torrent dl", "complete: 16 of 16 pieces good; 6 of 6 files good"),
        ("verify show.torrent dl", "complete: 16 of 16 pieces good; 6 of 6 files good"),
        ("dl show.torrent", "complete: 16 of 16 pieces good; 6 of 6 files good"),
        ("movie.torrent other/film.mkv", "complete: 5 of 5 pieces good; 1 of 1 file good"),
        ("show show.torrent", "name          Show.S01"),
        ("show.torrent dl/Show.S01", "content found in dl/Show.S01"),
        ("show.torrent dl --files Show.S01/E01*", "; 1 of 1 file good"),
        ("show.torrent dl --files Show.S01/E01.mkv", "; 1 of 1 file good"),
        ("show.torrent dl --files !*.nfo", "; 5 of 5 files good"),
        ("show.torrent dl --files *.mkv --files !e* --files !E05*", "; 4 of 4 files good"),
        ("show.torrent dl --files !none", "; 6 of 6 files good"),
    ];
    for (arguments, expected) in good {
        let output = run(&place, arguments);
        assert_eq!((code(&output), stderr(&output)), (0, ""), "{arguments}");
        assert!(stdout(&output).contains(expected), "{arguments}: {}", stdout(&output));
    }
    let magnet = "it is a magnet link, which has no hashes of pieces; add it to a client";
    let wrong = [
        ("magnet:?xt=urn:btih:0 dl", magnet),
        ("info magnet:?xt=urn:btih:0", magnet),
        ("https://example.org/a.torrent", "it is a URL; download the torrent first"),
        ("show.torrent movie.torrent", "movie.torrent is a torrent, not a DOWNLOAD_DIR"),
        ("show.torrent dl --files !*", "--files excludes every file"),
        ("show.torrent dl/Show.S01/E01.mkv", "E01.mkv: it is a file, but the torrent has a folder"),
        (
            "--client utorrent",
            "the session of utorrent is not read; pass the folder of its *.torrent",
        ),
        (
            "--client biglybt",
            "the session of biglybt is not read; pass the folder of its *.torrent",
        ),
        ("dl", "dl is a folder, not a TORRENT: to check the torrents in it"),
        (
            "--client nothing",
            "nothing is neither deluge, qbittorrent, transmission or rtorrent nor",
        ),
    ];
    for (arguments, expected) in wrong {
        let output = run(&place, arguments);
        assert_eq!((code(&output), stdout(&output)), (2, ""), "{arguments}");
        assert!(stderr(&output).contains(expected), "{arguments}: {}", stderr(&output));
    }
    // cron mails what is printed: nothing, until something is wrong.
    let cron = || run(&place, "show.torrent movie.torrent --root dl --root other --state s -q");
    write(&place.path("dl/Movie.mkv"), &content(7, 70_000));
    let output = cron();
    assert_eq!((code(&output), stdout(&output), stderr(&output)), (0, "", ""));
    write(&place.path("dl/Movie.mkv"), &content(9, 70_000));
    let output = cron();
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).starts_with("movie.torrent\nMovie.mkv "), "{}", stdout(&output));
    // Without a folder, the current one is searched; without a path, a pipe is read.
    let output = run(&place, "show.torrent");
    assert!(stdout(&output).starts_with("content found in ./dl/Show.S01\n"), "{}", stdout(&output));
    let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
    tool.current_dir(place.folder.path()).args(["-", "dl", "-q"]);
    tool.stdin(Stdio::from(fs::File::open(place.path("show.torrent")).unwrap()));
    assert_eq!(code(&output_of(&mut tool)), 0);
}

/// qBittorrent's folder, in its usual place.
#[test]
fn the_torrents_of_a_client_are_checked() {
    let place = place();
    put(&place, "dl/My Show", str::to_owned);
    fs::remove_file(place.path("dl/My Show/Sub/info.nfo")).unwrap();
    let backup = place.path("data/qBittorrent/BT_backup");
    fs::create_dir_all(&backup).unwrap();
    let info = run(&place, "info show.torrent");
    let hash = stdout(&info).lines().find_map(|line| line.strip_prefix("info hash v1  ")).unwrap();
    fs::copy(place.path("show.torrent"), backup.join(format!("{hash}.torrent"))).unwrap();
    let resume = |save_path: &str| {
        let paths = files().into_iter().map(|(path, _)| format!("My Show/{path}"));
        let paths = paths.map(|path| format!("{}:{path}", path.len())).collect::<String>();
        let text = format!(
            "d13:file_priorityl{}i0ee12:mapped_filesl{paths}e9:save_path{}:{save_path}e",
            "i4e".repeat(5),
            save_path.len()
        );
        fs::write(backup.join(format!("{hash}.fastresume")), text).unwrap();
    };
    resume(place.path("dl").to_str().unwrap());
    let client = |arguments: &str| {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_torrent-check"));
        tool.current_dir(place.folder.path()).env("XDG_DATA_HOME", place.path("data"));
        output_of(tool.args(arguments.split(' ')))
    };
    // The last piece has bytes of the file that is not wanted.
    for arguments in [
        "--client qbittorrent",
        "data/qBittorrent/BT_backup",
        "--client data/qBittorrent",
        "show.torrent --client qBittorrent",
    ] {
        let output = client(arguments);
        assert_eq!((code(&output), stderr(&output)), (1, ""), "{arguments}");
        let found = stdout(&output);
        assert!(found.starts_with("Show.S01\nE05.mkv"), "{arguments}: {found}");
        assert!(found.contains("shares a piece with missing Sub/info.nfo"), "{arguments}: {found}");
    }
    write(&place.path("dl/My Show/Sub/info.nfo"), &content(9, 500));
    let output = client("--client qbittorrent --json --state state");
    assert!(stdout(&output).contains("\"complete\":true"), "{}", stdout(&output));
    assert_eq!(code(&output), 0);
    // In a container the folder has another path.
    resume("/downloads/dl");
    let output = client("--client qbittorrent");
    assert_eq!(code(&output), 2);
    let expected = "the client's folder /downloads/dl does not exist; if the client is in a";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    let root = format!("--client qbittorrent --root {}", place.folder.path().to_str().unwrap());
    assert_eq!(code(&client(&root)), 0);
    let output = client("movie.torrent --client qbittorrent");
    assert!(
        stderr(&output).contains("movie.torrent: the client has saved nothing about this torrent")
    );
    fs::write(backup.join(format!("{hash}.fastresume")), "d9:save_path").unwrap();
    let folder = "data/qBittorrent/BT_backup";
    let expected = format!("{folder}/{hash}.fastresume: unexpected end of data");
    let output = client("--client qbittorrent");
    assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
    // A magnet link whose torrent is not fetched yet is not left out.
    resume(place.path("dl").to_str().unwrap());
    let magnet = "0".repeat(40);
    fs::write(backup.join(format!("{magnet}.fastresume")), "d9:save_path1:/e").unwrap();
    let output = client("--client qbittorrent --json");
    let error =
        format!("BT_backup/{magnet}.torrent: it may still be fetching it for a magnet link");
    assert!(stdout(&output).contains(&error), "{}", stdout(&output));
    assert_eq!(code(&output), 2);
    let output = client("show.torrent --client qbittorrent");
    assert_eq!((code(&output), stderr(&output)), (0, ""));
    fs::remove_file(backup.join(format!("{hash}.torrent"))).unwrap();
    let output = client("--client qbittorrent");
    assert!(
        stdout(&output).contains("2 torrents: 0 complete, 2 unreadable"),
        "{}",
        stdout(&output)
    );
    // Other sessions are not read.
    fs::write(backup.join("resume.dat"), "").unwrap();
    fs::rename(&backup, place.path("ut")).unwrap();
    fs::remove_file(place.path(&format!("ut/{hash}.fastresume"))).unwrap();
    fs::remove_file(place.path(&format!("ut/{magnet}.fastresume"))).unwrap();
    let error = "µTorrent and BitTorrent keep their session in ut/resume.dat, which is not read";
    assert!(stderr(&client("--client ut")).contains(error));
    fs::create_dir(&backup).unwrap();
    // Its session may be in a database, or nowhere.
    fs::remove_dir_all(&backup).unwrap();
    fs::create_dir(&backup).unwrap();
    assert!(stderr(&client("--client qbittorrent")).contains("no session of qbittorrent in"));
    fs::write(place.path("data/qBittorrent/torrents.db"), "").unwrap();
    let output = client("--client qbittorrent");
    let why = match cfg!(feature = "sqlite") {
        true => "no such table: torrents",
        false => "this build does not read SQLite databases; build torrent-check with `--features",
    };
    let error =
        format!("cannot read {}/torrents.db: {why}", place.path("data/qBittorrent").display());
    assert!(stderr(&output).contains(&error), "{}", stderr(&output));
    assert_eq!(code(&output), 2);
    #[cfg(feature = "sqlite")]
    {
        let database = place.path("data/qBittorrent/torrents.db");
        let connection = rusqlite::Connection::open(&database).unwrap();
        let table = "CREATE TABLE torrents (torrent_id, libtorrent_resume_data, metadata)";
        connection.execute_batch(table).unwrap();
        connection.close().unwrap();
        let output = client("--client qbittorrent");
        assert!(stderr(&output).contains("there are no torrents in "), "{}", stderr(&output));
        let connection = rusqlite::Connection::open(&database).unwrap();
        let dl = place.path("dl");
        let resume = format!("d9:save_path{}:{}e", dl.to_str().unwrap().len(), dl.display());
        let torrent = fs::read(place.path("show.torrent")).unwrap();
        let insert = "INSERT INTO torrents VALUES (?1, ?2, ?3)";
        connection.execute(insert, (&hash, resume.as_bytes(), &torrent)).unwrap();
        connection.execute(insert, (&magnet, b"de", None::<&[u8]>)).unwrap();
        connection.close().unwrap();
        fs::rename(place.path("dl/My Show"), place.path("dl/Show.S01")).unwrap();
        let root = place.folder.path().to_str().unwrap();
        let output = client(&format!("--client qbittorrent --json --extra --root {root}"));
        let found = stdout(&output);
        assert!(found.contains(&format!("torrents.db/{hash}.torrent\"")), "{found}");
        assert!(found.contains("\"complete\":true"), "{found}");
        let error = format!("has no {}/{magnet}.torrent: it may still be", database.display());
        assert!(found.contains(&error), "{found}");
        assert!(!found.contains("torrents.db\""), "{found}");
        assert_eq!(code(&output), 2);
        // While a client runs, its log is read, too, and stays as it is. To read the files in this
        // process would release its locks.
        #[cfg(unix)]
        {
            let folder = database.parent().unwrap();
            let copy = |name: &str| {
                let to = place.path(name);
                assert!(
                    Command::new("cp").arg("-r").args([folder, &to]).status().unwrap().success()
                );
                let names = ["torrents.db", "torrents.db-wal", "torrents.db-shm"];
                names.map(|name| fs::read(to.join(name)).unwrap())
            };
            let running = rusqlite::Connection::open(&database).unwrap();
            running.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
            running.execute("DELETE FROM torrents WHERE torrent_id = ?1", [&magnet]).unwrap();
            running.query_row("SELECT COUNT(*) FROM torrents", [], |_| Ok(())).unwrap();
            let before = copy("before");
            let output = client("--client qbittorrent");
            assert_eq!((code(&output), stderr(&output)), (0, ""));
            assert!(copy("after") == before);
            running.close().unwrap();
        }
        let output = client("show.torrent --client qbittorrent");
        assert_eq!((code(&output), stderr(&output)), (0, ""));
    }
}
