//! Runs every example and compares what it prints with the list in `examples/README.md`. Runs both
//! tools as their READMEs show them, and validates the JSON of both with an independent program.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use xshell::{Shell, cmd};

use crate::checks::Outcome;
use crate::tools;
use crate::workspace::published;

pub(crate) fn run(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    // The profile of the tests, so that nothing is compiled twice.
    cmd!(sh, "cargo build --workspace --bins --examples --profile test").run()?;
    let programs = tools::target(sh).join("debug");
    let index = sh.read_file(INDEX)?;
    for name in examples(sh)? {
        let prints = prints(&index, &name)?;
        println!("--- {name}");
        let printed = cmd!(sh, "{programs}/examples/{name}").quiet().read()?;
        println!("{printed}");
        ensure!(
            matches(&printed, prints),
            "{INDEX} says that {name} prints `{prints}`, but it prints:\n{printed}"
        );
    }
    sha256sum(sh, &programs)?;
    git_objects(sh, &programs)?;
    let folder = sh.create_temp_dir()?;
    addr_recover(sh, &programs)?;
    torrent_check(sh, &programs, folder.path())?;
    Ok(Outcome::Passed)
}

/// The list of the examples, with what they print.
const INDEX: &str = "examples/README.md";

/// The last column of an example's row, such as `root: 12ab…`.
fn prints<'a>(index: &'a str, name: &str) -> Result<&'a str> {
    let named = format!("| `{name}` |");
    let row = index.lines().find(|line| line.contains(&named));
    let row = row.with_context(|| format!("{INDEX} does not list `{name}`"))?;
    let cell = row.rsplit('|').nth(1).unwrap_or_default().trim();
    let text = cell.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    text.with_context(|| format!("{INDEX} does not say what {name} prints"))
}

/// Whether an example has printed these texts in order. An ellipsis stands between two of them.
fn matches(printed: &str, texts: &str) -> bool {
    let mut rest = printed;
    texts.split('…').all(|text| {
        let found = rest.split_once(text.trim());
        if let Some((_, after)) = found {
            rest = after;
        }
        found.is_some()
    })
}

/// What `hash_files` prints is checked by `sha256sum`, for any names.
fn sha256sum(sh: &Shell, programs: &Path) -> Result<()> {
    if !cfg!(unix) || !tools::has("sha256sum") {
        return Ok(());
    }
    let folder = sh.create_temp_dir()?;
    for (name, length) in
        [("plain", 0), ("two words", 63), ("back\\slash", 64), ("new\nline", 9999)]
    {
        sh.write_file(folder.path().join(name), vec![7; length])?;
    }
    let sums = cmd!(sh, "{programs}/examples/hash_files").arg(folder.path()).quiet().read()?;
    cmd!(sh, "sha256sum --check --strict").stdin(format!("{sums}\n")).run()?;
    Ok(())
}

/// `git_objects` finds the objects of a pack that git makes, and none of them wrong.
fn git_objects(sh: &Shell, programs: &Path) -> Result<()> {
    if !tools::has("git") {
        return Ok(());
    }
    let folder = sh.create_temp_dir()?;
    let path = folder.path();
    cmd!(sh, "git init -q {path}").run()?;
    for (name, text) in [("one", "1"), ("two", "22"), ("three", "333")] {
        sh.write_file(path.join(name), text)?;
    }
    let identity = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.com"];
    cmd!(sh, "git -C {path} add .").run()?;
    cmd!(sh, "git -C {path} {identity...} commit -q -m objects").run()?;
    cmd!(sh, "git -C {path} repack -adq").run()?;
    let packs = sh.read_dir(path.join(".git/objects/pack"))?;
    let index = packs.iter().find(|file| file.extension().is_some_and(|it| it == "idx"));
    let index = index.context("git has made no pack")?;
    let printed = cmd!(sh, "{programs}/examples/git_objects {index}").read()?;
    let found = printed.lines().filter(|line| line.contains(": 5 objects in "));
    ensure!(
        found.filter(|line| line.ends_with(" 0 wrong")).count() == 2,
        "git_objects does not verify three files, their folder and a commit:\n{printed}"
    );
    Ok(())
}

/// The examples of the workspace and of each crate that need no arguments.
fn examples(sh: &Shell) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let crates = published(sh)?.into_iter().map(|package| package.folder.join("examples"));
    for folder in crates.chain([PathBuf::from("examples")]) {
        for file in if sh.path_exists(&folder) { sh.read_dir(&folder)? } else { Vec::new() } {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            // These are run below.
            let takes_arguments = ["git_objects", "make_torrent"].contains(&name.as_str());
            if file.extension().is_some_and(|extension| extension == "rs") && !takes_arguments {
                names.push(name);
            }
        }
    }
    ensure!(!names.is_empty(), "no examples found");
    Ok(names)
}

/// The README's first command. What else the tool answers is tested in `addr-recover/tests/cli`.
fn addr_recover(sh: &Shell, programs: &Path) -> Result<()> {
    const LONG: &str = "18ryviovmwfyzhrzktjkqgycjkujoxh3k6";
    let command = format!("cargo run --release -p addr-recover -- {LONG}");
    ensure!(sh.read_file("README.md")?.contains(&command), "README.md does not show `{command}`");
    let found = cmd!(sh, "{programs}/addr-recover {LONG}").ignore_stderr().read()?;
    ensure!(found == "18ryVioVmwFYzhRZKTjKqGYCjkUjoxH3k6", "addr-recover answers '{found}'");
    Ok(())
}

/// What else the tool answers is tested in `torrent-check/tests/cli`.
fn torrent_check(sh: &Shell, programs: &Path, folder: &Path) -> Result<()> {
    let content = folder.join("downloads/numbers");
    fs::create_dir_all(&content)?;
    fs::write(content.join("first"), [1; 300_000])?;
    fs::write(content.join("second"), [2; 400_000])?;
    for version in ["v1", "v2", "hybrid"] {
        let torrent = folder.join(version).with_extension("torrent");
        cmd!(sh, "{programs}/examples/make_torrent {version} 65536 {content} {torrent}")
            .quiet()
            .run()?;
        cmd!(sh, "{programs}/torrent-check {torrent} {folder}/downloads").run()?;
    }
    Ok(())
}

/// The tools, and the variables that name the files to which their tests append what they print.
const RECORDED: [(&str, &str); 2] =
    [("addr-recover", "ADDR_RECOVER_JSON_LINES"), ("torrent-check", "TORRENT_CHECK_JSON_LINES")];

/// Validates what the tools print with `--json` in their tests with Python's `jsonschema`.
///
/// `--recorded` validates what the check `test` recorded, without running the tests again.
pub(crate) fn json_schema(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    let is_recorded = arguments == ["--recorded"];
    ensure!(is_recorded || arguments.is_empty(), "usage: cargo xtask json-schema [--recorded]");
    let Some(python) = python(sh)? else {
        return Ok(Outcome::Skipped("Python's jsonschema is not installed".into()));
    };
    if !is_recorded {
        // With `-p`, cargo would build the dependencies again, with fewer features.
        let test = cmd!(sh, "cargo test --workspace --test cli");
        test.envs(recording(sh)?).run()?;
    }
    for (tool, _) in RECORDED {
        let lines = lines(sh, tool);
        let schema = format!("{tool}/schema/{tool}.v1.schema.json");
        cmd!(sh, "{python} ci/json-schema.py {schema} {lines}").run()?;
    }
    Ok(Outcome::Passed)
}

/// The environment in which the tests record what the tools print. Forgets earlier records.
pub(crate) fn recording(sh: &Shell) -> Result<[(&'static str, PathBuf); 2]> {
    for (tool, _) in RECORDED {
        sh.remove_path(lines(sh, tool))?;
    }
    Ok(RECORDED.map(|(tool, variable)| (variable, lines(sh, tool))))
}

/// The record of a tool.
fn lines(sh: &Shell, tool: &str) -> PathBuf {
    tools::target(sh).join(format!("{tool}.jsonl"))
}

/// A Python that can import `jsonschema`.
fn python(sh: &Shell) -> Result<Option<&'static str>> {
    let imports =
        |python| cmd!(sh, "{python} -c 'import jsonschema'").quiet().ignore_stderr().run().is_ok();
    if imports("python3") {
        return Ok(Some("python3"));
    }
    // Debian's package is for Debian's Python.
    tools::install_debian(sh, "/usr/bin/jsonschema", "python3-jsonschema")?;
    Ok(imports("/usr/bin/python3").then_some("/usr/bin/python3"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_outputs_are_noticed() {
        let index = "| crate | `one` | does it | `root: 12ab…of 3…` |\n| | `two` | | needs more |";
        let texts = prints(index, "one").unwrap();
        assert!(matches("root: 12abcd, of 3 leaves", texts));
        for other in ["root: 12ac, of 3 leaves", "of 3 leaves, root: 12ab", "root: 12ab", ""] {
            assert!(!matches(other, texts), "{other}");
        }
        assert!(prints(index, "two").is_err() && prints(index, "three").is_err());
    }
}
