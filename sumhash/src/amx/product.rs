//! Multiplies bits by half of the matrix.
#![allow(unsafe_code)]

use core::arch::asm;

use super::{Amx, GROUP, Half, SUM_TILES, Tile, WORDS};

/// Bytes from one tile row to the next in memory.
const STRIDE: usize = 64;

/// The operand of LDTILECFG: the palette, and the bytes per row and rows of each register.
#[repr(C, align(64))]
struct Configuration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

/// Palette 1, with all eight registers as 16 rows of 64 bytes.
static CONFIGURATION: Configuration = Configuration {
    palette: 1,
    start_row: 0,
    reserved: [0; 14],
    row_bytes: [64, 64, 64, 64, 64, 64, 64, 64, 0, 0, 0, 0, 0, 0, 0, 0],
    rows: [16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0],
};

/// Adds to the sums of a group the product of its bits with half of the matrix.
///
/// Registers 0 to 3 hold the sums and register 4 the bits of a word. Registers 5 and 6 alternate
/// for the word's columns of the matrix.
pub(super) fn add(_: Amx, bits: &[Tile; WORDS], half: &Half, sums: &mut [Tile; SUM_TILES]) {
    const { assert!(size_of::<Tile>() == GROUP * STRIDE && size_of::<Configuration>() == 64) }
    // SAFETY: `Amx` proves that the CPU has the instructions and that this process may use them.
    // The loop runs eight times. It reads the eight tiles of `bits` and the 32 tiles of `half`. The
    // code around it reads and writes the four tiles of `sums`. Every tile is 16 contiguous rows of
    // 64 bytes, so no access leaves the arrays. The tiles are configured and released in this
    // block, so no other code runs while they are in use. All eight registers are declared as
    // clobbered.
    unsafe {
        asm!(
            "ldtilecfg [{configuration}]",
            "tileloadd tmm0, [{sums} + {stride}*1]",
            "tileloadd tmm1, [{sums} + {stride}*1 + 1024]",
            "tileloadd tmm2, [{sums} + {stride}*1 + 2048]",
            "tileloadd tmm3, [{sums} + {stride}*1 + 3072]",
            "mov {words:e}, 8",
            "2:",
            "tileloadd tmm4, [{bits} + {stride}*1]",
            "tileloadd tmm5, [{columns} + {stride}*1]",
            "tdpbuud tmm0, tmm4, tmm5",
            "tileloadd tmm6, [{columns} + {stride}*1 + 1024]",
            "tdpbuud tmm1, tmm4, tmm6",
            "tileloadd tmm5, [{columns} + {stride}*1 + 2048]",
            "tdpbuud tmm2, tmm4, tmm5",
            "tileloadd tmm6, [{columns} + {stride}*1 + 3072]",
            "tdpbuud tmm3, tmm4, tmm6",
            "add {bits}, 1024",
            "add {columns}, 4096",
            "dec {words:e}",
            "jnz 2b",
            "tilestored [{sums} + {stride}*1], tmm0",
            "tilestored [{sums} + {stride}*1 + 1024], tmm1",
            "tilestored [{sums} + {stride}*1 + 2048], tmm2",
            "tilestored [{sums} + {stride}*1 + 3072], tmm3",
            "tilerelease",
            configuration = in(reg) &raw const CONFIGURATION,
            stride = in(reg) STRIDE,
            columns = inout(reg) half => _,
            words = out(reg) _,
            bits = inout(reg) bits.as_ptr() => _,
            sums = in(reg) sums,
            out("tmm0") _,
            out("tmm1") _,
            out("tmm2") _,
            out("tmm3") _,
            out("tmm4") _,
            out("tmm5") _,
            out("tmm6") _,
            out("tmm7") _,
            options(nostack),
        );
    }
}
