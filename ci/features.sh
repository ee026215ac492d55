#!/usr/bin/env bash
# Each set of features that the libraries and programs can have compiles without a warning of the compiler or of clippy; the tests
# and examples do with no features and with each one; and the examples in the documentation hold without any.
set -euo pipefail
cd "$(dirname "$0")/.."
. ci/tools.sh

tool cargo-hack 0.6.46
crates=()
for crate in hash-lanes sha1-multi sha256-multi ripemd-multi sumhash512 merkle-lanes addr-recover torrent-check; do
    crates+=(-p $crate)
done
# One crate at a time: together they would lend each other features. `default` is the sum of others.
cargo hack clippy -q "${crates[@]}" --feature-powerset --exclude-features default -- -D warnings
cargo hack clippy -q "${crates[@]}" --each-feature --exclude-features default --all-targets -- -D warnings
# What the examples run is little: optimising it would take longer.
CARGO_PROFILE_DEV_OPT_LEVEL=0 cargo hack test -q "${crates[@]}" --no-default-features --doc
