//! Checks the packages for crates.io: each package is self-contained, its tests pass outside the
//! workspace, and its public items are those in `api.txt`.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::checks::Outcome;
use crate::tools;
use crate::workspace::{Package, options, published};

/// Unpublished workspace members that have their own profile.
const UNPUBLISHED: [&str; 3] = ["hashlanes-benches", "hashlanes-examples", "xtask"];

const REQUIRED: [&str; 5] =
    ["Cargo.toml", "LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"];

/// Finds what no package may contain: links, files larger than 256 KiB (test data, or generated),
/// interface lists, recordings, scripts.
const FORBIDDEN: [&str; 8] = [
    "-type",
    "l",
    "-o",
    "-size",
    "+256k",
    "-o",
    "-regex",
    r".*/api\.txt\|.*\.\(cast\|gif\|sh\|py\|csv\)",
];

/// Packs the published crates, checks what is in them, and compiles them with their tests in a
/// separate workspace: no file is missing. With `--all`, it runs the tests there.
pub(crate) fn run(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    ensure!(arguments.is_empty() || arguments == ["--all"], "usage: cargo xtask package [--all]");
    let root = sh.current_dir();
    let target = tools::target(sh);
    let folder = target.join("packages");
    sh.remove_path(&folder)?;
    sh.create_dir(&folder)?;

    // It may hold older versions.
    let packed = target.join("package");
    sh.remove_path(&packed)?;
    // The tests below compile the packages. The plain command must succeed for all members.
    cmd!(sh, "cargo package --quiet --workspace --no-verify --allow-dirty").run()?;
    let published = published(sh)?;
    for archive in sh.read_dir(&packed)? {
        let name = archive.file_stem().unwrap_or_default().to_string_lossy();
        let (package, _version) = name.rsplit_once('-').unwrap_or_default();
        if archive.is_file() && published.iter().any(|it| it.name == package) {
            let unpacked = folder.join(package);
            sh.create_dir(&unpacked)?;
            cmd!(sh, "tar -xzf {archive} -C {unpacked} --strip-components=1").quiet().run()?;
            check_files(sh, package, &unpacked)?;
        }
    }

    write_workspace(sh, &root, &folder, &published)?;
    let _dir = sh.push_dir(&folder);
    // The workspace's target folder already has the dependencies with the same features.
    let _target = sh.push_env("CARGO_TARGET_DIR", target);
    // The lints are those of the default features, `lint` has all.
    let all = ["--quiet", "--workspace"];
    if arguments == ["--all"] {
        cmd!(sh, "cargo test {all...}").run()?;
    } else {
        cmd!(sh, "cargo clippy {all...} --all-targets -- -D warnings").run()?;
    }
    Ok(Outcome::Passed)
}

fn check_files(sh: &Shell, package: &str, unpacked: &Path) -> Result<()> {
    for name in REQUIRED {
        ensure!(unpacked.join(name).is_file(), "the package of {package} lacks {name}");
    }
    let forbidden = cmd!(sh, "find {unpacked} {FORBIDDEN...}").quiet().read()?;
    ensure!(
        forbidden.is_empty(),
        "the package of {package} contains these: add them to `exclude` in its Cargo.toml\n\
         {forbidden}"
    );
    ensure!(
        !sh.read_file(unpacked.join("Cargo.toml"))?.contains("hash-lanes-testing"),
        "the package of {package} depends on hash-lanes-testing, which is not published"
    );
    Ok(())
}

/// Writes a workspace of the unpacked crates. They find each other here, and all other dependencies
/// follow the repository's lock file.
fn write_workspace(sh: &Shell, root: &Path, folder: &Path, published: &[Package]) -> Result<()> {
    let manifest = sh.read_file(root.join("Cargo.toml"))?;
    let mut text = String::from("[workspace]\nresolver = \"3\"\nmembers = [\n");
    for Package { name, .. } in published {
        text += &format!("    \"{name}\",\n");
    }
    text += "]\n\n[patch.crates-io]\n";
    for Package { name, .. } in published {
        text += &format!("{name} = {{ path = \"{name}\" }}\n");
    }
    // The kernels are unusably slow without optimisation. Overrides for missing packages are left
    // out, because cargo warns about them.
    let is_wanted = |section: &&str| {
        section.starts_with("profile.dev") && !UNPUBLISHED.iter().any(|name| section.contains(name))
    };
    for section in manifest.split("\n[").filter(is_wanted) {
        text += &format!("\n[{section}");
    }
    sh.write_file(folder.join("Cargo.toml"), text)?;
    sh.copy_file(root.join("Cargo.lock"), folder)?;
    Ok(())
}

/// The list with `Item: core::…` where public-api 0.52 prints the bounds of an associated type as
/// `Itemcore::…`.
fn readable(api: &str) -> String {
    let mut list = api.to_owned();
    for path in ["core::", "alloc::", "std::", "hash_lanes::"] {
        let mut parts = list.split(path);
        let mut colons = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            if colons.ends_with(|end: char| end.is_ascii_alphabetic()) {
                colons += ": ";
            }
            colons += path;
            colons += part;
        }
        list = colons;
    }
    list
}

/// Lists the public items of each library with all features, without auto traits and blanket
/// implementations.
pub(crate) fn api(sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
    ensure!(arguments.is_empty() || arguments == ["--update"], "usage: cargo xtask api [--update]");
    let target = tools::target(sh).join("api");
    // The list comes from rustdoc's JSON, which stable rustdoc writes only with unstable options
    // enabled.
    let _bootstrap = sh.push_env("RUSTC_BOOTSTRAP", "1");
    let _flags =
        sh.push_env("RUSTDOCFLAGS", "-Z unstable-options --output-format json --cap-lints allow");
    let published = published(sh)?;
    let libraries = options(&published);
    cmd!(sh, "cargo doc {libraries...} --lib --no-deps --all-features --target-dir {target}")
        .run()?;
    let mut changes = Vec::new();
    for Package { name: package, folder, .. } in &published {
        let file = target.join("doc").join(format!("{}.json", package.replace('-', "_")));
        let api = public_api::Builder::from_rustdoc_json(&file)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .with_context(|| {
                format!("{package}: this version of public-api reads only the JSON of Rust 1.95")
            })?;
        let found = readable(&api.to_string());
        ensure!(!found.is_empty(), "{package} has no public items");
        let listed = sh.current_dir().join(folder).join("api.txt");
        if arguments == ["--update"] {
            fs::write(&listed, found)?;
        } else if fs::read_to_string(&listed)? != found {
            let now = target.join("api.txt");
            fs::write(&now, found)?;
            cmd!(sh, "diff -u {listed} {now}").ignore_status().run()?;
            changes.push(package.as_str());
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
