#!/usr/bin/env bash
# Runs the tests on processors other than x86-64, emulated:
#
#   ci/cross/linux.sh aarch64    with all crypto extensions, with SHA1 and SHA2 only, with none
#   ci/cross/linux.sh s390x      big-endian: the portable code
#   ci/cross/linux.sh i686       32-bit, on this machine's own processor
#
# Programs that a test starts are not emulated, so the tests of the command lines are left out.
. "$(dirname "$0")/tools.sh"

processor=${1:-}
case $processor in
    aarch64) debian=arm64 gcc=aarch64-linux-gnu ;;
    s390x) debian=s390x gcc=s390x-linux-gnu ;;
    i686) debian=i386 gcc=i686-linux-gnu ;;
    *) fail "usage: $0 aarch64|s390x|i686" ;;
esac
target=$processor-unknown-linux-gnu
install $gcc-gcc gcc-$gcc libc6-dev-$debian-cross
if [ "$processor" = i686 ]; then
    # The kernel runs these programs.
    install /lib/ld-linux.so.2 libc6-i386 lib32gcc-s1
    emulator=""
    skipped=()
else
    use_emulators
    emulator="$unpacked/usr/bin/qemu-$processor -L /usr/$gcc"
    skipped=("${slow[@]}")
    export PROPTEST_CASES=$emulated_cases
fi
use_compiler
use_std $debian

variable=CARGO_TARGET_${target^^}
variable=${variable//-/_}
export "${variable}_LINKER=$gcc-gcc"

# on NAME BACKENDS [EMULATOR'S ARGUMENTS]: runs the tests on a processor with these backends.
on() {
    local begin=$SECONDS
    say "$1"
    export "${variable}_RUNNER=$limit $emulator ${3:-}"
    # shellcheck disable=SC2086 # words
    expect_backends "$2" $emulator ${3:-} "$emulated/$target/debug/examples/backends"
    test_libraries --target "$target" -- "${skipped[@]}"
    # Their tests run every backend of the first processor. What the others lack is used by the
    # libraries' kernels alone.
    if [ -n "$tools_untested" ]; then test_tools --target "$target" -- "${skipped[@]}"; fi
    tools_untested=""
    say "$1: $((SECONDS - begin)) s"
}

tools_untested=""
if [ "$processor" = aarch64 ]; then tools_untested=1; fi

begin=$SECONDS
test_libraries --target "$target" --no-run
cargo build -q --target-dir "$emulated" "${libraries[@]}" --example backends --target "$target"
if [ -n "$tools_untested" ]; then test_tools --target "$target" --no-run; fi
say "compiled in $((SECONDS - begin)) s"

case $processor in
    aarch64)
        on "aarch64 with SHA1, SHA2 and SHA3" "neon+sha2 neon portable" "-cpu max"
        # Debug builds hash with assembly alone where release builds have other kernels, too.
        say "their release builds"
        cargo test -q --target-dir "$emulated" -p sha1-multi -p sha256-multi --all-features \
            --release --target "$target" --lib --test it --test conformance -- "${skipped[@]}"
        on "aarch64 with SHA1 and SHA2" "neon+sha2 neon portable" "-cpu neoverse-n1"
        # No processor of the emulator lacks them, so they are hidden from the programs. Code that
        # does not ask would still run them, but code that asks must do without.
        $gcc-gcc -O2 -shared -fPIC -o "$tools/without-crypto.so" ci/cross/without-crypto.c
        on "aarch64 without" "neon portable" "-cpu max -E LD_PRELOAD=$tools/without-crypto.so"
        ;;
    s390x) on s390x portable ;;
    # It has everything that this machine's processor has.
    i686) on i686 "$(backends_here)" ;;
esac
