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
# Runs the program with the arguments after the first two, and compares its exit status and its standard output with these.
recovers() {
    local status=$1 output=$2 found actual=0
    shift 2
    found=$(cargo run --release -q -p addr-recover -- "$@" 2> /dev/null) || actual=$?
    if [ "$found" != "$output" ] || [ "$actual" != "$status" ]; then
        echo "addr-recover $*: '$found' and exit status $actual, expected '$output' and $status"
        exit 1
    fi
    echo "addr-recover $*: exit status $actual"
}
long=18ryviovmwfyzhrzktjkqgycjkujoxh3k6
recovers 0 18ryVioVmwFYzhRZKTjKqGYCjkUjoxH3k6 $long
recovers 0 18ryVioVmwFYzhRZKTjKqGYCjkUjoxH3k6 18ryVioVmwFYzhRZKTjKqGYCj?UjoxH3k?
recovers 1 "" ${long/k6/k7}
recovers 2 "" ${long/k6/k!}
recovers 2 "" ""
recovers 3 $'1GVgBo6WVFZRRGcR9spduYYTSrTFjVFtTz\n1Gvgbo6wvFZRRGCr9SpdUyyTSRtfjVFTTZ' 1gvgbo6wvfzrrgcr9spduyytsrtfjvfttz
recovers 4 "" ${long/jkqg/????}

# Shards, as the README shows them.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%s\n' $long 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71 > "$folder/list.txt"
for shard in 1/3 2/3 3/3; do
    cargo run --release -q -p addr-recover -- batch "$folder/list.txt" --shard $shard --quiet
done > "$folder/parts.jsonl"
recovers 0 $'1\tunique\t'$long$'\t18ryVioVmwFYzhRZKTjKqGYCjkUjoxH3k6
2\tunique\t1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71\t1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71' merge "$folder/parts.jsonl"
