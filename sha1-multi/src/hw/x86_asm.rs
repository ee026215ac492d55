//! SHA-NI kernels as assembly: `sha1rnds4`, `sha1nexte`, `sha1msg1` and `sha1msg2`.
//!
//! The compiler cannot reorder them, so they are as fast in an unoptimised build as in any other.
//! One and two streams keep their words in registers. Three and four keep only the newest quad of
//! each there. SHA-1 needs no instruction with a separate destination, so one encoding is enough.

use core::arch::asm;
use core::mem::MaybeUninit;

use hash_lanes::engine::{Block, Row};

/// Reverses all bytes: the first of four big-endian words becomes the highest element.
#[repr(C, align(16))]
struct Reversed([u8; 16]);

static REVERSED: Reversed = Reversed([15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);

/// The states of four streams before a block, 32 bytes each, then the words of the block, 64 bytes
/// for each stream.
#[repr(C, align(64))]
struct Scratch(MaybeUninit<[u8; 4 * 32 + 4 * 64]>);

/// The address of quad `$q` of the words of stream `$i`.
macro_rules! word {
    ($i:literal $q:literal) => {
        concat!("[{scratch} + 128 + 64 * ", $i, " + 16 * ", $q, "]")
    };
}

/// Loads the state of stream `$i`. Word e gets into the highest element.
macro_rules! load_state {
    ($i:literal $abcd:literal $e:literal) => {
        concat!(
            "movdqu ",
            $abcd,
            ", [{states} + 32 * ",
            $i,
            "]\n",
            "movd ",
            $e,
            ", [{states} + 32 * ",
            $i,
            " + 16]\n",
            "pshufb ",
            $abcd,
            ", [{reversed}]\n",
            "pshufb ",
            $e,
            ", [{reversed}]\n",
        )
    };
}

/// The inverse of [`load_state`].
macro_rules! store_state {
    ($i:literal $abcd:literal $e:literal) => {
        concat!(
            "pshufb ",
            $abcd,
            ", [{reversed}]\n",
            "pshufb ",
            $e,
            ", [{reversed}]\n",
            "movdqu [{states} + 32 * ",
            $i,
            "], ",
            $abcd,
            "\n",
            "movd [{states} + 32 * ",
            $i,
            " + 16], ",
            $e,
            "\n",
        )
    };
}

/// Keeps the state of stream `$i` until [`feed_forward`].
macro_rules! keep_state {
    ($i:literal $abcd:literal $e:literal) => {
        concat!(
            "movdqa [{scratch} + 32 * ",
            $i,
            "], ",
            $abcd,
            "\n",
            "movdqa [{scratch} + 32 * ",
            $i,
            " + 16], ",
            $e,
            "\n",
        )
    };
}

macro_rules! feed_forward {
    ($i:literal $abcd:literal $e:literal) => {
        concat!(
            "paddd ",
            $abcd,
            ", [{scratch} + 32 * ",
            $i,
            "]\n",
            "sha1nexte ",
            $e,
            ", [{scratch} + 32 * ",
            $i,
            " + 16]\n",
        )
    };
}

/// Loads quad `$q` of a block.
macro_rules! load_quad {
    ($p:literal $q:literal $to:literal) => {
        concat!(
            "movdqu ",
            $to,
            ", [",
            $p,
            " + 16 * ",
            $q,
            "]\n",
            "pshufb ",
            $to,
            ", [{reversed}]\n",
        )
    };
}

/// Four rounds with function `$f` and the words in `$w`, which `$add` adds to e. `$next` becomes
/// the e of the next ones: this abcd, whose a `sha1nexte` rotates.
macro_rules! four_rounds {
    ($add:literal $f:literal, $abcd:literal $e:literal $next:literal $w:expr) => {
        concat!(
            $add,
            " ",
            $e,
            ", ",
            $w,
            "\n",
            "movdqa ",
            $next,
            ", ",
            $abcd,
            "\n",
            "sha1rnds4 ",
            $abcd,
            ", ",
            $e,
            ", ",
            $f,
            "\n",
        )
    };
}

/// [`four_rounds`]; then the words sixteen later replace those in `$w0`.
macro_rules! rounds_of_registers {
    (
        $add:literal $f:literal, $abcd:literal $e:literal $next:literal,
        $w0:literal $w4:literal $w8:literal $w12:literal
    ) => {
        concat!(
            four_rounds!($add $f, $abcd $e $next $w0),
            "sha1msg1 ", $w0, ", ", $w4, "\n",
            "pxor ", $w0, ", ", $w8, "\n",
            "sha1msg2 ", $w0, ", ", $w12, "\n",
        )
    };
}

/// The text for streams whose words are in registers. Of each: its number, the pointer to its
/// blocks, the registers of its state, one for the next e, and those of its words.
macro_rules! words_in_registers {
    ($begin:literal: $([
        $i:literal $p:literal $s:literal $e:literal $g:literal,
        $a:literal $b:literal $c:literal $d:literal
    ])+) => {
        concat!(
            $begin,
            $(load_state!($i $s $e),)+
            "2:\n",
            $(
                keep_state!($i $s $e),
                load_quad!($p 0 $a), load_quad!($p 1 $b), load_quad!($p 2 $c), load_quad!($p 3 $d),
                "add ", $p, ", 64\n",
            )+
            // The first e is word e itself and must not be rotated.
            $(rounds_of_registers!("paddd" 0, $s $e $g, $a $b $c $d),)+
            $(rounds_of_registers!("sha1nexte" 0, $s $g $e, $b $c $d $a),)+
            $(rounds_of_registers!("sha1nexte" 0, $s $e $g, $c $d $a $b),)+
            $(rounds_of_registers!("sha1nexte" 0, $s $g $e, $d $a $b $c),)+
            $(rounds_of_registers!("sha1nexte" 0, $s $e $g, $a $b $c $d),)+
            $(rounds_of_registers!("sha1nexte" 1, $s $g $e, $b $c $d $a),)+
            $(rounds_of_registers!("sha1nexte" 1, $s $e $g, $c $d $a $b),)+
            $(rounds_of_registers!("sha1nexte" 1, $s $g $e, $d $a $b $c),)+
            $(rounds_of_registers!("sha1nexte" 1, $s $e $g, $a $b $c $d),)+
            $(rounds_of_registers!("sha1nexte" 1, $s $g $e, $b $c $d $a),)+
            $(rounds_of_registers!("sha1nexte" 2, $s $e $g, $c $d $a $b),)+
            $(rounds_of_registers!("sha1nexte" 2, $s $g $e, $d $a $b $c),)+
            $(rounds_of_registers!("sha1nexte" 2, $s $e $g, $a $b $c $d),)+
            $(rounds_of_registers!("sha1nexte" 2, $s $g $e, $b $c $d $a),)+
            $(rounds_of_registers!("sha1nexte" 2, $s $e $g, $c $d $a $b),)+
            $(rounds_of_registers!("sha1nexte" 3, $s $g $e, $d $a $b $c),)+
            $(four_rounds!("sha1nexte" 3, $s $e $g $a),)+
            $(four_rounds!("sha1nexte" 3, $s $g $e $b),)+
            $(four_rounds!("sha1nexte" 3, $s $e $g $c),)+
            $(four_rounds!("sha1nexte" 3, $s $g $e $d),)+
            $(feed_forward!($i $s $e),)+
            "dec {count}\n",
            "jnz 2b\n",
            $(store_state!($i $s $e),)+
        )
    };
}

/// Moves a block of stream `$i` to its words. The last quad stays in `$n`.
macro_rules! move_block {
    ($i:literal $p:literal $n:literal) => {
        concat!(
            load_quad!($p 0 $n), "movdqa ", word!($i 0), ", ", $n, "\n",
            load_quad!($p 1 $n), "movdqa ", word!($i 1), ", ", $n, "\n",
            load_quad!($p 2 $n), "movdqa ", word!($i 2), ", ", $n, "\n",
            load_quad!($p 3 $n), "movdqa ", word!($i 3), ", ", $n, "\n",
            "add ", $p, ", 64\n",
        )
    };
}

/// [`rounds_of_registers`] with quad `$q0` of the words in memory. `$n` is the newest one.
macro_rules! rounds_of_memory {
    (
        $add:literal $f:literal, $i:literal $s:literal $e:literal $n:literal,
        $q0:literal $q1:literal $q2:literal
    ) => {
        concat!(
            "movdqa xmm13, ", word!($i $q0), "\n",
            four_rounds!($add $f, $s $e "xmm14" "xmm13"),
            "movdqa ", $e, ", xmm14\n",
            "sha1msg1 xmm13, ", word!($i $q1), "\n",
            "pxor xmm13, ", word!($i $q2), "\n",
            "sha1msg2 xmm13, ", $n, "\n",
            "movdqa ", word!($i $q0), ", xmm13\n",
            "movdqa ", $n, ", xmm13\n",
        )
    };
    ($i:literal $s:literal $e:literal, $q:literal) => {
        concat!(
            four_rounds!("sha1nexte" 3, $s $e "xmm14" word!($i $q)),
            "movdqa ", $e, ", xmm14\n",
        )
    };
}

/// The text for streams whose words are in memory. Of each: its number, the pointer to its blocks,
/// the registers of its state and of its newest words.
macro_rules! words_in_memory {
    ($begin:literal: $([$i:literal $p:literal $s:literal $e:literal, $n:literal])+) => {
        concat!(
            $begin,
            $(load_state!($i $s $e),)+
            "2:\n",
            $(keep_state!($i $s $e), move_block!($i $p $n),)+
            $(rounds_of_memory!("paddd" 0, $i $s $e $n, 0 1 2),)+
            $(rounds_of_memory!("sha1nexte" 0, $i $s $e $n, 1 2 3),)+
            $(rounds_of_memory!("sha1nexte" 0, $i $s $e $n, 2 3 0),)+
            $(rounds_of_memory!("sha1nexte" 0, $i $s $e $n, 3 0 1),)+
            $(rounds_of_memory!("sha1nexte" 0, $i $s $e $n, 0 1 2),)+
            $(rounds_of_memory!("sha1nexte" 1, $i $s $e $n, 1 2 3),)+
            $(rounds_of_memory!("sha1nexte" 1, $i $s $e $n, 2 3 0),)+
            $(rounds_of_memory!("sha1nexte" 1, $i $s $e $n, 3 0 1),)+
            $(rounds_of_memory!("sha1nexte" 1, $i $s $e $n, 0 1 2),)+
            $(rounds_of_memory!("sha1nexte" 1, $i $s $e $n, 1 2 3),)+
            $(rounds_of_memory!("sha1nexte" 2, $i $s $e $n, 2 3 0),)+
            $(rounds_of_memory!("sha1nexte" 2, $i $s $e $n, 3 0 1),)+
            $(rounds_of_memory!("sha1nexte" 2, $i $s $e $n, 0 1 2),)+
            $(rounds_of_memory!("sha1nexte" 2, $i $s $e $n, 1 2 3),)+
            $(rounds_of_memory!("sha1nexte" 2, $i $s $e $n, 2 3 0),)+
            $(rounds_of_memory!("sha1nexte" 3, $i $s $e $n, 3 0 1),)+
            $(rounds_of_memory!($i $s $e, 0),)+
            $(rounds_of_memory!($i $s $e, 1),)+
            $(rounds_of_memory!($i $s $e, 2),)+
            $(rounds_of_memory!($i $s $e, 3),)+
            $(feed_forward!($i $s $e),)+
            "dec {count}\n",
            "jnz 2b\n",
            $(store_state!($i $s $e),)+
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
            // SAFETY: the text reads `count` blocks behind each pointer, the states and `REVERSED`.
            // It writes the states and the scratch. It changes no registers but those that are
            // named, and no stack.
            unsafe {
                asm!(
                    $text,
                    $($p = inout(reg) $p => _,)+
                    states = in(reg) states.as_mut_ptr(),
                    count = inout(reg) count => _,
                    reversed = in(reg) &raw const REVERSED,
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

/// The kernels for CPUs with or without AVX: with it, the upper halves of the registers may be
/// dirty, which makes these instructions slow.
macro_rules! kernels {
    ($module:ident, $begin:literal) => {
        mod $module {
            use super::*;

            kernel!(compress_1, 1, [p0], words_in_registers!($begin:
                [0 "{p0}" "xmm0" "xmm1" "xmm2", "xmm3" "xmm4" "xmm5" "xmm6"]));
            kernel!(compress_2, 2, [p0 p1], words_in_registers!($begin:
                [0 "{p0}" "xmm0" "xmm1" "xmm2", "xmm3" "xmm4" "xmm5" "xmm6"]
                [1 "{p1}" "xmm7" "xmm8" "xmm9", "xmm10" "xmm11" "xmm12" "xmm13"]));
            kernel!(compress_3, 3, [p0 p1 p2], words_in_memory!($begin:
                [0 "{p0}" "xmm0" "xmm1", "xmm2"]
                [1 "{p1}" "xmm3" "xmm4", "xmm5"]
                [2 "{p2}" "xmm6" "xmm7", "xmm8"]));
            kernel!(compress_4, 4, [p0 p1 p2 p3], words_in_memory!($begin:
                [0 "{p0}" "xmm0" "xmm1", "xmm2"]
                [1 "{p1}" "xmm3" "xmm4", "xmm5"]
                [2 "{p2}" "xmm6" "xmm7", "xmm8"]
                [3 "{p3}" "xmm9" "xmm10", "xmm11"]));
        }
    };
}

kernels!(vex, "vzeroupper\n");
kernels!(legacy, "");
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
