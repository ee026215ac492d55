//! The checks of this workspace: `cargo xtask` lists them, `cargo xtask NAME` runs one.

#![forbid(unsafe_code)]

fn main() -> anyhow::Result<()> {
    Ok(())
}
