#!/usr/bin/env bash
# Uploads all crates to crates.io, in the order of their dependencies. Arguments go to
# `cargo publish`, such as --dry-run.
#
# The packages of the tools get a profile of their own, so that `cargo install` strips the programs.
# In the workspace Cargo would ignore it, with a warning at every command. So it is added in another
# worktree of the commit, and nothing is changed here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR
worktree=$(mktemp -d)
trap 'git worktree remove --force "$worktree"' EXIT
git worktree add --quiet --detach "$worktree" HEAD
for tool in addr-recover torrent-check; do
    printf '\n[profile.release]\nstrip = true\n' >> "$worktree/$tool/Cargo.toml"
done
# Cargo reads the settings of the folder in which it runs.
(cd "$worktree" && cargo publish --workspace --locked --allow-dirty "$@")
