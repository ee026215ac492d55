#!/usr/bin/env bash
# Runs the program on damaged content and draws its report as recording.svg.
#
# This script creates the content: one file has a flipped byte, one is missing, one is too long, one
# is truncated.
set -euo pipefail
cd "$(dirname "$0")/.."
picture=$PWD/torrent-check/recording.svg

cargo build --release -q -p torrent-check --bins --examples
programs=$(realpath "${CARGO_TARGET_DIR:-target}/release")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Reproducible content: a sequence of numbers.
numbers() {
    mkdir -p "$(dirname "downloads/album/$1")"
    seq "$2" > "downloads/album/$1"
    truncate -s "$3" "downloads/album/$1"
}
numbers cover.png 100000 310000
numbers booklet/page-1.pdf 400000 2100000
numbers booklet/page-2.pdf 500000 2600000
numbers disc-1/track-1.flac 4000000 23000000
numbers disc-1/track-2.flac 5000000 31000000
numbers disc-2/track-1.flac 3000000 19000000
numbers disc-2/track-2.flac 4500000 27000000
"$programs/examples/make_torrent" v1 262144 downloads/album album.torrent
rm downloads/album/booklet/page-2.pdf
printf 'x' | dd of=downloads/album/disc-1/track-2.flac bs=1 seek=12345678 conv=notrunc status=none
printf 'excess' >> downloads/album/disc-2/track-1.flac
truncate -s 18000000 downloads/album/disc-2/track-2.flac

command="torrent-check album.torrent downloads"
{
    echo "\$ $command"
    PATH=$programs:$PATH $command || true
} | awk '
    function text(line) {
        gsub(/&/, "\\&amp;", line)
        gsub(/</, "\\&lt;", line)
        gsub(/>/, "\\&gt;", line)
        return line
    }
    # Damaged pieces stand out by colour.
    function coloured(line) {
        line = text(line)
        gsub(/×+/, "<tspan fill=\"#ef6b73\">&</tspan>", line)
        gsub(/·+/, "<tspan fill=\"#8a8f99\">&</tspan>", line)
        gsub(/█+/, "<tspan fill=\"#6aa86a\">&</tspan>", line)
        return line
    }
    { line[++lines] = $0 }
    END {
        step = 20
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"980\" height=\"%d\" font-family=\"ui-monospace, monospace\" font-size=\"14\">\n", (lines + 2) * step
        print "<title>The report of torrent-check on damaged content</title>"
        print "<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#16181d\"/>"
        for (i = 1; i <= lines; i++) {
            color = line[i] ~ /^\$/ ? "#8fd18f" : line[i] ~ /^incomplete/ ? "#ffffff" : "#d8dbe0"
            printf "<text xml:space=\"preserve\" x=\"16\" y=\"%d\" fill=\"%s\">%s</text>\n",
                (i + 0.75) * step, color, coloured(line[i])
        }
        print "</svg>"
    }' > "$picture"
sed -E 's/<[^>]*>//g' "$picture"
