//! Checks that the files and programs which the documents name exist.

use std::collections::HashSet;

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::checks;

/// Names with these endings are files. Other endings are too often those of examples.
const ENDINGS: [&str; 10] =
    [".rs", ".md", ".toml", ".sh", ".py", ".yml", ".json", ".svg", ".js", ".html"];

/// The options and commands that a program's name follows in a line with `cargo`.
const BEFORE_PROGRAMS: [&str; 4] = ["--bin", "--example", "-p", "xtask"];

pub(crate) fn check(sh: &Shell) -> Result<()> {
    let list = cmd!(sh, "git ls-files --cached --others --exclude-standard").quiet().read()?;
    let files: Vec<&str> = list.lines().filter(|file| sh.path_exists(file)).collect();
    let manifests = files.iter().filter(|file| file.ends_with("Cargo.toml"));
    let manifests = manifests.map(|file| sh.read_file(file)).collect::<Result<_, _>>()?;
    let tree = Tree::new(&files, manifests);
    let mut faults = Vec::new();
    for file in files.iter().filter(|file| file.ends_with(".md") && !is_link(sh, file)) {
        for (line, name) in tree.absent(file, &sh.read_file(file)?) {
            faults.push(format!("{file}:{line}: there is no {name}"));
        }
    }
    let sources = files.iter().filter(|file| file.ends_with(".rs"));
    let sources: Vec<String> = sources.map(|file| sh.read_file(file)).collect::<Result<_, _>>()?;
    for name in absent_from_mutants(&sh.read_file(MUTANTS)?, &files, &sources) {
        faults.push(format!("{MUTANTS}: there is no {name}"));
    }
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

/// The changelogs of the crates are links to one file.
fn is_link(sh: &Shell, file: &str) -> bool {
    sh.current_dir().join(file).is_symlink()
}

struct Tree<'a> {
    /// Files and folders.
    paths: HashSet<&'a str>,
    manifests: Vec<String>,
}

impl<'a> Tree<'a> {
    fn new(files: &[&'a str], manifests: Vec<String>) -> Self {
        let mut paths = HashSet::new();
        for file in files {
            let folders = file.match_indices('/').map(|(end, _)| &file[..end]);
            paths.extend(folders.chain([*file]));
        }
        Self { paths, manifests }
    }

    /// The names in a document that nothing in the tree has, each with its line.
    fn absent(&self, document: &str, text: &str) -> Vec<(usize, String)> {
        let mut absent = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let spans = line.split('`').skip(1).step_by(2);
            let paths = spans.filter(|span| self.is_path(span) && !self.has_path(document, span));
            absent.extend(paths.map(|path| (number, path.to_owned())));
            absent.extend(self.absent_programs(line).map(|program| (number, program)));
            // Of the repository, if it is named like one.
            let named = line.split("program `").skip(1).filter_map(|rest| rest.split('`').next());
            let named = named.filter(|name| !self.has_program("--bin", name));
            let named = named.filter(|name| !self.has_program("-p", name));
            absent.extend(named.map(|name| (number, format!("program {name}"))));
        }
        absent
    }

    /// Whether a span of code is a path: a file, or something in a folder of the repository. Not so
    /// placeholders such as `FAMILY.rs`, and what a build makes.
    fn is_path(&self, span: &str) -> bool {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-/".contains(c);
        let has_ending = |end: &&str| {
            span.strip_suffix(end).is_some_and(|stem| !stem.trim_end_matches('/').is_empty())
        };
        let folder = span.split_once('/').map(|(folder, _)| folder);
        span.chars().all(is_part)
            && folder != Some("target")
            && (ENDINGS.iter().any(has_ending)
                || folder.is_some_and(|folder| self.paths.contains(folder)))
    }

    /// A path is that of the repository, or of the document's folder, or it ends another one: of
    /// the document's crate, or of any in the documents of the repository.
    fn has_path(&self, document: &str, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let (home, _) = document.split_once('/').unwrap_or_default();
        let (folder, _) = document.rsplit_once('/').unwrap_or_default();
        let ends = |whole: &&str| {
            whole.starts_with(home)
                && whole.strip_suffix(path).is_some_and(|rest| rest.ends_with('/'))
        };
        self.paths.contains(path)
            || self.paths.contains(format!("{folder}/{path}").as_str())
            || self.paths.iter().any(ends)
    }

    /// `PROGRAM --example NAME` for each such name that is absent.
    fn absent_programs(&self, line: &str) -> impl Iterator<Item = String> {
        let command = line.find("cargo ").map_or("", |start| &line[start..]);
        let words: Vec<&str> = command.split([' ', '`', ')', '"', ',', ';']).collect();
        let pairs: Vec<[&str; 2]> = words.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        let is_absent = |[option, name]: &[&str; 2]| {
            let is_name =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
            BEFORE_PROGRAMS.contains(option)
                && !name.is_empty()
                && name.chars().all(is_name)
                && !self.has_program(option, name)
        };
        let absent: Vec<_> =
            pairs.into_iter().filter(is_absent).map(|pair| pair.join(" ")).collect();
        absent.into_iter()
    }

    fn has_program(&self, option: &str, name: &str) -> bool {
        match option {
            "--bin" => self.ends(&format!("bin/{name}.rs")) || self.ends(&format!("bin/{name}")),
            "--example" => self.ends(&format!("examples/{name}.rs")),
            "xtask" => ["gate", "deep"].contains(&name) || checks::find(name).is_some(),
            _ => self.manifests.iter().any(|text| text.contains(&format!("name = \"{name}\""))),
        }
    }

    fn ends(&self, path: &str) -> bool {
        self.has_path("", path)
    }
}

const MUTANTS: &str = ".cargo/mutants.toml";

/// The patterns that no file matches, and the functions of the exceptions that no source has.
fn absent_from_mutants(text: &str, files: &[&str], sources: &[String]) -> Vec<String> {
    let mut absent = Vec::new();
    for line in text.lines().map(str::trim) {
        let Some(quoted) = line.strip_suffix(',') else { continue };
        let glob = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        for glob in glob.map(alternatives).unwrap_or_default() {
            if !files.iter().any(|file| matches(&glob, file)) {
                absent.push(glob);
            }
        }
        let expression = quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        let place = expression.and_then(|it| {
            it.split_once(" in ")
                .map(|(_, place)| place)
                .or(it.split_once(" -> ").map(|(it, _)| it))
        });
        let words = place.unwrap_or_default().split(|c: char| !c.is_alphanumeric() && c != '_');
        // Type parameters have one letter.
        for word in words.filter(|word| word.len() > 1) {
            let kinds = ["fn", "struct", "enum"].map(|kind| format!("{kind} {word}"));
            if !sources.iter().any(|source| kinds.iter().any(|kind| source.contains(kind))) {
                absent.push(word.to_owned());
            }
        }
    }
    absent
}

/// `a{b,c}d` is `abd` and `acd`.
fn alternatives(glob: &str) -> Vec<String> {
    let parts =
        glob.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (inner, after))) = parts else { return vec![glob.to_owned()] };
    inner.split(',').map(|part| format!("{before}{part}{after}")).collect()
}

/// A star stands for any part of a file's name.
fn matches(glob: &str, file: &str) -> bool {
    match glob.split_once('*') {
        None => glob == file,
        Some((before, after)) => file
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after))
            .is_some_and(|name| !name.contains('/')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_names_are_found() {
        let manifest = "name = \"one\"\n".to_owned();
        let files = ["one/src/a.rs", "two/src/b.rs", "two/examples/show.rs", "README.md"];
        let tree = Tree::new(&files, vec![manifest]);
        let text = "`a.rs` `src/b.rs` `c.rs`, `KIND.rs`, `v[0].rs`, `target/d.rs`, `.rs`\n\
                    `two/src/b.rs` cargo run -p one -p three\n`cargo run --example show`\n\
                    cargo run --example hide; cargo xtask docs; cargo xtask dogs; \
                    cargo xtask NAME\nthe program `one`, the program `four`";
        let expected = |rest: &[(usize, &str)]| -> Vec<_> {
            rest.iter().map(|(line, name)| (*line, (*name).to_owned())).collect()
        };
        let absent = [
            (1, "c.rs"),
            (2, "-p three"),
            (4, "--example hide"),
            (4, "xtask dogs"),
            (5, "program four"),
        ];
        assert_eq!(tree.absent("README.md", text), expected(&absent));
        let within_one = [(1, "src/b.rs")];
        let found = tree.absent("one/README.md", text);
        assert!(found.starts_with(&expected(&within_one)) && found.len() == 6, "{found:?}");
    }

    #[test]
    fn absent_names_of_mutants_are_found() {
        let text = "globs = [\n    \"one/src/{a,c}.rs\",\n    \"two/*/*.rs\",\n    \
                    \"two/src/*.rs\",\n]\nexclude_re = [\n    \
                    'replace > with >= in Kept<.*>::gone$',\n    \
                    'Lost<F>::kept -> bool with true$',\n]\n";
        let sources = ["struct Kept; fn kept() {}".to_owned()];
        let found = absent_from_mutants(text, &["one/src/a.rs", "two/src/b.rs"], &sources);
        assert_eq!(found, ["one/src/c.rs", "two/*/*.rs", "gone", "Lost"]);
    }
}
