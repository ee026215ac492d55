#!/usr/bin/env bash
# The dependencies' licences, sources and known faults are as deny.toml says.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! cargo deny --version > /dev/null 2>&1; then
    echo "skipped: cargo-deny is not installed (cargo install --locked cargo-deny)"
    exit 0
fi
# The advisories need a data base from the network, so they are no part of this.
cargo deny check bans licenses sources
