#!/usr/bin/env bash
# The dependencies' licences and sources are as deny.toml says.
set -euo pipefail
cd "$(dirname "$0")/.."
. ci/tools.sh

# The known faults need a data base from the network, so they are no part of this.
tool cargo-deny 0.20.2

# check CARGO.TOML cargo-deny's arguments...
check() {
    echo "--- $*"
    cargo deny --manifest-path "$1" --config deny.toml --locked "${@:2}" check bans licenses sources
}
check Cargo.toml
check Cargo.toml --all-features --exclude hashlanes-benches
for manifest in fuzz/Cargo.toml ci/*/Cargo.toml; do check "$manifest"; done
