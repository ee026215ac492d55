//! The checks of this workspace: `cargo xtask` lists them, `cargo xtask NAME` runs one.

#![forbid(unsafe_code)]

mod machine_code;

fn main() -> anyhow::Result<()> {
    let sh = xshell::Shell::new()?;
    sh.change_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["machine-code"] => machine_code::run(&sh, false),
        ["machine-code", "--record"] => machine_code::run(&sh, true),
        ["machine-code-native"] => machine_code::run_for_cpu(&sh),
        _ => anyhow::bail!("usage: cargo xtask machine-code [--record] | machine-code-native"),
    }
}
