#!/usr/bin/env bash
# Checks that the version in Cargo.toml can be released, packs it, and tries `cargo publish` without
# uploading. RELEASING.md says what it asks for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
faults=0
fault() { echo "not ready for release: $*" >&2; faults=1; }

for key in repository homepage security-contact; do
    ! grep -q "^$key = \"\"" Cargo.toml || fault "Cargo.toml does not set $key"
done
! grep -q OWNER README.md || fault "README.md does not name the owner"
# Of the manifests that do not inherit it, and what the crates ask of each other.
versions=$(
    sed -n 's/^#define HASHLANES_VERSION "\(.*\)"$/\1/p' bindings/c/hashlanes.h
    sed -nE 's/^ *"?version"? *[=:] *"([^"]*)",?$/\1/p' \
        bindings/*/Cargo.toml bindings/js/package.json
    sed -nE 's/^[a-z0-9-]+ = \{ path = .*version = "=?([^"]*)".*/\1/p' Cargo.toml
)
[ "$(sort -u <<< "$versions")" = "$version" ] ||
    fault "[workspace.dependencies], or a manifest or the header in bindings," \
        "has another version than $version"
! git grep -q OWNER -- bindings/go README.md || fault "bindings/go or README.md still names OWNER"
newest=$(grep -m 1 '^## \[[0-9]' CHANGELOG.md || true)
[[ $newest =~ ^"## [$version] - "[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] ||
    fault "the newest version in CHANGELOG.md is not \`## [$version] - YYYY-MM-DD\`"
unreleased=$(awk '/^## /{ found = /\[Unreleased\]/; next } found && NF' CHANGELOG.md)
[ -z "$unreleased" ] || fault "CHANGELOG.md has unreleased changes"
[ -z "$(git status --porcelain)" ] || fault "there are uncommitted changes"
tagged=$(git rev-list -n 1 "v$version" 2> /dev/null || true)
[ -z "$tagged" ] || [ "$tagged" = "$(git rev-parse HEAD)" ] ||
    fault "the tag v$version names another commit"
due=$(cargo xtask deep --due | paste -s -d ' ')
[ -z "$due" ] || fault "deep checks are due, run \`cargo xtask deep\`: $due"
[ "$faults" = 0 ] || exit 1

cargo xtask package --all
ci/release/publish.sh --dry-run
echo "$version can be released"
