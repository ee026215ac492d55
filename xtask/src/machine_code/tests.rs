//! The analysis on small functions: what must fail, and what must pass.

mod assembler;
mod counts;

use iced_x86::Register::{
    RAX, RCX, RDI, RDX, RIP, XMM0, XMM1, XMM2, YMM0, YMM1, YMM2, YMM3, YMM4, YMM5, YMM16, YMM31,
    ZMM0, ZMM1, ZMM2, ZMM3, ZMM15, ZMM16, ZMM17, ZMM31,
};
use iced_x86::{Code, MemoryOperand};

use self::assembler::Assembler;
use super::function::{Function, Surroundings};
use super::kernels::{Report, check_library, check_upper_state};

const KERNEL: &str = "<Avx512 as Simd>::vectorize::vectorize_avx512::<<hash_lanes::kernel::LaneKernel>::run<\
                      merkle_lanes::subtrees::HashSubtrees<merkle_lanes::parent_hash::Plain>>::{closure#0}, usize>";
const SHA_KERNEL: &str = "sha1_multi::hw::x86_sha::vex::compress_streams::<1>";
const LEGACY_KERNEL: &str = "sha1_multi::hw::x86_sha::legacy::compress_streams::<1>";

/// What stands at addresses beyond the function.
const PANIC: u64 = 0x10_0000;
const HELPER: u64 = 0x10_0010;
const MEMCPY: u64 = 0x10_0020;
const TABLE: u64 = 0x20_0000;

const START: u64 = 0x1000;

/// A jump table with these targets, in bytes from the start of the function.
struct Around(Vec<i32>);

impl Surroundings for Around {
    fn function_at(&self, address: u64) -> Option<&str> {
        match address {
            PANIC => Some("core::panicking::panic_bounds_check"),
            HELPER => {
                Some("sha256_multi::sha256::helper::<A, fn(B) -> core::iter::C<D>::{closure#0}>")
            }
            MEMCPY => Some("memcpy"),
            _ => None,
        }
    }

    fn pointer_at(&self, address: u64) -> Option<&str> {
        self.function_at(address)
    }

    fn word_at(&self, address: u64) -> Option<i32> {
        let entry = usize::try_from(address.checked_sub(TABLE)? / 4).ok()?;
        self.0.get(entry).map(|target| target + START as i32 - TABLE as i32)
    }
}

/// An operand that is addressed relative to the instruction, as the compiler does.
fn address_of(place: u64) -> MemoryOperand {
    MemoryOperand::with_base_displ(RIP, place as i64)
}

fn function(name: &str, write: impl FnOnce(&mut Assembler)) -> Function {
    function_with_table(name, Vec::new(), write)
}

fn function_with_table(
    name: &str,
    table: Vec<i32>,
    write: impl FnOnce(&mut Assembler),
) -> Function {
    let mut code = Assembler::default();
    write(&mut code);
    Function::decode(name, START, &code.bytes, &Around(table))
}

/// What every 512-bit kernel of rounds has.
fn rounds(code: &mut Assembler, rotations: usize) {
    for _ in 0..rotations {
        code.vprold(ZMM0, ZMM1, 7);
        code.vpternlogd(ZMM0, ZMM1, ZMM2, 0x96);
    }
}

/// Checks a kernel with rounds, and `write` after them.
fn check_kernel(write: impl FnOnce(&mut Assembler)) -> Vec<String> {
    let kernel = function(KERNEL, |code| {
        rounds(code, 150);
        write(code);
    });
    faults_but_missing_kernels(check_library("merkle_lanes", &[kernel]))
}

/// These tests have one function, and libraries have more.
fn faults_but_missing_kernels(report: Report) -> Vec<String> {
    let is_missing = |fault: &String| fault.contains(": 0 kernels, expected 1");
    report.faults.into_iter().filter(|fault| !is_missing(fault)).collect()
}

/// Checks a kernel of SHA instructions in which `write` stands before the rounds.
fn check_sha_kernel(name: &str, write: impl FnOnce(&mut Assembler)) -> Vec<String> {
    let kernel = || {
        function(name, |code| {
            write(code);
            for _ in 0..4 {
                code.sha1rnds4(XMM0, XMM1, 0);
            }
            code.ret();
        })
    };
    faults_but_missing_kernels(check_library("sha1_multi", &[kernel()]))
}

fn assert_fault(faults: &[String], expected: &str) {
    assert!(faults.len() == 1 && faults[0].contains(expected), "{faults:#?} instead of {expected}");
}

#[test]
fn a_clean_kernel_passes() {
    let faults = check_kernel(|code| {
        code.vzeroupper();
        code.ret();
    });
    assert_eq!(faults, [""; 0]);
}

#[test]
fn a_call_of_a_panic_passes() {
    let faults = check_kernel(|code| {
        code.cmp(RAX, RDX);
        code.jump_over(Code::Jae_rel32_64, |code| {
            code.vzeroupper();
            code.ret();
        });
        code.call(PANIC);
    });
    assert_eq!(faults, [""; 0]);
}

#[test]
fn a_conditional_jump_to_a_panic_goes_on_otherwise() {
    let faults = check_kernel(|code| {
        code.cmp(RAX, RDX);
        code.jae(PANIC);
        code.ret();
    });
    assert_fault(&faults, "returns with dirty upper halves");
}

#[test]
fn calls_are_reported_once_for_each_function() {
    let faults = check_kernel(|code| {
        code.call(HELPER);
        code.call(HELPER);
        code.vzeroupper();
        code.ret();
    });
    assert_fault(&faults, "call of sha256_multi::sha256::helper (2 times)");
}

#[test]
fn a_call_is_a_fault() {
    for (callee, cause) in [
        (
            HELPER,
            "call of sha256_multi::sha256::helper: probably a helper without #[inline(always)]",
        ),
        (MEMCPY, "call of memcpy: probably an array that is indexed at run time"),
        (0x10_0050, "call of an unknown function: probably a function passed as a value"),
    ] {
        let faults = check_kernel(|code| {
            code.call(callee);
            code.vzeroupper();
            code.ret();
        });
        assert_fault(&faults, cause);
    }
}

#[test]
fn a_call_of_a_pointer_is_a_fault() {
    let faults = check_kernel(|code| {
        code.call_register(RAX);
        code.vzeroupper();
        code.ret();
    });
    assert_fault(&faults, "call of a function pointer");
    let faults = check_kernel(|code| {
        code.call_memory(address_of(MEMCPY));
        code.vzeroupper();
        code.ret();
    });
    assert_fault(&faults, "call of memcpy");
}

#[test]
fn a_tail_call_is_a_fault() {
    let faults = check_kernel(|code| {
        code.vzeroupper();
        code.jmp(HELPER);
    });
    assert_fault(&faults, "jump to sha256_multi::sha256::helper");
}

#[test]
fn dirty_upper_halves_at_a_return_are_a_fault() {
    assert_fault(&check_kernel(|code| code.ret()), "returns with dirty upper halves");
}

#[test]
fn dirty_upper_halves_on_one_path_are_a_fault() {
    let faults = check_kernel(|code| {
        code.test(RAX, RAX);
        code.jump_over(Code::Je_rel32_64, |code| {
            code.vzeroupper();
            code.ret();
        });
        code.ret();
    });
    assert_fault(&faults, "returns with dirty upper halves");
    let faults = check_kernel(|code| {
        code.test(RAX, RAX);
        code.jump_over(Code::Je_rel32_64, |code| code.vzeroupper());
        code.ret();
    });
    assert_fault(&faults, "returns with dirty upper halves");
}

/// A jump over a table to one path that cleans and one that need not, or must.
fn table_jump(code: &mut Assembler, dirties_last: bool) {
    code.lea(RCX, address_of(TABLE));
    code.movsxd(RAX, MemoryOperand::with_base_index_scale(RCX, RAX, 4));
    code.add(RAX, RCX);
    code.jmp_register(RAX);
    code.vpaddd(YMM0, YMM1, YMM2);
    code.vzeroupper();
    code.ret();
    if dirties_last {
        code.vpaddd(YMM0, YMM1, YMM2);
    }
    code.ret();
}

#[test]
fn paths_are_followed_through_jump_tables() {
    let lens = |function: &Function| -> Vec<i32> {
        function.steps.iter().map(|step| (step.instruction.ip() - START) as i32).collect()
    };
    for dirties_last in [false, true] {
        let offsets = lens(&function(KERNEL, |code| table_jump(code, dirties_last)));
        let kernel = function_with_table(KERNEL, vec![offsets[4], offsets[7]], |code| {
            table_jump(code, dirties_last);
        });
        assert_eq!(kernel.steps[3].jumps, [4, 7]);
        assert!(kernel.steps.iter().all(|step| step.callee.is_none()));
        assert_eq!(super::upper_state::returns_dirty(&kernel), dirties_last);
    }
}

#[test]
fn registers_from_16_on_do_not_dirty() {
    let kernel = function(KERNEL, |code| {
        code.vpaddd(ZMM16, ZMM17, ZMM31);
        code.vprold(YMM31, YMM0, 7);
        // Reads of the others, and writes of the lower 128 bits, do not either.
        code.vmovdqu_store(MemoryOperand::with_base(RDI), YMM0);
        code.vptest(YMM0, YMM1);
        code.vextracti128(XMM0, YMM1, 1);
        code.vpaddd(XMM0, XMM1, XMM2);
        code.ret();
    });
    assert!(!super::upper_state::returns_dirty(&kernel));
}

#[test]
fn registers_below_16_dirty() {
    for write in [
        |code: &mut Assembler| code.vpaddd(ZMM15, ZMM16, ZMM17),
        |code: &mut Assembler| code.vmovdqu_load(YMM3, MemoryOperand::with_base(RDI)),
        |code: &mut Assembler| code.k1().vpaddd(ZMM3, ZMM16, ZMM17),
        |code: &mut Assembler| {
            code.k1().vpgatherdd(YMM4, MemoryOperand::with_base_index_scale(RAX, YMM5, 4));
        },
    ] {
        let kernel = function(KERNEL, |code| {
            write(code);
            code.ret();
        });
        assert!(super::upper_state::returns_dirty(&kernel));
    }
}

#[test]
fn missing_rotations_are_a_fault() {
    let kernel = function(KERNEL, |code| {
        rounds(code, 149);
        code.vzeroupper();
        code.ret();
    });
    let faults = faults_but_missing_kernels(check_library("merkle_lanes", &[kernel]));
    assert_fault(&faults, "HashSubtrees<Plain> avx512x16x2: 149 zmm_rotates, fewer than 150");
}

#[test]
fn a_narrower_kernel_is_not_the_one_expected() {
    let kernel = function(&KERNEL.replace("{closure#0}", "{closure#3}"), |code| {
        for _ in 0..200 {
            code.vprold(YMM0, YMM1, 7);
        }
        code.vzeroupper();
        code.ret();
    });
    let report = check_library("merkle_lanes", &[kernel]);
    let has = |start: &str| report.faults.iter().any(|fault| fault.starts_with(start));
    assert!(has("HashSubtrees<Plain> avx512x8: unknown kernel"), "{:#?}", report.faults);
    assert!(has("HashSubtrees<Plain> avx512x16x2: 0 kernels"), "{:#?}", report.faults);
}

#[test]
fn a_missing_kernel_and_one_that_is_there_twice_are_faults() {
    let kernel = || {
        function(KERNEL, |code| {
            rounds(code, 150);
            code.vzeroupper();
            code.ret();
        })
    };
    let expected = "HashSubtrees<Plain> avx512x16x2: 0 kernels, expected 1";
    let faults = |functions: &[Function]| check_library("merkle_lanes", functions).faults;
    assert!(faults(&[]).iter().any(|fault| fault.starts_with(expected)));
    assert!(!faults(&[kernel()]).iter().any(|fault| fault.starts_with(expected)));
    let expected = "HashSubtrees<Plain> avx512x16x2: 2 kernels, expected 1";
    assert!(faults(&[kernel(), kernel()]).iter().any(|fault| fault.starts_with(expected)));
}

#[test]
fn a_function_of_lanes_with_its_own_symbol_is_a_fault() {
    for name in [
        "sha256_multi::rounds::compress::<fearless_simd::generated::simd_types::u32x16<Avx512>>",
        "<hash_lanes::kernel::LaneKernel>::run::<merkle_lanes::HashSubtrees>::{closure#1}",
        "<sumhash512::table::bytes::Bytes as sumhash512::table::Layout>::add::<Avx2>",
    ] {
        let helper = function(name, |code| code.ret());
        let faults = faults_but_missing_kernels(check_library("merkle_lanes", &[helper]));
        assert_fault(&faults, "left out of line: #[inline(always)] is probably missing");
    }
}

#[test]
fn a_wide_register_in_a_sha_kernel_is_a_fault() {
    let fault = "vmovdqu32 on a register of more than 128 bits at instruction 1";
    let faults = check_sha_kernel(SHA_KERNEL, |code| {
        code.vzeroupper();
        code.vmovdqu32_load(YMM16, MemoryOperand::with_base(RDI));
    });
    assert_fault(&faults, fault);
    assert_eq!(check_sha_kernel(SHA_KERNEL, |code| code.vzeroupper()), [""; 0]);
    // And in code for one CPU.
    let kernel = function(SHA_KERNEL, |code| {
        code.vzeroupper();
        code.vmovdqu32_load(YMM16, MemoryOperand::with_base(RDI));
    });
    assert_fault(&check_upper_state(&[kernel]).2, fault);
}

#[test]
fn sha_instructions_with_unclean_upper_halves_are_a_fault() {
    assert_fault(&check_sha_kernel(SHA_KERNEL, |_| ()), "reached without vzeroupper");
    let faults = check_sha_kernel(SHA_KERNEL, |code| {
        code.test(RAX, RAX);
        code.jump_over(Code::Je_rel32_64, |code| code.vzeroupper());
    });
    assert_fault(&faults, "reached without vzeroupper");
    let kernel = function(SHA_KERNEL, |code| {
        code.vzeroupper();
        code.vmovdqu_load(YMM0, MemoryOperand::with_base(RDI));
        code.sha1rnds4(XMM0, XMM1, 0);
        code.vzeroupper();
        code.ret();
    });
    let (_, sha, faults) = check_upper_state(&[kernel]);
    assert_eq!(sha, 1);
    assert!(faults.iter().any(|fault| fault.contains("dirtied after vzeroupper")), "{faults:#?}");
}

#[test]
fn a_kernel_for_cpus_without_avx_has_none_of_it() {
    assert_eq!(check_sha_kernel(LEGACY_KERNEL, |code| code.paddd(XMM0, XMM1)), [""; 0]);
    let faults = check_sha_kernel(LEGACY_KERNEL, |code| code.vpaddd(XMM0, XMM1, XMM2));
    assert_fault(
        &faults,
        "legacy::compress_streams<1> SHA-NI: vpaddd is encoded with VEX at instruction 0",
    );
}
