#!/bin/sh
# Whether HASH160 keeps its speed in a program that is built for its own machine (`-C target-cpu=native`)
# with fat LTO: prints each candidate's time in a plain build and in that one, and their ratio. SHA-NI beside
# code for AVX is what could go wrong there, so it should be about 1, or below, for all of ours.
#
#     benches/native-and-lto.sh
#     CORE=1 benches/native-and-lto.sh --features rivals
#
# CORE pins the measurement to a core; the arguments go to cargo.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
target="${CARGO_TARGET_DIR:-$here/../target}"
results="$target/native-and-lto"

build() {
    cargo build --manifest-path "$here/Cargo.toml" --release --bin ratios "$@"
}

# The single key, keys in lanes, and a batch that takes SHA-NI though the backend has AVX-512.
measure() {
    ${CORE:+taskset -c "$CORE"} "$1/release/ratios" --csv "$results/$2.csv" \
        --shape hash160-single --shape hash160_many/small-4x33B --shape hash160-keys > "$results/$2.txt"
}

build "$@"
export CARGO_TARGET_DIR="$results"
RUSTFLAGS="${RUSTFLAGS:-} -C target-cpu=native" CARGO_PROFILE_RELEASE_LTO=fat build "$@"

# By turns, since two programs cannot take turns as short as those within one.
for round in 1 2 3; do
    measure "$target" "plain-$round"
    measure "$results" "native-$round"
done

# The shortest time of each row in each build.
awk -F, '
    /^#/ && FNR == NR { print }
    /^#/ || $1 == "shape" { next }
    {
        row = sprintf("%-26s %-36s", $1, $2)
        build = FILENAME ~ /native-[0-9]\.csv$/ ? "native" : "plain"
        if (!(row in known)) { known[row]; rows[++count] = row }
        if (!((build, row) in least) || $6 < least[build, row]) least[build, row] = $6
    }
    END {
        printf "%-26s %-36s %9s %9s %12s\n", "min ns per message", "", "plain", "native", "native/plain"
        for (i = 1; i <= count; i++) {
            plain = least["plain", rows[i]]
            native = least["native", rows[i]]
            printf "%s %9.1f %9.1f %12.3f\n", rows[i], plain, native, native / plain
        }
    }
' "$results"/plain-[123].csv "$results"/native-[123].csv
