# shellcheck shell=bash disable=SC2034 # the scripts that source it use its variables
# Sets up a compiler and emulators for other processors, on Debian. Sourced by the scripts beside
# it.
#
# Debian's next release has a newer compiler (the package rustc-web), and packages of the same
# version with its standard library for other processors. They are unpacked into a separate folder,
# $CROSS_TOOLS, and run with the C library from there. The machine's own packages stay as they are,
# except for the C cross compilers, which are installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

suite=trixie
tools=$(realpath -m "${CROSS_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/hashlanes-cross}")/$suite
unpacked=$tools/root
rustlib=$unpacked/usr/lib/rustlib
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

say() { printf '%s\n' "--- $*"; }
fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}
# Ends the script with the status by which `cargo xtask` knows that nothing was checked.
skip() {
    say "skipped: $*"
    exit 77
}

if [ "$(uname -sm)" != "Linux x86_64" ] || ! command -v apt-get > /dev/null ||
    [ ! -r $keyring ]; then
    skip "this needs Debian on x86-64"
fi
mkdir -p "$tools/stamps" "$unpacked"
exec 9> "$tools/lock"

# once NAME COMMAND...: runs the command in an empty folder, unless it has succeeded before.
once() {
    local stamp=$tools/stamps/$1 begin=$SECONDS
    [ ! -e "$stamp" ] || return 0
    flock 9
    if [ ! -e "$stamp" ]; then
        say "setting up $1"
        rm -rf "$tools/packages"
        mkdir -p "$tools/packages/partial"
        # Not followed by a condition, because the shell would then ignore errors in it.
        (
            cd "$tools/packages"
            "${@:2}"
        )
        rm -rf "$tools/packages"
        touch "$stamp"
        say "set up $1 in $((SECONDS - begin)) s"
    fi
    flock -u 9
}

# packages ARCHITECTURE ARGUMENTS...: apt-get with separate lists and state, for packages of $suite.
packages() {
    local apt=$tools/apt architectures=amd64 mirror
    [ "$1" = amd64 ] || architectures+=,$1
    shift
    # The mirror that this machine uses.
    mirror=$(find /etc/apt \( -name '*.list' -o -name '*.sources' \) -exec cat {} + |
        grep -E '^(URIs:|deb )' | grep -oE '[a-z+]+://[^ ]+/debian/?( |$)' | sed -n 1p) || true
    [ -n "$mirror" ] || fail "no Debian mirror in /etc/apt"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    : > "$apt/status"
    echo "deb [arch=$architectures signed-by=$keyring] $mirror $suite main" > "$apt/sources"
    cat > "$apt/conf" << END
Dir::Etc::sourcelist "$apt/sources";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State::Lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Cache::archives "$tools/packages";
APT::Architecture "amd64";
APT::Architectures { $(printf '"%s"; ' ${architectures//,/ }) };
APT::Sandbox::User "root";
APT::Install-Recommends "false";
Acquire::Languages "none";
Acquire::Retries "3";
END
    # A mirror can be out of reach, or between two versions of its index.
    APT_CONFIG=$apt/conf apt-get -qq update || skip "no index of packages from $mirror"
    APT_CONFIG=$apt/conf apt-get -qq "$@" > /dev/null
}

# from_package FILE.deb ARGUMENTS...: extracts files from a package with tar.
from_package() {
    dpkg --fsys-tarfile "$1" | tar -x "${@:2}"
}

set_up_compiler() {
    # With all the libraries that it links to.
    packages amd64 install -y --download-only libstd-rust-web-dev
    packages amd64 download rustc-web
    for package in *.deb; do dpkg -x "$package" "$unpacked"; done
    mkdir -p "$unpacked/usr/libexec"
    local program
    for program in rustc rustdoc; do
        mv "$unpacked/usr/bin/$program" "$unpacked/usr/libexec/$program"
        cat > "$unpacked/usr/bin/$program" << END
#!/bin/sh
exec "$unpacked/usr/lib64/ld-linux-x86-64.so.2" \\
    --library-path "$unpacked/usr/lib/x86_64-linux-gnu" \\
    "$unpacked/usr/libexec/$program" "\$@"
END
        chmod +x "$unpacked/usr/bin/$program"
    done
}

# Uses that compiler instead of this machine's.
use_compiler() {
    once compiler set_up_compiler
    export RUSTC=$unpacked/usr/bin/rustc RUSTDOC=$unpacked/usr/bin/rustdoc
    say "$("$RUSTC" --version)"
}

set_up_std() {
    packages "$1" download "libstd-rust-web-dev:$1"
    from_package libstd-rust-web-dev_*.deb -C "$unpacked" ./usr/lib/rustlib
}

# use_std ARCHITECTURE: the standard library for an architecture, by Debian's name for it.
use_std() {
    once "std-$1" set_up_std "$1"
}

# build_std TARGET PARTS [ATTRIBUTE]: builds the standard library, or the parts that a target has,
# from source, for targets without a package. The attribute is that of a program that needs these
# parts.
build_std() {
    local source=$rustlib/src/rust
    packages amd64 download rust-web-src
    rm -rf "$source"
    mkdir -p "$source" "$rustlib/$1/lib" empty/src
    from_package rust-web-src_*.deb -C "$source" --strip-components=4 \
        --wildcards './usr/src/rustc-*/library'
    printf '[package]\nname = "empty"\n[workspace]\n[profile.release]\npanic = "abort"\n' \
        > empty/Cargo.toml
    echo "${3:-}" > empty/src/lib.rs
    # This needs a nightly feature of a stable compiler.
    RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$PWD/built \
        cargo build -q --release --manifest-path empty/Cargo.toml -Z build-std="$2" --target "$1"
    cp built/"$1"/release/deps/lib*.rlib built/"$1"/release/deps/lib*.rmeta "$rustlib/$1/lib/"
    rm -f "$rustlib/$1/lib"/libempty-*
}

set_up_emulators() {
    packages amd64 download qemu-user
    from_package qemu-user_*.deb -C "$unpacked" ./usr/bin/qemu-{aarch64,s390x,x86_64}
}

use_emulators() {
    once emulators set_up_emulators
    say "$("$unpacked/usr/bin/qemu-aarch64" --version | head -1)"
}

# install FILE PACKAGE...: installs packages of this machine's release if a file or command is
# missing.
install() {
    if [ -e "$1" ] || command -v "$1" > /dev/null; then return; fi
    [ "$(id -u)" = 0 ] || skip "missing: ${*:2}, and this is not root"
    export DEBIAN_FRONTEND=noninteractive
    flock 9
    apt-get install -y -qq --no-install-recommends "${@:2}" > /dev/null 2>&1 ||
        { apt-get update -qq &&
            apt-get install -y -qq --no-install-recommends "${@:2}" > /dev/null; }
    flock -u 9
    say "installed ${*:2}"
}

# use_linker TARGET PROGRAM: LLVM's linker, of rustup's compiler, which comes with one, or the
# program of Debian's.
use_linker() {
    local linker variable=${1^^}
    linker=$(env -u RUSTC rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld
    if [ ! -x "$linker" ]; then
        install "$2" lld
        linker=$2
    fi
    export "CARGO_TARGET_${variable//-/_}_LINKER=$linker"
}

# A separate target folder for that compiler, without data that only recompilation or a debugger
# would need.
emulated=$(realpath -m "${CARGO_TARGET_DIR:-target}/cross")
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=false
# No test program takes that long.
limit="timeout 1200"
# The slowest tests go through every bit, index or length, or compare a whole search with a naive
# one. They are skipped: they test the logic of trees, proofs, parts and searches, which does not
# depend on the processor. Smaller tests run on each backend of the emulated processor. Property
# tests run fewer cases.
slow=(
    --skip algorand::trees_match_the_definition
    --skip bep52::more_leaves_than_are_buffered
    --skip bep52::roots_and_layers_match_the_definition
    --skip proofs::for_wrong_indices_and_sizes
    --skip proofs::of_all_subsets_of_small_trees
    --skip proofs::of_every_tree
    --skip trees::of_large_sizes
    --skip persistent::of_every_size_and_type
    --skip persistent::rebased_lists_share_memory
    --skip roots::of_large_trees_with_every_backend
    --skip roots::of_a_stream_in_any_parts
    --skip naive::
    --skip round_trip::
    --skip api::a_search_resumes_from_any_checkpoint
    --skip api::all_shards_together_equal_the_whole
    --skip api::the_number_of_threads_changes_nothing
    --skip edges::every_count_of_leading_zeros
    --skip keys::keys_are_recovered_from_every_kind_of_damage
    --skip known::known_addresses_are_recovered_and_nothing_else
    --skip known::no_prefix_is_hashed_twice_or_needlessly
    --skip limited::tests::
    --skip options::every_way_of_checking
    --skip pasted::hidden_characters_are_searched
    # The emulator opens / as the folder of its libraries.
    --skip clients::folder_of_the_client_may_be_the_root
)
emulated_cases=64
export PROPTEST_DISABLE_FAILURE_PERSISTENCE=1

# manifests_with CHECK: the manifests whose `package.metadata.hashlanes` names the check.
manifests_with() {
    grep -lE "^checks = .*\"$1\"" ./*/Cargo.toml
}

# value_in MANIFEST KEY: the first string with this name.
value_in() {
    sed -n "/^$2 = \"/{s/^$2 = \"\(.*\)\"/\1/p;q}" "$1"
}

# The example that lists the backends is built with the same packages as the tests. With others they
# would have other features and be compiled again.
libraries=(--all-features)
emulated_manifests=$(manifests_with emulated)
for manifest in $emulated_manifests; do libraries+=(-p "$(value_in "$manifest" name)"); done

# test_libraries CARGO_ARGUMENTS... [-- TEST_ARGUMENTS...]: goes on after a failure, because another
# run takes as long again.
test_libraries() {
    cargo test -q --no-fail-fast --target-dir "$emulated" "${libraries[@]}" \
        --lib --test it --test conformance "$@"
}

# Programs that a test starts are not emulated, so this leaves out the tests of the command lines.
test_tools() {
    cargo test -q --no-fail-fast --target-dir "$emulated" -p addr-recover -p torrent-check \
        --no-default-features --lib --test recover --test it "$@"
}

# expect_backends EXPECTED COMMAND...: fails unless the command, the example `backends`, lists these
# backends, the best first.
expect_backends() {
    local found
    found=$("${@:2}" | awk '{ printf "%s%s", separator, $1; separator = " " }')
    say "backends: $found"
    [ "$found" = "$1" ] || fail "expected the backends: $1"
}

# The backends that this machine's processor should have, by the kernel's list of its features.
backends_here() {
    local flags avx512 avx2 sha
    flags=" $(sed -n '/^flags/{s/.*: //p;q}' /proc/cpuinfo) "
    # AVX-512 is used if all of Ice Lake's extensions are there.
    [[ $flags != *" avx512_bitalg "* ]] || avx512=1
    [[ $flags != *" avx2 "* ]] || avx2=1
    [[ $flags != *" sha_ni "* ]] || sha=1
    echo ${avx512:+${sha:+avx512+sha} avx512} ${avx2:+${sha:+avx2+sha} avx2} \
        ${sha:+sse2+sha sha-ni} sse2 portable
}
