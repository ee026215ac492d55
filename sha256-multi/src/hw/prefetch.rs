//! Prefetches cache lines. Separate from the SHA instructions, and in `hw` because it needs
//! `unsafe`.

use hash_lanes::engine::Block;

/// Prefetches a block that will be read soon.
///
/// For kernels that load their lanes from distant addresses, in an order that the hardware
/// prefetcher cannot predict.
#[inline(always)]
pub fn prefetch(block: &Block) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE, which has the instruction, is part of the architecture. The instruction is only
    // a hint and cannot fault.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T1 }>(
            block.as_ptr().cast(),
        );
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = block;
}
