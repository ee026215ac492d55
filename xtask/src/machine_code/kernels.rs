//! Finds the kernels of a library, and checks their instructions.

use std::collections::BTreeMap;

use iced_x86::{FlowControl, Register};

use super::counts::Counts;
use super::function::Function;
use super::upper_state::returns_dirty;

/// Parts of the names of functions that work on lanes. A function with such a symbol was left out
/// of line, unless it is a kernel.
const OF_LANES: &[&str] = &[
    "simd_types::u32x",
    "simd_types::u64x",
    "Scalar<u32>",
    "Scalar<u64>",
    "hash_lanes::lanes::",
    "_multi::rounds::",
    "Layout>::add",
];

pub(super) struct Kernel {
    pub(super) job: String,
    pub(super) set: String,
    pub(super) counts: Counts,
}

#[derive(Default)]
pub(super) struct Report {
    pub(super) kernels: Vec<Kernel>,
    pub(super) faults: Vec<String>,
}

impl Report {
    fn fault(&mut self, place: &str, fault: &str, cause: &str) {
        self.faults.push(format!("{place}: {fault}: {cause}"));
    }
}

/// Checks the functions of one library.
pub(super) fn check_library(krate: &str, functions: &[Function]) -> Report {
    let mut report = Report::default();
    let kernels = functions.iter().filter_map(lane_kernel);
    let with_sse2: Vec<_> = kernels.filter(|(_, set)| *set == "sse2").map(|(job, _)| job).collect();
    for function in functions {
        if let Some((job, set)) = lane_kernel(function) {
            check_calls(&mut report, &format!("{job} {set}"), function);
            check_return(&mut report, &format!("{job} {set}"), function);
            add_kernel(&mut report, krate, job, set, function);
        } else if let Some(job) = sha_kernel(&function.name) {
            let place = format!("{job} SHA-NI");
            check_calls(&mut report, &place, function);
            check_sha(&mut report, &place, function);
            if job.starts_with("legacy::") {
                check_encoding(&mut report, &place, function);
            }
            add_kernel(&mut report, krate, job, "SHA-NI", function);
        } else if let Some(job) = function.name.strip_prefix("sha512_multi::hw::x86_sha512::") {
            // These instructions are encoded with VEX, and some take whole registers.
            let (job, set) = (job.replace("::<", "<"), "SHA512");
            check_calls(&mut report, &format!("{job} {set}"), function);
            check_return(&mut report, &format!("{job} {set}"), function);
            add_kernel(&mut report, krate, job, set, function);
        } else if is_left_out_of_line(&function.name) {
            report.fault(
                &without_paths(&function.name),
                "left out of line",
                "#[inline(always)] is probably missing",
            );
        } else {
            check_caller(&mut report, krate, function, &with_sse2);
        }
    }
    report
}

/// The job and the kernel of a function that `vectorize` runs.
fn lane_kernel(function: &Function) -> Option<(String, &'static str)> {
    let (set, part) = vectorized(&function.name)?;
    let set = match set {
        "avx512" if part.vector.contains("Interleaved<") => "avx512x16x2",
        "avx512" if part.has_vector(&["u32x16<", "u64x8<"]) => "avx512x16",
        "avx512" if part.has_vector(&["u32x8<", "u64x4<"]) => "avx512x8",
        "avx512" => "avx512",
        "avx2" if part.has_vector(&["Bmi<"]) => "bmi",
        "avx2" => "avx2",
        _ => "sse2",
    };
    Some((part.job, set))
}

/// What a closure runs: a job by `run_in<VECTOR, JOB>`, or a function by `outline` or in sumhash.
struct Part<'n> {
    job: String,
    /// The type of the vectors, with what stands around it in the name.
    vector: &'n str,
    /// Whether it is the rounds that jobs share.
    is_rounds: bool,
}

impl<'n> Part<'n> {
    /// Reads the beginning of a name: a closure and more.
    fn of(name: &'n str) -> Option<Self> {
        let (closure, _) = name.split_once(">::{closure")?;
        if let Some((_, arguments)) = closure.split_once("hash_lanes::kernel::run_in<") {
            let (vector, job) = split_first_argument(arguments)?;
            return Some(Self { job: without_paths(job), vector, is_rounds: false });
        }
        // sumhash calls `vectorize` in a method, and `outline` stands in the function of the
        // rounds.
        let job = closure.split_once(">::run<");
        let is_rounds = job.is_none() && !closure.starts_with('<');
        let job = match job {
            Some((_, job)) => job,
            None if is_rounds => closure.split_once('<')?.0,
            None => closure,
        };
        Some(Self { job: without_paths(job), vector: closure, is_rounds })
    }

    fn has_vector(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.vector.contains(name))
    }
}

/// Splits generic arguments after the first one.
fn split_first_argument(arguments: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (i, c) in arguments.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => return Some((&arguments[..i], arguments[i + 1..].trim_start())),
            _ => {}
        }
    }
    None
}

/// The instruction set in the name of a function that `vectorize` runs, and what it runs.
fn vectorized(name: &str) -> Option<(&str, Part<'_>)> {
    // Every x86-64 has SSE2, so its kernels need no function for the instructions, and have one
    // only if the compiler inlines no more.
    if let Some((_, rest)) = name.split_once("sse2::Sse2 as ")
        && let Some((_, rest)) = rest.split_once("::Simd>::vectorize::<")
    {
        return Some(("sse2", Part::of(rest)?));
    }
    let (_, rest) = name.split_once("vectorize::vectorize_")?;
    let (set, rest) = rest.split_once("::<")?;
    Some((set, Part::of(rest)?))
}

/// Whether a function is the rounds of a kernel, which its jobs share; see `Words::outline`.
fn is_shared_rounds(name: &str) -> bool {
    vectorized(name).is_some_and(|(_, part)| part.is_rounds)
}

fn callees(function: &Function) -> impl Iterator<Item = &str> {
    function.steps.iter().filter_map(|step| step.callee.as_deref())
}

/// The job of a kernel of SHA instructions.
fn sha_kernel(name: &str) -> Option<String> {
    let (krate, rest) = name.split_once("::hw::x86_")?;
    let job = rest.strip_prefix("sha::").or_else(|| rest.strip_prefix("asm::"))?;
    if !matches!(krate, "sha1_multi" | "sha256_multi") {
        return None;
    }
    Some(job.replace("::<", "<"))
}

fn is_left_out_of_line(name: &str) -> bool {
    OF_LANES.iter().any(|part| name.contains(part))
        || name.starts_with("hash_lanes::kernel::run_in::")
}

/// A name without module paths.
fn without_paths(name: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut short = String::new();
    for (i, part) in name.split("::").enumerate() {
        let before_name = short.trim_end_matches(is_name).len();
        if part.starts_with('<') && i > 0 {
            // Generic arguments of a function.
        } else if before_name < short.len() {
            short.truncate(before_name);
        } else if i > 0 {
            short.push_str("::");
        }
        short.push_str(part);
    }
    short
}

/// A function's name without its generic arguments, which name the closures that it is given.
fn without_generics(name: &str) -> String {
    let mut short = String::new();
    let (mut depth, mut is_removing) = (0, false);
    for (i, c) in name.char_indices() {
        if depth == 0 && name[i..].starts_with("::<") {
            is_removing = true;
        }
        match c {
            '<' => depth += 1,
            '>' if !name[..i].ends_with('-') => depth -= 1,
            _ => {}
        }
        if !is_removing {
            short.push(c);
        } else if c == '>' && depth == 0 {
            is_removing = false;
        }
    }
    short
}

/// The minimum number of operations of each kind. The code has 32 or more rounds of SHA-2 and
/// RIPEMD-160, with six rotations and seven additions each, and 80 rounds of SHA-1, with three and
/// four.
///
/// A loop of Keccak has one round in 32 registers, and two in 16. A round has 29 rotations, five of
/// theta and 24 of rho, and 30 ternary operations, five of theta and 25 of chi. Of vectors without
/// rotations, two of them are shuffles, six are by one bit, a shift and an addition, and 21 are two
/// shifts. BMI has chi's 25 and-nots.
///
/// BLAKE2 has ten or twelve rounds of eight mixing functions, with four rotations and six additions
/// each, two of them of message words; half of these are zeros in a message of one row.
fn required(krate: &str, set: &str) -> &'static [(&'static str, u32)] {
    match (krate, set) {
        ("sumhash512", "avx512") => &[("zmm_adds", 4)],
        ("sumhash512", "avx2") => &[("ymm_adds", 4)],
        ("sha3_multi", "avx512x16") => &[("zmm_rotates", 29), ("ternary", 30)],
        ("sha3_multi", "avx512x8") => &[("ymm_rotates", 29), ("ternary", 30)],
        ("sha3_multi", "avx2") => &[("ymm_shifts", 96)],
        ("sha3_multi", "bmi") => &[("long_rotates", 58), ("and_nots", 50)],
        ("sha3_multi", "sse2") => &[("xmm_shifts", 96)],
        ("sha3_multi", "portable") => &[("long_rotates", 58)],
        ("sha3_multi", "sse2+portable") => &[("xmm_shifts", 96), ("long_rotates", 58)],
        ("blake2_multi", "avx512x16") => &[("zmm_rotates", 320), ("zmm_adds", 390)],
        ("blake2_multi", "avx512x8") => &[("ymm_rotates", 320), ("ymm_adds", 390)],
        ("blake2_multi", "avx2") => &[("ymm_adds", 390)],
        ("blake2_multi", "sse2") => &[("xmm_adds", 390)],
        ("blake2_multi", "portable") => &[("rotates", 320)],
        ("blake2_multi", "sse2+portable") => &[("xmm_adds", 390), ("rotates", 320)],
        ("sha512_multi", "portable") => &[("long_rotates", 150)],
        ("sha512_multi", "sse2+portable") => &[("xmm_adds", 150), ("long_rotates", 150)],
        (_, "avx512x16x2" | "avx512x16") => &[("zmm_rotates", 150), ("ternary", 100)],
        (_, "avx512x8") => &[("ymm_rotates", 150), ("ternary", 100)],
        (_, "avx2") => &[("ymm_adds", 150)],
        (_, "sse2") => &[("xmm_adds", 150)],
        (_, "portable") => &[("word_rotates", 150)],
        (_, "sse2+portable") => &[("xmm_adds", 150), ("word_rotates", 150)],
        (_, "SHA-NI" | "SHA512") => &[("rounds", 4)],
        _ => &[],
    }
}

fn add_kernel(report: &mut Report, krate: &str, job: String, set: &str, function: &Function) {
    let counts = Counts::of(function);
    let has_rounds = match (krate, set) {
        ("sumhash512", set) => matches!(set, "avx512" | "avx2"),
        (_, "SHA-NI" | "SHA512") => true,
        ("sha3_multi", _) => counts.get("rotates") + counts.get("shifts") >= 29,
        _ => counts.get("adds") > 50 || counts.get("rotates") > 50,
    };
    if !has_rounds {
        // A job that only moves data. If it had rounds before, `compare` misses it.
        return;
    }
    let place = format!("{job} {set}");
    let part = match job.as_str() {
        // This is a loop of sixteen rounds, without a message schedule.
        "compress_padding_of_64" => 2,
        // A message schedule without rounds, and rounds that are loops.
        "Met" | "LookInto<CheckedSha1>" => 4,
        _ => 1,
    };
    for (name, minimum) in required(krate, set) {
        let found = counts.get(name);
        let minimum = minimum / part;
        if found < minimum {
            let fault = format!("{found} {name}, fewer than {minimum}");
            report.fault(&place, &fault, "the rounds are probably out of line or not vectorized");
        }
    }
    if report.kernels.iter().any(|kernel| kernel.job == job && kernel.set == set) {
        report.fault(&place, "compiled twice", "it is probably instantiated in two places");
    }
    report.kernels.push(Kernel { job, set: set.to_owned(), counts });
}

/// A kernel may call nothing but panics and its rounds. Even a call of `memcpy` is a fault: an
/// array has left the registers. Shared rounds take arrays in memory, so kernels that call them may
/// copy and fill.
fn check_calls(report: &mut Report, place: &str, function: &Function) {
    let shares_rounds = callees(function).any(is_shared_rounds);
    let mut calls: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for step in function.steps.iter().filter(|step| !step.panics()) {
        let Some(callee) = &step.callee else { continue };
        // What a hash suspects is written down out of line.
        let is_written_down = callee.contains("::Suspects<");
        // The address of `memcpy` is in a register if it is called often. Padding begins as zeros.
        let moves_arrays = ["memcpy", "memset", "a function pointer"].contains(&callee.as_str());
        if is_shared_rounds(callee) || is_written_down || shares_rounds && moves_arrays {
            continue;
        }
        let is_call = matches!(
            step.instruction.flow_control(),
            FlowControl::Call | FlowControl::IndirectCall
        );
        let kind = if is_call { "call of" } else { "jump to" };
        *calls.entry((kind, without_generics(callee))).or_default() += 1;
    }
    for ((kind, callee), count) in calls {
        let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
        report.fault(place, &format!("{kind} {callee}{times}"), cause_of_call(&callee));
    }
}

fn cause_of_call(callee: &str) -> &'static str {
    let is_one_of = |names: &[&str]| names.iter().any(|name| callee.contains(name));
    if is_one_of(&["memcpy", "memmove", "memset", "memcmp", "bcmp"]) {
        "probably an array that is indexed at run time or too large for registers"
    } else if is_one_of(&["{closure", "core::array::", "core::iter::", "core::ops::function::"]) {
        "probably a closure or helper without #[inline(always)]; prefer a plain loop to an adaptor"
    } else if is_one_of(&["a function pointer", "an unknown function"]) {
        "probably a function passed as a value"
    } else if is_one_of(&["drop_in_place", "_Unwind_Resume"]) {
        "probably a value with a destructor"
    } else {
        "probably a helper without #[inline(always)]"
    }
}

fn check_return(report: &mut Report, place: &str, function: &Function) {
    if returns_dirty(function) {
        report.fault(
            place,
            "returns with dirty upper halves",
            "a path without vzeroupper: probably inline assembly, or a vector returned in a \
             register",
        );
    }
}

/// Checks a kernel of SHA instructions: it uses no register of more than 128 bits, and with VEX it
/// begins with `vzeroupper`.
fn check_sha(report: &mut Report, place: &str, function: &Function) {
    let is_wide = |register: Register| register.is_ymm() || register.is_zmm();
    if let Some(i) = function.steps.iter().position(|step| step.has_register(is_wide)) {
        let fault = format!(
            "{} on a register of more than 128 bits at instruction {i}",
            mnemonic(function, i)
        );
        report.fault(
            place,
            &fault,
            "a 256-bit intrinsic, or two 128-bit values that the compiler joined (see opaque)",
        );
    }
    if function.name.contains("::vex::")
        && let Some(fault) = super::upper_state::unclean_sha(function)
    {
        report.fault(place, fault, "_mm256_zeroupper is probably missing at the beginning");
    }
}

/// Checks that a kernel for CPUs without AVX has no AVX instruction.
fn check_encoding(report: &mut Report, place: &str, function: &Function) {
    if let Some(i) = (0..function.steps.len()).find(|&i| mnemonic(function, i).starts_with('v')) {
        let fault = format!("{} is encoded with VEX at instruction {i}", mnemonic(function, i));
        report.fault(place, &fault, "a helper enables more than the features of its callers");
    }
}

fn mnemonic(function: &Function, i: usize) -> String {
    format!("{:?}", function.steps[i].instruction.mnemonic()).to_lowercase()
}

/// Checks a function that is not a kernel. It may choose a kernel of a job, and then contains the
/// baseline kernels: the portable one, and that of SSE2 unless it is in `with_sse2`.
fn check_caller(report: &mut Report, krate: &str, function: &Function, with_sse2: &[String]) {
    let place = without_paths(&function.name);
    let mut jobs: Vec<_> =
        callees(function).filter_map(vectorized).map(|(_, part)| part.job).collect();
    jobs.sort_unstable();
    jobs.dedup();
    let is_wide = |register: Register| register.is_ymm() || register.is_zmm();
    if !jobs.is_empty() && function.steps.iter().any(|step| step.has_register(is_wide)) {
        report.fault(
            &place,
            "256-bit registers outside the kernels",
            "a kernel was probably inlined into its caller",
        );
    }
    // Otherwise it chooses among kernels that all need more than the baseline.
    let counts = Counts::of(function);
    let has_rounds = match krate {
        "sha3_multi" => counts.get("long_rotates") >= 29,
        _ => counts.get("word_rotates") > 100 || counts.get("long_rotates") > 100,
    };
    if has_rounds {
        for job in jobs {
            let set = if with_sse2.contains(&job) { "portable" } else { "sse2+portable" };
            add_kernel(report, krate, job, set, function);
        }
    }
}
