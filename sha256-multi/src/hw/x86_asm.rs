//! SHA-NI kernels as assembly: `sha256rnds2`, `sha256msg1` and `sha256msg2`.
//!
//! One text per number of streams serves both encodings, and the compiler cannot reorder it: the
//! kernels are as fast in an unoptimised build as in any other. One and two streams keep their
//! words in registers. Three and four keep only the newest quad of each there, as the compiler
//! does; see [`x86_sha`](super::x86_sha).

use core::arch::asm;
use core::mem::MaybeUninit;

use hash_lanes::engine::{Block, Row};

use crate::constants::K_BY_4;

/// What the texts load by aligned accesses.
#[repr(C, align(64))]
struct Constants {
    k: [[u32; 4]; 16],
    /// Exchanges the layouts of a digest and of a pair of words: reverses each eight bytes.
    pairs: [u8; 16],
    /// Reads big-endian words: reverses each four bytes.
    words: [u8; 16],
}

static CONSTANTS: Constants = Constants {
    k: K_BY_4,
    pairs: [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8],
    words: [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12],
};

/// The states of four streams before a block, 32 bytes each, then the words of the block, 64 bytes
/// for each stream.
#[repr(C, align(64))]
struct Scratch(MaybeUninit<[u8; 4 * 32 + 4 * 64]>);

/// One instruction, encoded with VEX: `copy` moves registers and aligned memory, `load` any memory.
/// Others have a destination and two sources.
macro_rules! vex {
    (begin) => { "vzeroupper\n" };
    (copy $to:expr, $from:expr) => { concat!("vmovdqa ", $to, ", ", $from, "\n") };
    (load $to:expr, $from:expr) => { concat!("vmovdqu ", $to, ", ", $from, "\n") };
    (halves $to:literal, $from:literal) => { concat!("vpshufd ", $to, ", ", $from, ", 0x0E\n") };
    ($name:literal $to:expr, $a:expr, $b:expr) => {
        concat!("v", $name, " ", $to, ", ", $a, ", ", $b, "\n")
    };
    ($name:literal $to:expr, $b:expr) => { vex!($name $to, $to, $b) };
}

/// The same in the legacy encoding, where the destination is the first source.
macro_rules! legacy {
    (begin) => { "" };
    (copy $to:expr, $from:expr) => { concat!("movdqa ", $to, ", ", $from, "\n") };
    (load $to:expr, $from:expr) => { concat!("movdqu ", $to, ", ", $from, "\n") };
    (halves $to:literal, $from:literal) => { concat!("pshufd ", $to, ", ", $from, ", 0x0E\n") };
    ($name:literal $to:expr, $a:expr, $b:expr) => {
        concat!(legacy!(copy $to, $a), legacy!($name $to, $b))
    };
    ($name:literal $to:expr, $b:expr) => { concat!($name, " ", $to, ", ", $b, "\n") };
}

/// The address of a constant.
macro_rules! k {
    ($j:literal) => {
        concat!("[{constants} + 16 * ", $j, "]")
    };
}

/// The address of half `$half` of the state that stream `$i` had before the block.
macro_rules! before {
    ($i:literal $half:literal) => {
        concat!("[{scratch} + 32 * ", $i, " + 16 * ", $half, "]")
    };
}

/// The address of quad `$q` of the words of stream `$i`.
macro_rules! word {
    ($i:literal $q:literal) => {
        concat!("[{scratch} + 128 + 64 * ", $i, " + 16 * ", $q, "]")
    };
}

/// Loads the state of stream `$i`; see `from_words` in `x86_sha`.
macro_rules! load_state {
    ($op:ident $i:literal $abef:literal $cdgh:literal) => {
        concat!(
            $op!(load "xmm0", concat!("[{states} + 32 * ", $i, "]")),
            $op!(load $cdgh, concat!("[{states} + 32 * ", $i, " + 16]")),
            $op!("pshufb" "xmm0", "[{constants} + 256]"),
            $op!("pshufb" $cdgh, "[{constants} + 256]"),
            $op!("punpcklqdq" $abef, $cdgh, "xmm0"),
            $op!("punpckhqdq" $cdgh, "xmm0"),
        )
    };
}

/// The inverse of [`load_state`].
macro_rules! store_state {
    ($op:ident $i:literal $abef:literal $cdgh:literal) => {
        concat!(
            $op!("punpckhqdq" "xmm0", $abef, $cdgh),
            $op!("punpcklqdq" $abef, $cdgh),
            $op!("pshufb" "xmm0", "[{constants} + 256]"),
            $op!("pshufb" $abef, "[{constants} + 256]"),
            $op!(load concat!("[{states} + 32 * ", $i, "]"), "xmm0"),
            $op!(load concat!("[{states} + 32 * ", $i, " + 16]"), $abef),
        )
    };
}

/// Keeps the state of stream `$i` until [`feed_forward`].
macro_rules! keep_state {
    ($op:ident $i:literal $abef:literal $cdgh:literal) => {
        concat!($op!(copy before!($i 0), $abef), $op!(copy before!($i 1), $cdgh))
    };
}

macro_rules! feed_forward {
    ($op:ident $i:literal $abef:literal $cdgh:literal) => {
        concat!($op!("paddd" $abef, before!($i 0)), $op!("paddd" $cdgh, before!($i 1)))
    };
}

/// Four rounds; xmm0 has K + W.
macro_rules! four_rounds {
    ($op:ident $abef:literal $cdgh:literal) => {
        concat!(
            "sha256rnds2 ", $cdgh, ", ", $abef, ", xmm0\n",
            $op!(halves "xmm0", "xmm0"),
            "sha256rnds2 ", $abef, ", ", $cdgh, ", xmm0\n",
        )
    };
}

/// Loads quad `$q` of a block.
macro_rules! load_quad {
    ($op:ident $p:literal $q:literal $to:literal) => {
        concat!(
            $op!(load $to, concat!("[", $p, " + 16 * ", $q, "]")),
            $op!("pshufb" $to, "[{constants} + 272]"),
        )
    };
}

/// Rounds `4 * $j` to `4 * $j + 3` with the words in `$w0`, which the words sixteen later replace.
macro_rules! rounds_of_registers {
    (
        $op:ident $j:literal, $abef:literal $cdgh:literal
        $w0:literal $w4:literal $w8:literal $w12:literal
    ) => {
        concat!(
            rounds_of_registers!($op $j, $abef $cdgh $w0),
            "sha256msg1 ", $w0, ", ", $w4, "\n",
            $op!("palignr" "xmm15", $w12, concat!($w8, ", 4")),
            $op!("paddd" $w0, "xmm15"),
            "sha256msg2 ", $w0, ", ", $w12, "\n",
        )
    };
    ($op:ident $j:literal, $abef:literal $cdgh:literal $w0:literal) => {
        concat!($op!("paddd" "xmm0", $w0, k!($j)), four_rounds!($op $abef $cdgh))
    };
}

/// The text for streams whose words are in registers. Of each: its number, the pointer to its
/// blocks, the registers of its state and of its words.
macro_rules! words_in_registers {
    ($op:ident: $([
        $i:literal $p:literal $s:literal $t:literal, $a:literal $b:literal $c:literal $d:literal
    ])+) => {
        concat!(
            $op!(begin),
            $(load_state!($op $i $s $t),)+
            "2:\n",
            $(
                keep_state!($op $i $s $t),
                load_quad!($op $p 0 $a), load_quad!($op $p 1 $b),
                load_quad!($op $p 2 $c), load_quad!($op $p 3 $d),
                "add ", $p, ", 64\n",
            )+
            $(rounds_of_registers!($op 0, $s $t $a $b $c $d),)+
            $(rounds_of_registers!($op 1, $s $t $b $c $d $a),)+
            $(rounds_of_registers!($op 2, $s $t $c $d $a $b),)+
            $(rounds_of_registers!($op 3, $s $t $d $a $b $c),)+
            $(rounds_of_registers!($op 4, $s $t $a $b $c $d),)+
            $(rounds_of_registers!($op 5, $s $t $b $c $d $a),)+
            $(rounds_of_registers!($op 6, $s $t $c $d $a $b),)+
            $(rounds_of_registers!($op 7, $s $t $d $a $b $c),)+
            $(rounds_of_registers!($op 8, $s $t $a $b $c $d),)+
            $(rounds_of_registers!($op 9, $s $t $b $c $d $a),)+
            $(rounds_of_registers!($op 10, $s $t $c $d $a $b),)+
            $(rounds_of_registers!($op 11, $s $t $d $a $b $c),)+
            $(rounds_of_registers!($op 12, $s $t $a),)+
            $(rounds_of_registers!($op 13, $s $t $b),)+
            $(rounds_of_registers!($op 14, $s $t $c),)+
            $(rounds_of_registers!($op 15, $s $t $d),)+
            $(feed_forward!($op $i $s $t),)+
            "dec {count}\n",
            "jnz 2b\n",
            $(store_state!($op $i $s $t),)+
        )
    };
}

/// Moves a block of stream `$i` to its words. The last quad stays in `$n`.
macro_rules! move_block {
    ($op:ident $i:literal $p:literal $n:literal) => {
        concat!(
            load_quad!($op $p 0 $n), $op!(copy word!($i 0), $n),
            load_quad!($op $p 1 $n), $op!(copy word!($i 1), $n),
            load_quad!($op $p 2 $n), $op!(copy word!($i 2), $n),
            load_quad!($op $p 3 $n), $op!(copy word!($i 3), $n),
            "add ", $p, ", 64\n",
        )
    };
}

/// [`rounds_of_registers`] with quad `$q0` of the words in memory. `$n` is the newest one.
macro_rules! rounds_of_memory {
    (
        $op:ident $j:literal, $i:literal $s:literal $t:literal $n:literal,
        $q0:literal $q1:literal $q2:literal
    ) => {
        concat!(
            $op!(copy "xmm13", word!($i $q0)),
            $op!("paddd" "xmm0", "xmm13", k!($j)),
            four_rounds!($op $s $t),
            "sha256msg1 xmm13, ", word!($i $q1), "\n",
            $op!("palignr" "xmm14", $n, concat!(word!($i $q2), ", 4")),
            $op!("paddd" "xmm13", "xmm14"),
            "sha256msg2 xmm13, ", $n, "\n",
            $op!(copy word!($i $q0), "xmm13"),
            $op!(copy $n, "xmm13"),
        )
    };
    ($op:ident $j:literal, $i:literal $s:literal $t:literal, $q:literal) => {
        concat!(
            $op!(copy "xmm0", word!($i $q)),
            $op!("paddd" "xmm0", k!($j)),
            four_rounds!($op $s $t),
        )
    };
}

/// The text for streams whose words are in memory. Of each: its number, the pointer to its blocks,
/// the registers of its state and of its newest words.
macro_rules! words_in_memory {
    ($op:ident: $([$i:literal $p:literal $s:literal $t:literal, $n:literal])+) => {
        concat!(
            $op!(begin),
            $(load_state!($op $i $s $t),)+
            "2:\n",
            $(keep_state!($op $i $s $t), move_block!($op $i $p $n),)+
            $(rounds_of_memory!($op 0, $i $s $t $n, 0 1 2),)+
            $(rounds_of_memory!($op 1, $i $s $t $n, 1 2 3),)+
            $(rounds_of_memory!($op 2, $i $s $t $n, 2 3 0),)+
            $(rounds_of_memory!($op 3, $i $s $t $n, 3 0 1),)+
            $(rounds_of_memory!($op 4, $i $s $t $n, 0 1 2),)+
            $(rounds_of_memory!($op 5, $i $s $t $n, 1 2 3),)+
            $(rounds_of_memory!($op 6, $i $s $t $n, 2 3 0),)+
            $(rounds_of_memory!($op 7, $i $s $t $n, 3 0 1),)+
            $(rounds_of_memory!($op 8, $i $s $t $n, 0 1 2),)+
            $(rounds_of_memory!($op 9, $i $s $t $n, 1 2 3),)+
            $(rounds_of_memory!($op 10, $i $s $t $n, 2 3 0),)+
            $(rounds_of_memory!($op 11, $i $s $t $n, 3 0 1),)+
            $(rounds_of_memory!($op 12, $i $s $t, 0),)+
            $(rounds_of_memory!($op 13, $i $s $t, 1),)+
            $(rounds_of_memory!($op 14, $i $s $t, 2),)+
            $(rounds_of_memory!($op 15, $i $s $t, 3),)+
            $(feed_forward!($op $i $s $t),)+
            "dec {count}\n",
            "jnz 2b\n",
            $(store_state!($op $i $s $t),)+
        )
    };
}

/// A function that runs a text.
macro_rules! kernel {
    ($name:ident, $N:literal, [$($p:ident)+], $text:expr) => {
        /// # Safety
        ///
        /// The CPU has the instructions. Each pointer leads to `count` blocks, and `count` is not
        /// 0.
        #[inline(never)]
        pub(super) unsafe fn $name(
            states: &mut [Row; $N],
            [$($p),+]: [*const Block; $N],
            count: usize,
        ) {
            let mut scratch = Scratch(MaybeUninit::uninit());
            // SAFETY: the text reads `count` blocks behind each pointer, the states and the
            // constants. It writes the states and the scratch. It changes no registers but those
            // that are named, and no stack.
            unsafe {
                asm!(
                    $text,
                    $($p = inout(reg) $p => _,)+
                    states = in(reg) states.as_mut_ptr(),
                    count = inout(reg) count => _,
                    constants = in(reg) &raw const CONSTANTS,
                    scratch = in(reg) &raw mut scratch,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                    out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                    out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                    out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                    options(nostack),
                );
            }
        }
    };
}

/// The kernels of one encoding.
macro_rules! kernels {
    ($op:ident) => {
        mod $op {
            use super::*;

            kernel!(compress_1, 1, [p0], words_in_registers!($op:
                [0 "{p0}" "xmm1" "xmm2", "xmm5" "xmm6" "xmm7" "xmm8"]));
            kernel!(compress_2, 2, [p0 p1], words_in_registers!($op:
                [0 "{p0}" "xmm1" "xmm2", "xmm5" "xmm6" "xmm7" "xmm8"]
                [1 "{p1}" "xmm3" "xmm4", "xmm9" "xmm10" "xmm11" "xmm12"]));
            kernel!(compress_3, 3, [p0 p1 p2], words_in_memory!($op:
                [0 "{p0}" "xmm1" "xmm2", "xmm9"]
                [1 "{p1}" "xmm3" "xmm4", "xmm10"]
                [2 "{p2}" "xmm5" "xmm6", "xmm11"]));
            kernel!(compress_4, 4, [p0 p1 p2 p3], words_in_memory!($op:
                [0 "{p0}" "xmm1" "xmm2", "xmm9"]
                [1 "{p1}" "xmm3" "xmm4", "xmm10"]
                [2 "{p2}" "xmm5" "xmm6", "xmm11"]
                [3 "{p3}" "xmm7" "xmm8", "xmm12"]));
        }
    };
}

kernels!(vex);
kernels!(legacy);

macro_rules! call {
    ($sha:ident, $kernel:ident $arguments:tt) => {
        if $sha.has_avx() {
            // SAFETY: the token proves the SHA instructions and SSE4.1, `has_avx` proves AVX.
            // `sha_assembly` has counted the blocks.
            unsafe { vex::$kernel $arguments }
        } else {
            // SAFETY: the token proves the SHA instructions and SSE4.1. `sha_assembly` has counted
            // the blocks.
            unsafe { legacy::$kernel $arguments }
        }
    };
}

hash_lanes::sha_assembly!(call);
