//! Checks that no line of Rust, Markdown, Python or shell is longer than 100 characters. rustfmt
//! leaves comments, strings and macros as they are.

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::readmes;

const MAX_WIDTH: usize = 100;

pub(crate) fn check(sh: &Shell) -> Result<()> {
    let patterns = ["*.rs", "*.md", "*.py", "*.sh", ":!benches/results"];
    let list = cmd!(sh, "git ls-files --cached --others --exclude-standard -- {patterns...}");
    let mut faults = String::new();
    for file in list.quiet().read()?.lines().filter(|file| sh.path_exists(file)) {
        for line in too_long(&sh.read_file(file)?, file.ends_with(".md")) {
            faults += &format!("\n{file}:{line}");
        }
    }
    ensure!(faults.is_empty(), "these lines have more than {MAX_WIDTH} characters:{faults}");
    Ok(())
}

/// The numbers of the lines that are too long, and could be shorter: not those of Markdown's code
/// blocks, which show output, rows of tables, addresses and single words.
fn too_long(text: &str, is_markdown: bool) -> impl Iterator<Item = usize> {
    readmes::lines(text).filter_map(move |(number, line, is_code)| {
        let content = line.trim_start().trim_start_matches(['/', '!']).trim_start();
        let must_be_long =
            content.starts_with('|') || content.contains("://") || !content.contains(' ');
        let is_fault = line.chars().count() > MAX_WIDTH && !must_be_long;
        (is_fault && !(is_markdown && is_code)).then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_found() {
        let words = "word ".repeat(20);
        let text = format!(
            "{words}\n/// {words}\n    /// | {words}|\n// https://{words}\n{}\n```\n{words}more\n```\n\
             {}\n{words}more\n",
            words.replace(' ', "-") + "-",
            "ü".repeat(50) + " " + &"ü".repeat(49),
        );
        assert!(too_long(&text, true).eq([2, 10]));
        assert!(too_long(&text, false).eq([2, 7, 10]));
    }
}
