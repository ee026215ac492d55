#!/usr/bin/env bash
# Uploads all crates to crates.io, in the order of their dependencies. Arguments go to
# `cargo publish`, such as --dry-run.
#
# The packages of the tools get a profile of their own, so that `cargo install` strips the programs.
# In the workspace Cargo would ignore it, with a warning at every command.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
manifests=(addr-recover/Cargo.toml torrent-check/Cargo.toml)
git diff --quiet HEAD -- "${manifests[@]}" || { echo "error: ${manifests[*]} have changes" >&2; exit 1; }
trap 'git checkout -q HEAD -- "${manifests[@]}"' EXIT
for manifest in "${manifests[@]}"; do
    printf '\n[profile.release]\nstrip = true\n' >> "$manifest"
done
cargo publish --workspace --allow-dirty "$@"
