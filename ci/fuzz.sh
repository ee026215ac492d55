#!/usr/bin/env bash
# Each fuzz target runs for some seconds (the first argument, or 10), beginning with its seeds.
#
# They are compiled by the stable compiler, without what guides the fuzzer through the code: a crash on the seeds,
# or on what is near to them, is found. fuzz/README.md says how to look for more.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v c++ > /dev/null; then
    echo "skipped: libFuzzer needs a C++ compiler"
    exit 0
fi
seconds=${1:-10}
target=${CARGO_TARGET_DIR:-target}/fuzz
cargo build -q --release --manifest-path fuzz/Cargo.toml --target-dir "$target"
for source in fuzz/fuzz_targets/*.rs; do
    name=$(basename "$source" .rs)
    echo "--- $name"
    # New inputs go to a folder of their own, crashes too.
    mkdir -p "$target/found/$name"
    if ! "$target/release/$name" -max_total_time="$seconds" -artifact_prefix="$target/found/$name/" \
        "$target/found/$name" "fuzz/seeds/$name" > "$target/$name.log" 2>&1; then
        cat "$target/$name.log"
        exit 1
    fi
done
