#!/usr/bin/env bash
# What each library makes public, with all features, is what its api.txt lists: whoever changes it sees the change, and so do
# those who read the commit. `ci/api.sh --update` writes the lists anew.
set -euo pipefail
cd "$(dirname "$0")/.."

# The list is made of rustdoc's JSON, whose format is not stable: the compiler is asked for it as if it were a nightly one.
format=57
target=${CARGO_TARGET_DIR:-target}/api
export RUSTC_BOOTSTRAP=1
cargo build -q --locked --manifest-path ci/public-api/Cargo.toml --target-dir "$target"

changed=0
for folder in hash-lanes sha1-multi sha256-multi ripemd-multi sumhash merkle addr-recover torrent-check; do
    # So that only this crate is there.
    rm -rf "$target/doc"
    cargo rustdoc -q --manifest-path $folder/Cargo.toml --lib --all-features --target-dir "$target" \
        -- -Z unstable-options --output-format json --cap-lints allow
    json=$(echo "$target"/doc/*.json)
    if ! grep -q "\"format_version\":$format}" "$json"; then
        echo "skipped: $(rustc --version) writes another format of rustdoc's JSON than $format, that of Rust 1.95"
        exit 0
    fi
    "$target/debug/public-api-list" "$json" > "$target/api.txt"
    [ -s "$target/api.txt" ] || { echo "nothing public in $folder"; exit 1; }
    if [ "${1:-}" = --update ]; then
        cp "$target/api.txt" $folder/api.txt
    elif ! diff -u --label "$folder/api.txt" --label "$folder as it is" $folder/api.txt "$target/api.txt"; then
        changed=1
    fi
done
if [ $changed = 1 ]; then
    echo "The public items have changed. If they should: ci/api.sh --update, and a line in CHANGELOG.md."
    exit 1
fi
