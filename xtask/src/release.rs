//! What a program can check before a release, and the recipes of package managers after it. See
//! RELEASING.md.

use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::checks::Outcome;
use crate::workspace::PUBLISHED;
use crate::{deep, package};

/// The released tools, and the recipes in `ci/release` that are made for each.
const TOOLS: [&str; 2] = ["addr-recover", "torrent-check"];
const RECIPES: [(&str, &str); 2] =
    [("formula.rb", "homebrew/TOOL.rb"), ("PKGBUILD", "aur/TOOL-bin/PKGBUILD")];

/// Checks that a version can be released, packs it and tries `cargo publish` without uploading.
///
/// `--recipes FOLDER` writes the recipes of Homebrew and of the AUR into FOLDER/recipes, for the
/// archives in that folder.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    let metadata = cmd!(sh, "cargo metadata --no-deps --format-version 1").quiet().read()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    match arguments {
        [] => {}
        ["--recipes", folder] => {
            recipes(sh, &metadata, Path::new(folder))?;
            return Ok(Outcome::Passed);
        }
        _ => bail!("usage: cargo xtask release [--recipes FOLDER]"),
    }
    let version = version(&metadata)?;
    let changelog = sh.read_file("CHANGELOG.md")?;
    let mut faults: Vec<_> =
        unset(&metadata).into_iter().chain(changelog_fault(&changelog, &version)).collect();
    faults.extend(git_faults(sh, &version)?);
    let due: Vec<_> = deep::due(sh)?.iter().map(|check| check.name).collect();
    if !due.is_empty() {
        faults.push(format!("deep checks are due: {}; run `cargo xtask deep`", due.join(", ")));
    }
    ensure!(faults.is_empty(), "not ready for release:\n  {}", faults.join("\n  "));
    package::run(sh, &["--all"])?;
    cmd!(sh, "ci/release/publish.sh --dry-run").run()?;
    println!("{version} can be released");
    Ok(Outcome::Passed)
}

fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    let all = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    all.iter().filter(|package| PUBLISHED.iter().any(|(name, _)| package["name"] == *name))
}

/// The version of the first package.
fn version(metadata: &Value) -> Result<String> {
    let first = packages(metadata).next().context("cargo metadata lists no packages")?;
    Ok(first["version"].as_str().context("a package has no version")?.to_owned())
}

/// What only the owner of the project can fill in.
fn unset(metadata: &Value) -> Option<String> {
    let is_set = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    let mut names = Vec::new();
    for name in ["repository", "homepage"] {
        if !packages(metadata).all(|package| is_set(&package[name])) {
            names.push(format!("`{name}`"));
        }
    }
    if !is_set(&metadata["metadata"]["release"]["security-contact"]) {
        names.push("`security-contact`".to_owned());
    }
    let fault = || format!("Cargo.toml does not set {}: see RELEASING.md", names.join(", "));
    (!names.is_empty()).then(fault)
}

/// Why the changelog does not describe this version, dated, as the newest.
fn changelog_fault(changelog: &str, version: &str) -> Option<String> {
    let mut sections = changelog.split("\n## ").skip(1);
    let mut section = sections.next().unwrap_or_default();
    if let Some(unreleased) = section.strip_prefix("[Unreleased]") {
        if !unreleased.trim().is_empty() {
            return Some(format!("CHANGELOG.md has unreleased changes: move them to [{version}]"));
        }
        section = sections.next().unwrap_or_default();
    }
    let (title, text) = section.split_once('\n').unwrap_or((section, ""));
    let date = title.strip_prefix(&format!("[{version}] - ")).unwrap_or_default();
    let is_date = date.len() == 10 && date.split('-').all(|part| part.parse::<u16>().is_ok());
    (!is_date || text.trim().is_empty())
        .then(|| format!("CHANGELOG.md does not begin with `## [{version}] - YYYY-MM-DD`"))
}

/// Uncommitted changes, or a tag that names another commit.
fn git_faults(sh: &Shell, version: &str) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let changed = cmd!(sh, "git status --porcelain").quiet().read()?;
    if !changed.is_empty() {
        faults.push(format!("not committed: {changed}"));
    }
    let tag = format!("v{version}");
    if !cmd!(sh, "git tag --list {tag}").quiet().read()?.is_empty() {
        let commit = cmd!(sh, "git rev-list -n 1 {tag}").quiet().read()?;
        if commit != cmd!(sh, "git rev-parse HEAD").quiet().read()? {
            faults.push(format!("the tag {tag} exists, and names another commit"));
        }
    }
    Ok(faults)
}

/// Writes the recipes for the archives in a folder.
fn recipes(sh: &Shell, metadata: &Value, folder: &Path) -> Result<()> {
    if let Some(fault) = unset(metadata) {
        bail!("{fault}");
    }
    let sums: Vec<(String, String)> = sh
        .read_dir(folder)?
        .iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "sha256"))
        .map(|file| {
            let text = sh.read_file(file)?;
            let (sum, name) = text.trim().split_once("  ").context("not a line of sha256sum")?;
            Ok((name.to_owned(), sum.to_owned()))
        })
        .collect::<Result<_>>()?;
    for package in packages(metadata) {
        let field = |name: &str| package[name].as_str().unwrap_or_default();
        let tool = field("name");
        if !TOOLS.contains(&tool) {
            continue;
        }
        for (template, file) in RECIPES {
            let text = sh.read_file(Path::new("ci/release").join(template))?;
            let values = ["description", "homepage", "repository", "version"]
                .map(|name| (format!("@{name}@"), field(name).to_owned()));
            let text = fill(&text, tool, field("version"), &values, &sums)
                .with_context(|| format!("ci/release/{template} for {tool}"))?;
            let path = folder.join("recipes").join(file.replace("TOOL", tool));
            sh.create_dir(path.parent().context("a file is in a folder")?)?;
            sh.write_file(&path, text)?;
            println!("{}", path.display());
        }
    }
    Ok(())
}

/// Fills a template: `@name@`, `@class@` (the name as Ruby's class), other values, and
/// `@sha256 TARGET@`, the checksum of the archive for that target.
fn fill(
    template: &str,
    tool: &str,
    version: &str,
    values: &[(String, String)],
    sums: &[(String, String)],
) -> Result<String> {
    let class: String = tool
        .split('-')
        .flat_map(|word| {
            word[..1].to_uppercase().chars().chain(word[1..].chars()).collect::<Vec<_>>()
        })
        .collect();
    let mut text = template.replace("@name@", tool).replace("@class@", &class);
    for (key, value) in values {
        text = text.replace(key, value);
    }
    while let Some((before, rest)) = text.split_once("@sha256 ") {
        let (target, after) = rest.split_once('@').context("an unfinished @sha256")?;
        let archive = format!("{tool}-{version}-{target}.tar.gz");
        let sum = sums.iter().find(|(name, _)| *name == archive);
        let (_, sum) = sum.with_context(|| format!("there is no checksum of {archive}"))?;
        text = format!("{before}{sum}{after}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_unset_is_named() {
        let package = |name: &str, homepage: &str| json!({ "name": name, "version": "0.2.0", "repository": "https://a", "homepage": homepage });
        let contact = json!({ "release": { "security-contact": "security@a.example" } });
        let all = json!({
            "packages": [package("xtask", ""), package("sha1-multi", "https://b")],
            "metadata": contact,
        });
        assert_eq!(version(&all).unwrap(), "0.2.0");
        assert_eq!(unset(&all), None);
        let nothing = json!({ "packages": [package("sha1-multi", "")], "metadata": null });
        let fault = "Cargo.toml does not set `homepage`, `security-contact`: see RELEASING.md";
        assert_eq!(unset(&nothing).unwrap(), fault);
    }

    #[test]
    fn a_changelog_needs_a_dated_section_and_nothing_above_it() {
        let fault = |text: &str| changelog_fault(&format!("# Changelog\n\n{text}"), "0.2.0");
        assert_eq!(fault("## [0.2.0] - 2026-12-01\n\n- More.\n"), None);
        assert_eq!(fault("## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n- More.\n"), None);
        for text in [
            "",
            "## [0.2.0]\n\n- More.\n",
            "## [0.2.0] - 2026-12-01\n\n## [0.1.0] - 2026-11-01\n\n- All.\n",
            "## [0.1.0] - 2026-11-01\n\n- All.\n",
            "## [Unreleased]\n\n- Less.\n\n## [0.2.0] - 2026-12-01\n\n- More.\n",
        ] {
            assert!(fault(text).is_some(), "{text}");
        }
    }

    #[test]
    fn recipes_have_the_checksum_of_each_archive() {
        let values = [("@version@".to_owned(), "0.2.0".to_owned())];
        let sums = [("torrent-check-0.2.0-x.tar.gz".to_owned(), "abc".to_owned())];
        let fill = |text| fill(text, "torrent-check", "0.2.0", &values, &sums);
        let text = fill("class @class@ # @name@ @version@\n\"@sha256 x@\"").unwrap();
        assert_eq!(text, "class TorrentCheck # torrent-check 0.2.0\n\"abc\"");
        assert!(fill("@sha256 y@").is_err());
    }
}
