//! Checks the Markdown files: code blocks name a language, and links have targets. Checks the links
//! of the documentation, too.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Result, bail};
use xshell::{Shell, cmd};

pub(crate) fn check(sh: &Shell) -> Result<()> {
    let root = sh.current_dir();
    let list = cmd!(sh, "git ls-files --cached --others --exclude-standard -- *.md").quiet();
    let mut faults = Vec::new();
    for file in list.read()?.lines().filter(|file| sh.path_exists(file)) {
        let text = sh.read_file(file)?;
        let folder = root.join(file).parent().unwrap_or(&root).to_owned();
        faults.extend(
            self::faults(&folder, &text).map(|(line, fault)| format!("{file}:{line}: {fault}")),
        );
    }
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// The faults of a text in this folder, each with its line.
fn faults(folder: &Path, text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut faults = Vec::new();
    for (number, line, is_code) in lines(text) {
        if is_code && line.trim() == "```" {
            faults.push((number, "the code block names no language".to_owned()));
        }
        // Outside of code spans.
        let prose = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let definition = prose.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        let inline = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in inline.chain(definition.map(|(_, target)| target)) {
            if let Some(fault) = (!is_code).then(|| link_fault(folder, text, target)).flatten() {
                faults.push((number, fault));
            }
        }
    }
    faults.into_iter()
}

/// The lines, numbered from 1, and whether each belongs to a code block. The end of a block does
/// not.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str, bool)> {
    let mut is_code = false;
    (1..).zip(text.lines()).map(move |(number, line)| {
        is_code ^= line.trim_start().starts_with("```");
        (number, line, is_code)
    })
}

/// The fault of a link without a target. Links to other sites are not followed, except to docs.rs:
/// what it shows of a crate of the repository is the crate's README.
fn link_fault(folder: &Path, text: &str, target: &str) -> Option<String> {
    if let Some((krate, rest)) =
        target.strip_prefix("https://docs.rs/").and_then(|rest| rest.split_once('/'))
        && let (Some((_, anchor)), Ok(readme)) =
            (rest.split_once('#'), fs::read_to_string(crate::root().join(krate).join("README.md")))
    {
        let is_found = anchors(&readme).any(|it| it == anchor);
        return (!is_found).then(|| format!("there is no #{anchor} in {krate}/README.md"));
    }
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = folder.join(file);
    if !path.exists() {
        return Some(format!("there is no {file}"));
    }
    let path = if path.is_dir() { path.join("README.md") } else { path };
    let other = (!file.is_empty()).then(|| std::fs::read_to_string(path).unwrap_or_default());
    let is_found =
        anchor.is_empty() || anchors(other.as_deref().unwrap_or(text)).any(|it| it == anchor);
    (!is_found).then(|| format!("there is no #{anchor}"))
}

/// The anchors of the headings, as GitHub and crates.io make them.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let headings = lines(text).filter(|(_, line, is_code)| !is_code && line.starts_with('#'));
    headings.map(|(_, line, _)| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
        title.chars().filter(kept).collect::<String>().replace(' ', "-")
    })
}

/// The links without a target in the pages of this folder and those below, each with its page.
/// Links to other sites and anchors are not followed, nor are those in listings of source code.
pub(crate) fn dead_links(folder: &Path) -> io::Result<Vec<String>> {
    let mut dead = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if !path.ends_with("doc/src") {
                dead.extend(dead_links(&path)?);
            }
        } else if path.extension().is_some_and(|extension| extension == "html") {
            let page = fs::read_to_string(&path)?;
            let mut links: Vec<_> = page
                .split(" href=\"")
                .skip(1)
                .filter_map(|rest| rest.split(['"', '#']).next())
                .collect();
            links.sort_unstable();
            links.dedup();
            // Without a front page of its own, rustdoc's help links to one.
            let is_front = |link: &str| link == "./index.html";
            let is_dead =
                |link: &&str| !link.contains(':') && !is_front(link) && !folder.join(link).exists();
            let shown = |link| format!("{}: {link}", path.display());
            dead.extend(links.into_iter().filter(is_dead).map(shown));
        }
    }
    Ok(dead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_are_found_in_every_page() {
        let sh = Shell::new().unwrap();
        let folder = sh.create_temp_dir().unwrap();
        let page = r##"<a href="b/c.html"> <a class="x" href="absent.html#a"> <a href="#a">
                       <a href="https://example.com/absent"> <a href="../absent.html">"##;
        sh.write_file(folder.path().join("a.html"), page).unwrap();
        sh.write_file(folder.path().join("b/c.html"), r#"<a href="../a.html"> <a href="d">"#)
            .unwrap();
        let mut dead = dead_links(folder.path()).unwrap();
        dead.sort();
        let links: Vec<_> = dead.iter().filter_map(|dead| dead.split(": ").last()).collect();
        assert_eq!(links, ["../absent.html", "absent.html", "d"]);
    }

    #[test]
    fn faults_are_found() {
        let text = "# A title: `x`\n[a](b.svg) [c](#a-title-x) `[d](e)` [f](README.md#absent)\n\
                    ```\n[g](h)\n```\n[i](README.md#which-crate-do-i-need) [j](xtask) [k](#l)\n\
                    [m]: https://docs.rs/hashlanes/latest/hashlanes/#debug-builds\n\
                    [n]: https://docs.rs/hashlanes/latest/hashlanes/#absent\n[o]: p.md\n";
        let found: Vec<_> = faults(&crate::root(), text).collect();
        let expected = [
            (2, "there is no b.svg"),
            (2, "there is no #absent"),
            (3, "the code block names no language"),
            (6, "there is no #l"),
            (8, "there is no #absent in hashlanes/README.md"),
            (9, "there is no p.md"),
        ];
        assert!(found.iter().map(|(line, fault)| (*line, &**fault)).eq(expected), "{found:?}");
    }
}
