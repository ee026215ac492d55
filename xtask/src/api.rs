//! Compares the public items of each library with its `api.txt`.

use std::fs;

use anyhow::{Context as _, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::check::Outcome;
use crate::tools;
use crate::workspace::{PUBLISHED, published};

/// Lists the public items of each library with all features, without auto traits and blanket
/// implementations.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    ensure!(arguments.is_empty() || arguments == ["--update"], "usage: cargo xtask api [--update]");
    let target = tools::target(sh).join("api");
    // The list comes from rustdoc's JSON, which stable rustdoc writes only with unstable options
    // enabled.
    let _bootstrap = sh.push_env("RUSTC_BOOTSTRAP", "1");
    let _flags =
        sh.push_env("RUSTDOCFLAGS", "-Z unstable-options --output-format json --cap-lints allow");
    let published = published();
    cmd!(sh, "cargo doc {published...} --lib --no-deps --all-features --target-dir {target}")
        .run()?;
    let mut changes = Vec::new();
    for (package, folder) in PUBLISHED {
        let file = target.join("doc").join(format!("{}.json", package.replace('-', "_")));
        let api = public_api::Builder::from_rustdoc_json(&file)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .with_context(|| {
                format!("{package}: this version of public-api reads only the JSON of Rust 1.95")
            })?;
        let found = api.to_string();
        ensure!(!found.is_empty(), "{package} has no public items");
        let listed = sh.current_dir().join(folder).join("api.txt");
        if arguments == ["--update"] {
            fs::write(&listed, found)?;
        } else if fs::read_to_string(&listed)? != found {
            let now = target.join("api.txt");
            fs::write(&now, found)?;
            cmd!(sh, "diff -u {listed} {now}").ignore_status().run()?;
            changes.push(package);
        }
    }
    if !changes.is_empty() {
        bail!(
            "public items have changed in {}; if this is intended, run `cargo xtask api \
             --update` and add a line to CHANGELOG.md",
            changes.join(", ")
        );
    }
    Ok(Outcome::Passed)
}
