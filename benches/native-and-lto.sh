#!/bin/sh
# Checks that HASH160 is as fast in a program built with `-C target-cpu=native` and fat LTO as in a
# plain build. Prints each candidate's time in both builds and their ratio, which should be about 1
# or below for all of ours. The risk is SHA-NI code mixed with AVX code.
#
#     benches/native-and-lto.sh
#     CORE=1 benches/native-and-lto.sh --features rivals
#
# CORE pins the measurement to a core. The arguments are passed to cargo.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
target="${CARGO_TARGET_DIR:-$here/../target}"
results="$target/native-and-lto"

build() {
    cargo build --manifest-path "$here/Cargo.toml" --release --bin ratios "$@"
}

# A single key, keys in lanes, and a batch that uses SHA-NI although the backend has AVX-512.
measure() {
    ${CORE:+taskset -c "$CORE"} "$1/release/ratios" --csv "$results/$2.csv" \
        --shape hash160-single --shape hash160_many/small-4x33B --shape hash160-keys \
        > "$results/$2.txt"
}

build "$@"
export CARGO_TARGET_DIR="$results"
RUSTFLAGS="${RUSTFLAGS:-} -C target-cpu=native" CARGO_PROFILE_RELEASE_LTO=fat build "$@"

# Alternate the builds, because turns of two processes cannot be as short as turns within one.
for round in 1 2 3; do
    measure "$target" "plain-$round"
    measure "$results" "native-$round"
done

# The minimum time of each row in each build.
awk -F, '
    /^#/ && FNR == NR { print }
    /^#/ || $1 == "shape" { next }
    {
        row = sprintf("%-26s %-36s", $1, $2)
        build = FILENAME ~ /native-[0-9]\.csv$/ ? "native" : "plain"
        if (!(row in known)) { known[row]; rows[++count] = row }
        if (!((build, row) in min) || $6 < min[build, row]) min[build, row] = $6
    }
    END {
        printf "%-26s %-36s %9s %9s %12s\n",
            "min ns per message", "", "plain", "native", "native/plain"
        for (i = 1; i <= count; i++) {
            plain = min["plain", rows[i]]
            native = min["native", rows[i]]
            printf "%s %9.1f %9.1f %12.3f\n", rows[i], plain, native, native / plain
        }
    }
' "$results"/plain-[123].csv "$results"/native-[123].csv
