#!/usr/bin/env bash
# Prints hashlanes.h. Needs cbindgen 0.29.2, which knows neither the comments of C89 nor that its
# lists of constants end without a comma.
set -euo pipefail
cd "$(dirname "$0")"
cbindgen --quiet --config cbindgen.toml --crate hashlanes-c |
    sed -e 's|//  *\(.*\)$|/* \1 */|' | sed -z -e 's|,\n}|\n}|g'
