//! Builds the Debian packages of the tools, and tries them in an empty root: the machine's own
//! packages stay as they are.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use xshell::{Shell, cmd};

use crate::checks::Outcome;
use crate::tools;

/// The tools, each with arguments and the first words of its answer.
const TOOLS: [(&str, &[&str], &str); 2] = [
    (
        "addr-recover",
        &["--quiet", "1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71"],
        "1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71",
    ),
    ("torrent-check", &["--version"], "torrent-check "),
];

pub(crate) fn run(sh: &Shell, _: &[&str]) -> Result<Outcome> {
    if !tools::has("dpkg") || !tools::has("apt-get") {
        return Ok(Outcome::Skipped("this is not Debian".into()));
    }
    tools::install(sh, "cargo-deb", "3.8.0")?;
    let packages = TOOLS.iter().flat_map(|(tool, ..)| ["-p", tool]);
    cmd!(sh, "cargo build --release {packages...} --bins").run()?;
    let release = tools::target(sh).join("release");
    for (tool, arguments, answer) in TOOLS {
        // What the package takes besides the program, where its manifest expects it.
        let generated = release.join("deb").join(tool);
        sh.remove_path(&generated)?;
        sh.create_dir(&generated)?;
        cmd!(sh, "{release}/{tool} generate {generated}").run()?;
        let pages = sh.read_dir(&generated)?.into_iter();
        let pages = pages.filter(|page| page.extension().is_some_and(|extension| extension == "1"));
        cmd!(sh, "gzip -9 --no-name {pages...}").run()?;
        let package = cmd!(sh, "cargo deb -q --no-build -p {tool}").read()?;
        let package = package.lines().last().context("cargo-deb names no package")?;
        let answers = |program: &Path| -> Result<()> {
            let found = cmd!(sh, "{program} {arguments...}").quiet().read()?;
            ensure!(found.starts_with(answer), "the packaged {tool} answers '{found}'");
            Ok(())
        };
        try_package(sh, tool, package, answers).with_context(|| package.to_owned())?;
    }
    Ok(Outcome::Passed)
}

/// Installs a package, tries what is in it and removes it again.
fn try_package(
    sh: &Shell,
    tool: &str,
    package: &str,
    answers: impl Fn(&Path) -> Result<()>,
) -> Result<()> {
    // Its dependencies exist in this release.
    cmd!(sh, "apt-get install --simulate -qq {package}").quiet().ignore_stdout().run()?;
    let folder = sh.create_temp_dir()?;
    let root = folder.path();
    for name in ["info", "triggers", "updates"] {
        sh.create_dir(root.join("var/lib/dpkg").join(name))?;
    }
    fs::write(root.join("var/lib/dpkg/status"), "")?;
    // The root has no C library, but the program runs with this machine's.
    let dpkg = |arguments: &[&str]| {
        let force = ["--force-not-root", "--force-depends"];
        cmd!(sh, "dpkg --root={root} --log=/dev/null {force...} {arguments...}")
            .ignore_stdout()
            .ignore_stderr()
            .run()
    };
    dpkg(&["--install", package])?;
    answers(&root.join("usr/bin").join(tool))?;
    for path in [
        format!("usr/share/man/man1/{tool}.1.gz"),
        format!("usr/share/zsh/vendor-completions/_{tool}"),
        format!("usr/share/fish/vendor_completions.d/{tool}.fish"),
        format!("usr/share/doc/{tool}/copyright"),
    ] {
        ensure!(root.join(&path).is_file(), "the package lacks {path}");
    }
    let script = root.join("usr/share/bash-completion/completions").join(tool);
    let completes = "source \"$1\" && complete -p \"$2\"";
    cmd!(sh, "bash -c {completes} bash {script} {tool}").quiet().ignore_stdout().run()?;
    dpkg(&["--purge", tool])?;
    ensure!(!sh.path_exists(root.join("usr/bin").join(tool)), "{tool} is still there");
    println!("{tool}: {} kB", fs::metadata(package)?.len() / 1000);
    Ok(())
}
