#!/usr/bin/env bash
# No warning of the compiler or of clippy, with any set of features that a user can choose. The
# feature `rivals` of the benches is left out: it needs a C compiler.
set -euo pipefail
cd "$(dirname "$0")/.."

libraries=(-p hash-lanes -p sha256-multi -p ripemd-multi -p sumhash512)
cargo clippy --workspace --all-targets -- -D warnings
# Without the features there are fewer test programs, and no_std libraries.
cargo clippy "${libraries[@]}" --no-default-features -- -D warnings
cargo clippy "${libraries[@]}" --all-targets --all-features -- -D warnings
cargo clippy -p addr-recover --no-default-features --lib -- -D warnings
