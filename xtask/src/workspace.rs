//! The packages of this workspace, and the release build that several checks share.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::tools;

/// A published package.
pub(crate) struct Package {
    pub(crate) name: String,
    /// Its folder, relative to the workspace.
    pub(crate) folder: PathBuf,
    /// How many of them depend on each other, one on the next, below this one.
    pub(crate) level: usize,
    /// The checks of `package.metadata.hashlanes` in its manifest.
    checks: Vec<String>,
}

/// What a manifest can name in `checks`. The scripts of `ci/cross` run `bare` and `emulated`.
const CHECKS: [&str; 6] = ["bare", "emulated", "kernels", "miri", "sanitize", "stack"];

/// The published packages, each after those that it depends on.
pub(crate) fn published(sh: &Shell) -> Result<Vec<Package>> {
    let metadata = cmd!(sh, "cargo metadata --no-deps --format-version 1").quiet().read()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let strings = |value: &Value| -> Vec<String> {
        let all = value.as_array().into_iter().flatten();
        all.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut waiting = Vec::new();
    for package in metadata["packages"].as_array().context("cargo metadata has no packages")? {
        if !package["publish"].is_null() {
            continue;
        }
        let name = package["name"].as_str().context("a package has no name")?.to_owned();
        let manifest = Path::new(package["manifest_path"].as_str().context("no manifest")?);
        let folder = manifest.parent().context("a manifest is in no folder")?;
        let folder = folder.strip_prefix(sh.current_dir())?.to_owned();
        let checks = strings(&package["metadata"]["hashlanes"]["checks"]);
        if let Some(unknown) = checks.iter().find(|check| !CHECKS.contains(&check.as_str())) {
            bail!("{name}: no check of packages is named `{unknown}`: they are {CHECKS:?}");
        }
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        let dependencies = dependencies.filter(|dependency| dependency["kind"].is_null());
        let dependencies: Vec<Value> = dependencies.map(|it| it["name"].clone()).collect();
        waiting.push((Package { name, folder, level: 0, checks }, dependencies));
    }
    let mut published: Vec<Package> = Vec::new();
    for level in 0.. {
        let names: Vec<Value> = waiting.iter().map(|(it, _)| it.name.as_str().into()).collect();
        let is_ready = |(_, dependencies): &(Package, Vec<Value>)| {
            !dependencies.iter().any(|dependency| names.contains(dependency))
        };
        let (ready, others): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_ready);
        ensure!(others.is_empty() || !ready.is_empty(), "packages depend on each other");
        published.extend(ready.into_iter().map(|(package, _)| Package { level, ..package }));
        waiting = others;
        if waiting.is_empty() {
            break;
        }
    }
    ensure!(!published.is_empty(), "no package is published");
    Ok(published)
}

/// The published packages whose manifests name a check.
pub(crate) fn checked_by(sh: &Shell, check: &str) -> Result<Vec<Package>> {
    let mut packages = published(sh)?;
    packages.retain(|package| package.checks.iter().any(|name| name == check));
    ensure!(!packages.is_empty(), "no manifest names the check `{check}`");
    Ok(packages)
}

/// The packages of all workspaces in the repository, and which of them each is built from or tested
/// with.
pub(crate) struct Graph {
    nodes: Vec<Node>,
}

struct Node {
    name: String,
    /// Relative to the repository.
    folder: PathBuf,
    /// The folders of the local packages that it depends on, for tests and build scripts, too.
    below: Vec<PathBuf>,
    is_in_root: bool,
}

impl Graph {
    pub(crate) fn read(sh: &Shell) -> Result<Self> {
        let mut nodes = Vec::new();
        for (i, manifest) in MANIFESTS.iter().enumerate() {
            let options = ["--no-deps", "--format-version", "1", "--manifest-path", manifest];
            let metadata = cmd!(sh, "cargo metadata {options...}").quiet().read()?;
            let metadata: Value = serde_json::from_str(&metadata)?;
            let relative = |path: &Value| -> Result<PathBuf> {
                let path = Path::new(path.as_str().context("a path is missing")?);
                Ok(path.strip_prefix(sh.current_dir())?.to_owned())
            };
            for package in metadata["packages"].as_array().into_iter().flatten() {
                let name = package["name"].as_str().context("a package has no name")?.to_owned();
                let folder = relative(&package["manifest_path"])?;
                let folder = folder.parent().context("a manifest is in no folder")?.to_owned();
                let dependencies = package["dependencies"].as_array().into_iter().flatten();
                let paths = dependencies.map(|it| &it["path"]).filter(|path| !path.is_null());
                let below = paths.map(relative).collect::<Result<_>>()?;
                nodes.push(Node { name, folder, below, is_in_root: i == 0 });
            }
        }
        ensure!(!nodes.is_empty(), "cargo metadata has no packages");
        Ok(Self { nodes })
    }

    /// The folders of a package and of all local packages that its tests run.
    pub(crate) fn folders_below(&self, name: &str) -> Result<Vec<String>> {
        let node = self.nodes.iter().find(|node| node.name == name);
        let mut folders =
            vec![&node.with_context(|| format!("no package is named {name}"))?.folder];
        let mut next = 0;
        while let Some(&folder) = folders.get(next) {
            let node = self.nodes.iter().find(|node| node.folder == *folder);
            for below in node.into_iter().flat_map(|node| &node.below) {
                if !folders.contains(&below) {
                    folders.push(below);
                }
            }
            next += 1;
        }
        Ok(folders.iter().map(|folder| folder.display().to_string()).collect())
    }

    /// The folders of all packages of the root workspace.
    pub(crate) fn folders_of_workspace(&self) -> impl Iterator<Item = String> {
        let nodes = self.nodes.iter().filter(|node| node.is_in_root);
        nodes.map(|node| node.folder.display().to_string())
    }
}

/// `-p NAME` for each package.
pub(crate) fn options(packages: &[Package]) -> Vec<&str> {
    packages.iter().flat_map(|package| ["-p", package.name.as_str()]).collect()
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

/// Keeps generic arguments in symbol names. `.cargo/config.toml` sets it, too.
pub(crate) const MANGLING: &str = "-C symbol-mangling-version=v0";

/// Builds the libraries with kernels as users get them, and the program that watches them run.
pub(crate) fn build_release(sh: &Shell) -> Result<()> {
    // Flags in the environment replace those of .cargo/config.toml.
    let flags = sh.var("RUSTFLAGS").ok();
    let _flags = flags.map(|flags| sh.push_env("RUSTFLAGS", format!("{flags} {MANGLING}")));
    let packages = checked_by(sh, "kernels")?;
    let libraries = options(&packages);
    // The dependencies of the other features have no kernels.
    let feature = |package: &Package| match &*package.name {
        "addr-recover" => "addr-recover/curve".to_owned(),
        name => format!("{name}/std"),
    };
    let features: Vec<String> = packages.iter().map(feature).collect();
    let features = features.join(",");
    let watcher = ["-p", "xtask", "--bin", "constant-time", "--features", "xtask/constant-time"];
    let watcher = if obstacle_to_watching(sh)?.is_none() { &watcher[..] } else { &[] };
    let options = ["--release", "--lib", "--no-default-features", "--features", &features];
    Ok(cmd!(sh, "cargo build {options...} {libraries...} {watcher...}").run()?)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_follow_their_dependencies() {
        let sh = Shell::new().unwrap();
        sh.change_dir(crate::root());
        let published = published(&sh).unwrap();
        let at = |name| published.iter().position(|package| package.name == name).unwrap();
        assert!(at("hash-lanes") < at("sha1-multi"));
        assert!(at("sha3-multi") < at("merkle-lanes"));
        assert!(at("merkle-lanes") < at("torrent-check"));
        let levels = ["hash-lanes", "sha1-multi", "merkle-lanes"].map(|it| published[at(it)].level);
        assert_eq!(levels, [0, 1, 2]);
        assert_eq!(published[at("merkle-lanes")].folder, Path::new("merkle"));
        assert!(published.iter().all(|package| package.name != "xtask"));
        for check in CHECKS {
            assert!(!options(&checked_by(&sh, check).unwrap()).is_empty());
        }
        assert!(checked_by(&sh, "kernel").is_err());
    }

    #[test]
    fn a_package_is_tested_with_those_below_it() {
        let sh = Shell::new().unwrap();
        sh.change_dir(crate::root());
        let graph = Graph::read(&sh).unwrap();
        let below = |name| graph.folders_below(name).unwrap();
        let tool = below("torrent-check");
        for folder in ["torrent-check", "merkle", "sha1-multi", "hash-lanes", "hash-lanes-testing"]
        {
            assert!(tool.iter().any(|it| it == folder), "{folder}");
        }
        assert!(!tool.iter().any(|it| it == "addr-recover"));
        assert!(below("hashlanes-web").iter().any(|it| it == "ripemd-multi"));
        assert!(graph.folders_below("no-such-package").is_err());
        assert!(graph.folders_of_workspace().all(|folder| folder != "web"));
    }
}
