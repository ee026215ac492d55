#!/usr/bin/env bash
# Runs the release build of the tests on this machine's processor, and emulated on some with fewer
# features, where an instruction that the processor lacks ends the program. The emulator has nothing
# above AVX2, so AVX-512 runs only on this machine's processor.
. "$(dirname "$0")/tools.sh"

use_emulators
emulator=$unpacked/usr/bin/qemu-x86_64

# The benches and the checks hash nothing of their own.
crates=(--release --workspace --exclude hashlanes-benches --exclude xtask)
# The tests of the command lines are left out: programs that a test starts are not emulated.
tests=("${crates[@]}" --lib --test it --test conformance --test recover)
begin=$SECONDS
cargo test -q "${tests[@]}" --no-run
cargo build -q "${crates[@]}" --example backends
say "compiled in $((SECONDS - begin)) s"

# on NAME BACKENDS [EMULATOR AND ITS ARGUMENTS]: runs the tests on a processor with these backends.
on() {
    local begin=$SECONDS skipped=()
    say "$1"
    if [ -n "${3:-}" ]; then
        # File tests of torrent-check are also skipped: they take long, and torrent-check has no
        # kernels.
        skipped=("${slow[@]}" --skip check::)
        export PROPTEST_CASES=$emulated_cases
    fi
    export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="$limit ${3:-}"
    # shellcheck disable=SC2086 # words
    expect_backends "$2" ${3:-} "${CARGO_TARGET_DIR:-target}/release/examples/backends"
    cargo test -q --no-fail-fast "${tests[@]}" -- "${skipped[@]}"
    if [ -z "${3:-}" ] && [ -n "${HASHLANES_VECTORS:-}" ]; then
        # The gate tests only the debug build with large vectors.
        cargo test -q "${tests[@]}" -- --ignored --skip _long
    fi
    say "$1: $((SECONDS - begin)) s"
}

on "this machine" "$(backends_here)"
on Nehalem "sse2 portable" "$emulator -cpu Nehalem"
on Haswell "avx2 sse2 portable" "$emulator -cpu Haswell"
# With SHA instructions and without AVX.
on Denverton "sse2+sha sha-ni sse2 portable" "$emulator -cpu Denverton"
