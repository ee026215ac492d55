//! Checks what readers see of the Markdown files: on the repository's page, on crates.io and on
//! docs.rs.

use std::path::Path;

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

use crate::workspace::PUBLISHED;

/// Checks every Markdown file: code blocks name a language, and links lead somewhere. A published
/// crate's README also does without what only rustdoc understands, and without pictures on docs.rs,
/// which has no files beside the documentation.
pub(crate) fn check(sh: &Shell) -> Result<()> {
    let root = sh.current_dir();
    let list = cmd!(sh, "git ls-files --cached --others --exclude-standard -- *.md").quiet();
    let mut faults = Vec::new();
    for file in list.read()?.lines().filter(|file| sh.path_exists(file)) {
        let text = sh.read_file(file)?;
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        let mut add = |line: usize, fault: String| faults.push(format!("{file}:{line}: {fault}"));
        let package = PUBLISHED.iter().find(|(_, of)| Path::new(of).join("README.md") == *file);
        let in_docs = match package {
            Some((_, of)) => shows_readme(&sh.read_file(format!("{of}/src/lib.rs"))?),
            None => false,
        };
        for (number, block) in code_blocks(&text) {
            block_faults(&block, package.is_some()).for_each(|fault| add(number, fault));
        }
        for (number, link) in links(&text) {
            if link.is_picture && in_docs && !link.target.contains("://") {
                add(number, format!("docs.rs cannot show {}", link.target));
            }
            if let Some(fault) = link_fault(&root.join(folder), &text, &link.target) {
                add(number, fault);
            }
        }
        if package.is_some() {
            for (number, name) in shortcuts(&text) {
                add(number, format!("[`{name}`] is a link only for rustdoc"));
            }
        }
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// Whether a crate's documentation begins with its README, apart from doctests.
fn shows_readme(source: &str) -> bool {
    let mut attributes = source.split("#![").skip(1);
    attributes.any(|text| {
        let attribute = text.split("\n#!").next().unwrap_or_default();
        attribute.contains("include_str!(\"../README.md\")")
            && !attribute.contains("cfg_attr(doctest")
    })
}

/// The code blocks, each with the number of its first line: what follows the fence, and the code.
fn code_blocks(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut blocks: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut is_open = false;
    for (number, line) in (1..).zip(text.lines()) {
        match line.trim_start().strip_prefix("```") {
            Some(_) if is_open => is_open = false,
            Some(language) => {
                is_open = true;
                blocks.push((number, vec![language]));
            }
            None if is_open => blocks.last_mut().expect("a block is open").1.push(line),
            None => {}
        }
    }
    blocks
}

fn block_faults(block: &[&str], is_published: bool) -> impl Iterator<Item = String> {
    let (language, code) = block.split_first().expect("a block begins with its language");
    let first = language.split(',').next().unwrap_or_default();
    let is_language =
        !first.is_empty() && !["no_run", "ignore", "should_panic", "compile_fail"].contains(&first);
    let unnamed = (!is_language).then(|| "the code block names no language".to_owned());
    let hidden = code
        .iter()
        .filter(move |line| {
            is_published && first == "rust" && (**line == "#" || line.starts_with("# "))
        })
        .map(|line| format!("only rustdoc hides `{line}`"))
        .collect::<Vec<_>>();
    unnamed.into_iter().chain(hidden)
}

struct Link {
    target: String,
    is_picture: bool,
}

/// The lines outside of code blocks, without code spans.
fn prose(text: &str) -> Vec<(usize, String)> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if !is_code && !is_fence {
            lines.push((number, line.split('`').step_by(2).collect::<Vec<_>>().join("`")));
        }
    }
    lines
}

fn links(text: &str) -> Vec<(usize, Link)> {
    let mut links = Vec::new();
    for (number, line) in prose(text) {
        for (at, _) in line.match_indices("](") {
            let Some((target, _)) = line[at + 2..].split_once(')') else { continue };
            let begin = line[..at].rfind('[').unwrap_or(0);
            let is_picture = line[..begin].ends_with('!');
            links.push((number, Link { target: target.to_owned(), is_picture }));
        }
    }
    links
}

/// Why a link leads nowhere. Links to other sites are not followed.
fn link_fault(folder: &Path, text: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = folder.join(file);
    if !file.is_empty() && !path.exists() {
        return Some(format!("there is no {file}"));
    }
    if anchor.is_empty() {
        return None;
    }
    let path = if path.is_dir() && !file.is_empty() { path.join("README.md") } else { path };
    let other = (!file.is_empty()).then(|| std::fs::read_to_string(path).unwrap_or_default());
    let headings = prose_headings(other.as_deref().unwrap_or(text));
    (!headings.iter().any(|heading| heading == anchor)).then(|| format!("there is no #{anchor}"))
}

/// The anchors of the headings, as GitHub and crates.io make them.
fn prose_headings(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut headings = Vec::new();
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        if !is_code && line.starts_with('#') {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
            headings.push(title.chars().filter(kept).collect::<String>().replace(' ', "-"));
        }
    }
    headings
}

/// References such as \[`name`\] without a target, which only rustdoc resolves.
fn shortcuts(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (number, line) in (1..).zip(text.lines()) {
        is_code ^= line.trim_start().starts_with("```");
        for (at, _) in line.match_indices("[`").filter(|_| !is_code) {
            if let Some((name, rest)) = line[at + 2..].split_once("`]")
                && !rest.starts_with('(')
                && !name.contains('`')
            {
                found.push((number, name.to_owned()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_without_a_language_and_hidden_lines_are_found() {
        let text = "```\na\n```\n\n```rust\n#[test]\n# Ok(())\n#\n```\n```no_run\n```\n";
        let faults = |is_published| {
            code_blocks(text)
                .iter()
                .flat_map(|(n, block)| {
                    block_faults(block, is_published).map(move |fault| format!("{n}: {fault}"))
                })
                .collect::<Vec<_>>()
        };
        let unnamed = |n| format!("{n}: the code block names no language");
        assert_eq!(faults(false), [unnamed(1), unnamed(10)]);
        let hidden = ["5: only rustdoc hides `# Ok(())`", "5: only rustdoc hides `#`"];
        assert_eq!(faults(true)[1..3], hidden);
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let text = "# A title: `x`\n![a](b.svg) [c](#a-title-x) `[d](e)` [f](g/h.md#i)\n";
        let links = links(text);
        let targets: Vec<_> = links.iter().map(|(_, link)| link.target.as_str()).collect();
        assert_eq!(targets, ["b.svg", "#a-title-x", "g/h.md#i"]);
        assert_eq!(
            links.iter().map(|(_, link)| link.is_picture).collect::<Vec<_>>(),
            [true, false, false]
        );
        let fault = |target| link_fault(&crate::root(), text, target);
        assert_eq!(fault("#a-title-x"), None);
        assert_eq!(fault("https://doc.rust-lang.org"), None);
        assert_eq!(fault("#b").unwrap(), "there is no #b");
        assert_eq!(fault("README.md"), None);
        assert_eq!(fault("README.md#which-crate-do-i-need"), None);
        assert_eq!(fault("README.md#absent").unwrap(), "there is no #absent");
        assert_eq!(fault("absent.md").unwrap(), "there is no absent.md");
    }

    #[test]
    fn references_that_only_rustdoc_resolves_are_found() {
        let text = "See [`a`], [`b`](c) and\n```rust\n[`d`]\n```\n[`e::f`].";
        assert_eq!(shortcuts(text), [(1, "a".to_owned()), (5, "e::f".to_owned())]);
        assert!(shows_readme("#![doc = include_str!(\"../README.md\")]\n"));
        assert!(shows_readme(
            "#![cfg_attr(any(not(doctest), feature = \"x\"), doc = include_str!(\"../README.md\"))]"
        ));
        assert!(!shows_readme("#![cfg_attr(doctest, doc = include_str!(\"../README.md\"))]"));
    }
}
