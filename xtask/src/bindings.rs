//! Builds the C library, the Go module, the Python package and the npm package as their READMEs
//! say, and tests each from its language.

use std::path::{Path, PathBuf};

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

/// A header that the benchmark in C needs, for its rival.
const OPENSSL: &str = "/usr/include/openssl/sha.h";

const WASM: &str = "wasm32-unknown-unknown";

pub(crate) fn run(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    let has_languages = cfg!(target_os = "linux")
        && ["cc", "go"].into_iter().all(tools::has)
        && tools::install_debian(sh, "python3", "python3")?
        && tools::install_debian(sh, "pkg-config", "pkg-config")?
        && tools::install_debian(sh, "cmake", "cmake")?
        && tools::install_debian(sh, OPENSSL, "libssl-dev")?
        && tools::install_debian(sh, "node", "nodejs")?
        && tools::install_debian(sh, "npm", "npm")?;
    if !has_languages {
        let needed = "Linux, a C compiler, CMake, pkg-config, OpenSSL's headers, Go, Python and \
                      Node.js with npm";
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
    let test = |language: &str, test: fn(&Shell, &Path) -> Result<()>| {
        let _folder = sh.push_dir(bindings.join(language));
        test(sh, &target)
    };
    test("js", js)?;
    test("python", python)?;
    if !tools::is_installed(sh, "cargo-cinstall") {
        // The newest that the oldest Rust permits.
        tools::install(sh, "cargo-c", "0.10.18+cargo-0.92.0")?;
    }
    test("c", c)?;
    test("go", go)?;
    Ok(Outcome::Passed)
}

/// Tests the C library with the compiler's sanitizers.
fn c(sh: &Shell, target: &Path) -> Result<()> {
    cmd!(sh, "cargo clippy --release --all-features --locked -- -D warnings").run()?;
    let current = sh.read_file("hashlanes.h")?;
    let generated = cmd!(sh, "./header.sh").read()?;
    ensure!(
        current.trim_end() == generated.trim_end(),
        "hashlanes.h is not current: run ./header.sh > hashlanes.h in bindings/c"
    );
    // Programs in the oldest dialects include it, too.
    for dialect in [["-std=c89", "-xc"], ["-std=c++98", "-xc++"]] {
        let strict = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"];
        cmd!(sh, "cc {dialect...} {strict...} -DHASHLANES_HASHTREE hashlanes.h").run()?;
    }

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
            drop_in(sh, target, &library)?;
        }
    }

    cmd!(sh, "cc -O2 {WARNINGS...} -I. bench.c {library} -lcrypto {SYSTEM...} -o {program}")
        .run()?;
    cmd!(sh, "{program}").run()?;
    cmd!(sh, "cc {WARNINGS...} -I. examples/node.c {library} {SYSTEM...} -o {program}").run()?;
    check_node(&cmd!(sh, "{program}").read()?)?;
    if tools::install_debian(sh, "nim", "nim")? {
        nim(sh, target, &library)?;
    } else {
        println!("skipped the example in Nim, because nim is missing");
    }
    cmake(sh, target)?;
    installed(sh, target)
}

/// Compiles and runs the example in Nim.
fn nim(sh: &Shell, target: &Path, library: &Path) -> Result<()> {
    let program = target.join("node_nim");
    let link = format!("--passL:{} {}", library.display(), SYSTEM.join(" "));
    let cache = format!("--nimcache:{}", target.join("nim").display());
    cmd!(sh, "nim c --hints:off {cache} -o:{program} --passC:-I. {link} examples/node.nim")
        .run()?;
    check_node(&cmd!(sh, "{program}").read()?)
}

/// Installs the library by `CMakeLists.txt`, and builds a program outside against it.
fn cmake(sh: &Shell, target: &Path) -> Result<()> {
    let folder = target.join("cmake");
    let printed = cmd!(sh, "tests/cmake.sh {folder}").read()?;
    let lines: Vec<&str> = printed.lines().collect();
    // With the shared library, then with the static one.
    ensure!(lines.len() == 4, "tests/cmake.sh prints {printed}");
    lines.chunks(2).try_for_each(|program| check_node(program[1]))
}

/// Installs the library with cargo-c into a folder, and builds the example against it as
/// pkg-config says.
fn installed(sh: &Shell, target: &Path) -> Result<()> {
    let (prefix, program) = (target.join("prefix"), target.join("test"));
    let libraries = prefix.join("lib");
    sh.remove_path(&prefix)?;
    let folders = ["--prefix".as_ref(), prefix.as_os_str(), "--libdir".as_ref(), "lib".as_ref()];
    cmd!(sh, "cargo cinstall --release --locked {folders...}").run()?;
    // Versions that break callers have another name: until 1.0, the second number does.
    let headers = cmd!(sh, "readelf --dynamic {libraries}/libhashlanes.so").read()?;
    let version = sh.read_file("Cargo.toml")?;
    let version = version.lines().find_map(|line| line.strip_prefix("version = \"0."));
    let minor =
        version.and_then(|rest| rest.split('.').next()).context("the version is not 0.x")?;
    let soname = format!("[libhashlanes.so.0.{minor}]");
    ensure!(headers.contains(&soname), "the SONAME is not {soname}:\n{headers}");
    let flags = cmd!(sh, "pkg-config --cflags --libs hashlanes")
        .env("PKG_CONFIG_PATH", libraries.join("pkgconfig"))
        .read()?;
    let flags = flags.split_whitespace();
    cmd!(sh, "cc {WARNINGS...} examples/node.c {flags...} -o {program}").run()?;
    check_node(&cmd!(sh, "{program}").env("LD_LIBRARY_PATH", libraries).read()?)
}

/// Checks what the example prints.
fn check_node(output: &str) -> Result<()> {
    let digest = output.lines().last().context("node.c prints nothing")?;
    // The first of Ethereum's zero hashes.
    ensure!(
        digest == "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b",
        "node.c prints {digest}"
    );
    Ok(())
}

/// Copies gohashtree, hashtree's binding for Go, without these files of its code.
fn gohashtree(sh: &Shell, target: &Path, removed: &[&str]) -> Result<PathBuf> {
    let module = cmd!(sh, "go mod download -json {GOHASHTREE}").read()?;
    let module: Value = serde_json::from_str(&module)?;
    let source = module["Dir"].as_str().context("go mod download names no folder")?;
    let copy = target.join("gohashtree");
    sh.remove_path(&copy)?;
    cmd!(sh, "cp -r --no-preserve=mode {source} {copy}").run()?;
    for name in removed {
        ensure!(copy.join(name).exists(), "gohashtree no longer has {name}");
        sh.remove_path(copy.join(name))?;
    }
    Ok(copy)
}

/// Runs the tests of gohashtree with the drop-in in place of its assembly.
fn drop_in(sh: &Shell, target: &Path, library: &Path) -> Result<()> {
    let assembly = ["hash_amd64.go", "hash_amd64.s", "hash_arm64.go", "hash_arm64.s"];
    let copy = gohashtree(sh, target, &assembly)?;
    sh.copy_file("tests/gohashtree.go", &copy)?;
    let _folder = sh.push_dir(&copy);
    let code = sh.read_file("hash.go")?;
    let declaration = "func _hash(digests *byte, p [][32]byte, count uint32)\n";
    ensure!(code.contains(declaration), "gohashtree no longer declares {declaration}");
    sh.write_file("hash.go", code.replace(declaration, ""))?;
    let flags = format!("{} {}", library.display(), SYSTEM.join(" "));
    cmd!(sh, "go test -count 1 ./...").env("CGO_ENABLED", "1").env("CGO_LDFLAGS", flags).run()?;
    Ok(())
}

/// Tests the Go module, with the static library and with the installed one, runs the tests of
/// gohashtree with its functions, and imports it from a program outside.
fn go(sh: &Shell, target: &Path) -> Result<()> {
    cmd!(sh, "./build.sh").run()?;
    let unformatted = cmd!(sh, "gofmt -l .").read()?;
    ensure!(unformatted.is_empty(), "gofmt would change {unformatted}");
    cmd!(sh, "go vet ./...").run()?;
    cmd!(sh, "go test -count 1 ./...").run()?;
    cmd!(sh, "go test -count 1 -tags hashlanes_system ./...")
        .env("PKG_CONFIG_PATH", target.join("prefix/lib/pkgconfig"))
        .env("LD_LIBRARY_PATH", target.join("prefix/lib"))
        .run()?;

    let (module, folder) = ("github.com/OWNER/hashlanes/bindings/go", sh.current_dir());
    let manifest = sh.read_file("go.mod")?;
    ensure!(manifest.contains(&format!("\nmodule {module}\n")), "go.mod names another module");
    let import = ["-go=1.22", "-require", &format!("{module}@v0.0.0"), "-replace"];
    let import = || cmd!(sh, "go mod edit {import...} {module}={folder}").run();

    let code = ["hash.go", "hash_amd64.go", "hash_amd64.s", "hash_arm64.go", "hash_arm64.s"];
    let copy = gohashtree(sh, target, &code)?;
    sh.copy_file("testdata/gohashtree.go", &copy)?;
    {
        let _folder = sh.push_dir(&copy);
        import()?;
        cmd!(sh, "go test -mod=mod -count 1 ./...").run()?;
    }

    let outside = sh.create_temp_dir()?;
    sh.copy_file("example/main.go", outside.path())?;
    let _folder = sh.push_dir(outside.path());
    cmd!(sh, "go mod init example.com/outside").run()?;
    import()?;
    let printed = cmd!(sh, "go run .").read()?;
    check_node(printed.lines().nth(1).unwrap_or_default())
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

/// Builds the npm package, and tests a copy next to the packages that it is compared with.
fn js(sh: &Shell, target: &Path) -> Result<()> {
    let options = ["--release", "--locked", "--target", WASM];
    cmd!(sh, "cargo clippy {options...} -- -D warnings").run()?;
    // What users get: `prepack` builds it.
    let packed = target.join("npm");
    sh.remove_path(&packed)?;
    sh.create_dir(&packed)?;
    cmd!(sh, "npm pack --pack-destination {packed}").run()?;
    let copy = packed.join("package");
    let packages = sh.read_dir(&packed)?;
    let package = packages.first().context("npm pack makes no package")?;
    cmd!(sh, "tar -xzf {package} -C {packed}").run()?;
    let tests = ["test.mjs", "slh-dsa.test.mjs", "../slh-dsa.json", "types.ts"];
    for file in ["package-lock.json", "bench.mjs"].into_iter().chain(tests) {
        sh.copy_file(file, &copy)?;
    }
    let _folder = sh.push_dir(&copy);
    cmd!(sh, "npm ci --no-audit --no-fund").run()?;
    cmd!(sh, "npm test").run()?;
    Ok(cmd!(sh, "npm run bench").run()?)
}
