#!/usr/bin/env bash
# No branch and no address depends on what is hashed, but for the tables of sumhash512, of which that has to be found.
#
# ci/constant-time is a program that hashes random bytes in every way by every backend of this machine:
#
# - portable, SSE2, SSE4.2 and AVX2 under Valgrind, which takes the messages for undefined and reports each branch and each
#   address that depends on them. It sees accesses beyond what was allocated too.
# - with AVX-512 and with the SHA instructions, which Valgrind (3.19, and later ones as yet) does not know, on the CPU itself, one
#   instruction at a time (ptrace), following in which registers and which memory the messages are. Where the CPU lacks
#   these instructions, nothing is said of them.
# - with AMX in the same way. The few instructions of it are executed by the watching program, so that the CPU need not have
#   them; digests are compared with those of another backend, as all are.
#
# What is watched is one build of this compiler, on paths that some lengths and counts take. How long an instruction
# takes is not looked at. NEON is not watched.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(rustc -vV | sed -n 's/^host: //p')" != x86_64-unknown-linux-gnu ]; then
    echo "skipped: this is written for x86_64-unknown-linux-gnu"
    exit 0
fi
if ! command -v valgrind > /dev/null || [ ! -e /usr/include/valgrind/memcheck.h ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
        apt-get install -y -q valgrind || { apt-get update -q && apt-get install -y -q valgrind; }
    else
        echo "skipped: valgrind is not installed"
        exit 0
    fi
fi
if [ -r /proc/sys/kernel/yama/ptrace_scope ] && [ "$(cat /proc/sys/kernel/yama/ptrace_scope)" = 3 ]; then
    echo "skipped: the kernel lets no process watch another"
    exit 0
fi
cargo run -q --release --locked --manifest-path ci/constant-time/Cargo.toml --target-dir "${CARGO_TARGET_DIR:-target}/constant-time"
