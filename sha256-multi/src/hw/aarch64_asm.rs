//! `ARMv8` SHA2 kernels as assembly: `sha256h`, `sha256h2`, `sha256su0` and `sha256su1`.
//!
//! One text serves every number of streams. The compiler cannot reorder it: it keeps the streams
//! interleaved, and is as fast in an unoptimised build as in any other. Tested in an emulator; the
//! speed was not measured.

use core::arch::asm;
use core::mem::MaybeUninit;

use hash_lanes::engine::{Block, Row, ShaExtensions};

use crate::constants::K_BY_4;

static K: [[u32; 4]; 16] = K_BY_4;

/// The states of four streams before a block.
#[repr(C, align(16))]
struct Scratch(MaybeUninit<[u8; 4 * 32]>);

/// Loads the state of stream `$i` into the registers `$abcd` and `$efgh`, which are neighbours.
macro_rules! load_state {
    ($i:literal $abcd:literal $efgh:literal) => {
        concat!(
            "add {at}, {states}, 32 * ",
            $i,
            "\n",
            "ld1 {{v",
            $abcd,
            ".16b, v",
            $efgh,
            ".16b}}, [{at}]\n",
            "rev32 v",
            $abcd,
            ".16b, v",
            $abcd,
            ".16b\n",
            "rev32 v",
            $efgh,
            ".16b, v",
            $efgh,
            ".16b\n",
        )
    };
}

/// The inverse of [`load_state`].
macro_rules! store_state {
    ($i:literal $abcd:literal $efgh:literal) => {
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
            $efgh,
            ".16b, v",
            $efgh,
            ".16b\n",
            "st1 {{v",
            $abcd,
            ".16b, v",
            $efgh,
            ".16b}}, [{at}]\n",
        )
    };
}

/// Keeps the state of stream `$i` until [`feed_forward`], and loads its next block.
macro_rules! load_block {
    (
        $i:literal $p:literal $abcd:literal $efgh:literal,
        $a:literal $b:literal $c:literal $d:literal
    ) => {
        concat!(
            "stp q",
            $abcd,
            ", q",
            $efgh,
            ", [{scratch}, 32 * ",
            $i,
            "]\n",
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
    ($i:literal $abcd:literal $efgh:literal) => {
        concat!(
            "ldp q28, q29, [{scratch}, 32 * ",
            $i,
            "]\n",
            "add v",
            $abcd,
            ".4s, v",
            $abcd,
            ".4s, v28.4s\n",
            "add v",
            $efgh,
            ".4s, v",
            $efgh,
            ".4s, v29.4s\n",
        )
    };
}

/// Four rounds with the constants in v31 and the words in `$w0`. If there are others, the words
/// sixteen later replace them.
macro_rules! four_rounds {
    ($abcd:literal $efgh:literal $w0:literal $w4:literal $w8:literal $w12:literal) => {
        concat!(
            four_rounds!($abcd $efgh $w0),
            "sha256su0 v", $w0, ".4s, v", $w4, ".4s\n",
            "sha256su1 v", $w0, ".4s, v", $w8, ".4s, v", $w12, ".4s\n",
        )
    };
    ($abcd:literal $efgh:literal $w0:literal) => {
        concat!(
            "add v28.4s, v", $w0, ".4s, v31.4s\n",
            "mov v29.16b, v", $abcd, ".16b\n",
            "sha256h q", $abcd, ", q", $efgh, ", v28.4s\n",
            "sha256h2 q", $efgh, ", q29, v28.4s\n",
        )
    };
}

/// The text for some streams. Of each: its number, the pointer to its blocks, the registers of its
/// state and of its words.
macro_rules! text {
    ($([
        $i:literal $p:literal $s:literal $t:literal, $a:literal $b:literal $c:literal $d:literal
    ])+) => {
        concat!(
            $(load_state!($i $s $t),)+
            "2:\n",
            $(load_block!($i $p $s $t, $a $b $c $d),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $a $b $c $d),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $b $c $d $a),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $c $d $a $b),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $d $a $b $c),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $a $b $c $d),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $b $c $d $a),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $c $d $a $b),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $d $a $b $c),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $a $b $c $d),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $b $c $d $a),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $c $d $a $b),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $d $a $b $c),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $a),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $b),)+
            "ld1 {{v31.4s}}, [{k}], 16\n", $(four_rounds!($s $t $c),)+
            "ld1 {{v31.4s}}, [{k}]\n", $(four_rounds!($s $t $d),)+
            "sub {k}, {k}, 240\n",
            $(feed_forward!($i $s $t),)+
            "sub {count}, {count}, 1\n",
            "cbnz {count}, 2b\n",
            $(store_state!($i $s $t),)+
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
                    out("v24") _, out("v25") _, out("v28") _, out("v29") _, out("v31") _,
                    $(out($saved) _,)*
                    options(nostack),
                );
            }
        }
    };
}

kernel!(compress_1, 1, [p0], [], text!([0 "{p0}" 0 1, 4 5 6 7]));
kernel!(compress_2, 2, [p0 p1], [], text!(
    [0 "{p0}" 0 1, 4 5 6 7] [1 "{p1}" 2 3, 16 17 18 19]
));
kernel!(compress_3, 3, [p0 p1 p2], [], text!(
    [0 "{p0}" 0 1, 4 5 6 7] [1 "{p1}" 2 3, 16 17 18 19] [2 "{p2}" 20 21, 22 23 24 25]
));
kernel!(compress_4, 4, [p0 p1 p2 p3], ["v8" "v9" "v10" "v11" "v12" "v13"], text!(
    [0 "{p0}" 0 1, 4 5 6 7] [1 "{p1}" 2 3, 16 17 18 19] [2 "{p2}" 20 21, 22 23 24 25]
    [3 "{p3}" 8 9, 10 11 12 13]
));

macro_rules! call {
    ($sha:ident, $kernel:ident $arguments:tt) => {{
        let _: ShaExtensions = $sha;
        // SAFETY: the token proves the SHA2 extension, which needs NEON. `sha_assembly` has
        // counted the blocks.
        unsafe { $kernel $arguments }
    }};
}

hash_lanes::sha_assembly!(call);
