#!/usr/bin/env bash
# Builds both tools for a target, and packs each with its man pages, completions and licences:
#
#   ci/release/archive.sh TARGET [FOLDER]    # into target/dist unless a folder is named
#
# Beside each archive goes its checksum, as sha256sum prints it. The program has to run here, or
# through the runner that cargo is configured to use for the target.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=${1:?usage: ci/release/archive.sh TARGET [FOLDER]}
dist=$(mkdir -p "${2:-target/dist}" && cd "${2:-target/dist}" && pwd)
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
built=${CARGO_TARGET_DIR:-target}/$target/release

export CARGO_INCREMENTAL=0
for tool in addr-recover torrent-check; do
    cargo build --release --locked --target "$target" -p "$tool" --bin "$tool"
    name=$tool-$version-$target
    rm -rf "${dist:?}/$name"
    mkdir -p "$dist/$name/generated"
    cargo run -q --release --locked --target "$target" -p "$tool" --bin "$tool" -- \
        generate "$dist/$name/generated"
    program=$built/$tool
    [ ! -e "$program.exe" ] || program=$program.exe
    cp "$program" "$tool/README.md" CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$dist/$name"
    cp -r "$tool/docs" "$dist/$name"
    (
        cd "$dist"
        if [[ $target == *-windows-* ]]; then
            archive=$name.zip
            rm -f "$archive"
            7z a -bso0 "$archive" "$name"
        else
            archive=$name.tar.gz
            tar -czf "$archive" "$name"
        fi
        # macOS has no sha256sum, and Git for Windows no shasum.
        if command -v sha256sum > /dev/null; then sha256sum "$archive"
        else shasum -a 256 "$archive"; fi |
            sed 's/ \*/  /' > "$archive.sha256"
        rm -rf "$name"
        cat "$archive.sha256"
    )
done
