//! Checks the manifests: features, versions, licences.

use anyhow::{Context as _, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::checks::Outcome;
use crate::tools;
use crate::workspace::{MANIFESTS, options, published};

/// Each feature and each pair of features compiles without warnings; `lint` has all of them. One
/// crate at a time, because cargo unifies the features of several.
pub(crate) fn features(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    tools::install(sh, "cargo-hack", "0.6.46")?;
    let published = published(sh)?;
    let crates = &options(&published);
    // `default` only combines other features.
    let sets = ["--feature-powerset", "--depth", "2", "--exclude-features", "default"];
    // A feature of the facade is a crate, so that it has hundreds of pairs.
    let others = published.iter().filter(|package| package.name != "hashlanes");
    let others = others.flat_map(|package| ["-p", package.name.as_str()]);
    cmd!(sh, "cargo hack clippy -q {others...} {sets...} -- -D warnings").run()?;
    cmd!(sh, "cargo hack clippy -q -p hashlanes --each-feature -- -D warnings").run()?;
    cmd!(sh, "cargo hack test -q --keep-going {crates...} --no-default-features --doc").run()?;
    Ok(Outcome::Passed)
}

/// The libraries and tools compile with the oldest dependencies that their manifests permit.
///
/// Transitive dependencies are the newest: their lower bounds are not ours to fix.
pub(crate) fn minimal(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let target = tools::target(sh).join("minimal");
    // A copy, so that Cargo.lock stays as it is. File times are kept for a second run.
    let copy = target.join("source");
    sh.remove_path(&copy)?;
    sh.create_dir(&copy)?;
    let files = cmd!(sh, "git ls-files --cached --others --exclude-standard").quiet().read()?;
    let files = files.lines().filter(|file| sh.path_exists(file));
    cmd!(sh, "cp -P --parents --preserve=timestamps {files...} {copy}").quiet().run()?;
    let _folder = sh.push_dir(&copy);
    sh.remove_path("Cargo.lock")?;
    // Nothing depends on these.
    let manifest = sh.read_file("Cargo.toml")?;
    let members = "\"benches\", \"examples\", \"xtask\",\n";
    if !manifest.contains(members) {
        bail!("the members in Cargo.toml do not end in {members}; adjust `minimal` in xtask");
    }
    let manifest = manifest.replace(members, "\n").replace(r#""benches", "examples","#, "");
    sh.write_file("Cargo.toml", manifest)?;
    // Only cargo has to accept an unstable option; the compiler is unaffected.
    cmd!(sh, "cargo -q -Z direct-minimal-versions generate-lockfile")
        .env("RUSTC_BOOTSTRAP", "1")
        .run()?;
    let options = ["--locked", "--workspace", "--all-features"];
    cmd!(sh, "cargo check -q {options...} --target-dir {target}").run()?;
    Ok(Outcome::Passed)
}

/// Neither code nor dependencies need a newer Rust than `rust-version` in Cargo.toml: that
/// toolchain compiles the crates.
pub(crate) fn msrv(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let manifest = sh.read_file("Cargo.toml")?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    let version = version.context("Cargo.toml has no rust-version")?.trim_matches('"');
    let install = ["toolchain", "install", version, "--profile", "minimal"];
    if let Err(error) = cmd!(sh, "rustup {install...}").run() {
        return Ok(Outcome::Skipped(format!("Rust {version} is not installed: {error}")));
    }
    // The benches only measure; nothing depends on them.
    let unpublished = ["--exclude", "hashlanes-benches", "--exclude", "xtask"];
    // Warnings are those of today's compiler, which `lint` sees.
    let _flags = sh.push_env("RUSTFLAGS", "-A warnings");
    // Another compiler needs its own target folder.
    let target = tools::target(sh).join("msrv");
    let check = ["check", "-q", "--locked", "--workspace", "--all-features"];
    cmd!(sh, "rustup run {version} cargo {check...} {unpublished...} --target-dir {target}")
        .run()?;
    Ok(Outcome::Passed)
}

/// Nothing here runs a test on these; the workflows do.
const PLATFORMS: [&str; 2] = ["x86_64-pc-windows-msvc", "aarch64-apple-darwin"];

/// Libraries and tools compile without warnings for Windows and macOS. With `--all`, so does
/// everything that `cargo xtask check` compiles there.
pub(crate) fn platforms(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    ensure!(arguments.is_empty() || arguments == ["--all"], "usage: cargo xtask platforms [--all]");
    if let Err(error) = cmd!(sh, "rustup target add {PLATFORMS...}").quiet().run() {
        return Ok(Outcome::Skipped(format!("the targets are not installed: {error}")));
    }
    let targets = PLATFORMS.iter().flat_map(|target| ["--target", target]);
    let _flags = sh.push_env("RUSTFLAGS", "-D warnings");
    if arguments == ["--all"] {
        cmd!(sh, "cargo clippy -q --workspace --all-targets {targets...}").run()?;
    } else {
        let published = published(sh)?;
        let crates = options(&published);
        cmd!(sh, "cargo check -q {crates...} {targets...}").run()?;
    }
    Ok(Outcome::Passed)
}

/// The version of cargo-deny.
const CARGO_DENY: &str = "0.20.2";

/// No dependency of any workspace has an advisory in the database of `RustSec`, or was yanked.
pub(crate) fn advisories(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    tools::install(sh, "cargo-deny", CARGO_DENY)?;
    let deny = ["--config", "deny.toml", "--locked", "--manifest-path"];
    if let Err(error) = cmd!(sh, "cargo deny {deny...} Cargo.toml fetch db").run() {
        return Ok(Outcome::Skipped(format!("the database of advisories cannot be had: {error}")));
    }
    for manifest in MANIFESTS {
        cmd!(sh, "cargo deny {deny...} {manifest} check advisories").run()?;
    }
    Ok(Outcome::Passed)
}

/// Dependencies have the licences and sources that deny.toml permits.
pub(crate) fn licences(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    if arguments == ["--if-installed"] && !tools::is_installed(sh, "cargo-deny") {
        return Ok(Outcome::Skipped("cargo-deny is not installed".into()));
    }
    tools::install(sh, "cargo-deny", CARGO_DENY)?;
    let check = |manifest: &str, options: &[&str]| {
        let deny = ["--config", "deny.toml", "--locked"];
        let what = ["bans", "licenses", "sources"];
        cmd!(sh, "cargo deny --manifest-path {manifest} {deny...} {options...} check {what...}")
            .run()
    };
    check("Cargo.toml", &["--all-features", "--exclude", "hashlanes-benches"])?;
    for manifest in MANIFESTS {
        check(manifest, &[])?;
    }
    Ok(Outcome::Passed)
}
