//! Each published crate stands on its own: its package has the files it needs, and its tests pass there.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

/// The published crates, each after those it depends on.
const PUBLISHED: [&str; 8] = [
    "hash-lanes",
    "sha1-multi",
    "sha256-multi",
    "ripemd-multi",
    "sumhash512",
    "merkle-lanes",
    "addr-recover",
    "torrent-check",
];

/// Members of the workspace with a profile of their own that are not published.
const UNPUBLISHED: [&str; 3] = ["hashlanes-benches", "hashlanes-examples", "xtask"];

/// The crates whose tests and documentation examples are run: those that leave some of their tests out of the package,
/// and the engine. With [`DEEP`] it is all.
const TESTED: [&str; 4] = ["hash-lanes", "sha1-multi", "sha256-multi", "ripemd-multi"];

/// The environment variable that asks for the long form of the check.
const DEEP: &str = "HASHLANES_DEEP";

const REQUIRED: [&str; 5] = ["Cargo.toml", "LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"];

/// What a package leaves out, by the end of the name: interfaces, recordings, scripts, test data.
const FORBIDDEN: [&str; 8] = ["api.txt", ".svg", ".cast", ".gif", ".sh", ".py", ".csv", ".lock.orig"];

/// No file of a package is as large; a larger one is test data or was generated.
const MAX_FILE_BYTES: u64 = 256 << 10;

/// Packs the published crates, checks what is in them, and tests them in a workspace without anything else.
pub(crate) fn run(sh: &Shell) -> Result<()> {
    let metadata = cmd!(sh, "cargo metadata --no-deps --format-version 1").quiet().read()?;
    let target = text_after(&metadata, "\"target_directory\":\"").context("no target directory")?;
    let root = text_after(&metadata, "\"workspace_root\":\"").context("no workspace root")?;
    let folder = Path::new(target).join("packages");
    sh.remove_path(&folder)?;
    sh.create_dir(&folder)?;

    // Compiling each package is left to the tests below. The plain command has to succeed for all members.
    cmd!(sh, "cargo package --quiet --workspace --no-verify --allow-dirty").run()?;
    for package in PUBLISHED {
        let unpacked = unpack(sh, Path::new(target), &folder, package)?;
        check_files(sh, package, &unpacked)?;
    }

    write_workspace(sh, Path::new(root), &folder)?;
    let _dir = sh.push_dir(&folder);
    // The workspace's own target folder: dependencies with the same features are there already.
    let _target = sh.push_env("CARGO_TARGET_DIR", target);
    if std::env::var_os(DEEP).is_some() {
        cmd!(sh, "cargo test --quiet --workspace").run()?;
        return Ok(());
    }
    // That every target compiles shows that no file is missing. Running all tests once more would show little else.
    cmd!(sh, "cargo check --quiet --workspace --all-targets").run()?;
    let mut packages = Vec::new();
    for package in TESTED {
        packages.extend(["--package", package]);
    }
    cmd!(sh, "cargo test --quiet {packages...}").run()?;
    Ok(())
}

/// The text between `key` and the next quotation mark.
fn text_after<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.split_once(key)?.1.split('"').next()
}

/// Unpacks a crate into a folder with its name, without the version.
fn unpack(sh: &Shell, target: &Path, folder: &Path, package: &str) -> Result<std::path::PathBuf> {
    let prefix = format!("{package}-");
    let is_archive = |name: &str| {
        let version = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".crate"));
        version.is_some_and(|version| version.starts_with(|first: char| first.is_ascii_digit()))
    };
    let archives: Vec<_> = sh
        .read_dir(target.join("package"))?
        .into_iter()
        .filter(|path| path.file_name().is_some_and(|name| is_archive(&name.to_string_lossy())))
        .collect();
    // Older versions may stand there as well.
    let newest = archives.iter().max_by_key(|path| fs::metadata(path).and_then(|data| data.modified()).ok());
    let archive = newest.with_context(|| format!("cargo has packed no {package}"))?;
    let unpacked = folder.join(package);
    sh.create_dir(&unpacked)?;
    cmd!(sh, "tar -xzf {archive} -C {unpacked} --strip-components=1").quiet().run()?;
    Ok(unpacked)
}

fn check_files(sh: &Shell, package: &str, unpacked: &Path) -> Result<()> {
    for name in REQUIRED {
        ensure!(unpacked.join(name).is_file(), "the package of {package} lacks {name}");
    }
    let mut folders = vec![unpacked.to_owned()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for path in sh.read_dir(folder)? {
            let name = path.strip_prefix(unpacked)?.display().to_string();
            let kind = fs::symlink_metadata(&path)?;
            ensure!(!kind.is_symlink(), "{name} in the package of {package} is a symbolic link");
            if kind.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            ensure!(
                !FORBIDDEN.iter().any(|end| name.ends_with(end)),
                "the package of {package} contains {name}: add it to `exclude` in its Cargo.toml"
            );
            ensure!(
                kind.len() <= MAX_FILE_BYTES,
                "{name} in the package of {package} has {} bytes",
                kind.len()
            );
            ensure!(
                name != "Cargo.toml" || !fs::read_to_string(&path)?.contains("hash-lanes-testing"),
                "the package of {package} depends on hash-lanes-testing, which is not published"
            );
            ensure!(
                !name.ends_with(".rs") || !leaves_the_package(&name, &fs::read_to_string(&path)?),
                "{name} in the package of {package} includes a file from outside the package"
            );
        }
    }
    println!("{package}: {files} files");
    Ok(())
}

/// Whether a source file at `name` includes one by a path with more `..` than it has folders.
fn leaves_the_package(name: &str, source: &str) -> bool {
    let depth = name.split('/').count() - 1;
    let included = source.lines().filter(|line| {
        line.contains("#[path") || line.contains("include_str!(\"") || line.contains("include_bytes!(\"")
    });
    included.map(|line| line.matches("../").count()).any(|steps| steps > depth)
}

/// A workspace of the unpacked crates, which find each other here and all else as the repository's lock file says.
fn write_workspace(sh: &Shell, root: &Path, folder: &Path) -> Result<()> {
    let manifest = sh.read_file(root.join("Cargo.toml"))?;
    let mut text = String::from("[workspace]\nresolver = \"3\"\nmembers = [\n");
    for package in PUBLISHED {
        text += &format!("    \"{package}\",\n");
    }
    text += "]\n\n[patch.crates-io]\n";
    for package in PUBLISHED {
        text += &format!("{package} = {{ path = \"{package}\" }}\n");
    }
    // The kernels are unusably slow without optimisation. Overrides for packages that are not here would be warned about.
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
