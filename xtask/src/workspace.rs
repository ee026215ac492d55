//! The packages of this workspace, and the release build that several checks share.

use std::path::Path;

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::tools;

/// The published packages, by name and folder.
pub(crate) const PUBLISHED: [(&str, &str); 12] = [
    ("hash-lanes", "hash-lanes"),
    ("sha1-multi", "sha1-multi"),
    ("sha256-multi", "sha256-multi"),
    ("sha512-multi", "sha512-multi"),
    ("ripemd-multi", "ripemd-multi"),
    ("sha3-multi", "sha3-multi"),
    ("sumhash512", "sumhash"),
    ("slh-dsa-multi", "slh-dsa-multi"),
    ("merkle-lanes", "merkle"),
    ("hashlanes", "hashlanes"),
    ("addr-recover", "addr-recover"),
    ("torrent-check", "torrent-check"),
];

/// `-p NAME` for each published package.
pub(crate) fn published() -> Vec<&'static str> {
    PUBLISHED.iter().flat_map(|(name, _)| ["-p", name]).collect()
}

/// The manifests of the workspaces.
pub(crate) const MANIFESTS: [&str; 6] = [
    "Cargo.toml",
    "bindings/c/Cargo.toml",
    "bindings/js/Cargo.toml",
    "bindings/python/Cargo.toml",
    "fuzz/Cargo.toml",
    "web/Cargo.toml",
];

/// The packages that have kernels.
pub(crate) const WITH_KERNELS: [&str; 8] = [
    "sha1-multi",
    "sha256-multi",
    "sha512-multi",
    "ripemd-multi",
    "sha3-multi",
    "merkle-lanes",
    "addr-recover",
    "sumhash512",
];

/// Keeps generic arguments in symbol names. `.cargo/config.toml` sets it, too.
pub(crate) const MANGLING: &str = "-C symbol-mangling-version=v0";

/// Builds the libraries with kernels as users get them, and the program that watches them run.
pub(crate) fn build_release(sh: &Shell) -> Result<()> {
    // Flags in the environment replace those of .cargo/config.toml.
    let flags = sh.var("RUSTFLAGS").ok();
    let _flags = flags.map(|flags| sh.push_env("RUSTFLAGS", format!("{flags} {MANGLING}")));
    let libraries = WITH_KERNELS.iter().flat_map(|package| ["-p", package]);
    let watcher = ["-p", "xtask", "--bin", "constant-time", "--features", "xtask/constant-time"];
    let watcher = if obstacle_to_watching(sh)?.is_none() { &watcher[..] } else { &[] };
    Ok(cmd!(sh, "cargo build --release --lib {libraries...} {watcher...}").run()?)
}

/// The reason why the program `constant-time` cannot be built here, if there is one.
pub(crate) fn obstacle_to_watching(sh: &Shell) -> Result<Option<String>> {
    let host = tools::host(sh)?;
    if host != "x86_64-unknown-linux-gnu" {
        return Ok(Some(format!("it needs x86_64-unknown-linux-gnu, and this is {host}")));
    }
    let has_headers = || Path::new("/usr/include/valgrind/memcheck.h").exists();
    if has_headers() || tools::install_debian(sh, "valgrind", "valgrind")? && has_headers() {
        return Ok(None);
    }
    Ok(Some("valgrind is not installed".into()))
}
