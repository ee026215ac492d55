#!/usr/bin/env bash
# Runs the fuzz targets, starting from their seeds and earlier findings: ci/fuzz.sh [SECONDS
# [TARGET...]]. The time is for all targets together, on all cores.
#
# The stable compiler can instrument the code for libFuzzer. AddressSanitizer is left to `cargo
# xtask sanitize`, which runs the tests of the few functions that need it.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v c++ > /dev/null || { echo "skipped: libFuzzer needs a C++ compiler"; exit 77; }
seconds=${1:-600}
shift || true
names=("$@")
if [ ${#names[@]} = 0 ]; then
    for file in fuzz/fuzz_targets/*.rs; do names+=("$(basename "$file" .rs)"); done
fi
for name in "${names[@]}"; do
    [ -f "fuzz/fuzz_targets/$name.rs" ] || { echo "error: no fuzz target is named $name"; exit 1; }
done

# Edge counters, and the operands of comparisons. Naming the target keeps them from build scripts.
export RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
host=$(rustc -vV | sed -n 's/^host: //p')
folder=${CARGO_TARGET_DIR:-$PWD/target}/fuzz
cargo build -q --release --locked --manifest-path fuzz/Cargo.toml --target "$host" \
    --target-dir "$folder" \
    "${names[@]/#/--bin=}"

# Each target runs on one thread. New inputs and crashes go to its own folder.
cores=$(nproc)
each=$((seconds * cores / ${#names[@]}))
export programs=$folder/$host/release found=$folder/found each=$((each > 0 ? each : 1))
echo "${#names[@]} targets, $each s each"
run() {
    mkdir -p "$found/$1"
    if "$programs/$1" -max_total_time="$each" -artifact_prefix="$found/$1/" \
        "$found/$1" "fuzz/seeds/$1" 2> "$found/$1.log"; then
        echo "--- $1: $(tail -n 1 "$found/$1.log")"
    else
        echo "--- $1 found something:"
        cat "$found/$1.log"
        return 1
    fi
}
export -f run
printf '%s\n' "${names[@]}" | xargs -P "$cores" -I{} bash -c 'run {}'
