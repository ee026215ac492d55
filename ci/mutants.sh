#!/usr/bin/env bash
# Changes the code in small ways, one at a time, and fails if there is a change that no test notices:
#
#   ci/mutants.sh [ARGUMENTS...]    of cargo-mutants: --file merkle/src/shape.rs, --shard 3/40, --list
#
# .cargo/mutants.toml says which code, and which changes make no difference. Each change is a build and a run of tests, so that all
# of them take hours: this is no part of the gate.
set -euo pipefail
cd "$(dirname "$0")/.."

. ci/tools.sh

tool cargo-mutants 27.1.0
# The tree is copied before it is changed. What does not depend on where it stands is compiled once.
CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}/mutation")
export CARGO_TARGET_DIR
mkdir -p "$CARGO_TARGET_DIR"

status=0
mutate() {
    local package=$1
    shift
    echo "--- $package"
    # 3: some tests ran without end, which is to notice it.
    cargo mutants -p "$package" --output "$CARGO_TARGET_DIR/$package" "$@" || [ $? = 3 ] || status=1
}
# What all hashes have in common is tested where there is a hash.
mutate hash-lanes --test-package hash-lanes --test-package sha1-multi "$@"
for package in merkle-lanes addr-recover sumhash512; do
    mutate $package "$@"
done
exit $status
