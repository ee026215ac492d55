//! Tests the analysis on small functions, faulty and correct.

use super::counts::{Counts, compare, parse};
use super::function::{Function, Surroundings};
use super::kernels::check_library;
use super::upper_state::returns_dirty;

const KERNEL: &str = "<Avx512 as Simd>::vectorize::vectorize_avx512::<\
                      hash_lanes::kernel::run_in<hash_lanes::lanes::groups::Interleaved<\
                      fearless_simd::generated::simd_types::u32x16<Avx512>>, \
                      merkle_lanes::subtrees::HashSubtrees<merkle_lanes::parent_hash::Plain>>\
                      ::{closure#0}, usize>";
const ROUNDS: &str = "<Avx2 as Simd>::vectorize::vectorize_avx2::<\
                      sha256_multi::rounds::compress<simd_types::u32x8<Avx2>>::{closure#0}, ()>";
const SHA_KERNEL: &str = "sha1_multi::hw::x86_sha::vex::compress_streams::<1>";
const LEGACY_KERNEL: &str = "sha1_multi::hw::x86_sha::legacy::compress_streams::<1>";

/// What stands at addresses beyond the function.
const PANIC: u64 = 0x10_0000;
const HELPER: u64 = 0x10_0010;
const MEMCPY: u64 = 0x10_0020;
const SHARED: u64 = 0x10_0030;
const UNKNOWN: u64 = 0x10_0050;
const TABLE: u64 = 0x20_0000;

const START: u64 = 0x1000;

/// Machine code, as GNU `as` writes it.
const RET: &[u8] = &[0xc3];
const VZEROUPPER: &[u8] = &[0xc5, 0xf8, 0x77];
const TEST_RAX: &[u8] = &[0x48, 0x85, 0xc0];
/// `paddd xmm0, xmm1`
const PADDD: &[u8] = &[0x66, 0x0f, 0xfe, 0xc1];
/// `vpaddd xmm0, xmm1, xmm2`
const VPADDD_XMM: &[u8] = &[0xc5, 0xf1, 0xfe, 0xc2];
/// `vpaddd ymm0, ymm1, ymm2`
const VPADDD_YMM: &[u8] = &[0xc5, 0xf5, 0xfe, 0xc2];
/// `vmovdqu32 ymm16, [rdi]`
const VMOVDQU_YMM16: &[u8] = &[0x62, 0xe1, 0x7e, 0x28, 0x6f, 0x07];
/// `vmovdqu [rdi], ymm0`
const VMOVDQU_STORE: &[u8] = &[0xc5, 0xfe, 0x7f, 0x07];
/// `sha1rnds4 xmm0, xmm1, 0`
const SHA1RNDS4: &[u8] = &[0x0f, 0x3a, 0xcc, 0xc1, 0x00];
/// `vprold zmm0, zmm1, 7` and `vpternlogd zmm0, zmm1, zmm2, 0x96`
const ZMM_ROUND: &[u8] =
    &[0x62, 0xf1, 0x7d, 0x48, 0x72, 0xc9, 7, 0x62, 0xf3, 0x75, 0x48, 0x25, 0xc2, 0x96];
/// `vprold ymm0, ymm1, 7`
const YMM_ROTATE: &[u8] = &[0x62, 0xf1, 0x7d, 0x28, 0x72, 0xc9, 7];

/// A function that is being written.
#[derive(Default)]
struct Code(Vec<u8>);

impl Code {
    fn op(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    /// An instruction that ends in the distance to a place: a call, a jump or an address.
    fn to(self, opcode: &[u8], place: u64) -> Self {
        let next = START + (self.0.len() + opcode.len() + 4) as u64;
        let distance = place.wrapping_sub(next) as i32;
        self.op(opcode).op(&distance.to_le_bytes())
    }

    fn call(self, place: u64) -> Self {
        self.to(&[0xe8], place)
    }

    /// `je` over these bytes.
    fn je_over(self, bytes: &[u8]) -> Self {
        self.op(&[0x0f, 0x84]).op(&(bytes.len() as u32).to_le_bytes()).op(bytes)
    }

    fn function(self, name: &str) -> Function {
        Function::decode(name, START, &self.0, &Around(Vec::new()))
    }
}

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
            SHARED => Some(ROUNDS),
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

/// What every 512-bit kernel has.
fn rounds(count: usize) -> Code {
    Code(ZMM_ROUND.repeat(count))
}

fn faults(krate: &str, function: Function) -> Vec<String> {
    check_library(krate, &[function]).faults
}

/// The faults of a kernel with enough rounds and this end.
fn kernel_faults(end: impl FnOnce(Code) -> Code) -> Vec<String> {
    faults("merkle_lanes", end(rounds(150)).function(KERNEL))
}

/// The faults of a kernel of SHA instructions that begins with this code.
fn sha_faults(name: &str, begin: Code) -> Vec<String> {
    faults("sha1_multi", begin.op(&SHA1RNDS4.repeat(4)).op(RET).function(name))
}

/// [`KERNEL`] for other vectors.
fn with_vector(vector: &str) -> String {
    let (begin, rest) = KERNEL.split_once("hash_lanes::lanes::groups::").unwrap();
    let (_, end) = rest.split_once(", ").unwrap();
    format!("{begin}{vector}, {end}")
}

fn assert_fault(faults: &[String], expected: &str) {
    assert!(faults.len() == 1 && faults[0].contains(expected), "{faults:#?} instead of {expected}");
}

#[test]
fn a_clean_kernel_passes() {
    assert_eq!(kernel_faults(|code| code.op(VZEROUPPER).op(RET)), [""; 0]);
    let clean = [VZEROUPPER, RET].concat();
    let with_panic = kernel_faults(|code| code.op(TEST_RAX).je_over(&clean).call(PANIC));
    assert_eq!(with_panic, [""; 0]);
}

#[test]
fn calls_are_faults() {
    let call_pointer: &[u8] = &[0xff, 0xd0];
    let cause = "probably a helper without #[inline(always)]";
    let helper = "sha256_multi::sha256::helper";
    let ends = |code: Code| code.op(VZEROUPPER).op(RET);
    for (faults, expected) in [
        (kernel_faults(|code| ends(code.call(HELPER))), format!("call of {helper}: {cause}")),
        (kernel_faults(|code| ends(code.call(HELPER).call(HELPER))), format!("{helper} (2 times)")),
        (kernel_faults(|code| ends(code.call(MEMCPY))), "call of memcpy".to_owned()),
        (kernel_faults(|code| ends(code.to(&[0xff, 0x15], MEMCPY))), "call of memcpy".to_owned()),
        (kernel_faults(|code| ends(code.call(UNKNOWN))), "an unknown function".to_owned()),
        (kernel_faults(|code| ends(code.op(call_pointer))), "a function pointer".to_owned()),
        // A tail call.
        (
            kernel_faults(|code| code.op(VZEROUPPER).to(&[0xe9], HELPER)),
            format!("jump to {helper}"),
        ),
    ] {
        assert_fault(&faults, &expected);
    }
}

#[test]
fn dirty_upper_halves_on_any_path_are_a_fault() {
    let fault = "returns with dirty upper halves";
    assert_fault(&kernel_faults(|code| code.op(RET)), fault);
    let clean = [VZEROUPPER, RET].concat();
    assert_fault(&kernel_faults(|code| code.op(TEST_RAX).je_over(&clean).op(RET)), fault);
    assert_fault(&kernel_faults(|code| code.op(TEST_RAX).je_over(VZEROUPPER).op(RET)), fault);
    // A conditional jump to a panic goes on otherwise.
    assert_fault(&kernel_faults(|code| code.op(TEST_RAX).to(&[0x0f, 0x83], PANIC).op(RET)), fault);
}

#[test]
fn paths_are_followed_through_jump_tables() {
    for last_is_dirty in [false, true] {
        let code = Code::default()
            .to(&[0x48, 0x8d, 0x0d], TABLE) // lea rcx, [rip + table]
            .op(&[0x48, 0x63, 0x04, 0x81]) // movsxd rax, [rcx + 4 rax]
            .op(&[0x48, 0x01, 0xc8]) // add rax, rcx
            .op(&[0xff, 0xe0]); // jmp rax
        let first = code.0.len() as i32;
        let code = code.op(VPADDD_YMM).op(VZEROUPPER).op(RET);
        let second = code.0.len() as i32;
        let code = code.op(if last_is_dirty { VPADDD_YMM } else { &[] }).op(RET);
        let kernel = Function::decode(KERNEL, START, &code.0, &Around(vec![first, second]));
        assert_eq!(kernel.steps[3].jumps, [4, 7]);
        assert_eq!(returns_dirty(&kernel), last_is_dirty);
    }
}

#[test]
fn only_writes_of_registers_below_16_dirty() {
    let is_dirty = |op: &[u8]| returns_dirty(&Code::default().op(op).op(RET).function(KERNEL));
    for clean in [
        &[0x62, 0x81, 0x75, 0x40, 0xfe, 0xc7][..], // vpaddd zmm16, zmm17, zmm31
        &[0x62, 0xf1, 0x05, 0x20, 0x72, 0xc8, 7],  // vprold ymm31, ymm0, 7
        VMOVDQU_STORE,
        &[0xc4, 0xe2, 0x7d, 0x17, 0xc1],    // vptest ymm0, ymm1
        &[0xc4, 0xe3, 0x7d, 0x39, 0xc8, 1], // vextracti128 xmm0, ymm1, 1
        VPADDD_XMM,
    ] {
        assert!(!is_dirty(clean), "{clean:x?}");
    }
    for dirty in [
        &[0x62, 0x31, 0x7d, 0x40, 0xfe, 0xf9][..], // vpaddd zmm15, zmm16, zmm17
        &[0xc5, 0xfe, 0x6f, 0x1f],                 // vmovdqu ymm3, [rdi]
        &[0x62, 0xb1, 0x7d, 0x41, 0xfe, 0xd9],     // vpaddd zmm3{k1}, zmm16, zmm17
        &[0x62, 0xf2, 0x7d, 0x29, 0x90, 0x24, 0xa8], // vpgatherdd ymm4{k1}, [rax + 4 ymm5]
    ] {
        assert!(is_dirty(dirty), "{dirty:x?}");
    }
}

#[test]
fn missing_rotations_are_faults_and_other_widths_other_kernels() {
    let kernel = rounds(149).op(VZEROUPPER).op(RET).function(KERNEL);
    let fault = "HashSubtrees<Plain> avx512x16x2: 149 zmm_rotates, fewer than 150";
    assert_fault(&faults("merkle_lanes", kernel), fault);

    let narrower = Code(YMM_ROTATE.repeat(200)).op(VZEROUPPER).op(RET);
    let narrower = narrower.function(&with_vector("u32x8<Avx512>"));
    let kernels = check_library("merkle_lanes", &[narrower]).kernels;
    assert_eq!((&*kernels[0].job, &*kernels[0].set), ("HashSubtrees<Plain>", "avx512x8"));
}

/// Of 64-bit words, each width has its own instructions: AVX2's Keccak has shifts instead of
/// rotations, and that of BMI no vectors.
#[test]
fn rounds_of_64_bit_words() {
    const VPROLQ_ZMM: &[u8] = &[0x62, 0xf1, 0xf5, 0x48, 0x72, 0xc9, 7];
    const VPTERNLOGQ: &[u8] = &[0x62, 0xf3, 0xf5, 0x48, 0x25, 0xc2, 0x96];
    const VPSLLQ_YMM: &[u8] = &[0xc5, 0xfd, 0x73, 0xf1, 7];
    const RORX: &[u8] = &[0xc4, 0xe3, 0xfb, 0xf0, 0xc1, 7]; // rorx rax, rcx, 7
    const ANDN: &[u8] = &[0xc4, 0xe2, 0xf0, 0xf2, 0xc2]; // andn rax, rcx, rdx
    let avx2 = with_vector("u64x4<Avx2>").replace("vectorize_avx512", "vectorize_avx2");
    let bmi = avx2.replace("u64x4<Avx2>", "hash_lanes::lanes::bmi::Bmi<u64>");
    let wide = with_vector("u64x8<Avx512>");
    let code = |parts: &[(&[u8], usize)]| {
        let code: Vec<u8> = parts.iter().flat_map(|(op, count)| op.repeat(*count)).collect();
        Code(code).op(VZEROUPPER).op(RET)
    };
    for (krate, name, enough, too_few, fault) in [
        (
            "sha3_multi",
            &wide,
            code(&[(VPROLQ_ZMM, 29), (VPTERNLOGQ, 30)]),
            code(&[(VPROLQ_ZMM, 29), (VPTERNLOGQ, 29)]),
            "HashSubtrees<Plain> avx512x16: 29 ternary, fewer than 30",
        ),
        (
            "sha3_multi",
            &avx2,
            code(&[(VPSLLQ_YMM, 96)]),
            code(&[(VPSLLQ_YMM, 95)]),
            "HashSubtrees<Plain> avx2: 95 ymm_shifts, fewer than 96",
        ),
        (
            "sha3_multi",
            &bmi,
            code(&[(RORX, 58), (ANDN, 50)]),
            code(&[(RORX, 58), (ANDN, 49)]),
            "HashSubtrees<Plain> bmi: 49 and_nots, fewer than 50",
        ),
        (
            "sha512_multi",
            &wide,
            code(&[(VPROLQ_ZMM, 150), (VPTERNLOGQ, 100)]),
            code(&[(VPROLQ_ZMM, 149), (VPTERNLOGQ, 100)]),
            "149 zmm_rotates, fewer than 150",
        ),
    ] {
        let report = check_library(krate, &[enough.function(name)]);
        assert_eq!((report.kernels.len(), report.faults), (1, vec![]), "{krate}");
        assert_fault(&faults(krate, too_few.function(name)), fault);
    }
}

/// The rounds that the jobs of a kernel share are a kernel, which the jobs may call.
#[test]
fn shared_rounds_are_kernels() {
    let rounds_of = |count| Code(VPADDD_YMM.repeat(count)).op(VZEROUPPER).op(RET).function(ROUNDS);
    let report = check_library("sha256_multi", &[rounds_of(150)]);
    let kernels: Vec<_> =
        report.kernels.iter().map(|kernel| (&*kernel.job, &*kernel.set)).collect();
    assert_eq!((kernels, report.faults), (vec![("compress", "avx2")], vec![]));
    let fault = "compress avx2: 149 ymm_adds, fewer than 150";
    assert_fault(&faults("sha256_multi", rounds_of(149)), fault);
    assert_eq!(kernel_faults(|code| code.call(SHARED).op(VZEROUPPER).op(RET)), [""; 0]);

    // A padding block needs no message schedule.
    let padding = ROUNDS.replace("rounds::compress", "rounds::compress_padding_of_64");
    let of_padding =
        |count| Code(VPADDD_YMM.repeat(count)).op(VZEROUPPER).op(RET).function(&padding);
    assert_eq!(faults("sha256_multi", of_padding(75)), [""; 0]);
    assert_fault(&faults("sha256_multi", of_padding(74)), "74 ymm_adds, fewer than 75");
}

/// The jobs of sumhash512 are named like those of lanes, and calls of them are faults.
#[test]
fn jobs_of_other_crates_are_named_without_paths() {
    let name = "<Avx2 as Simd>::vectorize::vectorize_avx2::<<sumhash512::backend::Instructions>\
                ::run<sumhash512::table::Chain<sumhash512::table::Bytes>>::{closure#0}, ()>";
    let code = Code(VPADDD_YMM.repeat(4)).op(VZEROUPPER).op(RET);
    let kernels = check_library("sumhash512", &[code.function(name)]).kernels;
    assert_eq!((&*kernels[0].job, &*kernels[0].set), ("Chain<Bytes>", "avx2"));
}

#[test]
fn a_kernel_that_is_there_twice_is_a_fault() {
    let kernel = || rounds(150).op(VZEROUPPER).op(RET).function(KERNEL);
    let faults = check_library("merkle_lanes", &[kernel(), kernel()]).faults;
    let expected = "HashSubtrees<Plain> avx512x16x2: compiled twice";
    assert!(faults.iter().any(|fault| fault.starts_with(expected)));
}

#[test]
fn a_function_of_lanes_with_its_own_symbol_is_a_fault() {
    for name in [
        "sha256_multi::rounds::compress::<fearless_simd::generated::simd_types::u32x16<Avx512>>",
        "hash_lanes::kernel::run_in::<u32x16<Avx512>, merkle_lanes::HashSubtrees>::{closure#0}",
        "<sumhash512::table::bytes::Bytes as sumhash512::table::Layout>::add::<Avx2>",
    ] {
        let faults = faults("merkle_lanes", Code::default().op(RET).function(name));
        assert_fault(&faults, "left out of line: #[inline(always)] is probably missing");
    }
}

#[test]
fn kernels_of_sha_instructions_are_narrow_and_begin_clean() {
    let begin = || Code::default().op(VZEROUPPER);
    assert_eq!(sha_faults(SHA_KERNEL, begin()), [""; 0]);
    let fault = "vmovdqu32 on a register of more than 128 bits at instruction 1";
    assert_fault(&sha_faults(SHA_KERNEL, begin().op(VMOVDQU_YMM16)), fault);
    assert_fault(&sha_faults(SHA_KERNEL, Code::default()), "reached without vzeroupper");
    let on_one_path = Code::default().op(TEST_RAX).je_over(VZEROUPPER);
    assert_fault(&sha_faults(SHA_KERNEL, on_one_path), "reached without vzeroupper");
    let faults = sha_faults(SHA_KERNEL, begin().op(VPADDD_YMM));
    assert!(faults.iter().any(|fault| fault.contains("dirtied after vzeroupper")), "{faults:#?}");
}

#[test]
fn a_kernel_for_cpus_without_avx_has_none_of_it() {
    assert_eq!(sha_faults(LEGACY_KERNEL, Code::default().op(PADDD)), [""; 0]);
    let fault = "legacy::compress_streams<1> SHA-NI: vpaddd is encoded with VEX at instruction 0";
    assert_fault(&sha_faults(LEGACY_KERNEL, Code::default().op(VPADDD_XMM)), fault);
}

#[test]
fn instructions_are_counted_by_kind() {
    let code = Code::default()
        .op(SHA1RNDS4)
        .op(PADDD)
        .op(ZMM_ROUND)
        .op(&[0xc5, 0xfe, 0x6f, 0x04, 0x24]) // vmovdqu ymm0, [rsp]
        .op(&[0xc5, 0xfe, 0x7f, 0x04, 0x24]) // vmovdqu [rsp], ymm0
        .op(&[0xc1, 0xc0, 7]) // rol eax, 7
        .op(&[0x48, 0xc1, 0xc0, 7]) // rol rax, 7
        .op(&[0x48, 0x8d, 0x04, 0x24]) // lea rax, [rsp]
        .call(PANIC);
    let counts = Counts::of(&code.function(SHA_KERNEL));
    let expected = "instructions=10 rounds=1 ternary=1 rotates=3 adds=1 stack_loads=1 \
                    stack_stores=1";
    assert_eq!(counts.to_string(), expected);
    let of_one_width = ["xmm_adds", "zmm_rotates", "word_rotates", "long_rotates", "panics"];
    assert_eq!(of_one_width.map(|name| counts.get(name)), [1; 5]);
}

#[test]
fn halved_counts_and_lost_kernels_are_faults() {
    let recorded =
        parse("# A comment.\nsha1_multi\tA avx2\tinstructions=1000 adds=100 stack_loads=50\n");
    let compare_with = |line: &str| compare(&recorded, &parse(line));

    let same = compare_with("sha1_multi\tA avx2\tinstructions=1000 adds=100 stack_loads=52\n");
    assert_eq!(same, (vec![], vec![]));
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
