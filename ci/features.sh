#!/usr/bin/env bash
# Each set of features that the libraries and programs can have compiles without a warning of the compiler or of clippy, and the
# examples in the documentation hold without any.
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
cargo hack test -q "${crates[@]}" --no-default-features --doc
