#!/usr/bin/env bash
# Builds the C library as its README says, and tests it from C with the compiler's sanitizers.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
export PATH=$PATH:$target/tools/bin CARGO_TARGET_DIR=$target/bindings
command -v cc > /dev/null || { echo "skipped: it needs a C compiler"; exit 77; }
command -v cbindgen > /dev/null ||
    cargo install -q --locked --debug --no-track --root "$target/tools" --target-dir "$target/tools/build" cbindgen@0.29.2
cd bindings/c

cargo clippy --release --all-features --locked -- -D warnings
cbindgen --quiet --config cbindgen.toml --crate hashlanes-c | diff -u hashlanes.h - ||
    { echo "error: hashlanes.h is not current: run the command of cbindgen in bindings/c/README.md"; exit 1; }

library=$CARGO_TARGET_DIR/release/libhashlanes.a
program=$CARGO_TARGET_DIR/test
warnings=(-std=c11 -Wall -Wextra -Werror)
sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all -g)
system=(-lpthread -ldl -lm)
for features in hashtree ""; do
    cargo build --release --locked --features "$features"
    cc "${warnings[@]}" "${sanitizers[@]}" ${features:+-DHASHLANES_HASHTREE} -I. tests/test.c "$library" "${system[@]}" -o "$program"
    "$program"
done

cc "${warnings[@]}" -I. examples/node.c "$library" "${system[@]}" -o "$program"
# The first of Ethereum's zero hashes.
[ "$("$program" | tail -n 1)" = f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b ]
