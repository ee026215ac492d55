//! `ARMv8` SHA1 kernels as assembly: `sha1c`, `sha1p`, `sha1m`, `sha1h`, `sha1su0` and `sha1su1`.
//!
//! One text serves every number of streams. The compiler cannot reorder it, so it is as fast in an
//! unoptimised build as in any other. Tested in an emulator; the speed was not measured.

use core::arch::asm;
use core::mem::MaybeUninit;

use hash_lanes::engine::{Block, Row, ShaExtensions};

static K: [u32; 4] = crate::rounds::K;

/// The states of four streams before a block, 32 bytes each.
#[repr(C, align(16))]
struct Scratch(MaybeUninit<[u8; 4 * 32]>);

/// Loads the state of stream `$i`. Word e gets into the lowest element.
macro_rules! load_state {
    ($i:literal $abcd:literal $e:literal) => {
        concat!(
            "add {at}, {states}, 32 * ",
            $i,
            "\n",
            "ld1 {{v",
            $abcd,
            ".16b}}, [{at}], 16\n",
            "ld1 {{v",
            $e,
            ".8b}}, [{at}]\n",
            "rev32 v",
            $abcd,
            ".16b, v",
            $abcd,
            ".16b\n",
            "rev32 v",
            $e,
            ".8b, v",
            $e,
            ".8b\n",
        )
    };
}

/// The inverse of [`load_state`]; zeros follow word e.
macro_rules! store_state {
    ($i:literal $abcd:literal $e:literal) => {
        concat!(
            "add {at}, {states}, 32 * ",
            $i,
            "\n",
            "rev32 v",
            $abcd,
            ".16b, v",
            $abcd,
            ".16b\n",
            "rev32 v",
            $e,
            ".8b, v",
            $e,
            ".8b\n",
            "st1 {{v",
            $abcd,
            ".16b}}, [{at}], 16\n",
            "st1 {{v",
            $e,
            ".8b}}, [{at}]\n",
        )
    };
}

/// Keeps the state of stream `$i` until [`feed_forward`], and loads its next block.
macro_rules! load_block {
    (
        $i:literal $p:literal $abcd:literal $e:literal,
        $a:literal $b:literal $c:literal $d:literal
    ) => {
        concat!(
            "str q",
            $abcd,
            ", [{scratch}, 32 * ",
            $i,
            "]\n",
            "str s",
            $e,
            ", [{scratch}, 32 * ",
            $i,
            " + 16]\n",
            "ld1 {{v",
            $a,
            ".16b, v",
            $b,
            ".16b, v",
            $c,
            ".16b, v",
            $d,
            ".16b}}, [",
            $p,
            "], 64\n",
            "rev32 v",
            $a,
            ".16b, v",
            $a,
            ".16b\n",
            "rev32 v",
            $b,
            ".16b, v",
            $b,
            ".16b\n",
            "rev32 v",
            $c,
            ".16b, v",
            $c,
            ".16b\n",
            "rev32 v",
            $d,
            ".16b, v",
            $d,
            ".16b\n",
        )
    };
}

macro_rules! feed_forward {
    ($i:literal $abcd:literal $e:literal) => {
        concat!(
            "ldr q29, [{scratch}, 32 * ",
            $i,
            "]\n",
            "ldr s30, [{scratch}, 32 * ",
            $i,
            " + 16]\n",
            "add v",
            $abcd,
            ".4s, v",
            $abcd,
            ".4s, v29.4s\n",
            "add v",
            $e,
            ".2s, v",
            $e,
            ".2s, v30.2s\n",
        )
    };
}

/// Four rounds by the instruction `$f`, with the constant in v31 and the words in `$w0`. `$next`
/// becomes the e of the next ones. If there are other words, those sixteen later replace `$w0`.
macro_rules! four_rounds {
    (
        $f:literal, $abcd:literal $e:literal $next:literal,
        $w0:literal $w4:literal $w8:literal $w12:literal
    ) => {
        concat!(
            four_rounds!($f, $abcd $e $next, $w0),
            "sha1su0 v", $w0, ".4s, v", $w4, ".4s, v", $w8, ".4s\n",
            "sha1su1 v", $w0, ".4s, v", $w12, ".4s\n",
        )
    };
    ($f:literal, $abcd:literal $e:literal $next:literal, $w0:literal) => {
        concat!(
            "add v29.4s, v", $w0, ".4s, v31.4s\n",
            "sha1h s", $next, ", s", $abcd, "\n",
            $f, " q", $abcd, ", s", $e, ", v29.4s\n",
        )
    };
}

/// The text for some streams. Of each: its number, the pointer to its blocks, the registers of its
/// state, one for the next e, and those of its words.
macro_rules! text {
    ($([
        $i:literal $p:literal $s:literal $e:literal $g:literal,
        $a:literal $b:literal $c:literal $d:literal
    ])+) => {
        concat!(
            $(load_state!($i $s $e),)+
            "2:\n",
            $(load_block!($i $p $s $e, $a $b $c $d),)+
            "ld1r {{v31.4s}}, [{k}], 4\n",
            $(four_rounds!("sha1c", $s $e $g, $a $b $c $d),)+
            $(four_rounds!("sha1c", $s $g $e, $b $c $d $a),)+
            $(four_rounds!("sha1c", $s $e $g, $c $d $a $b),)+
            $(four_rounds!("sha1c", $s $g $e, $d $a $b $c),)+
            $(four_rounds!("sha1c", $s $e $g, $a $b $c $d),)+
            "ld1r {{v31.4s}}, [{k}], 4\n",
            $(four_rounds!("sha1p", $s $g $e, $b $c $d $a),)+
            $(four_rounds!("sha1p", $s $e $g, $c $d $a $b),)+
            $(four_rounds!("sha1p", $s $g $e, $d $a $b $c),)+
            $(four_rounds!("sha1p", $s $e $g, $a $b $c $d),)+
            $(four_rounds!("sha1p", $s $g $e, $b $c $d $a),)+
            "ld1r {{v31.4s}}, [{k}], 4\n",
            $(four_rounds!("sha1m", $s $e $g, $c $d $a $b),)+
            $(four_rounds!("sha1m", $s $g $e, $d $a $b $c),)+
            $(four_rounds!("sha1m", $s $e $g, $a $b $c $d),)+
            $(four_rounds!("sha1m", $s $g $e, $b $c $d $a),)+
            $(four_rounds!("sha1m", $s $e $g, $c $d $a $b),)+
            "ld1r {{v31.4s}}, [{k}]\n",
            "sub {k}, {k}, 12\n",
            $(four_rounds!("sha1p", $s $g $e, $d $a $b $c),)+
            $(four_rounds!("sha1p", $s $e $g, $a),)+
            $(four_rounds!("sha1p", $s $g $e, $b),)+
            $(four_rounds!("sha1p", $s $e $g, $c),)+
            $(four_rounds!("sha1p", $s $g $e, $d),)+
            $(feed_forward!($i $s $e),)+
            "sub {count}, {count}, 1\n",
            "cbnz {count}, 2b\n",
            $(store_state!($i $s $e),)+
        )
    };
}

/// A function that runs a text. `$saved` are registers that it needs beside those that a function
/// may change.
macro_rules! kernel {
    ($name:ident, $N:literal, [$($p:ident)+], [$($saved:tt)*], $text:expr) => {
        /// # Safety
        ///
        /// Each pointer leads to `count` blocks, and `count` is not 0.
        #[inline(never)]
        #[target_feature(enable = "neon,sha2")]
        unsafe fn $name(states: &mut [Row; $N], [$($p),+]: [*const Block; $N], count: usize) {
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
                    k = inout(reg) K.as_ptr() => _,
                    scratch = in(reg) &raw mut scratch,
                    at = out(reg) _,
                    out("v0") _, out("v1") _, out("v2") _, out("v3") _,
                    out("v4") _, out("v5") _, out("v6") _, out("v7") _,
                    out("v16") _, out("v17") _, out("v18") _, out("v19") _,
                    out("v20") _, out("v21") _, out("v22") _, out("v23") _,
                    out("v24") _, out("v25") _, out("v26") _, out("v27") _,
                    out("v28") _, out("v29") _, out("v30") _, out("v31") _,
                    $(out($saved) _,)*
                    options(nostack),
                );
            }
        }
    };
}

kernel!(compress_1, 1, [p0], [], text!([0 "{p0}" 0 1 2, 4 5 6 7]));
kernel!(compress_2, 2, [p0 p1], [], text!(
    [0 "{p0}" 0 1 2, 4 5 6 7] [1 "{p1}" 3 16 17, 18 19 20 21]
));
kernel!(compress_3, 3, [p0 p1 p2], [], text!(
    [0 "{p0}" 0 1 2, 4 5 6 7] [1 "{p1}" 3 16 17, 18 19 20 21] [2 "{p2}" 22 23 24, 25 26 27 28]
));
kernel!(compress_4, 4, [p0 p1 p2 p3], ["v8" "v9" "v10" "v11" "v12" "v13" "v14"], text!(
    [0 "{p0}" 0 1 2, 4 5 6 7] [1 "{p1}" 3 16 17, 18 19 20 21] [2 "{p2}" 22 23 24, 25 26 27 28]
    [3 "{p3}" 8 9 10, 11 12 13 14]
));

macro_rules! call {
    ($sha:ident, $kernel:ident $arguments:tt) => {{
        let _: ShaExtensions = $sha;
        // SAFETY: the token proves the SHA1 and SHA2 extensions, which need NEON. `sha_assembly`
        // has counted the blocks.
        unsafe { $kernel $arguments }
    }};
}

hash_lanes::sha_assembly!(call);
