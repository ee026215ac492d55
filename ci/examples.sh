#!/usr/bin/env bash
# Every example runs to its end, the program addr-recover does what its README shows, and torrent-check tells content that is whole from
# content that is not.
set -euo pipefail
cd "$(dirname "$0")/.."

# Without a name cargo lists them, indented.
names=$( (cargo run --release -q -p hashlanes-examples --example 2>&1 || true) | sed -n 's/^    \([^ ]*\)$/\1/p')
[ -n "$names" ] || { echo "no examples found"; exit 1; }
for name in $names; do
    echo "--- $name"
    cargo run --release -q -p hashlanes-examples --example "$name"
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

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
printf '%s\n' $long 1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71 > "$folder/list.txt"
for shard in 1/3 2/3 3/3; do
    cargo run --release -q -p addr-recover -- batch "$folder/list.txt" --shard $shard --quiet
done > "$folder/parts.jsonl"
recovers 0 $'1\tunique\t'$long$'\t18ryVioVmwFYzhRZKTjKqGYCjkUjoxH3k6
2\tunique\t1lbcfr7sahtd9cgdqo3htmtkv8lk4znx71\t1Lbcfr7sAHTD9CgdQo3HTMTkV8LK4ZnX71' merge "$folder/parts.jsonl"

cargo build --release -q -p torrent-check --bins --examples
programs=$(realpath "${CARGO_TARGET_DIR:-target}/release")
# Runs the program and compares its exit status, and how its summary begins, with what is expected.
checks() {
    local torrent=$1 status=$2 summary=$3 output actual=0
    output=$("$programs/torrent-check" "$folder/$torrent" "$folder/downloads" 2>&1) || actual=$?
    if [ "$actual" != "$status" ] || ! grep -q "^$summary" <<< "$output"; then
        echo "$output"
        echo "torrent-check $torrent: exit status $actual, expected $status and '$summary'"
        exit 1
    fi
    echo "torrent-check $torrent: '$summary', exit status $actual"
}
mkdir -p "$folder/downloads/numbers"
seq 300000 > "$folder/downloads/numbers/first"
seq 400000 > "$folder/downloads/numbers/second"
for version in v1 v2 hybrid; do
    "$programs/examples/make_torrent" $version 65536 "$folder/downloads/numbers" "$folder/$version.torrent"
    checks $version.torrent 0 "complete: "
done
rm "$folder/downloads/numbers/first"
for version in v1 v2 hybrid; do
    checks $version.torrent 1 "incomplete: "
done
head -c 1000 "$folder/v1.torrent" > "$folder/short.torrent"
checks short.torrent 2 "error: "
