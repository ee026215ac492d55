//! What the project was asked for by name is there: folders, dependencies, benches, examples, fuzz
//! targets and parts of the API. Nothing of it may be removed to make the project smaller.

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::checks::Outcome;

/// Folders of packages, and of what is not a package.
const FOLDERS: &[&str] = &[
    "sumhash",
    "ripemd-multi",
    "sha256-multi",
    "merkle",
    "addr-recover",
    "benches",
    "fuzz",
    "examples",
    "hashlanes",
    "torrent-check",
    "bindings/c",
    "bindings/python",
    "bindings/js",
    "bindings/go",
    "web",
];

const DEPENDENCIES: &[&str] = &["digest", "sha2", "lazy_static", "criterion", "hex", "sha3"];

/// Parts of the names of groups of `cargo bench`, which Criterion runs.
const GROUPS: &[&str] = &[
    "sha256",
    "sha1",
    "sha512",
    "keccak",
    "ripemd160",
    "hash160",
    "sumhash512",
    "slh-dsa",
    "merkle",
    "addr-recover",
];

const EXAMPLES: &[&str] = &[
    "digest_many",
    "bitcoin",
    "p2pkh",
    "state_proof",
    "transparency_log",
    "hash_files",
    "git_objects",
    "sha1_pieces",
    "bep52",
    "distributed",
];

/// Every reader of untrusted bytes, every verifier of proofs, and every hash.
const FUZZ_TARGETS: &[&str] = &[
    "sha256",
    "sha1",
    "sha1_checked",
    "sha512",
    "keccak",
    "ripemd160",
    "sumhash512",
    "merkle_proofs",
    "merkle_formats",
    "addr_pattern",
    "addr_search",
    "torrent_bencode",
    "torrent_metainfo",
    "torrent_layout",
    "torrent_state",
    "torrent_clients",
];

/// Regular expressions in any case, each with the files of which one must have it.
const TEXTS: &[(&str, &str)] = &[
    ("^harness = false", "benches/Cargo.toml"),
    ("criterion_main!", "benches/benches"),
    // sumhash512 as a type of digest 0.10, its compressors at any size, and its salted mode.
    ("CoreWrapper|core_api", "sumhash/src"),
    ("Compressor|CompressMatrix", "sumhash/api.txt"),
    ("CompressLookup|Lookup", "sumhash/api.txt"),
    ("salt", "sumhash/api.txt"),
    // What every hash has, and what some have.
    ("hash_many_into", "hash-lanes/api.txt"),
    ("prelude::DigestMany", "hashlanes/api.txt"),
    ("hash160", "ripemd-multi/api.txt"),
    ("Midstate", "sha256-multi/api.txt"),
    ("hash_pairs", "sha256-multi/api.txt"),
    // The trees.
    ("ssz", "merkle/api.txt"),
    ("rfc6962", "merkle/api.txt"),
    ("bitcoin", "merkle/api.txt"),
    ("bep52", "merkle/api.txt"),
    ("algorand", "merkle/api.txt"),
    ("openzeppelin", "merkle/api.txt"),
    ("swarm", "merkle/api.txt"),
    ("progressive", "merkle/api.txt"),
    ("state_proof", "merkle/api.txt"),
    // Signatures.
    ("Sha2_128s", "slh-dsa-multi/api.txt"),
    ("Shake128s", "slh-dsa-multi/api.txt"),
    ("try_sign", "slh-dsa-multi/api.txt"),
    ("verify_many", "slh-dsa-multi/api.txt"),
    // The bindings.
    ("hashlanes_keccak256_many", "bindings/c/hashlanes.h"),
    ("def sha512_many", "bindings/python/hashlanes.pyi"),
    ("class SlhDsaSigningKey", "bindings/python/hashlanes.pyi"),
    ("sha256Chains", "bindings/js/index.d.ts"),
    ("class SigningKey", "bindings/js/slh-dsa.d.ts"),
    // Searches on many machines, and recipes for GNU parallel, Slurm and Kubernetes.
    ("shard", "addr-recover/src/cli*"),
    ("slurm", "*.md"),
];

pub(crate) fn run(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let files = |folders: &[&str], before: &str, after: &str| -> Vec<(String, String)> {
        folders.iter().map(|name| (String::new(), format!("{before}{name}{after}"))).collect()
    };
    let mut items = files(FOLDERS, "", "");
    items.extend(files(EXAMPLES, "*examples/*", "*.rs"));
    items.extend(files(FUZZ_TARGETS, "fuzz/fuzz_targets/*", "*"));
    items.extend(GROUPS.iter().map(|&group| (group.to_owned(), "benches/benches".to_owned())));
    items
        .extend(DEPENDENCIES.iter().map(|name| (format!("^{name}[ .]"), "*Cargo.toml".to_owned())));
    items.extend(TEXTS.iter().map(|&(text, files)| (text.to_owned(), files.to_owned())));
    let mut missing = String::new();
    for (text, files) in items {
        if !is_there(sh, &text, &files)? {
            missing += &format!("\n  {files}");
            if !text.is_empty() {
                missing += &format!(" with `{text}`");
            }
        }
    }
    ensure!(missing.is_empty(), "the project no longer has what it was asked for:{missing}");
    Ok(Outcome::Passed)
}

/// Whether a tracked file that matches the Git pathspec has a match of the regular expression; or
/// exists, if the expression is empty.
fn is_there(sh: &Shell, text: &str, files: &str) -> Result<bool> {
    if text.is_empty() {
        return Ok(!cmd!(sh, "git ls-files -- {files}").quiet().read()?.is_empty());
    }
    // The status is 1 if nothing matches.
    let grep = cmd!(sh, "git grep --quiet --ignore-case --extended-regexp -e {text} -- {files}");
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
        let manifest = || is_there(&sh, "^criterion[ .]", "*Cargo.toml").unwrap();
        let benches = || is_there(&sh, "", "benches").unwrap();
        assert!(!manifest() && !benches(), "nothing is tracked yet");
        cmd!(sh, "git add benches").run().unwrap();
        assert!(manifest() && benches());
        sh.write_file("benches/Cargo.toml", "not-criterion.workspace = true\n").unwrap();
        assert!(!manifest() && benches());
        cmd!(sh, "git rm -q -f --cached benches/Cargo.toml").run().unwrap();
        assert!(!benches());
    }
}
