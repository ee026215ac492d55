#!/usr/bin/env bash
# Checks in the machine code that every kernel is one piece, made of the instructions that it is
# written for, and that it leaves the vector registers as the SHA instructions need them.
#
# What is left out of line inside a kernel is compiled without the kernel's instruction set: it is
# 100 times slower and its answers are right, so no test sees it. It happens to helpers without
# `#[inline(always)]`, to closures without it, and to functions passed as values.
#
# How many instructions of each kind a kernel has is recorded in ci/counts.txt, made by this with the argument
# `--record`; what changes by more than 5 % is shown.
#
# Permitted inside a kernel are calls of panics that never come back, and nothing else. See
# inlining.awk, and for sumhash512 sums.awk, for each check.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname -m)" != x86_64 ]; then
    echo "skipped: only the code for x86-64 is checked, and this is $(uname -m)"
    exit 0
fi
for tool in objdump c++filt ar; do
    command -v "$tool" > /dev/null || { echo "$tool is missing: install binutils"; exit 1; }
done

# Folders of their own: other flags would throw away what is built already.
target=${CARGO_TARGET_DIR:-target}/inlining
counts=$target/counts.txt
mkdir -p "$target"
: > "$counts"
mangling="-C symbol-mangling-version=v0"

# Disassembles a file; names are demangled and stripped of what differs from build to build.
disassemble() {
    objdump -dr --no-show-raw-insn "$1" |
        sed -E 's/\.text\.((unlikely|hot|cold)\.)?_R/_R/g' |
        c++filt |
        sed -E 's/\[[0-9a-f]{6,16}\]//g; s/: (usize|bool|u32)([],>])/\2/g'
}

# Disassembles the object of the library $2 in $1. It has a copy of each kernel in it, and its calls
# have names.
disassemble_library() {
    local library
    library=$(realpath "$1/release/lib$2.rlib")
    rm -rf "$1/objects"
    mkdir -p "$1/objects"
    (cd "$1/objects" && ar x "$library")
    for object in "$1"/objects/*.o; do
        disassemble "$object"
    done
}

echo "As a user of the crates gets them (--release):"
RUSTFLAGS=$mangling cargo build -q --release -p sha1-multi -p sha256-multi -p ripemd-multi -p merkle-lanes --target-dir "$target/default"
disassemble_library "$target/default" sha1_multi | awk -f ci/inlining.awk -v build=default -v record="$counts" -v crate=sha1_multi \
    -v jobs="CompressBlocks<Sha1Lanes, 5>" -v shas="compress<1>;compress<2>"
disassemble_library "$target/default" sha256_multi | awk -f ci/inlining.awk -v build=default -v record="$counts" -v crate=sha256_multi \
    -v jobs="CompressBlocks<Sha256Lanes, 8>;HashAgain<Sha256Lanes, 8>;HashNodes<false>;HashNodes<true>" \
    -v shas="compress<1>;compress<2>;hash_pairs<1, false>;hash_pairs<1, true>;hash_pairs<2, false>;hash_pairs<2, true>;double_hash_blocks<1>;double_hash_blocks<4>"
disassemble_library "$target/default" ripemd_multi | awk -f ci/inlining.awk -v build=default -v record="$counts" -v crate=ripemd_multi \
    -v jobs="CompressBlocks<Ripemd160Lanes, 5>;HashDigests;Hash160Keys<33>@8;Hash160Keys<65>@8" -v shas=""
disassemble_library "$target/default" merkle_lanes | awk -f ci/inlining.awk -v build=default -v record="$counts" -v crate=merkle_lanes \
    -v jobs="HashSubtrees<Plain>@best;HashSubtrees<Double>@best;HashSubtrees<Prefixed<1, 16777216>>@best;HashSubtrees<Prefixed<2, 1296105472>>@best" -v shas=""

echo
echo "The search of addr-recover:"
RUSTFLAGS=$mangling cargo build -q --release -p addr-recover --no-default-features --target-dir "$target/default"
disassemble_library "$target/default" addr_recover | awk -f ci/inlining.awk -v build=default -v record="$counts" -v crate=addr_recover \
    -v jobs="HashTable;HashPending" -v shas=""

echo
echo "The sums of sumhash512:"
RUSTFLAGS=$mangling cargo build -q --release -p sumhash512 --target-dir "$target/default"
sums=""
for job in "Sum<Nibbles>" "Sum<Bytes>" "Sum<Masks>" "Chain<Nibbles>" "Chain<Bytes>" "Chain<Masks>"; do
    sums+="$job avx512;$job avx2;"
done
disassemble_library "$target/default" sumhash512 | awk -f ci/sums.awk -v record="$counts" \
    -v jobs="${sums}Permutes<2, 8> avx512;Permutes<4, 4> avx512;Permutes<8, 2> avx512"

echo
{
    echo "# Instructions of the kernels by $(rustc --version | cut -d ' ' -f 1-2), as bash ci/inlining.sh --record counts them."
    LC_ALL=C sort "$counts"
} > "$counts.sorted"
if [ "${1:-}" = --record ]; then
    cp "$counts.sorted" ci/counts.txt
    echo "recorded in ci/counts.txt"
    exit 0
fi
head -1 ci/counts.txt
awk -f ci/counts.awk ci/counts.txt "$counts.sorted"

# A program that is compiled for one CPU may have AVX code and SHA instructions in one function and the
# moves of both in the new encoding, which is where dirty upper halves cost the most. This CPU is one
# that minds; the code is not run, so it need not be this one. A NOTE is no failure: it says that the
# compiler used wide registers of its own accord after the cleaning, which the source cannot forbid.
export RUSTFLAGS="$mangling -C target-cpu=icelake-server"
# Naming the target keeps these flags from build scripts, which are run.
host=$(rustc -vV | sed -n 's/^host: //p')
echo
echo "The upper halves of the vector registers with -C target-cpu=icelake-server:"
cargo build -q --release -p sha1-multi -p sha256-multi -p ripemd-multi -p merkle-lanes --target "$host" --target-dir "$target/avx"
for library in sha1_multi sha256_multi ripemd_multi merkle_lanes; do
    disassemble_library "$target/avx/$host" $library | awk -f ci/inlining.awk -v build=avx
done
echo
echo "The same with fat LTO, in programs:"
CARGO_PROFILE_RELEASE_LTO=fat cargo build -q --release -p addr-recover --target "$host" --target-dir "$target/lto"
CARGO_PROFILE_RELEASE_LTO=fat cargo build -q --release -p hashlanes-examples --example p2pkh_addresses --example sha1_pieces \
    --target "$host" --target-dir "$target/lto"
for program in addr-recover examples/p2pkh_addresses examples/sha1_pieces; do
    disassemble "$target/lto/$host/release/$program" | awk -f ci/inlining.awk -v build=avx
done
