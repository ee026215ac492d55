# Reads a demangled disassembly of sumhash512 (see inlining.sh) and fails when a kernel of it calls anything, or
# is not made of the additions that it is written for. Plain awk: no extensions of gawk.
#
# Variables: jobs    the jobs that must be there for AVX-512 and for AVX2, separated by ";"
#            record  a file to which the counts of each kernel are appended, for counts.awk

BEGIN {
    count = split(jobs, list, ";")
    printf "%-28s %9s %9s %9s\n", "kernel", "zmm adds", "ymm adds", "permutes"
}

/^[0-9a-f]+ <.*>:$/ {
    finish()
    kernel = ""
    if ($0 ~ /vectorize::vectorize_avx(512|2)::</ && $0 ~ /sumhash512::/) {
        set = $0
        sub(/^.*vectorize::vectorize_/, "", set)
        sub(/::<.*/, "", set)
        job = $0
        sub(/>::\{closure.*/, "", job)
        sub(/^.*Level>::run</, "", job)
        sub(/^.*Permutes>::add</, "Permutes<", job)
        sub(/^Permutes<.*/, "&>", job)
        gsub(/[A-Za-z0-9_]+::/, "", job)
        kernel = job " " set
    } else if ($0 ~ /simd_types::u64x8|columns::.*as .*Columns>::add|permutes::(add|take)/) {
        error("left out of line: " $0)
    }
    next
}

/^ *[0-9a-f]+:\t/ && kernel != "" {
    instructions++
    if ($0 ~ /\(%rsp/ && $0 !~ /\t(lea|call|jmp)/) stack++
    if ($0 ~ /vpaddq .*%zmm/) zmm++
    if ($0 ~ /vpaddq .*%ymm/) ymm++
    if ($0 ~ /vperm[it]2q .*%zmm/) permutes++
    called = $0 ~ /\tcall/
    left = $0 ~ /\tj/
    if (called) calls++
    next
}

# The callee of the call before, or where a jump leaves the kernel. Panics never come back: they cost no time.
/R_X86_64_(PLT32|PC32|GOTPCREL)/ && (called || left) {
    if ($0 ~ /core::panicking::/ || $0 ~ /core::slice::.*_fail/ || $0 ~ /core::(option|result)::.*_failed/) calls -= called
    else error(kernel ": calls " $NF)
    called = left = 0
}

END {
    finish()
    for (i = 1; i <= count; i++) {
        if (found[list[i]] != 1) error(list[i] ": " (found[list[i]] + 0) " kernels, expected 1")
    }
    if (errors > 0) {
        print "faults: " errors
        exit 1
    }
    print "no faults"
}

function error(message) {
    errors++
    print "FAULT: " message
}

function finish() {
    if (kernel == "") return
    found[kernel]++
    printf "%-28s %9d %9d %9d\n", kernel, zmm, ymm, permutes
    printf "sumhash512\t%s\tinstructions=%d zmm_adds=%d ymm_adds=%d permutes=%d stack=%d\n", kernel, instructions, zmm, ymm, permutes, stack >> record
    if (calls > 0) error(kernel ": " calls " calls of what is not a panic")
    if (kernel ~ /avx512$/ && zmm < 4) error(kernel ": 512-bit additions are missing")
    if (kernel ~ /avx2$/ && ymm < 4) error(kernel ": 256-bit additions are missing")
    instructions = stack = zmm = ymm = permutes = calls = called = left = 0
    kernel = ""
}
