#!/usr/bin/env bash
# Builds the Debian packages of the tools, and tries them in an empty root: the machine's own
# packages stay as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v dpkg > /dev/null && command -v apt-get > /dev/null ||
    { echo "skipped: this is not Debian"; exit 77; }
target=${CARGO_TARGET_DIR:-$PWD/target}
export PATH=$PATH:$target/tools/bin
command -v cargo-deb > /dev/null ||
    cargo install -q --locked --debug --no-track --root "$target/tools" \
        --target-dir "$target/tools/build" cargo-deb@3.8.0
cargo build --release --locked -p addr-recover -p torrent-check --bins

for tool in addr-recover torrent-check; do
    # What the package takes besides the program, where its manifest expects it.
    generated=$target/release/deb/$tool
    rm -rf "$generated"
    mkdir -p "$generated"
    "$target/release/$tool" generate "$generated"
    gzip -9 --no-name "$generated"/*.1
    package=$(cargo deb -q --no-build -p "$tool" | tail -n 1)

    # Its dependencies exist in this release.
    apt-get install --simulate -qq "$package" > /dev/null
    root=$(mktemp -d)
    trap 'rm -rf "$root"' EXIT
    mkdir -p "$root"/var/lib/dpkg/{info,triggers,updates}
    touch "$root/var/lib/dpkg/status"
    # The root has no C library, but the program runs with this machine's.
    dpkg=(dpkg "--root=$root" --log=/dev/null --force-not-root --force-depends)
    "${dpkg[@]}" --install "$package" > /dev/null 2>&1
    "$root/usr/bin/$tool" --version | grep -q "^$tool "
    for file in "man/man1/$tool.1.gz" "zsh/vendor-completions/_$tool" \
        "fish/vendor_completions.d/$tool.fish" "doc/$tool/copyright"; do
        [ -f "$root/usr/share/$file" ] || { echo "error: $package lacks $file"; exit 1; }
    done
    completion=$root/usr/share/bash-completion/completions/$tool
    # shellcheck disable=SC2016
    bash -c 'source "$1" && complete -p "$2"' bash "$completion" "$tool" > /dev/null
    "${dpkg[@]}" --purge "$tool" > /dev/null 2>&1
    [ ! -e "$root/usr/bin/$tool" ] || { echo "error: $tool is still there"; exit 1; }
    rm -rf "$root"
    echo "$tool: $(($(stat -c %s "$package") / 1000)) kB"
done
