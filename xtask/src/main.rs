//! The checks of this workspace: `cargo xtask` lists them, `cargo xtask NAME` runs one.

#![forbid(unsafe_code)]

mod package;

fn main() -> anyhow::Result<()> {
    let sh = xshell::Shell::new()?;
    match std::env::args().nth(1).as_deref() {
        Some("package") => package::run(&sh),
        _ => anyhow::bail!("usage: cargo xtask package"),
    }
}
