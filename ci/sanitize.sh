#!/usr/bin/env bash
# The tests of the crates with `unsafe` in them, and of the engine below them, with AddressSanitizer: no access beyond what was allocated, none after it
# was freed, no memory that is lost. Debug assertions are on, and with them the standard library's checks of undefined behaviour.
#
# Miri would see more, but stops at the assembly by which the CPU is asked what it has, and does not execute the kernels that `unsafe`
# is there for.
set -euo pipefail
cd "$(dirname "$0")/.."

host=$(rustc -vV | sed -n 's/^host: //p')
if [ "$host" != x86_64-unknown-linux-gnu ]; then
    echo "skipped: this is written for x86_64-unknown-linux-gnu, and this is $host"
    exit 0
fi
# The stable compiler brings the sanitizer's library too, and has to be told to take the option. Naming the target keeps the flag from build
# scripts and macros. The documentation's examples are left out: ci/test.sh runs them.
target=${CARGO_TARGET_DIR:-target}/sanitize
log=$(mktemp)
trap 'rm -f "$log"' EXIT
RUSTC_BOOTSTRAP=1 RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=address" ASAN_OPTIONS=detect_stack_use_after_return=1 \
    cargo test -p hash-lanes -p sha1-multi -p sha256-multi -p ripemd-multi -p sumhash512 --all-features --lib --test it --test conformance \
    --target "$host" --target-dir "$target" 2>&1 | tee "$log"
# A program without the sanitizer would pass as well.
for program in $(sed -n 's/^ *Running .*(\(.*\))$/\1/p' "$log"); do
    if ! grep -q -a __asan_report_load "$program"; then
        echo "built without AddressSanitizer: $program"
        exit 1
    fi
done
grep -q -E '^test result: ok\. [1-9]' "$log" || { echo "no test was run"; exit 1; }
