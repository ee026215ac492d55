#!/usr/bin/env bash
# The libraries and programs compile with the oldest versions that their Cargo.toml permits of what they depend on.
#
# Of what the dependencies in turn depend on the newest is taken: their lower bounds are not ours to mend.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(realpath -m "${CARGO_TARGET_DIR:-target}/minimal")
# A copy, so that Cargo.lock stays as it is. Times of files are kept, so that a second run compiles what has changed.
copy=$target/source
rm -rf "$copy"
mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard | tar -c --null --files-from=- | tar -x -C "$copy"
cd "$copy"
rm Cargo.lock
# Nobody depends on these.
sed -i 's/, "benches", "examples"//' Cargo.toml

# Only cargo is asked, as if it were a nightly one; the compiler is as always.
RUSTC_BOOTSTRAP=1 cargo -q -Z direct-minimal-versions generate-lockfile
cargo check -q --locked --workspace --all-features --target-dir "$target"
