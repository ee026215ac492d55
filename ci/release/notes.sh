#!/usr/bin/env bash
# Prints the section of CHANGELOG.md about a version, for the release's page.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version=${1:?usage: ci/release/notes.sh VERSION}
notes=$(awk -v title="## [$version]" \
    'index($0, "## ") == 1 { found = index($0, title) == 1; next } found' CHANGELOG.md)
[ -n "$notes" ] || { echo "error: CHANGELOG.md has no section [$version]" >&2; exit 1; }
printf '%s\n' "$notes"
