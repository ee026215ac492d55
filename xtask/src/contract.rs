//! What the project was asked for by name is there: folders, dependencies, benches, examples, fuzz
//! targets and parts of the API. Nothing of it may be removed to make the project smaller.

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::checks::Outcome;

/// Something that was asked for, and the tracked files that show it.
struct Item {
    what: &'static str,
    /// A regular expression that one of the files must contain, in any case. If it is empty, one of
    /// the files must exist.
    text: &'static str,
    /// Git pathspecs.
    files: &'static [&'static str],
}

/// A folder, or a file with a certain name.
const fn file(what: &'static str, files: &'static [&'static str]) -> Item {
    Item { what, text: "", files }
}

const fn text(what: &'static str, text: &'static str, files: &'static [&'static str]) -> Item {
    Item { what, text, files }
}

/// A dependency. The expression is the beginning of its line in a manifest.
const fn dependency(what: &'static str, line: &'static str) -> Item {
    text(what, line, &["Cargo.toml", "*/Cargo.toml"])
}

/// The sources of `cargo bench`.
const CRITERION: &[&str] = &["benches/benches/*.rs"];

const CONTRACT: &[Item] = &[
    file("the folder sumhash", &["sumhash"]),
    file("the folder ripemd-multi", &["ripemd-multi"]),
    file("the folder sha256-multi", &["sha256-multi"]),
    file("the folder merkle", &["merkle"]),
    file("the folder addr-recover", &["addr-recover"]),
    file("the folder benches", &["benches"]),
    file("the folder fuzz", &["fuzz"]),
    file("the folder examples", &["examples"]),
    dependency("the dependency digest", r"^digest[ .]"),
    dependency("the dependency sha2", r"^sha2[ .]"),
    dependency("the dependency lazy_static", r"^lazy_static[ .]"),
    dependency("the dependency criterion", r"^criterion[ .]"),
    dependency("the dependency hex", r"^hex[ .]"),
    dependency("the dependency sha3 or shake", r"^(sha3|shake)[ .]"),
    text("sumhash512 as a CoreWrapper of digest 0.10", "CoreWrapper|core_api", &["sumhash/src"]),
    dependency("`cargo bench` with its own harness", "^harness = false"),
    text("`cargo bench` with Criterion", r"criterion_main!", CRITERION),
    text("the group sha256 of `cargo bench`", "sha256", CRITERION),
    text("the group sha1 of `cargo bench`", "sha1", CRITERION),
    text("the group ripemd160 of `cargo bench`", "ripemd160", CRITERION),
    text("the group hash160 of `cargo bench`", "hash160", CRITERION),
    text("the group sumhash512 of `cargo bench`", "sumhash512", CRITERION),
    text("the group merkle of `cargo bench`", "merkle", CRITERION),
    text("the group addr-recover of `cargo bench`", "addr-recover", CRITERION),
    file("the example digest_many", &["*examples/*digest_many*.rs"]),
    file("the example of a Bitcoin block", &["*examples/*bitcoin*.rs"]),
    file("the example p2pkh", &["*examples/*p2pkh*.rs"]),
    file("the example state_proof", &["*examples/*state_proof*.rs"]),
    file("the example transparency_log", &["*examples/*transparency_log*.rs"]),
    file("the example hash_files", &["*examples/*hash_files*.rs"]),
    file("the example git_objects", &["*examples/*git_objects*.rs"]),
    file("the example sha1_pieces", &["*examples/*sha1_pieces*.rs"]),
    file("the example bep52", &["*examples/*bep52*.rs"]),
    file("the example distributed", &["*examples/*distributed*.rs"]),
    file("the fuzz target sha256", &["fuzz/fuzz_targets/*sha256*"]),
    file("the fuzz target sha1", &["fuzz/fuzz_targets/*sha1*"]),
    file("the fuzz target sha1_checked", &["fuzz/fuzz_targets/*sha1_checked*"]),
    file("the fuzz target ripemd160", &["fuzz/fuzz_targets/*ripemd160*"]),
    file("the fuzz target sumhash512", &["fuzz/fuzz_targets/*sumhash512*"]),
    file("the fuzz target merkle_proofs", &["fuzz/fuzz_targets/*merkle_proofs*"]),
    file("the fuzz target merkle_formats", &["fuzz/fuzz_targets/*merkle_formats*"]),
    file("the fuzz target addr_pattern", &["fuzz/fuzz_targets/*addr_pattern*"]),
    file("the fuzz target addr_search", &["fuzz/fuzz_targets/*addr_search*"]),
    file("the fuzz target torrent_bencode", &["fuzz/fuzz_targets/*torrent_bencode*"]),
    file("the fuzz target torrent_metainfo", &["fuzz/fuzz_targets/*torrent_metainfo*"]),
    file("the fuzz target torrent_layout", &["fuzz/fuzz_targets/*torrent_layout*"]),
    file("the fuzz target torrent_state", &["fuzz/fuzz_targets/*torrent_state*"]),
    file("the fuzz target torrent_clients", &["fuzz/fuzz_targets/*torrent_clients*"]),
    text("sumhash512: compressors of any size", "Compressor|CompressMatrix", &["sumhash/api.txt"]),
    text("sumhash512: the compressor with tables", "CompressLookup|Lookup", &["sumhash/api.txt"]),
    text("sumhash512: the salted mode", "salt", &["sumhash/api.txt"]),
    text("the crate hashlanes, with DigestMany", "prelude::DigestMany", &["hashlanes/api.txt"]),
    file("the Go module", &["bindings/go/go.mod"]),
    text("Keccak-256 from C", "hashlanes_keccak256_many", &["bindings/c/hashlanes.h"]),
    text("SHA-512 from Python", "def sha512_many", &["bindings/python/hashlanes.pyi"]),
    text("chains from JavaScript", "sha256Chains", &["bindings/js/index.d.ts"]),
    text("SLH-DSA from Python", "class SlhDsaSigningKey", &["bindings/python/hashlanes.pyi"]),
    text("SLH-DSA from JavaScript", "class SigningKey", &["bindings/js/slh-dsa.d.ts"]),
    text("addr-recover --shard", "shard", &["addr-recover/src/cli*"]),
    text("recipes for GNU parallel, Slurm and Kubernetes", "slurm", &["*.md"]),
];

pub(crate) fn run(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let mut missing = String::new();
    for item in CONTRACT {
        if !is_there(sh, item)? {
            missing += &format!("\n  {}", item.what);
        }
    }
    ensure!(missing.is_empty(), "the project no longer has what it was asked for:{missing}");
    Ok(Outcome::Passed)
}

fn is_there(sh: &Shell, &Item { text, files, .. }: &Item) -> Result<bool> {
    if text.is_empty() {
        return Ok(!cmd!(sh, "git ls-files -- {files...}").quiet().read()?.is_empty());
    }
    // The status is 1 if nothing matches.
    let grep = cmd!(sh, "git grep --quiet --ignore-case --extended-regexp -e {text} -- {files...}");
    let status = grep.quiet().ignore_status().output()?.status;
    ensure!(matches!(status.code(), Some(0 | 1)), "git grep for `{text}` failed: {status}");
    Ok(status.success())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools;

    #[test]
    fn removed_files_and_lines_are_missed() {
        if !tools::has("git") {
            return;
        }
        let sh = Shell::new().unwrap();
        let folder = sh.create_temp_dir().unwrap();
        sh.change_dir(folder.path());
        cmd!(sh, "git init -q").run().unwrap();
        sh.write_file("benches/Cargo.toml", "criterion.workspace = true\n").unwrap();
        let is_there = |item| is_there(&sh, &item).unwrap();
        let manifest = || dependency("a dependency", r"^criterion[ .]");
        let benches = || file("a folder", &["benches"]);
        assert!(!is_there(manifest()) && !is_there(benches()), "nothing is tracked yet");
        cmd!(sh, "git add benches").run().unwrap();
        assert!(is_there(manifest()) && is_there(benches()));
        sh.write_file("benches/Cargo.toml", "not-criterion.workspace = true\n").unwrap();
        assert!(!is_there(manifest()) && is_there(benches()));
        cmd!(sh, "git rm -q -f --cached benches/Cargo.toml").run().unwrap();
        assert!(!is_there(benches()));
    }
}
