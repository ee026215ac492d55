#!/usr/bin/env bash
# Lays out the folder that a static host serves: the page, and the documentation under doc/.
# Needs `web/build.sh` and `cargo xtask doc` before it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
site=${1:?usage: ci/release/site.sh FOLDER}
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$site/doc"
cp "$target/web/addr-recover.html" "$site/index.html"
cp -r "$target/doc/." "$site/doc"
echo '<meta http-equiv="refresh" content="0; url=hashlanes/index.html">' > "$site/doc/index.html"
