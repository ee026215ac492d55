#!/usr/bin/env bash
# Builds the page that recovers addresses, and tests it in headless Chromium.
. "$(dirname "$0")/tools.sh"

target=wasm32-unknown-unknown
if [ ! -d "$(rustc --print target-libdir --target $target)" ]; then
    rustup target add $target || skip "missing: the target $target"
fi
install openssl openssl
install chromium chromium
install chromedriver chromium-driver
install /usr/lib/python3/dist-packages/selenium python3-selenium

page=$(web/build.sh)
begin=$SECONDS
timeout 600 web/test.py "$page"
say "tested in $((SECONDS - begin)) s"
