//! What is counted, and how counts are compared with the recorded ones.

use iced_x86::MemoryOperand;
use iced_x86::Register::{EAX, RAX, RSP, XMM1, XMM2, YMM0, ZMM1, ZMM2};

use super::super::counts::{Counts, compare, parse};
use super::{PANIC, SHA_KERNEL, assert_fault, function};

#[test]
fn instructions_are_counted_by_kind() {
    let counts = Counts::of(&function(SHA_KERNEL, |code| {
        code.sha256rnds2(XMM1, XMM2);
        code.paddd(XMM1, XMM2);
        code.vpaddq(ZMM1, ZMM2, MemoryOperand::with_base_displ(RSP, 64));
        code.vmovdqu_store(MemoryOperand::with_base(RSP), YMM0);
        code.rol(EAX, 7);
        code.rol(RAX, 7);
        code.lea(RAX, MemoryOperand::with_base(RSP));
        code.call(PANIC);
    }));
    let expected = [
        ("instructions", 8),
        ("rounds", 1),
        ("adds", 2),
        ("xmm_adds", 1),
        ("zmm_adds", 1),
        ("rotates", 1),
        ("stack_loads", 1),
        ("stack_stores", 1),
        ("panics", 1),
    ];
    for (name, count) in expected {
        assert_eq!(counts.get(name), count, "{name}");
    }
    assert_eq!(
        counts.to_string(),
        "instructions=8 rounds=1 rotates=1 adds=2 stack_loads=1 stack_stores=1"
    );
}

#[test]
fn halved_counts_and_lost_kernels_are_faults() {
    let recorded =
        parse("# A comment.\nsha1_multi\tA avx2\tinstructions=1000 adds=100 stack_loads=50\n");
    let compare_with = |line: &str| compare(&recorded, &parse(line));

    let (notes, faults) =
        compare_with("sha1_multi\tA avx2\tinstructions=1000 adds=100 stack_loads=52\n");
    assert_eq!((notes, faults), (vec![], vec![]));
    let (notes, faults) =
        compare_with("sha1_multi\tA avx2\tinstructions=1051 adds=100 stack_loads=10\n");
    assert_eq!(notes, ["sha1_multi A avx2: instructions=1051 (was 1000) stack_loads=10 (was 50)"]);
    assert_eq!(faults, [""; 0]);
    let (_, faults) =
        compare_with("sha1_multi\tA avx2\tinstructions=1000 adds=49 stack_loads=50\n");
    assert_fault(&faults, "sha1_multi A avx2: adds fell from 100 to 49");
    let (notes, faults) = compare_with("sha1_multi\tB avx2\tinstructions=1000 adds=49\n");
    assert_fault(&faults, "sha1_multi A avx2: recorded in ci/counts.txt and not compiled any more");
    assert_eq!(notes, ["sha1_multi B avx2: new: instructions=1000 adds=49"]);
}
