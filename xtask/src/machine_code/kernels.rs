//! Which kernels there must be, and what each must be made of.

use std::collections::BTreeMap;

use iced_x86::{FlowControl, Mnemonic, Register};

use super::counts::Counts;
use super::function::Function;
use super::upper_state::{is_sha_rounds, returns_dirty, unguarded_sha};

/// The kernels of a job for all widths of lanes. The last is the function that chooses the kernel: it
/// holds the two that need nothing beyond the baseline of x86-64.
const ALL: &[&str] = &["avx512x16", "avx512x8", "avx2", "sse4_2", "sse2+portable"];
/// Jobs that run on 8 lanes or more only.
const EIGHT_OR_MORE: &[&str] = &["avx512x16", "avx512x8", "avx2"];
/// Jobs that run on as many lanes as the vectors have only.
const WIDEST: &[&str] = &["avx512x16", "avx2"];
const SHA: &[&str] = &["SHA-NI"];
const SUMS: &[&str] = &["avx512", "avx2"];
const SUMS_AVX512: &[&str] = &["avx512"];

/// Each kernel that must be compiled exactly once: the crate, the job and its instruction sets.
#[rustfmt::skip]
pub(super) const EXPECTED: &[(&str, &str, &[&str])] = &[
    ("sha1_multi", "CompressBlocks<Sha1Lanes, 5>", ALL),
    ("sha1_multi", "HashGroup<Sha1Lanes, 5>", ALL),
    ("sha1_multi", "compress<1>", SHA),
    ("sha1_multi", "compress<2>", SHA),
    ("sha256_multi", "CompressBlocks<Sha256Lanes, 8>", ALL),
    ("sha256_multi", "HashGroup<Sha256Lanes, 8>", ALL),
    ("sha256_multi", "HashNodes<false>", ALL),
    ("sha256_multi", "HashNodes<true>", ALL),
    ("sha256_multi", "compress<1>", SHA),
    ("sha256_multi", "compress<2>", SHA),
    ("sha256_multi", "double_hash_blocks<1>", SHA),
    ("sha256_multi", "double_hash_blocks<4>", SHA),
    ("sha256_multi", "hash_pairs<1, false>", SHA),
    ("sha256_multi", "hash_pairs<1, true>", SHA),
    ("sha256_multi", "hash_pairs<2, false>", SHA),
    ("sha256_multi", "hash_pairs<2, true>", SHA),
    ("ripemd_multi", "CompressBlocks<Ripemd160Lanes, 5>", ALL),
    ("ripemd_multi", "HashGroup<Ripemd160Lanes, 5>", ALL),
    ("ripemd_multi", "HashDigests", ALL),
    ("ripemd_multi", "Hash160Keys<33>", EIGHT_OR_MORE),
    ("ripemd_multi", "Hash160Keys<65>", EIGHT_OR_MORE),
    ("merkle_lanes", "HashSubtrees<Plain>", WIDEST),
    ("merkle_lanes", "HashSubtrees<Double>", WIDEST),
    ("merkle_lanes", "HashSubtrees<Prefixed<1, 16777216>>", WIDEST),
    ("merkle_lanes", "HashSubtrees<Prefixed<2, 1296105472>>", WIDEST),
    ("addr_recover", "HashTable", ALL),
    ("addr_recover", "HashPending", ALL),
    ("sumhash512", "Sum<Nibbles>", SUMS),
    ("sumhash512", "Sum<Bytes>", SUMS),
    ("sumhash512", "Sum<Masks>", SUMS),
    ("sumhash512", "Chain<Nibbles>", SUMS),
    ("sumhash512", "Chain<Bytes>", SUMS),
    ("sumhash512", "Chain<Masks>", SUMS),
    ("sumhash512", "Permutes<2, 8>", SUMS_AVX512),
    ("sumhash512", "Permutes<4, 4>", SUMS_AVX512),
    ("sumhash512", "Permutes<8, 2>", SUMS_AVX512),
];

/// The fewest operations of each kind. The rounds of SHA-256 and RIPEMD-160 stand in the code 32
/// times or more, with six rotations and seven additions each; those of SHA-1 80 times, with three
/// and four.
fn required(krate: &str, set: &str) -> &'static [(&'static str, u32)] {
    match (krate, set) {
        ("sumhash512", "avx512") => &[("zmm_adds", 4)],
        ("sumhash512", "avx2") => &[("ymm_adds", 4)],
        (_, "avx512x16") => &[("zmm_rotates", 150), ("ternary", 100)],
        (_, "avx512x8") => &[("ymm_rotates", 150), ("ternary", 100)],
        (_, "avx2") => &[("ymm_adds", 150)],
        (_, "sse4_2") => &[("xmm_adds", 150)],
        (_, "sse2+portable") => &[("xmm_adds", 150), ("word_rotates", 150)],
        (_, "SHA-NI") => &[("rounds", 4)],
        _ => &[],
    }
}

/// Parts of the names of functions that work on lanes. Only a kernel may be one of these: what keeps
/// a symbol of its own was left out of line.
const OF_LANES: &[&str] = &[
    "simd_types::u32x",
    "simd_types::u64x8",
    "Wrapping<u32>",
    "hash_lanes::lanes::",
    "sha1_multi::rounds::",
    "sha256_multi::rounds::",
    "ripemd_multi::rounds::",
    "permutes::add",
    "permutes::take",
    "Columns>::add",
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

/// Checks the functions of one library, and that its kernels are those of [`EXPECTED`].
pub(super) fn check_library(krate: &str, functions: &[Function]) -> Report {
    let mut report = Report::default();
    let (mut sha_callers, mut cleanings) = (0, 0);
    for function in functions {
        if let Some((job, set)) = lane_kernel(function) {
            check_calls(&mut report, &format!("{job} {set}"), function);
            check_return(&mut report, &format!("{job} {set}"), function);
            add_kernel(&mut report, krate, job, set, function);
        } else if let Some(job) = sha_kernel(&function.name) {
            check_calls(&mut report, &format!("{job} SHA-NI"), function);
            check_registers(&mut report, &format!("{job} SHA-NI"), function);
            add_kernel(&mut report, krate, job, "SHA-NI", function);
        } else if function.name.ends_with("x86_sha::clean_upper_state") {
            cleanings += 1;
            let first = function.steps.first().map(|step| step.instruction.mnemonic());
            if first != Some(Mnemonic::Vzeroupper) {
                report.fault(&function.name, "does not begin with vzeroupper", "the intrinsic is missing");
            }
        } else if is_left_out_of_line(&function.name) {
            report.fault(
                &without_paths(&function.name),
                "left out of line",
                "#[inline(always)] is probably missing",
            );
        } else {
            sha_callers += usize::from(check_caller(&mut report, krate, function));
        }
    }
    check_expected(&mut report, krate);
    if EXPECTED.iter().any(|(of, _, sets)| *of == krate && *sets == SHA) {
        if cleanings != 1 {
            report.fault(
                "clean_upper_state",
                &format!("{cleanings} functions, expected 1"),
                "it was renamed",
            );
        }
        if sha_callers == 0 {
            report.fault("SHA-NI", "nothing calls the kernels", "they are no longer chosen, or were renamed");
        }
    }
    report
}

/// Checks only what the upper halves of the registers hold, and counts the functions that use wide
/// registers and those that run SHA instructions.
pub(super) fn check_upper_state(functions: &[Function]) -> (usize, usize, Vec<String>) {
    let (mut wide, mut guarded, mut report) = (0, 0, Report::default());
    for function in functions {
        let place = without_paths(&function.name);
        if function.steps.iter().any(super::upper_state::dirties) {
            wide += 1;
            check_return(&mut report, &place, function);
        }
        if sha_kernel(&function.name).is_some() {
            check_registers(&mut report, &place, function);
        } else {
            guarded += usize::from(check_guard(&mut report, &place, function));
        }
    }
    (wide, guarded, report.faults)
}

/// The job and the instruction set of a kernel of lanes: a closure that is run by `vectorize`.
fn lane_kernel(function: &Function) -> Option<(String, &'static str)> {
    let (job, set) = vectorized(&function.name)?;
    let is_wide = || function.steps.iter().any(|step| step.has_register(Register::is_zmm));
    let set = match set {
        "avx512" if !function.name.contains("LaneKernel>::run") => "avx512",
        "avx512" if is_wide() => "avx512x16",
        "avx512" => "avx512x8",
        "avx2" => "avx2",
        _ => "sse4_2",
    };
    Some((job, set))
}

/// The job and the instruction set in the name of a function that `vectorize` runs.
fn vectorized(name: &str) -> Option<(String, &str)> {
    let (_, rest) = name.split_once("vectorize::vectorize_")?;
    let (set, rest) = rest.split_once("::<")?;
    let (closure, _) = rest.split_once(">::{closure")?;
    let job = match (closure.split_once(">::run<"), closure.split_once("Permutes>::add<")) {
        (Some((_, job)), _) => without_paths(job),
        (_, Some((_, sizes))) => format!("Permutes<{sizes}>"),
        _ => without_paths(closure),
    };
    Some((job, set))
}

/// The job of a kernel of SHA instructions.
fn sha_kernel(name: &str) -> Option<String> {
    let modules = ["sha1_multi::hw::x86_sha::", "sha256_multi::hw::x86_sha::"];
    let job = modules.iter().find_map(|module| name.strip_prefix(module))?;
    (job != "clean_upper_state").then(|| job.replace("::<", "<"))
}

fn is_sha_kernel(name: &str) -> bool {
    sha_kernel(name).is_some()
}

fn is_left_out_of_line(name: &str) -> bool {
    OF_LANES.iter().any(|part| name.contains(part))
        || name.split_once("LaneKernel>::run::").is_some_and(|(_, rest)| rest.contains("{closure"))
}

/// A name without the paths of modules.
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

fn add_kernel(report: &mut Report, krate: &str, job: String, set: &str, function: &Function) {
    let counts = Counts::of(function);
    let place = format!("{job} {set}");
    if EXPECTED.iter().any(|(of, listed, sets)| *of == krate && *listed == job && sets.contains(&set)) {
        for (name, least) in required(krate, set) {
            let found = counts.get(name);
            if found < *least {
                let fault = format!("{found} {name}, fewer than {least}");
                report.fault(&place, &fault, "the rounds are probably out of line or not vectorized");
            }
        }
    } else if counts.get("adds") > 50 || counts.get("rotates") > 50 || set == "SHA-NI" {
        report.fault(&place, "unknown kernel", "add it to EXPECTED in xtask/src/machine_code/kernels.rs");
    } else {
        // A job that only moves data has no instructions of its own.
        return;
    }
    report.kernels.push(Kernel { job, set: set.to_owned(), counts });
}

/// A kernel may call nothing but panics. Not even `memcpy`: that is an array that left the registers.
fn check_calls(report: &mut Report, place: &str, function: &Function) {
    let mut calls: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for step in function.steps.iter().filter(|step| !step.panics()) {
        let Some(callee) = &step.callee else { continue };
        let is_call =
            matches!(step.instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall);
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
            "a path without vzeroupper: probably inline assembly, or a vector returned in a register",
        );
    }
}

fn check_registers(report: &mut Report, place: &str, function: &Function) {
    let is_wide = |register: Register| register.is_ymm() || register.is_zmm();
    if let Some(i) = function.steps.iter().position(|step| step.has_register(is_wide)) {
        let mnemonic = format!("{:?}", function.steps[i].instruction.mnemonic()).to_lowercase();
        let fault = format!("{mnemonic} on a register of more than 128 bits at instruction {i}");
        report.fault(
            place,
            &fault,
            "a 256-bit intrinsic, or two 128-bit values joined by the compiler (see kept_apart)",
        );
    }
}

/// Checks that the SHA instructions are guarded in a function that runs or calls them; whether it is one.
fn check_guard(report: &mut Report, place: &str, function: &Function) -> bool {
    // RustCrypto's SHA instructions, inlined here, clean nothing. Ours are in the modules `hw`.
    let is_ours = function.name.contains("_multi::hw::");
    let runs_sha = function
        .steps
        .iter()
        .any(|step| step.callee.as_deref().is_some_and(is_sha_kernel) || is_ours && is_sha_rounds(step));
    if let Some(fault) = unguarded_sha(function, is_sha_kernel).filter(|_| runs_sha) {
        report.fault(place, fault, "probably a call without with_sha!");
    }
    runs_sha
}

/// A function that is no kernel. It may choose one, and then holds the baseline kernels. Whether it
/// runs SHA instructions.
fn check_caller(report: &mut Report, krate: &str, function: &Function) -> bool {
    let place = without_paths(&function.name);
    let runs_sha = check_guard(report, &place, function);
    let callees = function.steps.iter().filter_map(|step| step.callee.as_deref());
    let mut jobs: Vec<_> = callees.filter_map(vectorized).map(|(job, _)| job).collect();
    jobs.sort_unstable();
    jobs.dedup();
    let is_wide = |register: Register| register.is_ymm() || register.is_zmm();
    if !jobs.is_empty() && function.steps.iter().any(|step| step.has_register(is_wide)) {
        report.fault(
            &place,
            "256-bit registers outside of the kernels",
            "a kernel was probably inlined into its caller",
        );
    }
    for job in jobs {
        let has_baseline =
            |&(of, listed, sets): &(&str, &str, &[&str])| of == krate && listed == job && sets == ALL;
        if EXPECTED.iter().any(has_baseline) {
            add_kernel(report, krate, job, "sse2+portable", function);
        }
    }
    runs_sha
}

fn check_expected(report: &mut Report, krate: &str) {
    for (_, job, sets) in EXPECTED.iter().filter(|(of, ..)| *of == krate) {
        for set in *sets {
            let found =
                report.kernels.iter().filter(|kernel| kernel.job == *job && kernel.set == *set).count();
            if found != 1 {
                let cause = if found == 0 {
                    "it was renamed or inlined, or fell back to another width"
                } else {
                    "it was probably instantiated twice, or fell back to another width"
                };
                report.fault(&format!("{job} {set}"), &format!("{found} kernels, expected 1"), cause);
            }
        }
    }
}
