#!/usr/bin/env bash
# No warning of the compiler or of clippy: with the features that are on by default, with none, with all, and
# with each one that has code of its own. The feature `rivals` of the benches is left out: it needs a C compiler.
set -euo pipefail
cd "$(dirname "$0")/.."

libraries=(-p hash-lanes -p sha1-multi -p sha256-multi -p ripemd-multi -p sumhash512 -p merkle-lanes)
cargo clippy --workspace --all-targets -- -D warnings
# Without the features there are fewer test programs, and no_std libraries.
cargo clippy "${libraries[@]}" --no-default-features -- -D warnings
cargo clippy "${libraries[@]}" --all-targets --all-features -- -D warnings
cargo clippy -p addr-recover -p torrent-check --no-default-features --lib -- -D warnings
for feature in digest digest-0_10; do
    cargo clippy -p sha1-multi -p sha256-multi -p ripemd-multi -p sumhash512 --no-default-features --features $feature -- -D warnings
done
for feature in statics spin_no_std zeroize amx; do
    cargo clippy -p sumhash512 --no-default-features --features $feature -- -D warnings
done
for feature in algorand rayon serde; do
    cargo clippy -p merkle-lanes --no-default-features --features $feature -- -D warnings
done
