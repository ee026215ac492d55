#!/bin/sh
# Runs cargo with a hashtree that does not detect SHA-NI, so that the rows show its AVX-512 (or AVX2)
# kernel. As shipped, it selects SHA-NI on every CPU that has it, and its crate has no switch.
#
#     benches/with-avx-hashtree.sh run --release -p hashlanes-benches --features rivals --bin ratios
set -eu

here=$(cd "$(dirname "$0")" && pwd)

# GCC and Clang search this folder before their own headers.
export CPATH="$here/without-sha-ni${CPATH:+:$CPATH}"
# Part of the row names.
export HASHLANES_HASHTREE=without-sha-ni
# Cargo does not notice that a header changed, and would reuse the hashtree that it built before.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$here/../target}/avx-hashtree"

exec cargo "$@"
