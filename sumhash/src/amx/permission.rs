//! Whether the tiles may be used: three questions, of which each may be answered with no.
#![allow(unsafe_code)]

use core::arch::asm;

use fearless_simd::x86::Avx512;

/// The number of the system call `arch_prctl` on x86-64.
const ARCH_PRCTL: usize = 158;

/// Its request for the permission to use an extended state.
const ARCH_REQ_XCOMP_PERM: usize = 0x1023;

/// The state components of AMX, as bits of XCR0: the tiles' configuration and the tiles.
const TILECFG: u32 = 17;
const TILEDATA: u32 = 18;

/// Whether the CPU has the instructions, the operating system saves their state, and the kernel
/// grants them to this process.
///
/// AVX-512 is needed beside the tiles, and where it is, XCR0 can be read.
pub(super) fn request(avx512: Avx512) -> bool {
    has_instructions() && has_state(avx512) && is_granted()
}

fn has_instructions() -> bool {
    let features = raw_cpuid::CpuId::new().get_extended_feature_info();
    features.is_some_and(|features| features.has_amx_tile() && features.has_amx_int8())
}

fn has_state(_: Avx512) -> bool {
    let low: u32;
    // SAFETY: the operating system has enabled XGETBV, since it saves the state of AVX-512, of
    // which the token is the proof. It reads XCR0 and changes nothing.
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
    // SAFETY: the call reads and writes no memory of this process. It enlarges what the kernel
    // saves of its threads, and fails, leaving all as it was, where a thread's signal stack is
    // too small for that or the kernel does not know the request. A system call changes rcx and
    // r11.
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
