//! Tests of the man pages, the completions and `--version`.

use std::fs;

use torrent_check::Backend;

use crate::make::Format;
use crate::place::{Place, code, stderr, stdout};

/// The names of the options that a help text lists, without the first two hyphens.
fn options(help: &str) -> Vec<&str> {
    let lines = help.lines().filter(|line| line.trim_start().starts_with('-'));
    lines.flat_map(str::split_whitespace).filter_map(|word| word.strip_prefix("--")).collect()
}

#[test]
fn generated_files_mention_every_option() {
    let place = Place::new(Format::V1);
    fs::create_dir(place.path("new")).unwrap();
    fs::write(place.path("new/other.1"), "other").unwrap();
    // The second time, it overwrites its files.
    for _ in 0..2 {
        let output = place.run(["generate", "new"]);
        assert_eq!((code(&output), stdout(&output), stderr(&output)), (0, "", ""));
    }
    let help = place.run(["--help"]);
    let all = options(stdout(&help));
    assert!(all.contains(&"state") && all.contains(&"version"), "{all:?}");
    let info_help = place.run(["info", "--help"]);
    let of_info = options(stdout(&info_help));
    assert_eq!(of_info, ["json", "help"]);
    let repair_help = place.run(["repair", "--help"]);
    let of_repair = options(stdout(&repair_help));
    assert!(of_repair.contains(&"root"), "{of_repair:?}");
    let of_generate = vec!["help"];
    let files = [
        ("torrent-check.1", "--", &all),
        ("torrent-check-info.1", "--", &of_info),
        ("torrent-check-repair.1", "--", &of_repair),
        ("torrent-check-generate.1", "--", &of_generate),
        ("torrent-check.bash", "--", &all),
        ("_torrent-check", "--", &all),
        ("torrent-check.fish", "-l ", &all),
        ("_torrent-check.ps1", "--", &all),
    ];
    for (file, prefix, options) in files {
        // Man pages escape hyphens.
        let text = fs::read_to_string(place.path("new").join(file)).unwrap().replace(r"\-", "-");
        for option in options {
            assert!(text.contains(&format!("{prefix}{option}")), "{file} has no {option}");
        }
        // The file is for all machines.
        assert!(!text.contains(Backend::detect().name()), "{file}");
    }
    assert_eq!(fs::read_to_string(place.path("new/other.1")).unwrap(), "other");
    let schema = fs::read_to_string(place.path("new/torrent-check.v1.schema.json")).unwrap();
    assert_eq!(schema, crate::schema::TEXT);
    assert_eq!(fs::read_dir(place.path("new")).unwrap().count(), files.len() + 2);
}

/// Each option and argument of a man page has a text, which says the same as `--help`.
#[test]
fn man_pages_describe_every_option() {
    let place = Place::new(Format::V1);
    fs::create_dir(place.path("new")).unwrap();
    assert_eq!(code(&place.run(["generate", "new"])), 0);
    for (page, command) in [
        ("torrent-check", &["--help"][..]),
        ("torrent-check-info", &["info", "--help"]),
        ("torrent-check-generate", &["generate", "--help"]),
    ] {
        let text = fs::read_to_string(place.path("new").join(format!("{page}.1"))).unwrap();
        let text = text.replace(r"\-", "-");
        let options: Vec<&str> = text.split(".TP\n").skip(1).collect();
        assert!(!options.is_empty());
        for option in &options {
            let (name, rest) = option.split_once('\n').unwrap();
            let is_described = rest.lines().next().is_some_and(|line| line.len() >= 10);
            let is_heading = rest.lines().next().is_some_and(|line| line.starts_with('.'));
            assert!(is_described && !is_heading, "{page}: {name} has no text:\n{option}");
        }
        let help = place.run(command.iter());
        let help = stdout(&help).split_whitespace().collect::<Vec<_>>().join(" ");
        for option in options {
            let description = option.lines().nth(1).unwrap().split_whitespace();
            let first = description.take(4).collect::<Vec<_>>().join(" ");
            assert!(help.contains(&first), "{page}: --help lacks {first:?}");
        }
    }
}

#[test]
fn completions_go_on_after_a_subcommand_and_an_option() {
    let place = Place::new(Format::V1);
    fs::create_dir(place.path("new")).unwrap();
    assert_eq!(code(&place.run(["generate", "new"])), 0);
    let script = |name: &str| fs::read_to_string(place.path("new").join(name)).unwrap();
    let bash = script("torrent-check.bash");
    let commands = || bash.lines().filter_map(|line| line.trim().strip_prefix("cmd=\""));
    assert!(commands().count() > 2);
    for command in commands().map(|command| command.trim_end_matches('"')) {
        // The part that completes this command; it is empty before the first word.
        assert!(
            command.is_empty() || bash.contains(&format!("\n        {command})\n")),
            "{command}"
        );
    }
    // An option without its value does not parse, and is completed all the same.
    assert_eq!(script("torrent-check.fish").matches("or return 0\n").count(), 1);
}

#[test]
fn files_are_generated_in_existing_folders_only() {
    let place = Place::new(Format::V1);
    for folder in ["none", "it.torrent"] {
        let output = place.run(["generate", folder]);
        assert_eq!((code(&output), stdout(&output)), (2, ""));
        let error = format!("error: cannot write to {folder}: ");
        assert!(stderr(&output).starts_with(&error), "{}", stderr(&output));
    }
    assert!(!place.path("none").exists());
}

#[test]
fn the_version_names_the_backend() {
    let output = Place::new(Format::V1).run(["--version"]);
    let (version, backend) = (env!("CARGO_PKG_VERSION"), Backend::detect().name());
    assert_eq!(stdout(&output), format!("torrent-check {version} ({backend})\n"));
}
