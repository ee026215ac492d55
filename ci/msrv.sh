#!/usr/bin/env bash
# The libraries and programs need no newer Rust than Cargo.toml's `rust-version`, nor does what they depend on.
#
# With that toolchain installed they are compiled by it. Else clippy's lint `incompatible_msrv` (Cargo.toml denies it) stands in: it
# knows when each function of the standard library came, for this machine's processor; it does not know about the language.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v jq > /dev/null || { echo "jq is missing: install jq"; exit 1; }
version=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)

newer=$(cargo metadata --locked --format-version 1 | jq -r --arg version "$version" '
    def numbers: split(".") | map(tonumber);
    .packages[] | select(.rust_version != null and (.rust_version | numbers)[:2] > ($version | numbers)) |
    "\(.name) \(.version) needs Rust \(.rust_version)"')
if [ -n "$newer" ]; then
    echo "$newer"
    echo "The crates shall do with Rust $version."
    exit 1
fi

# The benches measure; nobody depends on them.
crates=(--locked --workspace --exclude hashlanes-benches --all-features)
if command -v rustup > /dev/null && rustup toolchain list | grep -q "^$version[.-]"; then
    # A folder of its own: it is another compiler.
    rustup run "$version" cargo check -q "${crates[@]}" --target-dir "${CARGO_TARGET_DIR:-target}/msrv"
    echo "compiled by $(rustup run "$version" rustc --version)"
else
    cargo clippy -q "${crates[@]}"
    echo "Rust $version is not installed: checked by clippy's lint alone"
fi
