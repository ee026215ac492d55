# Compares the counts of instructions of each kernel with those that are recorded in ci/counts.txt: shows what has
# changed by more than 5 %, and fails where a kernel has lost half of what it is made of. Plain awk: no extensions of gawk.
#
#     awk -f counts.awk counts.txt NEW
#
# A line: the crate, a tab, the kernel, a tab, and NAME=COUNT with spaces between.

BEGIN { FS = "\t" }

/^#/ { next }

FNR == NR {
    recorded[$1 " " $2] = $3
    next
}

{
    kernel = $1 " " $2
    seen[kernel] = 1
    if (!(kernel in recorded)) {
        print "new: " kernel ": " $3
        next
    }
    split("", old)
    n = split(recorded[kernel], list, " ")
    for (i = 1; i <= n; i++) {
        split(list[i], pair, "=")
        old[pair[1]] = pair[2]
    }
    n = split($3, list, " ")
    for (i = 1; i <= n; i++) {
        split(list[i], pair, "=")
        compare(kernel, pair[1], old[pair[1]] + 0, pair[2] + 0)
    }
}

END {
    for (kernel in recorded) {
        if (!(kernel in seen)) {
            errors++
            print "FAULT: " kernel ": recorded in ci/counts.txt, and not there"
        }
    }
    print "kernels that differ by more than 5 % from ci/counts.txt: " changed + 0
    if (errors > 0) print "faults: " errors
    exit errors > 0
}

function compare(kernel, what, before, now,    difference) {
    difference = now > before ? now - before : before - now
    # A few instructions more or less say nothing.
    if (difference > 4 && 20 * difference > before) {
        printf "%s: %s: %d, and was %d\n", kernel, what, now, before
        if (!(kernel in differs)) changed++
        differs[kernel] = 1
    }
    # What vectors are used for. Registers on the stack are no loss.
    if (what ~ /ternary|rotates|rounds|adds|permutes/ && before >= 16 && 2 * now < before) {
        errors++
        printf "FAULT: %s: it had %d %s and has %d\n", kernel, before, what, now
    }
}
