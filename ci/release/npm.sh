#!/usr/bin/env bash
# Builds the npm package into target/dist, and tries it in an empty folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
dist=$PWD/target/dist
mkdir -p "$dist"
rm -f "$dist"/*.tgz
# Its script `prepack` builds the WebAssembly.
(cd bindings/js && npm pack --pack-destination "$dist")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init -y > /dev/null
npm install --no-audit --no-fund "$dist"/*.tgz
cat > try.mjs << 'END'
import { backend, keccak256Many } from "@hashlanes/hashes";
const digest = Buffer.from(keccak256Many([new Uint8Array()])).toString("hex");
if (digest !== "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470") throw digest;
console.log(backend());
END
node try.mjs
cd "$dist"
for package in *.tgz; do sha256sum "$package" > "$package.sha256"; done
ls
