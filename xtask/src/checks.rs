//! The table of checks: what each proves, and when it runs.
//!
//! See docs/checks.md for what the checks are for.

use crate::check::{Check, Deep};
use crate::{
    api, cargo, constant_time, cross, deb, dependencies, examples, fuzz, json_schema, machine_code,
    mutants, package,
};

pub(crate) fn find(name: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|check| check.name == name)
}

/// The code that calls CPU instructions.
const HARDWARE: [&str; 4] =
    ["sha1-multi/src/hw*", "sha256-multi/src/hw*", "sumhash/src/amx*", "hash-lanes/src/cpu.rs"];

/// In the order in which the gate runs them.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        name: "format",
        proves: "the code is formatted as rustfmt.toml says",
        gate: Some(&[]),
        deep: None,
        run: cargo::format,
    },
    Check {
        name: "lint",
        proves: "neither the compiler nor clippy warns, with all features",
        gate: Some(&[]),
        deep: None,
        run: cargo::lint,
    },
    Check {
        name: "docs",
        proves: "the documentation builds without warnings or dead links",
        gate: Some(&[]),
        deep: None,
        run: cargo::docs,
    },
    Check {
        name: "test",
        proves: "tests and documentation examples pass: the README's command",
        gate: Some(&[]),
        deep: None,
        run: cargo::test,
    },
    Check {
        name: "vectors",
        proves: "tests with vectors too large for the repository ($HASHLANES_VECTORS) pass",
        gate: Some(&[]),
        deep: None,
        run: cargo::vectors,
    },
    Check {
        name: "examples",
        proves: "examples run; both tools answer and fail as their READMEs say",
        gate: Some(&[]),
        deep: None,
        run: examples::run,
    },
    Check {
        name: "json-schema",
        proves: "what both tools print with --json matches their schemas",
        gate: Some(&["--recorded"]),
        deep: None,
        run: json_schema::run,
    },
    Check {
        name: "api",
        proves: "public items match each api.txt; --update rewrites the lists",
        gate: Some(&[]),
        deep: None,
        run: api::run,
    },
    Check {
        name: "machine-code",
        proves: "kernels are whole and have the right instructions; --record rewrites ci/counts.txt",
        gate: Some(&[]),
        deep: None,
        run: machine_code::run,
    },
    Check {
        name: "package",
        proves: "packages are complete, clean and pass tests outside the workspace (--all: all tests)",
        gate: Some(&[]),
        deep: Some(Deep { subject: &["*Cargo.toml"], arguments: &["--all"] }),
        run: package::run,
    },
    Check {
        name: "constant-time",
        proves: "no branch or address depends on a message",
        gate: Some(&[]),
        deep: None,
        run: constant_time::run,
    },
    Check {
        name: "fuzz",
        proves: "fuzz targets find nothing: fuzz SECONDS [TARGET...], shared by the targets",
        gate: Some(&["60"]),
        deep: Some(Deep {
            subject: &[
                "fuzz/fuzz_targets",
                "merkle/src/bep52*",
                "merkle/src/bitcoin*",
                "merkle/src/builder.rs",
                "merkle/src/fold.rs",
                "merkle/src/proof*",
                "merkle/src/ranges.rs",
                "merkle/src/shape.rs",
                "merkle/src/ssz/persistent*",
                "merkle/src/tree*",
                "torrent-check/src/bencode*",
                "torrent-check/src/torrent*",
                "addr-recover/src/pattern*",
            ],
            arguments: &["600"],
        }),
        run: fuzz::run,
    },
    Check {
        name: "licences",
        proves: "dependencies have the licences and sources that deny.toml permits",
        gate: Some(&["--if-installed"]),
        deep: Some(Deep { subject: &["deny.toml", "*Cargo.lock"], arguments: &[] }),
        run: dependencies::licences,
    },
    Check {
        name: "long-tests",
        proves: "random tests pass with many more cases",
        gate: None,
        deep: Some(Deep {
            subject: &["addr-recover/src", "addr-recover/tests/recover", "merkle/src/bep52*"],
            arguments: &[],
        }),
        run: cargo::long_tests,
    },
    Check {
        name: "stack",
        proves: "functions need no more than 32 KiB of stack in a release build",
        gate: None,
        deep: Some(Deep {
            subject: &[
                "hash-lanes/src",
                "sha*/src",
                "ripemd-multi/src",
                "sumhash/src",
                "merkle/src",
            ],
            arguments: &[],
        }),
        run: cargo::stack,
    },
    Check {
        name: "features",
        proves: "every feature set compiles without warnings; doctests pass without features",
        gate: None,
        deep: Some(Deep { subject: &["*Cargo.toml"], arguments: &[] }),
        run: dependencies::features,
    },
    Check {
        name: "minimal",
        proves: "the oldest dependencies that the manifests permit are enough",
        gate: None,
        deep: Some(Deep { subject: &["*Cargo.toml"], arguments: &[] }),
        run: dependencies::minimal,
    },
    Check {
        name: "msrv",
        proves: "neither code nor dependencies need a newer Rust than Cargo.toml says",
        gate: None,
        deep: Some(Deep { subject: &["*Cargo.toml", "Cargo.lock"], arguments: &[] }),
        run: dependencies::msrv,
    },
    Check {
        name: "machine-code-native",
        proves: "upper halves are clean before SHA instructions, with target-cpu and fat LTO",
        gate: None,
        deep: Some(Deep { subject: &HARDWARE, arguments: &[] }),
        run: machine_code::run_for_cpu,
    },
    Check {
        name: "benches",
        proves: "every bench builds and its results are right; nothing is measured",
        gate: None,
        deep: Some(Deep { subject: &["benches"], arguments: &[] }),
        run: cargo::benches,
    },
    Check {
        name: "adapters",
        proves: "trees agree with tree_hash, ethereum_hashing and bitcoin, behind their own types",
        gate: None,
        deep: Some(Deep {
            subject: &[
                "benches/tests",
                "benches/examples",
                "merkle/src/ssz*",
                "merkle/src/bitcoin*",
            ],
            arguments: &[],
        }),
        run: cargo::adapters,
    },
    Check {
        name: "sanitize",
        proves: "AddressSanitizer finds nothing in the crates with `unsafe`",
        gate: None,
        deep: Some(Deep { subject: &HARDWARE, arguments: &[] }),
        run: cargo::sanitize,
    },
    Check {
        name: "cross-x86",
        proves: "tests pass on x86-64 without AVX-512, AVX or SHA instructions",
        gate: None,
        deep: Some(Deep { subject: &HARDWARE, arguments: &[] }),
        run: |sh, _| cross::run(sh, "x86.sh", &[]),
    },
    Check {
        name: "cross-aarch64",
        proves: "tests pass on ARMv8 with all, some and no crypto extensions",
        gate: None,
        deep: Some(Deep { subject: &["sha*/src/hw*", "hash-lanes/src/lanes*"], arguments: &[] }),
        run: |sh, _| cross::run(sh, "linux.sh", &["aarch64"]),
    },
    Check {
        name: "cross-s390x",
        proves: "tests pass on a big-endian processor",
        gate: None,
        deep: Some(Deep { subject: &["hash-lanes/src/lanes*"], arguments: &[] }),
        run: |sh, _| cross::run(sh, "linux.sh", &["s390x"]),
    },
    Check {
        name: "cross-i686",
        proves: "tests pass on a 32-bit processor",
        gate: None,
        deep: Some(Deep { subject: &["hash-lanes/src/lanes*"], arguments: &[] }),
        run: |sh, _| cross::run(sh, "linux.sh", &["i686"]),
    },
    Check {
        name: "cross-wasm",
        proves: "tests pass as WebAssembly with simd128",
        gate: None,
        deep: Some(Deep { subject: &["hash-lanes/src/lanes*"], arguments: &[] }),
        run: |sh, _| cross::run(sh, "wasm.sh", &[]),
    },
    Check {
        name: "web",
        proves: "the page recovers addresses in a browser, and can send nothing",
        gate: None,
        deep: Some(Deep {
            subject: &["web", "addr-recover/src", ":!addr-recover/src/cli*"],
            arguments: &[],
        }),
        run: |sh, _| cross::run(sh, "page.sh", &[]),
    },
    Check {
        name: "deb",
        proves: "the tools' Debian packages install, and have man pages and completions",
        gate: None,
        deep: Some(Deep {
            subject: &["*/Cargo.toml", "*/src/cli/generate.rs", "xtask/src/deb.rs"],
            arguments: &[],
        }),
        run: deb::run,
    },
    Check {
        name: "cross-bare",
        proves: "the libraries compile for a target without a standard library",
        gate: None,
        deep: Some(Deep {
            subject: &["*Cargo.toml", "sha*/src/hw*", "sumhash/src/amx*", "hash-lanes/src/cpu.rs"],
            arguments: &[],
        }),
        run: |sh, _| cross::run(sh, "bare.sh", &[]),
    },
    Check {
        name: "check",
        proves: "format, clippy and tests, for every edit",
        gate: None,
        deep: None,
        run: cargo::check,
    },
    Check {
        name: "mutants",
        proves: "tests notice changed code: mutants [ARGUMENTS of cargo-mutants]",
        gate: None,
        deep: Some(Deep { subject: &[".cargo/mutants.toml"], arguments: &["--sample"] }),
        run: mutants::run,
    },
];
