//! The man pages, the completions and `--version`.

use std::fs;

use addr_recover::Backend;

use crate::{assert_prints, code, file, folder, names, run, stderr, stdout};

/// The names of the options that a help text lists, without the first two hyphens.
fn options(help: &str) -> Vec<&str> {
    let lines = help.lines().filter(|line| line.trim_start().starts_with('-'));
    // An optional value follows in brackets.
    let words = lines.flat_map(|line| line.split([' ', '[']));
    words.filter_map(|word| word.strip_prefix("--")).collect()
}

#[test]
fn generated_files_mention_every_option() {
    let folder = folder("generated");
    // The second time, it overwrites its files.
    for _ in 0..2 {
        let output = run(["generate", folder.to_str().unwrap()]);
        assert_eq!((code(&output), stdout(&output), stderr(&output)), (0, "", ""));
    }
    let (help, key_help) = (run(["--help"]), run(["key", "--help"]));
    let all = options(stdout(&help));
    assert!(all.contains(&"typos") && all.contains(&"threads") && all.contains(&"version"));
    // What few users need, and what is tried unasked.
    for hidden in ["backend", "save-every", "blocks", "swapped", "surplus", "version-byte"] {
        assert!(!all.contains(&hidden), "{hidden}");
    }
    let of_key = options(stdout(&key_help));
    assert!(of_key.contains(&"address") && !of_key.contains(&"save"));
    let files = [
        ("_addr-recover", "--", &all),
        ("_addr-recover.ps1", "--", &all),
        ("addr-recover-key.1", "--", &of_key),
        ("addr-recover.1", "--", &all),
        ("addr-recover.bash", "--", &all),
        ("addr-recover.fish", "-l ", &all),
    ];
    for (file, prefix, options) in files {
        // Man pages escape hyphens.
        let text = fs::read_to_string(folder.join(file)).unwrap().replace(r"\-", "-");
        for option in options {
            assert!(text.contains(&format!("{prefix}{option}")), "{file} has no {option}");
        }
    }
    let schema = "addr-recover.v1.schema.json";
    assert_eq!(fs::read_to_string(folder.join(schema)).unwrap(), crate::schema::TEXT);
    fs::remove_file(folder.join(schema)).unwrap();
    assert_eq!(names(&folder).len(), files.len() + 4, "four other subcommands");
    for file in names(&folder) {
        let text = fs::read_to_string(folder.join(&file)).unwrap().replace(r"\-", "-");
        // The file is for all machines.
        assert!(!text.contains(Backend::detect().name()), "{file}");
    }
}

#[test]
fn completions_go_on_after_a_subcommand_and_an_option() {
    let folder = folder("completions");
    assert_eq!(code(&run(["generate", folder.to_str().unwrap()])), 0);
    let script = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let bash = script("addr-recover.bash");
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
    assert_eq!(script("addr-recover.fish").matches("or return 0\n").count(), 1);
}

#[test]
fn files_are_generated_in_existing_folders_only() {
    let parent = file("not-a-folder", "");
    for folder in [&parent, &parent.join("none")] {
        let output = run(["generate", folder.to_str().unwrap()]);
        assert_prints(&output, 2, "");
        let error = format!("error: {}", folder.display());
        assert!(stderr(&output).starts_with(&error), "{}", stderr(&output));
    }
}

#[test]
fn the_version_names_the_backend() {
    let (version, backend) = (env!("CARGO_PKG_VERSION"), Backend::detect().name());
    assert_eq!(stdout(&run(["--version"])), format!("addr-recover {version} ({backend})\n"));
}
