#!/bin/sh
# Runs cargo with a hashtree that may not use SHA-NI, so that its AVX-512 (else AVX2) kernel stands in
# the rows. As shipped it takes SHA-NI wherever there is any, and its crate has no switch for that.
#
#     benches/with-avx-hashtree.sh run --release -p hashlanes-benches --features rivals --bin ratios
set -eu

here=$(cd "$(dirname "$0")" && pwd)

# GCC and Clang look here before their own headers.
export CPATH="$here/without-sha-ni${CPATH:+:$CPATH}"
# Stands in the rows' names.
export HASHLANES_HASHTREE=without-sha-ni
# Cargo does not see that a header changed, and would keep the hashtree that it built before.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$here/../target}/avx-hashtree"

exec cargo "$@"
