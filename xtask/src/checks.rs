//! The table of checks: what each proves, and when it runs.
//!
//! See xtask/docs/checks.md for what the checks are for.

use anyhow::Result;
use xshell::Shell;

use Subject::{Files, Marked, Package, Workspace};

use crate::{bindings, budget, commands, contract, dependencies, examples, machine_code, package};

/// The outcome of a check that did not fail.
pub(crate) enum Outcome {
    Passed,
    /// The machine lacks something, which the text names.
    Skipped(String),
}

/// A check, run by its name.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    /// One line for the list.
    pub(crate) proves: &'static str,
    /// Its arguments in every run of the gate; `None` if the gate does not always run it.
    pub(crate) gate: Option<&'static [&'static str]>,
    pub(crate) deep: Option<Deep>,
    run: Run,
}

/// A check that takes minutes, which is due when its subject has changed.
pub(crate) struct Deep {
    pub(crate) subject: &'static [Subject],
    pub(crate) arguments: &'static [&'static str],
}

/// A part of what a deep check looks at.
///
/// A package stands for its folder and for the folders of all local packages that it is built
/// from or tested with, as cargo knows them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    /// Files, as a Git pathspec.
    Files(&'static str),
    /// One package, of any workspace in the repository.
    Package(&'static str),
    /// The packages whose `package.metadata.hashlanes` names this check.
    Marked(&'static str),
    /// All packages of the root workspace.
    Workspace,
}

type Run = fn(&Shell, &[&str]) -> Result<Outcome>;

impl Check {
    pub(crate) fn run(&self, sh: &Shell, arguments: &[&str]) -> Result<Outcome> {
        (self.run)(sh, arguments)
    }

    /// A check that runs only by name.
    const fn by_hand(name: &'static str, proves: &'static str, run: Run) -> Self {
        Self { name, proves, gate: None, deep: None, run }
    }

    /// A check of every gate run.
    const fn first(name: &'static str, proves: &'static str, run: Run) -> Self {
        Self::by_hand(name, proves, run).in_gate(&[])
    }

    /// With these arguments in every gate run.
    const fn in_gate(self, arguments: &'static [&'static str]) -> Self {
        Self { gate: Some(arguments), ..self }
    }

    /// A deep check, due when one of these files changes.
    const fn deep(
        name: &'static str,
        proves: &'static str,
        run: Run,
        subject: &'static [Subject],
    ) -> Self {
        Self::by_hand(name, proves, run).in_depth(&[], subject)
    }

    /// With these arguments as a deep check.
    const fn in_depth(
        self,
        arguments: &'static [&'static str],
        subject: &'static [Subject],
    ) -> Self {
        Self { deep: Some(Deep { subject, arguments }), ..self }
    }
}

pub(crate) fn find(name: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|check| check.name == name)
}

/// In the order in which the gate runs them.
pub(crate) const CHECKS: &[Check] = &[
    Check::first(
        "contract",
        "what the project was asked for by name is there: benches, examples, fuzz targets, API",
        contract::run,
    ),
    Check::first(
        "format",
        "the code is formatted as rustfmt.toml says; no line of text is too long",
        commands::format,
    ),
    Check::first(
        "lint",
        "neither the compiler nor clippy warns, with all features",
        commands::lint,
    ),
    Check::first(
        "platforms",
        "libraries and tools compile for Windows and macOS without warnings (--all: all else, too)",
        dependencies::platforms,
    )
    .in_depth(&["--all"], &[Workspace]),
    Check::first(
        "docs",
        "the documentation builds without warnings; neither it nor Markdown has dead links",
        commands::docs,
    ),
    Check::first(
        "test",
        "tests and documentation examples of all members pass, so that the README's command does",
        commands::test,
    ),
    Check::first(
        "vectors",
        "tests with vectors too large for the repository ($HASHLANES_VECTORS) pass",
        commands::vectors,
    ),
    Check::first(
        "examples",
        "examples print what `examples/README.md` says; both tools answer as their READMEs say",
        examples::run,
    ),
    Check::first(
        "json-schema",
        "what both tools print with --json matches their schemas",
        examples::json_schema,
    )
    .in_gate(&["--recorded"]),
    Check::first(
        "api",
        "public items match each api.txt; --update rewrites the lists",
        package::api,
    ),
    Check::first(
        "machine-code",
        "kernels are whole and have the right instructions; --record rewrites ci/counts.txt",
        machine_code::run,
    ),
    Check::first(
        "budget",
        "one function of a crate costs a program no more time to compile, nor code, than allowed",
        budget::run,
    ),
    Check::first(
        "package",
        "packages are complete, clean and compile outside the workspace (--all: their tests pass)",
        package::run,
    )
    .in_depth(&["--all"], &[Workspace]),
    Check::first(
        "constant-time",
        "no branch or address depends on a message",
        commands::constant_time,
    ),
    Check::first(
        "fuzz",
        "fuzz targets find nothing: fuzz SECONDS [TARGET...], shared by the targets",
        |sh, arguments| commands::script(sh, "fuzz.sh", arguments),
    )
    .in_gate(&["40"])
    .in_depth(&["600"], &[Package("hashlanes-fuzz")]),
    Check::first(
        "licences",
        "dependencies have the licences and sources that deny.toml permits",
        dependencies::licences,
    )
    .in_gate(&["--if-installed"])
    .in_depth(&[], &[Files("deny.toml"), Files("*Cargo.lock")]),
    Check::deep(
        "advisories",
        "no dependency has a known vulnerability, as the database of RustSec says",
        dependencies::advisories,
        &[Files("deny.toml"), Files("*Cargo.lock")],
    ),
    Check::deep(
        "long-tests",
        "random tests pass with many more cases",
        commands::long_tests,
        &[Workspace],
    ),
    Check::deep(
        "stack",
        "functions need no more than 32 KiB of stack in a release build",
        commands::stack,
        &[Marked("stack")],
    ),
    Check::deep(
        "features",
        "each pair of features compiles without warnings; doctests pass without features",
        dependencies::features,
        &[Workspace],
    ),
    Check::deep(
        "minimal",
        "the oldest dependencies that the manifests permit are enough",
        dependencies::minimal,
        &[Workspace],
    ),
    Check::deep(
        "msrv",
        "neither code nor dependencies need a newer Rust than Cargo.toml says",
        dependencies::msrv,
        &[Workspace, Files("Cargo.lock")],
    ),
    Check::deep(
        "benches",
        "every bench builds and its results are right; nothing is measured",
        commands::benches,
        &[Package("hashlanes-benches"), Files("Cargo.toml")],
    ),
    Check::deep(
        "adapters",
        "trees agree with tree_hash, ethereum_hashing and bitcoin, behind their own types",
        commands::adapters,
        &[Package("hashlanes-benches")],
    ),
    Check::deep(
        "sanitize",
        "AddressSanitizer finds nothing in the crates with `unsafe`",
        commands::sanitize,
        &[Marked("sanitize")],
    ),
    Check::deep(
        "miri",
        "Miri, which dependents may use for their tests, executes the portable kernels",
        commands::miri,
        &[Package("hash-lanes"), Marked("miri")],
    ),
    Check::deep(
        "cross-x86",
        "tests pass on x86-64 without AVX-512, AVX or SHA instructions",
        |sh, _| commands::script(sh, "cross/x86.sh", &[]),
        &[Workspace, Files("ci/cross/x86.sh")],
    ),
    Check::deep(
        "cross-aarch64",
        "tests pass on ARMv8 with all, some and no crypto extensions",
        |sh, _| commands::script(sh, "cross/linux.sh", &["aarch64"]),
        &[
            Marked("emulated"),
            Package("addr-recover"),
            Package("torrent-check"),
            Files("ci/cross/linux.sh"),
        ],
    ),
    Check::deep(
        "cross-s390x",
        "tests pass on a big-endian processor",
        |sh, _| commands::script(sh, "cross/linux.sh", &["s390x"]),
        &[Marked("emulated"), Files("ci/cross/linux.sh")],
    ),
    Check::deep(
        "cross-i686",
        "tests pass on a 32-bit processor",
        |sh, _| commands::script(sh, "cross/linux.sh", &["i686"]),
        &[Marked("emulated"), Files("ci/cross/linux.sh")],
    ),
    Check::deep(
        "cross-wasm",
        "tests pass as WebAssembly with simd128",
        |sh, _| commands::script(sh, "cross/wasm.sh", &[]),
        &[Marked("emulated"), Files("ci/cross/wasm.sh")],
    ),
    Check::deep(
        "web",
        "the page recovers addresses in a browser, and can send nothing",
        |sh, _| commands::script(sh, "cross/page.sh", &[]),
        &[Package("hashlanes-web")],
    ),
    Check::deep(
        "deb",
        "the tools' Debian packages install, and have man pages and completions",
        |sh, _| commands::script(sh, "deb.sh", &[]),
        &[Package("addr-recover"), Package("torrent-check"), Files("ci/deb.sh")],
    ),
    Check::deep(
        "cross-bare",
        "the libraries build and link for targets without a standard library",
        |sh, _| commands::script(sh, "cross/bare.sh", &[]),
        &[Marked("bare"), Files("ci/cross/bare*")],
    ),
    Check::deep(
        "workflows",
        "workflows and scripts are valid; the recipes for many machines give the answer",
        commands::workflows,
        &[Files(".github"), Files("*.sh"), Files(".ci"), Files("addr-recover/docs/scaling.md")],
    ),
    Check::deep(
        "bindings",
        "the C library, the Go module, the Python and the npm package build and pass their tests",
        bindings::run,
        &[
            Files("bindings"),
            Package("hashlanes-c"),
            Package("hashlanes-js"),
            Package("hashlanes-python"),
        ],
    ),
    Check::by_hand(
        "doc",
        "builds the documentation, target/doc/hashlanes/index.html",
        commands::doc,
    ),
    Check::by_hand("release", "the version can be released: see RELEASING.md", |sh, _| {
        commands::script(sh, "release/rehearse.sh", &[])
    }),
    Check::by_hand("check", "format, clippy and tests, for every edit", commands::check),
];
