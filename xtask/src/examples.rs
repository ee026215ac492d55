//! Runs every example, and both tools as their READMEs show them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::check::Outcome;
use crate::tools;
use crate::workspace::PUBLISHED;

pub(crate) fn run(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    // The profile of the tests, so that nothing is compiled twice.
    cmd!(sh, "cargo build --workspace --bins --examples --profile test").run()?;
    let programs = tools::target(sh).join("debug");
    for name in examples(sh)? {
        println!("--- {name}");
        cmd!(sh, "{programs}/examples/{name}").quiet().run()?;
    }
    let folder = sh.create_temp_dir()?;
    addr_recover(sh, &programs, folder.path())?;
    torrent_check(sh, &programs, folder.path())?;
    Ok(Outcome::Passed)
}

/// The examples of the workspace and of each crate that need no arguments. The index lists them.
fn examples(sh: &Shell) -> Result<Vec<String>> {
    let index = sh.read_file("examples/README.md")?;
    let mut names = Vec::new();
    let crates = PUBLISHED.map(|(_, folder)| Path::new(folder).join("examples"));
    for folder in crates.iter().map(PathBuf::as_path).chain([Path::new("examples")]) {
        for file in if sh.path_exists(folder) { sh.read_dir(folder)? } else { Vec::new() } {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            // `make_torrent` is run below.
            if file.extension().is_some_and(|extension| extension == "rs") && name != "make_torrent"
            {
                ensure!(
                    index.contains(&format!("`{name}`")),
                    "examples/README.md does not list `{name}`"
                );
                names.push(name);
            }
        }
    }
    ensure!(!names.is_empty(), "no examples found");
    Ok(names)
}

const LONG: &str = "18ryviovmwfyzhrzktjkqgycjkujoxh3k6";
const ANSWER: &str = "18ryVioVmwFYzhRZKTjKqGYCjkUjoxH3k6";

fn addr_recover(sh: &Shell, programs: &Path, folder: &Path) -> Result<()> {
    let readme = sh.read_file("README.md")?;
    let command = format!("cargo run --release -p addr-recover -- {LONG}");
    ensure!(readme.contains(&command), "README.md does not show `{command}`");
    for (status, output, arguments) in [
        (0, ANSWER, &[LONG][..]),
        (0, ANSWER, &["18ryVioVmwFYzhRZKTjKqGYCj?UjoxH3k?"]),
        (0, ANSWER, &["BTC:", "18ryviov", "mwfyzhrz", "ktjkqgyc", "jkujoxh3", "k6"]),
        (1, "", &["--exact", "18ryviovmwfyzhrzktjkqgycjkujoxh3k7"]),
        (2, "", &["18ryviovmwfyzhrzktjkqgycjkuj!xh3k6"]),
        (2, "", &[""]),
        (
            3,
            "1GVgBo6WVFZRRGcR9spduYYTSrTFjVFtTz\n1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ",
            &["1gvgbo6wvfzrrgcr9spduyytsrtfjvfttz"],
        ),
        (4, "", &["18ryviovmwfyzhrzkt????ycjkujoxh3k6"]),
    ] {
        recovers(sh, programs, arguments, status, output)?;
    }

    // Shards, as the README shows them.
    let list = folder.join("list.txt");
    fs::write(&list, format!("{LONG}\n1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71\n"))?;
    let mut parts = String::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let batch = cmd!(sh, "{programs}/addr-recover batch {list} --shard {shard} --quiet");
        let output = batch.quiet().ignore_status().output()?;
        let status = output.status.code();
        // 5: nothing is found in this shard.
        ensure!(matches!(status, Some(0 | 5)), "shard {shard}: exit status {status:?}");
        parts += &String::from_utf8(output.stdout)?;
    }
    let file = folder.join("parts.jsonl");
    fs::write(&file, parts)?;
    let answers = format!(
        "1\tunique\t{LONG}\t{ANSWER}\n\
         2\tunique\t1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71\t1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71"
    );
    recovers(sh, programs, &["merge", &file.to_string_lossy()], 0, &answers)
}

/// Compares the tool's exit status and standard output with what is expected.
fn recovers(
    sh: &Shell,
    programs: &Path,
    arguments: &[&str],
    status: i32,
    expected: &str,
) -> Result<()> {
    let command = cmd!(sh, "{programs}/addr-recover {arguments...}");
    let output = command.quiet().ignore_status().ignore_stderr().output()?;
    let found = String::from_utf8_lossy(&output.stdout);
    let found = found.trim_end();
    let actual = output.status.code();
    ensure!(
        found == expected && actual == Some(status),
        "addr-recover {arguments:?}: '{found}' and exit status {actual:?}, expected '{expected}' and {status}"
    );
    println!("addr-recover {arguments:?}: exit status {status}");
    Ok(())
}

fn torrent_check(sh: &Shell, programs: &Path, folder: &Path) -> Result<()> {
    let numbers = |count: u32| {
        (1..=count).fold(String::new(), |text, number| text + &number.to_string() + "\n")
    };
    let content = folder.join("downloads/numbers");
    fs::create_dir_all(&content)?;
    fs::write(content.join("first"), numbers(300_000))?;
    fs::write(content.join("second"), numbers(400_000))?;
    let checks = |torrent: &str, status, summary: &str| -> Result<()> {
        let command = cmd!(sh, "{programs}/torrent-check {folder}/{torrent} {folder}/downloads");
        let output = command.quiet().ignore_status().output()?;
        let text =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let actual = output.status.code();
        ensure!(
            actual == Some(status) && text.lines().any(|line| line.starts_with(summary)),
            "{text}\ntorrent-check {torrent}: exit status {actual:?}, expected {status} and '{summary}'"
        );
        println!("torrent-check {torrent}: '{summary}', exit status {status}");
        Ok(())
    };
    let versions = ["v1", "v2", "hybrid"];
    for version in versions {
        let torrent = folder.join(version).with_extension("torrent");
        cmd!(sh, "{programs}/examples/make_torrent {version} 65536 {content} {torrent}")
            .quiet()
            .run()?;
        checks(&format!("{version}.torrent"), 0, "complete: ")?;
    }
    fs::remove_file(content.join("first"))?;
    for version in versions {
        checks(&format!("{version}.torrent"), 1, "incomplete: ")?;
    }
    let torrent = fs::read(folder.join("v1.torrent"))?;
    fs::write(folder.join("short.torrent"), &torrent[..1000])?;
    checks("short.torrent", 2, "error: ")
}
