//! Checks that the CPU and the operating system support the tiles, and requests them.
#![allow(unsafe_code)]

use core::arch::asm;

use fearless_simd::x86::Avx512;

/// The number of the system call `arch_prctl` on x86-64.
const ARCH_PRCTL: usize = 158;

/// The `arch_prctl` request for permission to use an extended state component.
const ARCH_REQ_XCOMP_PERM: usize = 0x1023;

/// The AMX state components, as bit numbers in XCR0: the tile configuration and the tile data.
const TILECFG: u32 = 17;
const TILEDATA: u32 = 18;

/// Whether the CPU has the instructions, the operating system saves their state, and the kernel
/// grants them to this process.
///
/// The tiles are used together with AVX-512, which also implies that XCR0 can be read.
pub(super) fn request(avx512: Avx512) -> bool {
    has_instructions() && has_state(avx512) && is_granted()
}

fn has_instructions() -> bool {
    let features = raw_cpuid::CpuId::new().get_extended_feature_info();
    features.is_some_and(|features| features.has_amx_tile() && features.has_amx_int8())
}

fn has_state(_: Avx512) -> bool {
    let low: u32;
    // SAFETY: the token proves that the operating system saves the AVX-512 state, so it has enabled
    // XGETBV. The instruction reads XCR0 and changes nothing else.
    unsafe {
        asm!(
            "xgetbv",
            in("ecx") 0,
            out("eax") low,
            out("edx") _,
            options(nomem, nostack, preserves_flags),
        );
    }
    let both = 1 << TILECFG | 1 << TILEDATA;
    low & both == both
}

fn is_granted() -> bool {
    let result: usize;
    // SAFETY: the call reads and writes no memory of this process. It enlarges the state that the
    // kernel saves for each thread. If a thread's signal stack is too small for that, or the kernel
    // does not know the request, it fails without effect. A system call clobbers rcx and r11.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => result,
            in("rdi") ARCH_REQ_XCOMP_PERM,
            in("rsi") TILEDATA as usize,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result == 0
}
