#!/usr/bin/env bash
# Builds the static library that the package links, into the folder lib.
set -euo pipefail
cd "$(dirname "$0")"
target=$(realpath -m "${CARGO_TARGET_DIR:-../c/target}")
cargo build -q --release --locked --manifest-path ../c/Cargo.toml --target-dir "$target"
mkdir -p lib
cp "$target/release/libhashlanes.a" ../c/hashlanes.h lib
