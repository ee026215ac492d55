//! `cargo bench` of a crate: runs `benches/criterion.rs` for the groups of this crate.
//!
//! It is a process, because `cargo test` would build a dependency, too: all hashes and Criterion.

use std::process::{Command, ExitCode};
use std::{env, io};

fn main() -> io::Result<ExitCode> {
    let mut arguments: Vec<_> = env::args_os().skip(1).collect();
    let all = arguments.len();
    // The other cargo adds it again.
    arguments.retain(|argument| argument != "--bench");
    if arguments.len() == all {
        println!("only `cargo bench` measures");
        return Ok(ExitCode::SUCCESS);
    }
    let status = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["bench", "--bench", "criterion", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        .arg("--")
        .args(arguments)
        .env("HASHLANES_BENCH_PACKAGE", env!("CARGO_PKG_NAME"))
        .status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
