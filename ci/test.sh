#!/usr/bin/env bash
# All tests and the examples in the documentation, with the features that are on by default; then with all.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test --workspace

cargo test -p hash-lanes -p sha1-multi -p sha256-multi -p ripemd-multi -p sumhash512 -p merkle-lanes --all-features
