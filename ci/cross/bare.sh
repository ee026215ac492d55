#!/usr/bin/env bash
# Checks that the libraries need no standard library: they build for targets without one, and a
# program that uses them links.
. "$(dirname "$0")/tools.sh"

use_compiler

# A separate folder, because it is another compiler.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/bare

# build TARGET CRATE FEATURES: one crate at a time, because cargo unifies the features of several.
build() {
    cargo build -q --release --target "$1" -p "$2" --no-default-features --features "$3"
    say "$2${3:+ with $3}: built for $1"
}

for target in x86_64-unknown-none aarch64-unknown-none thumbv7em-none-eabi riscv32imac-unknown-none-elf; do
    once "bare-$target" build_std $target core,alloc '#![no_std]'
    cargo build -q --release --target $target --manifest-path ci/cross/bare/Cargo.toml
    say "a program links for $target"
done

target=x86_64-unknown-none
for crate in hash-lanes sha1-multi sha256-multi sha512-multi ripemd-multi sha3-multi sumhash512 slh-dsa-multi merkle-lanes hashlanes; do build $target $crate ""; done
build $target sha1-multi sha1,sha1-0_10
build $target sha3-multi sha3,sha3-0_10
build $target sha256-multi sha2,sha2-0_10
build $target sha512-multi sha2,sha2-0_10
build $target ripemd-multi ripemd,ripemd-0_1
build $target sumhash512 digest,digest-0_10
build $target merkle-lanes algorand,keccak,serde
build $target hashlanes sha256,sha512,sha1,ripemd,sha3,sumhash,merkle-full,slh-dsa,digest-0_10
