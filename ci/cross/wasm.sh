#!/usr/bin/env bash
# Runs the tests as WebAssembly with simd128, in Node.js. Without simd128 there is only the portable
# code, which other checks run.
#
# Panics abort there, so tests of panics end early or are ignored. There are no threads.
. "$(dirname "$0")/tools.sh"

target=wasm32-wasip1
use_compiler
install node nodejs

set_up_wasm() {
    local folder=$rustlib/$target/lib/self-contained
    packages amd64 download wasi-libc
    mkdir -p "$folder"
    from_package wasi-libc_*.deb -C "$folder" --strip-components=4 \
        ./usr/lib/wasm32-wasi/{crt1-command.o,crt1-reactor.o,libc.a,libwasi-emulated-pthread.a}
    build_std $target std,panic_abort,test
}
once wasm set_up_wasm

use_linker $target wasm-ld
# wasi-libc says that no thread can be started now; rayon works on the calling thread only if it
# learns that there are none.
threads=$tools/no-threads.o
"$RUSTC" --edition 2024 -C panic=abort --emit obj --target $target -o "$threads" \
    ci/cross/no-threads.rs
arguments="-C link-arg=$threads -C link-arg=-lwasi-emulated-pthread"
export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-C target-feature=+simd128 $arguments"
node="node --no-warnings $PWD/ci/cross/wasi.mjs"
export CARGO_TARGET_WASM32_WASIP1_RUNNER="$limit $node"

begin=$SECONDS
test_libraries --target $target --no-run
cargo build -q --target-dir "$emulated" "${libraries[@]}" --example backends --target $target
say "compiled in $((SECONDS - begin)) s"

begin=$SECONDS
# shellcheck disable=SC2086 # words
expect_backends "simd128 portable" $node "$emulated/$target/debug/examples/backends.wasm"
# The skipped tests map memory, start threads or write files. Captured output would be lost in a
# panic.
test_libraries --target $target -- --nocapture --skip stack --skip parallel:: --skip threads:: \
    --skip files --skip roots::leaves_are_read_in_place --skip while_the_shared_table_grows \
    --skip panics_name_the_caller
say "wasm32 with simd128: $((SECONDS - begin)) s"
