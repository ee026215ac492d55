#!/usr/bin/env bash
# Builds the page: one file, without a server part. Prints its path.
#
# Needs the target wasm32-unknown-unknown. The program wasm-bindgen is built from crates.io, once.
set -euo pipefail
cd "$(dirname "$0")"
target=$(realpath -m "${CARGO_TARGET_DIR:-../target}")
out=$target/web
mkdir -p "$out"

version=$(sed -n 's/^wasm-bindgen = "=\(.*\)"$/\1/p' Cargo.toml)
bindgen=$target/tools/wasm-bindgen-$version
if [ ! -x "$bindgen/bin/wasm-bindgen" ]; then
    # It runs for a second: optimising it would take longer.
    install=(cargo install -q --debug --no-track --no-default-features --root "$bindgen")
    export CARGO_PROFILE_DEV_DEBUG=0
    # A mirror of crates.io may lack the newest versions, which its lock file names.
    CARGO_TARGET_DIR=$bindgen/build "${install[@]}" --locked "wasm-bindgen-cli@$version" ||
        CARGO_TARGET_DIR=$bindgen/build "${install[@]}" "wasm-bindgen-cli@$version"
    rm -rf "$bindgen/build"
fi

RUSTFLAGS="-C target-feature=+simd128" cargo build -q --release --locked \
    --target wasm32-unknown-unknown --target-dir "$out/build"
"$bindgen/bin/wasm-bindgen" --target no-modules --no-typescript \
    --remove-name-section --remove-producers-section --out-dir "$out/bindings" \
    "$out/build/wasm32-unknown-unknown/release/hashlanes_web.wasm"
base64 -w 100 "$out/bindings/hashlanes_web_bg.wasm" > "$out/wasm"
cat "$out/bindings/hashlanes_web.js" page.js > "$out/script"
if grep -q -e '</script' -e '<!--' "$out/script"; then
    echo "error: the script would end early: it contains </script or <!--" >&2
    exit 1
fi

# The hash of an element's text, which begins with the line break after its tag.
hash_of() {
    printf "'sha256-%s'" "$({ echo; cat "$1"; } | openssl dgst -sha256 -binary | base64)"
}
policy="default-src 'none'; script-src $(hash_of "$out/script") 'wasm-unsafe-eval'"
policy+="; style-src $(hash_of page.css); worker-src blob:; base-uri 'none'; form-action 'none'"

# A link to the project, once it has an address.
repository=$(sed -n 's/^repository = "\(.*\)"$/\1/p' ../Cargo.toml)
text="The command-line tool, and the source of this page"
source=${repository:+<p><a href="$repository">$text</a></p>}

page=$out/addr-recover.html
sed -e "s|@policy@|$policy|" \
    -e "s|@source@|$source|" \
    -e "/^@style@$/ { r page.css" -e "d }" \
    -e "/^@script@$/ { r $out/script" -e "d }" \
    -e "/^@wasm@$/ { r $out/wasm" -e "d }" page.html > "$page"
echo "$page"
