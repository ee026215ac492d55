#!/usr/bin/env bash
# Writes the recipes of Homebrew and of the AUR for the archives in FOLDER, into FOLDER/recipes.
# Each archive has its checksum beside it, in a file ending in .sha256.
set -euo pipefail
folder=$(cd "${1:?usage: ci/release/recipes.sh FOLDER}" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

value() { sed -n "s/^$1 = \"\(.*\)\"$/\1/p" "$2" | head -n 1; }
version=$(value version Cargo.toml)
homepage=$(value homepage Cargo.toml)
repository=$(value repository Cargo.toml)
[ -n "$homepage" ] && [ -n "$repository" ] ||
    { echo "error: Cargo.toml lacks addresses: see RELEASING.md" >&2; exit 1; }

# Fills a template for a tool.
fill() {
    local tool=$1 file=$3 target sum
    mkdir -p "$(dirname "$file")"
    sed -e "s|@name@|$tool|g" -e "s|@version@|$version|g" -e "s|@homepage@|$homepage|g" \
        -e "s|@repository@|$repository|g" \
        -e "s|@class@|$(sed -E 's/(^|-)(.)/\U\2/g' <<< "$tool")|g" \
        -e "s|@description@|$(value description "$tool/Cargo.toml" | sed 's/[&|\\]/\\&/g')|g" \
        "ci/release/$2" > "$file"
    grep -o '@sha256 [^@]*@' "$file" | sort -u | while read -r _ target; do
        sum=$(cut -d ' ' -f 1 "$folder/$tool-$version-${target%@}.tar.gz.sha256")
        sed -i "s|@sha256 $target|$sum|" "$file"
    done
    ! grep -n '@[a-z0-9_ -]*@' "$file" || { echo "error: $file is incomplete" >&2; exit 1; }
}

for tool in addr-recover torrent-check; do
    fill "$tool" formula.rb "$folder/recipes/homebrew/$tool.rb"
    fill "$tool" PKGBUILD "$folder/recipes/aur/$tool-bin/PKGBUILD"
done
