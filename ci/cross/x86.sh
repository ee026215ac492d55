#!/usr/bin/env bash
# The release build of the tests on this machine's processor, and emulated on some that have less, where an instruction that the
# processor lacks ends the program. The emulator has nothing above AVX2: what AVX-512 adds is run on this machine alone.
. "$(dirname "$0")/tools.sh"

[ "$(uname -m)" = x86_64 ] || fail "this needs a machine with x86-64"
use_emulators

# The libraries, and not what starts other programs: those would not be emulated.
tests=(-p hash-lanes -p sha256-multi -p ripemd-multi -p sha1-multi -p sumhash512 -p merkle-lanes --lib --test it -p addr-recover --test recover)
begin=$SECONDS
# The same programs on all: they are not built for one processor.
cargo test -q --release "${tests[@]}" --no-run
say "compiled in $((SECONDS - begin)) s"

say "this machine"
expect_backends "" --release
cargo test -q --release "${tests[@]}"

# on PROCESSOR BACKENDS...
on() {
    local processor=$1 begin=$SECONDS
    shift
    say "$processor"
    export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="timeout 1200 $unpacked/usr/bin/qemu-x86_64 -cpu $processor"
    expect_backends "$*" --release
    cargo test -q --release "${tests[@]}"
    say "$processor: $((SECONDS - begin)) s"
}

on Nehalem sse4.2 sse2 portable
on Haswell avx2 sse4.2 sse2 portable
# Two with the SHA instructions: without AVX, and with AVX2.
on Denverton sse4.2+sha sha-ni sse4.2 sse2 portable
on EPYC avx2+sha avx2 sse4.2+sha sha-ni sse4.2 sse2 portable
