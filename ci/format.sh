#!/usr/bin/env bash
# The code is formatted as rustfmt.toml says.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo fmt --all --check
cargo fmt --manifest-path fuzz/Cargo.toml --check
