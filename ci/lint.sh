#!/usr/bin/env bash
# No warning of the compiler or of clippy, with the features that are on by default and with all; ci/features.sh has the others. The
# feature `rivals` of the benches is left out: it needs a C compiler.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo clippy --workspace --all-targets -- -D warnings
cargo clippy --workspace --exclude hashlanes-benches --all-targets --all-features -- -D warnings
