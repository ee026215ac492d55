//! Compares this workspace's release profile with Cargo's own, which dependents use unless they set
//! another.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{Rows, Shape};
use crate::record::{Record, Row};

/// The prefix of the shapes' names in a record.
pub(crate) const PREFIX: &str = "default-profile/";

/// What is compared: each hash, with few and many messages, and what is built on them.
const SHAPES: [&str; 16] = [
    "hash_pairs/8",
    "hash_pairs/4096",
    "double_hash_pairs/64",
    "hash_many/64x1KiB",
    "hash_many/ragged-256",
    "sha1_many/16x16KiB",
    "sha1_many/ragged-256",
    "ripemd160_many/4096x32B",
    "hash160_many/4096x33B",
    "hash160/1x33B",
    "pbkdf2_sha256_many/64x12B",
    "sumhash512_digest/1x600B",
    "ssz_root/2^14",
    "ssz_verify/1000-in-2^20",
    "persistent_push/2^20",
    "addr-recover/search",
];

/// Processes for each profile. They alternate, because they cannot be interleaved more finely.
const ROUNDS: u32 = 3;

/// What marks the rows of the default profile.
pub(crate) const SUFFIX: &str = ":default-profile";

pub(crate) fn shapes() -> Vec<Shape> {
    let shape = |label: &str| Shape::of_programs("default-profile", label, measure);
    SHAPES.iter().map(|label| shape(label)).collect()
}

/// Times our default backend, and the one of CPUs without AVX-512, on a shape in programs built with
/// each profile. The shortest turn of all processes counts.
///
/// # Errors
///
/// Fails if Cargo cannot be run, or cannot build `ratios`.
fn measure(shape: &str, seconds: f64) -> Rows {
    let mut best: Vec<Row> = Vec::new();
    for _ in 0..ROUNDS {
        for (profile, suffix) in [("release", ""), ("default-release", SUFFIX)] {
            for mut row in run(profile, shape, seconds / f64::from(2 * ROUNDS))? {
                if !suffix.is_empty() {
                    "backend".clone_into(&mut row.role);
                }
                row.shape.insert_str(0, PREFIX);
                row.candidate += suffix;
                match best.iter_mut().find(|best| best.candidate == row.candidate) {
                    Some(best) if best.min_ns <= row.min_ns => {}
                    Some(best) => *best = row,
                    None => best.push(row),
                }
            }
        }
    }
    Ok(best)
}

/// Rows of our backends, from a process of a program built with `profile`.
fn run(profile: &str, shape: &str, seconds: f64) -> Rows {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let csv = env::current_exe()?.with_file_name("default-profile.csv");
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--bin", "ratios", "--profile", profile, "--manifest-path"])
        .arg(manifest)
        .args(["--", "--shape", shape, "--seconds", &seconds.to_string(), "--csv"])
        .arg(&csv)
        .stdout(Stdio::null())
        .status()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err(format!("cargo run --profile {profile} --bin ratios: {status}").into());
    }
    let record: Record = fs::read_to_string(&csv)?.parse()?;
    let without = record.without_avx512(shape).cloned();
    let auto = record.rows.into_iter().find(|row| row.role == "auto");
    Ok(auto.into_iter().chain(without).collect())
}
