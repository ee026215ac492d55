#!/usr/bin/env bash
# Every example runs to its end, and the program addr-recover does what its README shows.
set -euo pipefail
cd "$(dirname "$0")/.."

# Without a name cargo lists them, indented.
names=$( (cargo run --release -q -p hashlanes-examples --example 2>&1 || true) | sed -n 's/^    \([^ ]*\)$/\1/p')
[ -n "$names" ] || { echo "no examples found"; exit 1; }
for name in $names; do
    echo "--- $name"
    cargo run --release -q -p hashlanes-examples --example "$name"
done

cargo build --release -q -p addr-recover
# Runs the program and compares its standard output and its exit status with what is expected.
recovers() {
    local input=$1 output=$2 status=$3 found actual=0
    found=$(cargo run --release -q -p addr-recover -- "$input" 2> /dev/null) || actual=$?
    if [ "$found" != "$output" ] || [ "$actual" != "$status" ]; then
        echo "addr-recover $input: '$found' and exit status $actual, expected '$output' and $status"
        exit 1
    fi
    echo "addr-recover $input: '$found', exit status $actual"
}
recovers 18ryviovmwfyzhrzktjkqgycjkujoxh3k6 18ryVioVmwFYzhRZKTjKqGYCjkUjoxH3k6 0
# 0 is no digit of Base58.
recovers 18ryviovmwfyzhrzktjkqgycjkujoxh3k0 "" 2
recovers "" "" 2
