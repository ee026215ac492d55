#!/usr/bin/env bash
# The documentation builds without a warning: no link in it leads nowhere.
set -euo pipefail
cd "$(dirname "$0")/.."

export RUSTDOCFLAGS="-D warnings"
cargo doc --workspace --no-deps
cargo doc -p hash-lanes -p sha1-multi -p sha256-multi -p ripemd-multi -p sumhash512 -p merkle-lanes --no-deps --all-features
