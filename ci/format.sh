#!/usr/bin/env bash
# The code is formatted as rustfmt.toml says, in the workspace and in those beside it.
set -euo pipefail
cd "$(dirname "$0")/.."

for manifest in Cargo.toml fuzz/Cargo.toml ci/*/Cargo.toml; do
    cargo fmt --all --manifest-path "$manifest" --check
done
