#!/usr/bin/env bash
# The ignored tests: those with vectors that are too large for the repository, in the folder that the environment variable
# HASHLANES_VECTORS names, and the long variants of random tests.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${HASHLANES_VECTORS:-}" ]; then
    echo "skipped: HASHLANES_VECTORS is not set"
    exit 0
fi
# They are the tests that are ignored otherwise. Cargo's success is not enough: it is one, too, when there
# are none.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cargo test --workspace --release --lib --bins --tests -- --ignored 2>&1 | tee "$log"
if ! grep -q -E '^test result: ok\. [1-9]' "$log"; then
    echo "no test was run"
    exit 1
fi
