#!/usr/bin/env bash
# The quick part of the gate, for every edit: format, clippy with the features that are on by default, and the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

bash ci/format.sh
cargo clippy --workspace --all-targets -- -D warnings
cargo test --workspace
