#!/usr/bin/env bash
# Builds the WebAssembly and its glue into the folder pkg.
#
# Needs the target wasm32-unknown-unknown. The program wasm-bindgen is built from crates.io, once.
set -euo pipefail
cd "$(dirname "$0")"
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")

version=$(sed -n 's/^wasm-bindgen = "=\(.*\)"$/\1/p' Cargo.toml)
bindgen=$target/tools/wasm-bindgen-$version
if [ ! -x "$bindgen/bin/wasm-bindgen" ]; then
    # It runs for a second: optimising it would take longer.
    install=(cargo install -q --debug --no-track --no-default-features --root "$bindgen")
    export CARGO_PROFILE_DEV_DEBUG=0
    # A mirror of crates.io may lack the newest versions, which its lock file names.
    CARGO_TARGET_DIR=$bindgen/build "${install[@]}" --locked "wasm-bindgen-cli@$version" ||
        CARGO_TARGET_DIR=$bindgen/build "${install[@]}" "wasm-bindgen-cli@$version"
    rm -rf "$bindgen/build"
fi

# One WebAssembly for hashes, one for signatures, each in a module, so that neither a bundler nor
# Node.js has to find a file.
for feature in hashes slh-dsa; do
    RUSTFLAGS="-C target-feature=+simd128" cargo build -q --release --locked \
        --no-default-features --features $feature \
        --target wasm32-unknown-unknown --target-dir "$target"
    "$bindgen/bin/wasm-bindgen" --target web --no-typescript --out-name $feature \
        --remove-name-section --remove-producers-section --out-dir pkg \
        "$target/wasm32-unknown-unknown/release/hashlanes_js.wasm"
    echo "export const wasm = \"$(base64 -w 0 pkg/${feature}_bg.wasm)\";" > pkg/$feature.wasm.js
    rm pkg/${feature}_bg.wasm
done
# `npm pack` does not follow links.
cp ../../LICENSE-MIT ../../LICENSE-APACHE pkg
