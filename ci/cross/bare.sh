#!/usr/bin/env bash
# Checks that the libraries need no standard library: they build for targets without one, and a
# program that uses them links. Another one links sha3-multi without an allocator.
. "$(dirname "$0")/tools.sh"

use_compiler

# A separate folder, because it is another compiler.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/bare

# build TARGET CRATE FEATURES: one crate at a time, because cargo unifies the features of several.
build() {
    cargo build -q --release --target "$1" -p "$2" --no-default-features --features "$3"
    say "$2${3:+ with $3}: built for $1"
}

for target in x86_64-unknown-none aarch64-unknown-none thumbv7em-none-eabi \
    riscv32imac-unknown-none-elf; do
    once "bare-$target" build_std $target core,alloc '#![no_std]'
    use_linker $target ld.lld
    for program in bare bare-without-alloc; do
        cargo build -q --release --locked --target $target \
            --manifest-path ci/cross/$program/Cargo.toml
        say "the program $program links for $target"
    done
done

target=x86_64-unknown-none
# Not in the loop, which would ignore an error.
manifests=$(manifests_with bare)
for manifest in $manifests; do
    crate=$(value_in "$manifest" name)
    features=$(value_in "$manifest" bare-features)
    build $target "$crate" ""
    [ -z "$features" ] || build $target "$crate" "$features"
done
