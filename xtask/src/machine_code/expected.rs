//! Which kernels must exist, and how many operations of each kind they must have.

/// The kernels of a job for all lanes except two interleaved groups of 8. The last is the function
/// that chooses the kernel: it contains the two for the x86-64 baseline.
const ALL: &[&str] = &["avx512x16x2", "avx512x16", "avx512x8", "avx2", "sse4_2", "sse2+portable"];
/// The same, for a job so large that the compiler does not inline its SSE2 kernel.
const ALL_LARGE: &[&str] =
    &["avx512x16x2", "avx512x16", "avx512x8", "avx2", "sse4_2", "sse2", "portable"];
/// Those of [`ALL`], and two interleaved groups of 8.
const ALL_AND_TWO: &[&str] =
    &["avx512x16x2", "avx512x16", "avx512x8x2", "avx512x8", "avx2", "sse4_2", "sse2+portable"];
/// Public keys.
const KEYS: &[&str] = &["avx512x16x2", "avx512x16", "avx512x8", "avx2"];
/// Subtrees.
const SUBTREES: &[&str] = &["avx512x16x2", "avx512x16", "avx2"];
/// One to four messages.
const SHA: &[&str] = &["SHA-NI"; 4];
/// One to three: two overlap with the two before them.
const SHA_OF_PAIRS: &[&str] = &["SHA-NI"; 3];
const SUMS: &[&str] = &["avx512", "avx2"];

/// Each kernel that must be compiled exactly once: the crate, the job and its instruction sets.
/// Kernels of SHA instructions exist for one message or more, with and without VEX.
#[rustfmt::skip]
const EXPECTED: &[(&str, &str, &[&str])] = &[
    ("sha1_multi", "HashLanes<Sha1, 5>", ALL),
    ("sha1_multi", "Batch<Bytes32<Sha1, 5>>", ALL),
    ("sha1_multi", "Batch<Pbkdf2Rounds<Sha1, 5>>", ALL),
    ("sha1_multi", "compress_streams", SHA),
    ("sha1_multi", "hash_equal", SHA),
    ("sha256_multi", "HashLanes<Sha256, 8>", ALL),
    ("sha256_multi", "Batch<Bytes32<Sha256, 8>>", ALL_AND_TWO),
    ("sha256_multi", "Batch<Nodes<false>>", ALL_AND_TWO),
    ("sha256_multi", "Batch<Nodes<true>>", ALL_AND_TWO),
    ("sha256_multi", "Batch<Pbkdf2Rounds<Sha256, 8>>", ALL),
    ("sha256_multi", "compress_streams", SHA),
    ("sha256_multi", "double_hash_blocks", SHA),
    ("sha256_multi", "hash_equal", SHA),
    ("sha256_multi", "hash_pairs false", SHA_OF_PAIRS),
    ("sha256_multi", "hash_pairs true", SHA_OF_PAIRS),
    ("ripemd_multi", "HashLanes<Ripemd160, 5>", ALL_LARGE),
    ("ripemd_multi", "Batch<Bytes32<Ripemd160, 5>>", ALL_AND_TWO),
    ("ripemd_multi", "Batch<Keys<33>>", KEYS),
    ("ripemd_multi", "Batch<Keys<65>>", KEYS),
    ("merkle_lanes", "Batch<Prefixed<1, 16777216>>", ALL),
    ("merkle_lanes", "HashSubtrees<Plain>", SUBTREES),
    ("merkle_lanes", "HashSubtrees<Double>", SUBTREES),
    ("merkle_lanes", "HashSubtrees<Prefixed<1, 16777216>>", SUBTREES),
    ("addr_recover", "HashTable", ALL),
    ("addr_recover", "HashPending", ALL),
    ("sumhash512", "Sum<Nibbles>", SUMS),
    ("sumhash512", "Sum<Bytes>", SUMS),
    ("sumhash512", "Sum<ConstantTime>", SUMS),
    ("sumhash512", "Chain<Nibbles>", SUMS),
    ("sumhash512", "Chain<Bytes>", SUMS),
    ("sumhash512", "Chain<ConstantTime>", SUMS),
];

/// The kernels of a crate in [`EXPECTED`], by job and instruction set.
pub(super) fn expected(krate: &str) -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    for (_, job, sets) in EXPECTED.iter().filter(|(of, ..)| *of == krate) {
        if sets[0] == SHA[0] {
            let (function, generic) =
                job.split_once(' ').map_or((*job, ""), |(job, generic)| (job, generic));
            let generic = if generic.is_empty() { String::new() } else { format!(", {generic}") };
            for encoding in ["legacy", "vex"] {
                let jobs =
                    (1..=sets.len()).map(|n| format!("{encoding}::{function}<{n}{generic}>"));
                all.extend(jobs.map(|job| (job, "SHA-NI")));
            }
        } else {
            all.extend(sets.iter().map(|set| ((*job).to_owned(), *set)));
        }
    }
    all
}

/// The minimum number of operations of each kind. The code has 32 or more rounds of SHA-256 and
/// RIPEMD-160, with six rotations and seven additions each, and 80 rounds of SHA-1, with three and
/// four.
pub(super) fn required(krate: &str, set: &str) -> &'static [(&'static str, u32)] {
    match (krate, set) {
        ("sumhash512", "avx512") => &[("zmm_adds", 4)],
        ("sumhash512", "avx2") => &[("ymm_adds", 4)],
        (_, "avx512x16x2" | "avx512x16") => &[("zmm_rotates", 150), ("ternary", 100)],
        (_, "avx512x8x2" | "avx512x8") => &[("ymm_rotates", 150), ("ternary", 100)],
        (_, "avx2") => &[("ymm_adds", 150)],
        (_, "sse4_2" | "sse2") => &[("xmm_adds", 150)],
        (_, "portable") => &[("word_rotates", 150)],
        (_, "sse2+portable") => &[("xmm_adds", 150), ("word_rotates", 150)],
        (_, "SHA-NI") => &[("rounds", 4)],
        _ => &[],
    }
}
