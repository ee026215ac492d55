#!/usr/bin/env bash
# Records the program in a terminal: an estimate, a search and its answer.
#
#     addr-recover/recording.sh [COLUMNS [FILE]]
#
# By default, records 80 columns in recording.svg.
#
# Needs `script` from util-linux, which gives the program a terminal to draw on.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --release -q -p addr-recover
columns=${1:-80}
picture=${2:-addr-recover/recording.svg}
program=${CARGO_TARGET_DIR:-target}/release/addr-recover
address=18ryviovmwfyzhrzktjkqgycjkujoxh3k6
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Prints the program's output line by line, without the codes that move the cursor.
record() {
    local command="stty rows 24 cols $columns; $program $*"
    COLUMNS=$columns script -qec "$command" "$log" > /dev/null || true
    tr '\r' '\n' < "$log" |
        sed -E '/^Script (started|done)/d; s/\x1b\[[0-9;?]*[A-Za-z]/\n/g' | sed '/^ *$/d'
}

{
    # On as many threads as the search, so that it takes the time that was estimated.
    for command in "--estimate -j1 $address" "-j1 $address"; do
        [ "$command" = "-j1 $address" ] && echo
        echo "\$ addr-recover $command"
        record $command
    done
} | awk -v columns="$columns" '
    function text(line) {
        gsub(/&/, "\\&amp;", line)
        gsub(/</, "\\&lt;", line)
        gsub(/>/, "\\&gt;", line)
        return line
    }
    # Each frame of the progress bar is shown for 0.35 s, once the prompt has been read.
    { sub(/ +$/, "") }
    / left$/ { if (!after && $0 != last) frame[++frames] = last = $0; next }
    { line[++lines] = $0; if (frames > 0 && !after) after = lines }
    END {
        step = 20; begin = 1.5; each = 0.35
        end = begin + frames * each
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"ui-monospace, monospace\" font-size=\"14\">\n", 32 + 8.7 * columns, (lines + 2) * step
        print "<title>A recording of addr-recover in a terminal: an estimate, a search and its" \
            " answer</title>"
        print "<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#16181d\"/>"
        for (i = 1; i <= lines; i++) {
            y = (i + 0.75) * step
            color = line[i] ~ /^\$/ ? "#8fd18f" : "#d8dbe0"
            printf "<text xml:space=\"preserve\" x=\"16\" y=\"%d\" fill=\"%s\">%s",
                y, color, text(line[i])
            if (after && i >= after)
                printf "<animate attributeName=\"opacity\" values=\"0;0;1\"" \
                    " keyTimes=\"0;0.999;1\" dur=\"%.2fs\"/>", end
            print "</text>"
        }
        y = (after + 0.75) * step
        for (i = 1; i <= frames; i++) {
            printf "<text xml:space=\"preserve\" x=\"16\" y=\"%d\" fill=\"#d8dbe0\"" \
                " opacity=\"0\">%s",
                y, text(frame[i])
            printf "<set attributeName=\"opacity\" to=\"1\" begin=\"%.2fs\" dur=\"%.2fs\"/>" \
                "</text>\n",
                begin + (i - 1) * each, each
        }
        print "</svg>"
    }' > "$picture"
echo "$picture: $(grep -c '<text' "$picture") lines"
