#!/usr/bin/env bash
# The tests on other processors than x86-64, emulated:
#
#   ci/cross/linux.sh aarch64    with all of the crypto extensions; with SHA1 and SHA2 but not SHA3; and with none
#   ci/cross/linux.sh s390x      big-endian: the portable code
#   ci/cross/linux.sh i686       32-bit, on this machine's own processor
. "$(dirname "$0")/tools.sh"

processor=${1:-}
case $processor in
    aarch64) debian=arm64 gcc=aarch64-linux-gnu ;;
    s390x) debian=s390x gcc=s390x-linux-gnu ;;
    i686) debian=i386 gcc=i686-linux-gnu ;;
    *) fail "usage: $0 aarch64|s390x|i686" ;;
esac
target=$processor-unknown-linux-gnu
use_compiler
use_std $debian
install $gcc-gcc gcc-$gcc libc6-dev-$debian-cross
if [ "$processor" = i686 ]; then
    # The kernel runs these.
    install /lib/ld-linux.so.2 libc6-i386 lib32gcc-s1
    emulator=""
else
    use_emulators
    emulator="$unpacked/usr/bin/qemu-$processor -L /usr/$gcc"
fi

variable=CARGO_TARGET_${target^^}
variable=${variable//-/_}
export "${variable}_LINKER=$gcc-gcc"
# A folder of its own: it is another compiler.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/cross

# The libraries, and not what starts other programs: those would not be emulated.
tests=(-p hash-lanes -p sha256-multi -p ripemd-multi -p sha1-multi -p sumhash512 -p merkle-lanes --lib --test it)
if [ "$processor" = aarch64 ]; then tests+=(-p addr-recover --test recover); fi

begin=$SECONDS
cargo test -q --target "$target" "${tests[@]}" --no-run
say "compiled in $((SECONDS - begin)) s"

# on NAME BACKENDS [RUNNER]: the tests on a processor, which has these backends.
on() {
    local begin=$SECONDS
    say "$1"
    export "${variable}_RUNNER=timeout 1200 $emulator ${3:-}"
    expect_backends "$2" --target "$target"
    cargo test -q --target "$target" "${tests[@]}"
    say "$1: $((SECONDS - begin)) s"
}

case $processor in
    aarch64)
        on "aarch64 with SHA1, SHA2 and SHA3" "neon+sha2 neon portable" "-cpu max"
        on "aarch64 with SHA1 and SHA2" "neon+sha2 neon portable" "-cpu neoverse-n1"
        # No processor of the emulator lacks them, so the programs are not told of them: what does not ask would run
        # them all the same, but what asks must do without.
        $gcc-gcc -O2 -shared -fPIC -o "$tools/without-crypto.so" ci/cross/without-crypto.c
        on "aarch64 without" "neon portable" "-cpu max -E LD_PRELOAD=$tools/without-crypto.so"
        ;;
    s390x) on s390x portable ;;
    # As this machine's processor.
    i686) on i686 "" ;;
esac
