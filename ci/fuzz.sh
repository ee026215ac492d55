#!/usr/bin/env bash
# Fuzz targets, beginning with their seeds and with what they found before:
#
#   ci/fuzz.sh [SECONDS [TARGET...]]    each for so long (10 seconds), all unless some are named
#
# The stable compiler can count for the fuzzer which code an input reaches; what it lacks is AddressSanitizer, with which
# ci/sanitize.sh runs the tests of the few functions that need it. fuzz/README.md says how to have both.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v c++ > /dev/null; then
    echo "skipped: libFuzzer needs a C++ compiler"
    exit 0
fi
seconds=${1:-10}
targets=("${@:2}")
if [ ${#targets[@]} = 0 ]; then mapfile -t targets < <(basename -s .rs fuzz/fuzz_targets/*.rs); fi
target=${CARGO_TARGET_DIR:-target}/fuzz
# Naming the target keeps the flags away from build scripts.
host=$(rustc -vV | sed -n 's/^host: //p')
RUSTFLAGS="${RUSTFLAGS:-} -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
    -Cllvm-args=-sanitizer-coverage-trace-compares" \
    cargo build -q --release --manifest-path fuzz/Cargo.toml --target "$host" --target-dir "$target"
one() {
    local name=$1
    # New inputs go to a folder of their own, crashes too.
    mkdir -p "$target/found/$name"
    if ! "$target/$host/release/$name" -max_total_time="$seconds" -artifact_prefix="$target/found/$name/" \
        "$target/found/$name" "fuzz/seeds/$name" > "$target/$name.log" 2>&1; then
        cat "$target/$name.log"
        return 1
    fi
    printf -- '--- %s: %s\n' "$name" "$(tail -1 "$target/$name.log")"
}
export -f one
export host seconds target
# Each has one thread. Where one fails the others go on, and xargs says so.
printf '%s\0' "${targets[@]}" | xargs -0 -P "$(nproc)" -I{} bash -c 'one {}'
