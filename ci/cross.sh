#!/usr/bin/env bash
# The tests on other processors, two runs side by side: while the tests of one run, the next is compiled.
set -euo pipefail
cd "$(dirname "$0")/.."

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
export logs
# What a run prints comes as a whole when it ends. Where one fails the others go on, and xargs says so.
one() {
    local log=$logs/${1//[\/ ]/-} begin=$SECONDS status=0
    # shellcheck disable=SC2086 # the name of a script and its argument
    bash ci/cross/$1 > "$log" 2>&1 || status=$?
    {
        printf -- '\n=== %s\n' "$1"
        cat "$log"
        printf -- '=== %s: exit status %d, %d s\n' "$1" $status $((SECONDS - begin))
    } > "$log.whole"
    cat "$log.whole"
    return $status
}
export -f one
printf '%s\0' x86.sh "linux.sh aarch64" "linux.sh s390x" wasm.sh "linux.sh i686" bare.sh |
    xargs -0 -P 2 -I{} bash -c 'one "$1"' - {}
