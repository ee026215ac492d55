#!/usr/bin/env bash
# The documentation builds without a warning: no link in it leads nowhere.
set -euo pipefail
cd "$(dirname "$0")/.."

export RUSTDOCFLAGS="-D warnings"
cargo doc --workspace --no-deps
# But for the feature `rivals` of the benches, which needs a C compiler.
cargo doc --workspace --exclude hashlanes-benches --no-deps --all-features
