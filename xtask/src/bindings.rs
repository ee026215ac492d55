//! Builds what C, Python and JavaScript use as the READMEs of `bindings` say, and tests it from
//! those languages.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::checks::Outcome;
use crate::tools;

/// The version of gohashtree whose tests the drop-in for hashtree must pass.
const GOHASHTREE: &str = "github.com/prysmaticlabs/gohashtree@v0.0.4-beta";

const WARNINGS: [&str; 4] = ["-std=c11", "-Wall", "-Wextra", "-Werror"];

/// What a program needs besides the static library.
const SYSTEM: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

const WASM: &str = "wasm32-unknown-unknown";

pub(crate) fn run(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let has_languages = cfg!(target_os = "linux")
        && ["cc", "go", "python3"].into_iter().all(tools::has)
        && tools::install_debian(sh, "pkg-config", "pkg-config")?
        && tools::install_debian(sh, "node", "nodejs")?
        && tools::install_debian(sh, "npm", "npm")?;
    if !has_languages {
        let needed = "Linux, a C compiler, pkg-config, Go, Python and Node.js with npm";
        return Ok(Outcome::Skipped(format!("it needs {needed}")));
    }
    let library = cmd!(sh, "rustc --print target-libdir --target {WASM}").quiet().read()?;
    if !sh.path_exists(library) && cmd!(sh, "rustup target add {WASM}").run().is_err() {
        return Ok(Outcome::Skipped(format!("it needs the target {WASM}")));
    }
    let target = tools::target(sh).join("bindings");
    tools::install(sh, "cbindgen", "0.29.2")?;
    let _target = sh.push_env("CARGO_TARGET_DIR", &target);
    let bindings = sh.current_dir().join("bindings");
    for (language, test) in
        [("c", c as fn(&Shell, &Path) -> Result<()>), ("python", python), ("js", js)]
    {
        let _folder = sh.push_dir(bindings.join(language));
        test(sh, &target)?;
    }
    Ok(Outcome::Passed)
}

/// Tests the C library with the compiler's sanitizers.
fn c(sh: &Shell, target: &Path) -> Result<()> {
    cmd!(sh, "cargo clippy --release --all-features --locked -- -D warnings").run()?;
    let current = sh.read_file("hashlanes.h")?;
    let generated =
        cmd!(sh, "cbindgen --quiet --config cbindgen.toml --crate hashlanes-c").read()?;
    ensure!(
        current.trim_end() == generated.trim_end(),
        "hashlanes.h is not current: run the command of cbindgen in bindings/c/README.md"
    );

    let library = target.join("release/libhashlanes.a");
    let sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"];
    let program = target.join("test");
    for (features, define) in
        [(&["--features", "hashtree"][..], &["-DHASHLANES_HASHTREE"][..]), (&[], &[])]
    {
        cmd!(sh, "cargo build --release --locked {features...}").run()?;
        let options = WARNINGS.iter().chain(&sanitizers).chain(define);
        cmd!(sh, "cc {options...} -I. tests/test.c {library} {SYSTEM...} -o {program}").run()?;
        cmd!(sh, "{program}").run()?;
        if !features.is_empty() {
            gohashtree(sh, target, &library)?;
        }
    }

    cmd!(sh, "cc {WARNINGS...} -I. examples/node.c {library} {SYSTEM...} -o {program}").run()?;
    let output = cmd!(sh, "{program}").read()?;
    let digest = output.lines().last().context("node.c prints nothing")?;
    // The first of Ethereum's zero hashes.
    ensure!(
        digest == "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b",
        "node.c prints {digest}"
    );
    Ok(())
}

/// Runs the tests of hashtree's binding for Go, with the drop-in in place of its assembly.
fn gohashtree(sh: &Shell, target: &Path, library: &Path) -> Result<()> {
    let module = cmd!(sh, "go mod download -json {GOHASHTREE}").read()?;
    let module: Value = serde_json::from_str(&module)?;
    let source = module["Dir"].as_str().context("go mod download names no folder")?;
    let copy = target.join("gohashtree");
    sh.remove_path(&copy)?;
    cmd!(sh, "cp -r --no-preserve=mode {source} {copy}").run()?;
    sh.copy_file("tests/gohashtree.go", &copy)?;
    let _folder = sh.push_dir(&copy);
    for name in ["hash_amd64.go", "hash_amd64.s", "hash_arm64.go", "hash_arm64.s"] {
        sh.remove_path(name)?;
    }
    let code = sh.read_file("hash.go")?;
    let declaration = "func _hash(digests *byte, p [][32]byte, count uint32)\n";
    ensure!(code.contains(declaration), "gohashtree no longer declares {declaration}");
    sh.write_file("hash.go", code.replace(declaration, ""))?;
    let flags = format!("{} {}", library.display(), SYSTEM.join(" "));
    cmd!(sh, "go test -count 1 ./...").env("CGO_ENABLED", "1").env("CGO_LDFLAGS", flags).run()?;
    Ok(())
}

/// Installs the Python package in a new virtual environment, and tests it there.
fn python(sh: &Shell, target: &Path) -> Result<()> {
    cmd!(sh, "cargo clippy --release --locked -- -D warnings").run()?;
    let venv = target.join("venv");
    sh.remove_path(&venv)?;
    if cmd!(sh, "python3 -m venv {venv}").run().is_err() {
        tools::install_debian(sh, "python3-venv", "python3-venv")?;
        cmd!(sh, "python3 -m venv {venv}").run()?;
    }
    let python = venv.join("bin/python");
    cmd!(sh, "{python} -m pip install -q .[test,bench]").run()?;
    let _bytecode = sh.push_env("PYTHONDONTWRITEBYTECODE", "1");
    cmd!(sh, "{python} -m pytest -q -p no:cacheprovider").run()?;
    cmd!(sh, "{python} -m mypy.stubtest --ignore-missing-stub hashlanes").run()?;
    cmd!(sh, "{python} examples/level_hash.py").run()?;
    Ok(cmd!(sh, "{python} bench.py").run()?)
}

/// Builds the npm package, and tests a copy beside the packages that it is compared with.
fn js(sh: &Shell, target: &Path) -> Result<()> {
    let options = ["--release", "--locked", "--target", WASM];
    cmd!(sh, "cargo clippy {options...} -- -D warnings").run()?;
    cmd!(sh, "./build.sh").run()?;
    let copy = target.join("npm");
    sh.create_dir(&copy)?;
    let files = ["hasher.js", "index.js", "package.json", "package-lock.json", "pkg"];
    cmd!(sh, "cp -r {files...} bench.mjs test.mjs {copy}").run()?;
    let _folder = sh.push_dir(&copy);
    cmd!(sh, "npm ci --no-audit --no-fund").run()?;
    cmd!(sh, "node --test test.mjs").run()?;
    Ok(cmd!(sh, "node bench.mjs").run()?)
}
