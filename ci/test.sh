#!/usr/bin/env bash
# All tests and the examples in the documentation; then the features that are not on by default.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test --workspace

cargo test -p hash-lanes -p sha1-multi -p sha256-multi -p ripemd-multi -p sumhash512 -p merkle-lanes --all-features

# Without the standard library. A target that has none proves it; the host only compiles it.
bare=x86_64-unknown-none
if [ -d "$(rustc --print sysroot)/lib/rustlib/$bare/lib" ]; then
    target=(--target "$bare")
else
    target=()
    echo "without features, for this machine, because the target $bare is not installed"
fi
cargo check -p hash-lanes --no-default-features "${target[@]}"
cargo check -p sha1-multi --no-default-features "${target[@]}"
cargo check -p sha256-multi --no-default-features "${target[@]}"
cargo check -p ripemd-multi --no-default-features "${target[@]}"
cargo check -p sumhash512 --no-default-features "${target[@]}"
cargo check -p sumhash512 --no-default-features --features digest,digest-0_10,spin_no_std "${target[@]}"
cargo check -p merkle-lanes --no-default-features "${target[@]}"
cargo check -p merkle-lanes --no-default-features --features algorand,serde "${target[@]}"
