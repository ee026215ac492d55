//! Finds and installs programs, and runs them, for all checks.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use xshell::{Cmd, Shell, cmd};

/// Cargo's target folder.
pub(crate) fn target(sh: &Shell) -> PathBuf {
    let folder = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    sh.current_dir().join(folder)
}

/// The target triple of this machine.
pub(crate) fn host(sh: &Shell) -> Result<String> {
    let version = cmd!(sh, "rustc -vV").quiet().read()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}

/// Runs a command, shows its output as it arrives, and returns it.
pub(crate) fn run_and_read(command: Cmd<'_>) -> Result<String> {
    eprintln!("$ {command}");
    let (reader, writer) = std::io::pipe()?;
    let mut command = Command::from(command);
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // The command holds the pipe's other end open.
    drop(command);
    let mut output = String::new();
    for line in BufReader::new(reader).lines() {
        let line = line?;
        println!("{line}");
        output.push_str(&line);
        output.push('\n');
    }
    let status = child.wait()?;
    ensure!(status.success(), "command failed: {status}");
    Ok(output)
}

/// Whether a program can be found.
pub(crate) fn has(program: impl AsRef<OsStr>) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program.as_ref()).is_file())
}

/// Builds a program from crates.io once, into the target folder, unless the machine has it. The
/// program's folder is appended to the shell's `PATH`.
pub(crate) fn install(sh: &Shell, name: &str, version: &str) -> Result<()> {
    let folder = tools_folder(sh);
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([folder.join("bin")]);
    sh.set_var("PATH", env::join_paths(folders)?);
    if is_installed(sh, name) {
        return Ok(());
    }
    println!("building {name} {version}");
    // It only runs for seconds: optimising it would take longer.
    let _debug = sh.push_env("CARGO_PROFILE_DEV_DEBUG", "0");
    let build = folder.join("build");
    let _target = sh.push_env("CARGO_TARGET_DIR", &build);
    cmd!(sh, "cargo install -q --locked --debug --no-track --root {folder} {name}@{version}")
        .run()?;
    Ok(sh.remove_path(build)?)
}

/// Whether [`install`] would find the program.
pub(crate) fn is_installed(sh: &Shell, name: &str) -> bool {
    has(name) || tools_folder(sh).join("bin").join(name).is_file()
}

fn tools_folder(sh: &Shell) -> PathBuf {
    target(sh).join("tools")
}

/// Installs a Debian package if possible. Returns whether the program is there afterwards.
pub(crate) fn install_debian(sh: &Shell, program: &str, package: &str) -> Result<bool> {
    if has(program) {
        return Ok(true);
    }
    let is_root = cmd!(sh, "id -u").quiet().read().is_ok_and(|id| id == "0");
    if !is_root || !has("apt-get") {
        return Ok(false);
    }
    if cmd!(sh, "apt-get install -y -q {package}").run().is_err() {
        cmd!(sh, "apt-get update -q").run()?;
        cmd!(sh, "apt-get install -y -q {package}").run()?;
    }
    Ok(has(program))
}
