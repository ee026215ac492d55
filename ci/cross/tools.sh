# shellcheck shell=bash
# Sourced by the scripts beside it: a compiler and emulators for other processors, on Debian.
#
# Debian's next release has a newer compiler (the package rustc-web), and its standard library for other processors in
# packages of the same version. They are unpacked into a folder of their own, $CROSS_TOOLS, and run with the C library
# from there; nothing of this machine's packages changes but for the C cross compilers, which are installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

suite=trixie
tools=${CROSS_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/hashlanes-cross}/$suite
unpacked=$tools/root
rustlib=$unpacked/usr/lib/rustlib
mkdir -p "$tools/stamps" "$unpacked"
exec 9> "$tools/lock"

say() { printf '%s\n' "--- $*"; }
fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# once NAME COMMAND...: runs the command in an empty folder, unless it has been done before.
once() {
    local stamp=$tools/stamps/$1 begin=$SECONDS
    [ ! -e "$stamp" ] || return 0
    flock 9
    if [ ! -e "$stamp" ]; then
        rm -rf "$tools/packages"
        mkdir -p "$tools/packages/partial"
        # In a shell of its own, so that the first error ends it.
        (cd "$tools/packages" && set -e && "${@:2}") || fail "$1 could not be set up"
        rm -rf "$tools/packages"
        touch "$stamp"
        say "set up $1 in $((SECONDS - begin)) s"
    fi
    flock -u 9
}

# packages ARCHITECTURE apt-get's arguments...: apt with lists and a state of its own, for packages of $suite.
packages() {
    local apt=$tools/apt architectures=amd64 mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    [ "$1" = amd64 ] || architectures+=,$1
    shift
    [ -r "$keyring" ] || fail "$keyring is missing: this needs a Debian machine"
    # The mirror that this machine uses.
    mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null |
        awk '$1 == "URIs:" { print $2; exit } $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) { print $i; exit } }')
    [ -n "$mirror" ] || fail "no source of packages in /etc/apt"
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
    APT_CONFIG=$apt/conf apt-get -qq update
    APT_CONFIG=$apt/conf apt-get -qq "$@" > /dev/null
}

# from_package FILE.deb tar's arguments...
from_package() {
    dpkg --fsys-tarfile "$1" | tar -x "${@:2}"
}

set_up_compiler() {
    # With all the libraries that it is linked with.
    packages amd64 install -y --download-only libstd-rust-web-dev
    packages amd64 download rustc-web
    for package in *.deb; do dpkg -x "$package" "$unpacked"; done
    mkdir -p "$unpacked/usr/libexec"
    local program
    for program in rustc rustdoc; do
        mv "$unpacked/usr/bin/$program" "$unpacked/usr/libexec/$program"
        cat > "$unpacked/usr/bin/$program" << END
#!/bin/sh
exec "$unpacked/usr/lib64/ld-linux-x86-64.so.2" --library-path "$unpacked/usr/lib/x86_64-linux-gnu" \\
    "$unpacked/usr/libexec/$program" "\$@"
END
        chmod +x "$unpacked/usr/bin/$program"
    done
}

# The compiler, in place of this machine's.
use_compiler() {
    once compiler set_up_compiler
    export RUSTC=$unpacked/usr/bin/rustc RUSTDOC=$unpacked/usr/bin/rustdoc
    say "$("$RUSTC" --version)"
}

set_up_std() {
    packages "$1" download "libstd-rust-web-dev:$1"
    from_package libstd-rust-web-dev_*.deb -C "$unpacked" ./usr/lib/rustlib
}

# The standard library for an architecture, by Debian's name for it.
use_std() {
    once "std-$1" set_up_std "$1"
}

set_up_emulators() {
    packages amd64 download qemu-user
    from_package qemu-user_*.deb -C "$unpacked" ./usr/bin/qemu-{aarch64,s390x,x86_64}
}

use_emulators() {
    once emulators set_up_emulators
    say "$("$unpacked/usr/bin/qemu-aarch64" --version | head -1)"
}

# install FILE PACKAGE...: installs packages of this machine's own release, if a file or command is not there.
install() {
    if [ -e "$1" ] || command -v "$1" > /dev/null; then return; fi
    [ "$(id -u)" = 0 ] || fail "missing: ${*:2}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -y -qq --no-install-recommends "${@:2}" > /dev/null ||
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${@:2}" > /dev/null; }
}

# expect_backends EXPECTED cargo's arguments...: the example `backends`, so built, lists these, the best first. Without
# any expected it only prints them.
expect_backends() {
    local expected=$1 found
    shift
    found=$(cargo run -q "$@" -p hashlanes-examples --example backends | awk '{ printf "%s%s", separator, $1; separator = " " }')
    say "backends: $found"
    [ -z "$expected" ] || [ "$found" = "$expected" ] || fail "the backends should be: $expected"
}
