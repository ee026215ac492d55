#!/usr/bin/env bash
# Checks that the libraries need no standard library: they compile for a target without one.
. "$(dirname "$0")/tools.sh"

target=x86_64-unknown-none
use_compiler

once bare build_std $target core,alloc '#![no_std]'

# A separate folder, because it is another compiler.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/bare
# check CRATE FEATURES: one crate at a time, because cargo unifies the features of several.
check() {
    cargo check -q --target $target -p "$1" --no-default-features --features "$2"
    say "$1${2:+ with $2}: compiled for $target"
}
for crate in hash-lanes sha1-multi sha256-multi ripemd-multi sha3-multi sumhash512 slh-dsa-multi merkle-lanes; do check $crate ""; done
check sha1-multi sha1,sha1-0_10
check sha3-multi sha3,sha3-0_10
check sha256-multi sha2,sha2-0_10
check ripemd-multi ripemd,ripemd-0_1
check sumhash512 digest,digest-0_10
check merkle-lanes algorand,serde
