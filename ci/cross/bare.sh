#!/usr/bin/env bash
# The libraries need no standard library: they compile for a target that has none.
. "$(dirname "$0")/tools.sh"

target=x86_64-unknown-none
use_compiler

# The compiler's packages have nothing for this target: what there is, `core` and `alloc`, is built from its source, once.
set_up_bare() {
    local source=$rustlib/src/rust folder=$rustlib/$target/lib
    packages amd64 download rust-web-src
    rm -rf "$source"
    mkdir -p "$source" "$folder" empty/src
    from_package rust-web-src_*.deb -C "$source" --strip-components=4 --wildcards './usr/src/rustc-*/library'
    printf '[package]\nname = "empty"\n[workspace]\n[profile.release]\npanic = "abort"\n' > empty/Cargo.toml
    echo '#![no_std]' > empty/src/lib.rs
    # It is a stable compiler, of which this asks what only a nightly one does.
    RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$PWD/built \
        cargo build -q --release --manifest-path empty/Cargo.toml -Z build-std=core,alloc --target $target
    cp built/$target/release/deps/lib*.rlib built/$target/release/deps/lib*.rmeta "$folder/"
    rm -f "$folder"/libempty-*
}
once bare set_up_bare

# A folder of its own: it is another compiler.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/bare
# check CRATE FEATURES: one crate at a time, for together they would lend each other features.
check() {
    cargo check -q --target $target -p "$1" --no-default-features --features "$2"
    say "$1${2:+ with $2}: compiled for $target"
}
for crate in hash-lanes sha1-multi sha256-multi ripemd-multi sumhash512 merkle-lanes; do check $crate ""; done
for crate in hash-lanes sha1-multi sha256-multi ripemd-multi; do check $crate digest,digest-0_10; done
check sumhash512 digest,digest-0_10,spin_no_std,zeroize
check merkle-lanes algorand,serde
