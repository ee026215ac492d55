//! Counts the instructions of each kind in a kernel, and compares them with `ci/counts.txt`.

use std::collections::BTreeMap;
use std::fmt;

use iced_x86::{InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

use super::function::{Function, Step};
use super::upper_state::is_sha_rounds;

/// The counts that are recorded. The others are only for the checks of one build.
pub(super) const RECORDED: [&str; 8] = [
    "instructions",
    "rounds",
    "ternary",
    "rotates",
    "adds",
    "permutes",
    "stack_loads",
    "stack_stores",
];

/// What a kernel uses the vectors for. Losing these is a fault.
const ESSENTIAL: [&str; 5] = ["rounds", "ternary", "rotates", "adds", "permutes"];

#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Counts(BTreeMap<String, u32>);

impl Counts {
    pub(super) fn of(function: &Function) -> Self {
        let mut counts = Self::default();
        for step in &function.steps {
            counts.add("instructions", true);
            counts.add("panics", step.panics());
            counts.add("rounds", is_sha_rounds(step));
            counts.count_operation(step);
            counts.count_stack(step);
        }
        counts
    }

    pub(super) fn get(&self, name: &str) -> u32 {
        self.0.get(name).copied().unwrap_or(0)
    }

    fn add(&mut self, name: &str, is_one: bool) {
        if is_one {
            *self.0.entry(name.to_owned()).or_default() += 1;
        }
    }

    fn count_operation(&mut self, step: &Step) {
        use Mnemonic::{
            Andn, Paddd, Paddq, Pslld, Psllq, Psrld, Psrlq, Rol, Ror, Rorx, Vpaddd, Vpaddq,
            Vpermi2q, Vpermt2q, Vprold, Vprolq, Vprolvd, Vprolvq, Vprord, Vprorq, Vprorvd, Vprorvq,
            Vpslld, Vpsllq, Vpsrld, Vpsrlq, Vpternlogd, Vpternlogq,
        };
        let register = step.instruction.op0_register();
        let (is_xmm, is_ymm, is_zmm) = (register.is_xmm(), register.is_ymm(), register.is_zmm());
        match step.instruction.mnemonic() {
            Vpternlogd | Vpternlogq => self.add("ternary", true),
            Vpermi2q | Vpermt2q => self.add("permutes", true),
            Vprold | Vprord | Vprolvd | Vprorvd | Vprolq | Vprorq | Vprolvq | Vprorvq => {
                self.add("rotates", true);
                self.add("ymm_rotates", is_ymm);
                self.add("zmm_rotates", is_zmm);
            }
            Andn => self.add("and_nots", true),
            Rol | Ror | Rorx if register.is_gpr32() => {
                self.add("rotates", true);
                self.add("word_rotates", true);
            }
            Rol | Ror | Rorx if register.is_gpr64() => {
                self.add("rotates", true);
                self.add("long_rotates", true);
            }
            Pslld | Psllq | Psrld | Psrlq | Vpslld | Vpsllq | Vpsrld | Vpsrlq => {
                self.add("shifts", true);
                self.add("xmm_shifts", is_xmm);
                self.add("ymm_shifts", is_ymm);
            }
            Paddd | Paddq | Vpaddd | Vpaddq => {
                self.add("adds", true);
                self.add("xmm_adds", is_xmm);
                self.add("ymm_adds", is_ymm);
                self.add("zmm_adds", is_zmm);
            }
            _ => {}
        }
    }

    /// Counts accesses to the stack, most of which are spills.
    fn count_stack(&mut self, step: &Step) {
        use OpAccess::{CondRead, CondWrite, Read, ReadCondWrite, ReadWrite, Write};
        let instruction = &step.instruction;
        if instruction.memory_base() != Register::RSP {
            return;
        }
        let mut factory = InstructionInfoFactory::new();
        let info = factory.info(instruction);
        for i in (0..instruction.op_count()).filter(|&i| instruction.op_kind(i) == OpKind::Memory) {
            self.add("stack_loads", matches!(info.op_access(i), Read | CondRead));
            self.add(
                "stack_stores",
                matches!(info.op_access(i), Write | ReadWrite | CondWrite | ReadCondWrite),
            );
        }
    }
}

/// `NAME=COUNT`, separated by spaces.
impl fmt::Display for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let recorded =
            RECORDED.iter().filter(|name| self.get(name) > 0 || **name == "instructions");
        let words: Vec<_> = recorded.map(|name| format!("{name}={}", self.get(name))).collect();
        formatter.write_str(&words.join(" "))
    }
}

/// The counts of each kernel; the key is the crate, a tab and the kernel.
pub(super) type Record = BTreeMap<String, Counts>;

/// Reads lines of a crate, a kernel and counts, separated by tabs.
pub(super) fn parse(text: &str) -> Record {
    let mut record = Record::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some((key, counts)) = line.rsplit_once('\t') {
            let pairs = counts.split(' ').filter_map(|pair| pair.split_once('='));
            let counts =
                pairs.filter_map(|(name, count)| Some((name.to_owned(), count.parse().ok()?)));
            record.insert(key.to_owned(), Counts(counts.collect()));
        }
    }
    record
}

/// Compares the record with the current counts. Returns notes and faults.
pub(super) fn compare(recorded: &Record, now: &Record) -> (Vec<String>, Vec<String>) {
    let (mut notes, mut faults) = (Vec::new(), Vec::new());
    for (key, before) in recorded {
        let kernel = key.replace('\t', " ");
        let Some(after) = now.get(key) else {
            faults.push(format!(
                "{kernel}: recorded in ci/counts.txt and not compiled any more: it was renamed, \
                 inlined or removed, or fell back to another width"
            ));
            continue;
        };
        let mut changes = Vec::new();
        for name in RECORDED {
            let (before, after) = (before.get(name), after.get(name));
            if ESSENTIAL.contains(&name) && before >= 16 && 2 * after < before {
                faults.push(format!(
                    "{kernel}: {name} fell from {before} to {after}: part of it is \
                     probably out of line or no longer vectorized"
                ));
            } else if before.abs_diff(after) > 4 && 20 * before.abs_diff(after) > before {
                // A few instructions more or less mean nothing.
                changes.push(format!("{name}={after} (was {before})"));
            }
        }
        if !changes.is_empty() {
            notes.push(format!("{kernel}: {}", changes.join(" ")));
        }
    }
    for (key, counts) in now.iter().filter(|(key, _)| !recorded.contains_key(*key)) {
        notes.push(format!("{}: new: {counts}", key.replace('\t', " ")));
    }
    (notes, faults)
}
