//! The public items of each library, compared with its `api.txt`.

use std::fs;

use anyhow::{Context as _, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::cargo::{PUBLISHED, published};
use crate::checks::Outcome;
use crate::tools;

/// Lists what each library makes public with all features. Auto traits and blanket implementations
/// are left out.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    ensure!(arguments.is_empty() || arguments == ["--update"], "usage: cargo xtask api [--update]");
    let target = tools::target(sh).join("api");
    // The list is made of rustdoc's JSON, which the stable compiler writes only when it is told to
    // accept unstable options.
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
            .build()
            .with_context(|| {
                format!("{package}: this version of public-api reads the JSON of Rust 1.95")
            })?;
        let found = api.to_string();
        ensure!(!found.is_empty(), "{package} makes nothing public");
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
            "public items have changed in {}; if they should: `cargo xtask api --update`, and a line in \
             CHANGELOG.md",
            changes.join(", ")
        );
    }
    Ok(Outcome::Passed)
}
