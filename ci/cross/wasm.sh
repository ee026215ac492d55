#!/usr/bin/env bash
# The tests as WebAssembly in Node.js, with simd128 and without.
#
# Panics abort there, so tests that expect one are skipped; there are no threads.
. "$(dirname "$0")/tools.sh"

target=wasm32-wasip1
use_compiler
install node nodejs

# The compiler's packages have no standard library for this target: it is built from its source, once.
set_up_wasm() {
    local source=$rustlib/src/rust folder=$rustlib/$target/lib
    packages amd64 download rust-web-src wasi-libc
    rm -rf "$source"
    mkdir -p "$source" "$folder/self-contained" empty/src
    from_package rust-web-src_*.deb -C "$source" --strip-components=4 --wildcards './usr/src/rustc-*/library'
    from_package wasi-libc_*.deb -C "$folder/self-contained" --strip-components=4 \
        ./usr/lib/wasm32-wasi/{crt1-command.o,crt1-reactor.o,libc.a,libwasi-emulated-pthread.a}
    printf '[package]\nname = "empty"\n[workspace]\n' > empty/Cargo.toml
    : > empty/src/lib.rs
    # It is a stable compiler, of which this asks what only a nightly one does.
    RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$PWD/built \
        cargo build -q --release --manifest-path empty/Cargo.toml -Z build-std=std,panic_abort,test --target $target
    cp built/$target/release/deps/lib*.rlib built/$target/release/deps/lib*.rmeta "$folder/"
    rm -f "$folder"/libempty-*
}
once wasm set_up_wasm

# rustup's compiler brings a linker along.
linker=$(env -u RUSTC rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld
if [ ! -x "$linker" ]; then
    install wasm-ld lld
    linker=wasm-ld
fi
export CARGO_TARGET_WASM32_WASIP1_LINKER=$linker
export CARGO_TARGET_WASM32_WASIP1_RUNNER="timeout 1200 node --no-warnings $PWD/ci/cross/wasi.mjs"
tests=(-p hash-lanes -p sha256-multi -p ripemd-multi -p sha1-multi -p sumhash512 -p merkle-lanes --lib --test it)
folder=${CARGO_TARGET_DIR:-target}

# with FEATURE BACKENDS
with() {
    local begin=$SECONDS
    export CARGO_TARGET_DIR=$folder/wasm$1
    export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-C target-feature=$1 -C link-arg=-lwasi-emulated-pthread"
    expect_backends "$2" --target $target
    cargo test -q --target $target "${tests[@]}"
    say "$1: $((SECONDS - begin)) s"
}

with +simd128 "simd128 portable"
with -simd128 portable
