# Reads a demangled disassembly (see inlining.sh), prints a table of the kernels in it and fails when
# one of them is not what its source means it to be. Plain awk: no extensions of gawk.
#
# Variables: build   "default": all checks; "avx": only those of the vector registers' upper halves
#            jobs    the lane jobs that must be there, separated by ";"; "@8" behind one means that it
#                    is compiled for 8 lanes or more only, "@best" for 16 lanes of AVX-512 and 8 of AVX2 only
#            shas    the SHA-NI kernels that must be there, separated by ";"; "" if the crate has none
#            record  a file to which the counts of each kernel are appended, for counts.awk; "" for none
#            crate   whose kernels these are, for that file

BEGIN {
    BEST = 100
    avx = build == "avx"
    split(jobs, list, ";")
    for (i in list) {
        split(list[i], parts, "@")
        listed[parts[1]] = parts[2] == "" ? 1 : parts[2] == "best" ? BEST : parts[2] + 0
    }
    row = "%-46s %7s %6s %7s %8s %6s %6s %7s\n"
    printf row, "kernel", "instr.", "panics", "ternary", "rotates", "adds", "stack", "stack"
    printf row, "", "", "", "logic", "", "", "loads", "stores"
}

/^[0-9a-f]+ <.*>:$/ {
    finish()
    name = $0
    sub(/^[0-9a-f]+ </, "", name)
    sub(/>:$/, "", name)
    next
}

# An instruction: its address, a tab, its text.
/^ *[0-9a-f]+:\t/ {
    text = $0
    address = $1
    sub(/:.*/, "", address)
    sub(/^ *[0-9a-f]+:\t/, "", text)
    sub(/[ \t]*#.*/, "", text)
    while (sub(/^(bnd|notrack|repz|rep|data16|cs|ds|es|\{evex\}|\{vex\}|\{vex3\}) +/, "", text)) continue
    count++
    at[address] = count
    op[count] = text
    sub(/[ \t].*/, "", op[count])
    arguments[count] = text
    if (!sub(/^[^ \t]+[ \t]+/, "", arguments[count])) arguments[count] = ""
    callee[count] = ""
    if (arguments[count] ~ /<.*>/) {
        callee[count] = arguments[count]
        sub(/^[^<]*</, "", callee[count])
        sub(/>[^>]*$/, "", callee[count])
    }
    next
}

# In an object file the callee's name stands in the relocation after the instruction.
/R_X86_64_(PLT32|PC32|GOTPCREL|GOTPCRELX|REX_GOTPCRELX)/ {
    if (op[count] ~ /^(call|j)/) {
        callee[count] = $0
        sub(/^.*R_X86_64_[A-Z0-9_]*[ \t]+/, "", callee[count])
        sub(/-0x[0-9a-f]+$/, "", callee[count])
        outside[count] = 1
    }
}

END {
    finish()
    if (avx) {
        if (vectors == 0) error("no function of these crates uses the 256-bit or 512-bit registers")
        if (hardware == 0) print "note: no SHA-NI code under the name of these crates"
    } else {
        check_expected()
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

# The name of a type or function without the paths.
function short(text) {
    gsub(/[A-Za-z0-9_]+::/, "", text)
    return text
}

# A method's name without the brackets around its type.
function plain(text) {
    while (sub(/^</, "", text)) sub(/>::/, "::", text)
    return text
}

# Functions that never come back. They are cold and stand behind a check that fails only when the
# crate itself is wrong, so they cost no time. Nothing else may be called inside a kernel, not even
# memcpy or memset, of which there are none: that would be an array that has left the registers.
function never_returns(called) {
    return called ~ /core::panicking::/ || called ~ /core::slice::.*_fail/ || called ~ /core::(option|result)::.*_failed/
}

function is_hardware(called) {
    return called ~ /sha(1|256)_multi::hw::x86_sha::(compress|hash_pairs|double_hash_blocks)::</
}

# Whether instruction i computes rounds: four of SHA-1, two of SHA-256.
function is_rounds(i) {
    return op[i] == "sha1rnds4" || op[i] == "sha256rnds2"
}

function is_cleaning(i) {
    return op[i] == "vzeroupper" || (op[i] == "call" && callee[i] ~ /x86_sha::clean_upper_state/)
}

# Whether instruction i writes one of the registers 0 to 15 beyond its lower 128 bits. The registers
# 16 to 31 do not count: they do not slow down the old encoding.
function dirties(i) {
    return arguments[i] ~ /%[yz]mm([0-9]|1[0-5])(\{[^}]*\})*$/
}

function finish() {
    if (name != "" && count > 0) {
        if (avx) examine_upper_state()
        else examine()
    }
    name = ""
    count = 0
    split("", at)
    split("", outside)
}

function tally(    i, stack) {
    panics = ternary = zmm_rotates = ymm_rotates = xmm_adds = ymm_adds = rotates = adds = loads = stores = 0
    zmm_uses = word_rotates = rounds = lane_calls = hardware_calls = 0
    for (i = 1; i <= count; i++) {
        stack = arguments[i] ~ /\(%rsp/ && op[i] !~ /^(lea|call|jmp)/
        if (stack && arguments[i] ~ /\)(\{[^}]*\})*$/ && op[i] !~ /^(v?p?cmp|v?p?test|push)/) stores++
        else if (stack) loads++
        if (op[i] ~ /^vpternlog/) ternary++
        if (arguments[i] ~ /%zmm/) zmm_uses++
        if (op[i] ~ /^vpro[lr]/) {
            rotates++
            if (arguments[i] ~ /%zmm/) zmm_rotates++
            else if (arguments[i] ~ /%ymm/) ymm_rotates++
        }
        if (op[i] ~ /^v?paddd/) {
            adds++
            if (arguments[i] ~ /%ymm/) ymm_adds++
            else if (arguments[i] ~ /%xmm/) xmm_adds++
        }
        if (op[i] ~ /^(rol|ror|rorx)l?$/) word_rotates++
        if (is_rounds(i)) rounds++
        if (op[i] == "call" || outside[i]) {
            if (callee[i] ~ /vectorize::vectorize_/) lane_calls++
            if (is_hardware(callee[i])) hardware_calls++
            if (never_returns(callee[i])) panics++
        }
    }
}

function print_row(label, rotations, additions) {
    printf row, label, count, panics, ternary, rotations, additions, loads, stores
    # What only moves data or calls others is no kernel.
    if (record == "" || adds + rounds == 0) return
    if (!sub(/^[0-9]+ rnds$/, "rounds=" rounds, rotations)) rotations = "rotates=" rotations
    print crate "\t" label "\tinstructions=" count " ternary=" ternary " " rotations " adds=" additions \
        " stack_loads=" loads " stack_stores=" stores >> record
}

function examine(    job, set, label, width) {
    if (name ~ /vectorize::vectorize_[a-z0-9_]+::<.*LaneKernel>::run</) {
        set = name
        sub(/^.*vectorize::vectorize_/, "", set)
        sub(/::<.*/, "", set)
        job = name
        sub(/^.*LaneKernel>::run</, "", job)
        sub(/>::\{closure.*/, "", job)
        job = short(job)
        tally()
        width = set
        if (set == "avx512") width = zmm_uses > 0 ? "avx512x16" : "avx512x8"
        label = job " " width
        found[label]++
        print_row(label, rotates, adds)
        check_calls(label)
        check_exits(label)
        if (!(job in listed)) {
            # A job that only moves data has no instructions of its own.
            if (adds > 50 || rotates > 50) error(label ": not in the list in inlining.sh")
            return
        }
        # The rounds stand in the code 32 times or more, with six rotations and seven additions each; those of
        # SHA-1 80 times, with three and four.
        if (width == "avx512x16" && (zmm_rotates < 150 || ternary < 100)) error(label ": 512-bit rotations or ternary logic are missing")
        if (width == "avx512x8" && (ymm_rotates < 150 || ternary < 100)) error(label ": 256-bit rotations or ternary logic are missing")
        if (width == "avx2" && ymm_adds < 150) error(label ": 256-bit additions are missing")
        if (width ~ /^sse/ && listed[job] <= 4 && xmm_adds < 150) error(label ": 128-bit additions are missing")
        return
    }
    if (is_hardware(name)) {
        label = name
        sub(/^.*x86_sha::/, "", label)
        sub(/::</, "<", label)
        label = "SHA-NI " label
        tally()
        found[label]++
        print_row(label, rounds " rnds", adds)
        if (rounds < 4) error(label ": no sha1rnds4 and no sha256rnds2")
        check_calls(label)
        return
    }
    if (name ~ /x86_sha::clean_upper_state$/) {
        if (op[1] != "vzeroupper") error("clean_upper_state does not begin with vzeroupper")
        found["clean_upper_state"]++
        return
    }
    # What is generic over the lanes and was left out of line has their type in its name.
    if (name ~ /simd_types::u32x|Wrapping<u32>|hash_lanes::lanes::|(sha1|sha256|ripemd)_multi::rounds::|LaneKernel>::run::.*closure/) {
        error("left out of line: " name)
        return
    }
    tally()
    if (lane_calls > 0) {
        # The function that chooses the kernel holds the two that need no instructions beyond those
        # of every x86-64 CPU: SSE2 and portable.
        job = name
        if (sub(/^.*LaneKernel>::run::</, "", job)) {
            sub(/>$/, "", job)
            job = short(job)
        } else {
            job = plain(short(name))
        }
        label = substr(job, 1, 32) " sse2+portable"
        print_row(label, word_rotates, xmm_adds)
        if (job in listed && listed[job] == 1) {
            if (xmm_adds < 150) error(label ": 128-bit additions are missing")
            if (word_rotates < 150) error(label ": rotations of single words are missing")
        }
        if (xmm_adds >= 150 && word_rotates >= 150) baseline++
        if (ymm_adds > 0) error(label ": 256-bit instructions outside of the kernels for them")
    }
    if (hardware_calls > 0) {
        hardware++
        check_guards(plain(short(name)))
    }
}

function check_calls(label,    i) {
    for (i = 1; i <= count; i++) {
        if (op[i] == "call" || (op[i] ~ /^j/ && outside[i]) || (op[i] == "jmp" && arguments[i] ~ /^\*/)) {
            if (!never_returns(callee[i])) error(label ": " op[i] " " (callee[i] == "" ? arguments[i] : callee[i]))
        }
    }
}

# The instruction that the jump i leads to, or 0 when it leads out of the function.
function target(i,    address) {
    if (outside[i]) return 0
    address = arguments[i]
    sub(/[ ,].*/, "", address)
    return address in at ? at[address] : 0
}

# A conditional jump around a few instructions that clean the upper halves: what follows is guarded
# either way, because the jump is taken only on CPUs that do not mind.
function is_guard(i, to,    k, cleans) {
    if (to > i + 1 && to <= i + 10) {
        for (k = i + 1; k < to && op[k] !~ /^(j|ret)/; k++) if (is_cleaning(k)) cleans = 1
        return cleans && k == to
    }
    # The cleaning may stand elsewhere, with a jump back.
    for (k = to; k > 0 && k < to + 9 && op[k] !~ /^(j|ret)/; k++) if (is_cleaning(k)) cleans = 1
    return cleans && op[k] == "jmp" && target(k) == i + 1
}

# Follows all paths from the entry. A state is a set of bits: 1 as at the entry, 2 clean, 4 dirty.
# `reached[i]` is what holds before the instruction i on some path.
function follow(guards,    i, state, to, top, k) {
    find_table_targets()
    split("", reached)
    top = 0
    reached[1] = 1
    work[++top] = 1
    while (top > 0) {
        i = work[top--]
        state = reached[i]
        if (is_cleaning(i)) state = 2
        else if (dirties(i)) state = guards ? (state % 2) + 4 : 4
        to = 0
        if (op[i] ~ /^j/ && arguments[i] !~ /^\*/) {
            to = target(i)
            if (guards && op[i] != "jmp" && is_guard(i, to)) state = 2
            if (to > 0 && add_state(to, state)) work[++top] = to
        } else if (op[i] == "jmp") {
            # A table of jumps: it leads where a block begins that nothing else leads to.
            for (k = 1; k <= tables; k++) if (add_state(table[k], state)) work[++top] = table[k]
        }
        if (op[i] ~ /^(jmp|ret|ud2|hlt)/ || (op[i] == "call" && never_returns(callee[i])) || i == count) continue
        if (add_state(i + 1, state)) work[++top] = i + 1
    }
}

function count_tables(    i, found_tables) {
    for (i = 1; i <= count; i++) if (op[i] == "jmp" && arguments[i] ~ /^\*/ && !outside[i]) found_tables++
    return found_tables
}

function find_table_targets(    i, k, known) {
    for (i = 1; i <= count; i++) if (op[i] ~ /^j/ && arguments[i] !~ /^\*/) known[target(i)] = 1
    tables = 0
    for (i = 1; i < count; i++) {
        if (op[i] !~ /^(jmp|ret|ud2)/) continue
        for (k = i + 1; k <= count && op[k] ~ /^(nop|data16|xchg|int3)/; k++) continue
        if (k <= count && !(k in known)) table[++tables] = k
    }
}

# Adds the bits of `state` to what reaches i; whether any was new.
function add_state(i, state,    old, sum) {
    old = reached[i] + 0
    sum = (old % 2 || state % 2) + 2 * (int(old / 2) % 2 || int(state / 2) % 2) + 4 * (old >= 4 || state >= 4)
    reached[i] = sum
    return sum != old
}

# On no path may a function return with something in the upper halves.
function check_exits(label,    i) {
    follow(0)
    for (i = 1; i <= count; i++) {
        if (reached[i] >= 4 && (op[i] ~ /^ret/ || (op[i] ~ /^j/ && arguments[i] !~ /^\*/ && target(i) == 0))) {
            error(label ": returns without vzeroupper at " op[i] " " i)
            return
        }
    }
}

# The SHA instructions may be reached only by way of the guard, with nothing dirtied since.
function check_guards(label,    i) {
    follow(1)
    for (i = 1; i <= count; i++) {
        if (is_rounds(i) || ((op[i] == "call" || outside[i]) && is_hardware(callee[i]))) {
            if (reached[i] % 2) {
                error(label ": the SHA instructions are reached without the upper halves being cleaned")
                return
            }
            if (reached[i] >= 4) {
                error(label ": the SHA instructions are reached with upper halves dirtied after the cleaning")
                return
            }
        }
    }
}

function examine_upper_state(    i, wide, sha, called, label, kind) {
    if (name !~ /hash_lanes::|sha1_multi::|sha256_multi::|ripemd_multi::/) return
    for (i = 1; i <= count; i++) {
        if (dirties(i)) wide++
        if (is_rounds(i)) sha++
        if (op[i] == "call" && is_hardware(callee[i])) called++
    }
    if (wide + sha + called == 0) return
    tally()
    if (adds + rounds > 0) {
        label = name
        if (sub(/^.*LaneKernel>::run::</, "", label) || sub(/^.*LaneKernel>::run</, "", label)) {
            kind = sub(/>::\{closure.*/, "", label) ? " vectorize_avx512" : ""
            if (kind == "") sub(/>$/, "", label)
            label = short(label) kind
        } else {
            label = plain(short(label))
        }
        print_row(substr(label, 1, 46), rounds > 0 ? rounds " rnds" : rotates, adds)
    }
    if (wide > 0) {
        vectors++
        # With more than one table of jumps it is not known here which leads where.
        if (count_tables() > 1) print "not followed, because of its tables of jumps: " substr(plain(short(name)), 1, 80)
        else check_exits(plain(short(name)))
    }
    # sha1 and sha2 of RustCrypto may be inlined into a function here; ours is what mentions the crate itself.
    if (called > 0 || (sha > 0 && !is_hardware(name) && name ~ /compress_hardware|sha1_multi::hw::|sha256_multi::(hw|pairs)::/)) {
        hardware++
        check_guards(plain(short(name)))
    }
}

function check_expected(    i, n, list, w, widths, label, baselines) {
    n = split("avx512x16;avx512x8;avx2;sse4_2", widths, ";")
    for (i in listed) {
        if (listed[i] == 1) baselines++
        for (w = 1; w <= n; w++) {
            if (widths[w] ~ /^sse/ && listed[i] > 4) continue
            if (widths[w] == "avx512x8" && listed[i] == BEST) continue
            label = i " " widths[w]
            if (found[label] != 1) error(label ": " (found[label] + 0) " kernels, expected 1")
        }
    }
    if (baselines > 0 && baseline == 0) error("the SSE2 and portable kernels: not found")
    if (shas == "") return
    split(shas, list, ";")
    for (i = 1; i in list; i++) if (found["SHA-NI " list[i]] != 1) error("SHA-NI " list[i] ": not found")
    if (found["clean_upper_state"] != 1) error("clean_upper_state: not found")
    if (hardware == 0) error("nothing calls the SHA-NI kernels")
}
