//! The upper halves of the vector registers, followed along all paths of a function.
//!
//! After an instruction that writes a 256-bit or 512-bit register, SHA instructions in the old
//! encoding are slower until `vzeroupper`. Registers 16 to 31 do not count: the old encoding cannot
//! name them.

use iced_x86::{FlowControl, InstructionInfoFactory, Mnemonic, OpAccess, OpKind};

use super::function::{Function, Step};

/// What the upper halves may hold before an instruction: a set of these bits, joined over all paths.
type State = u8;
const AS_AT_ENTRY: State = 1;
const CLEAN: State = 2;
const DIRTY: State = 4;

/// Whether some path returns with dirty upper halves.
pub(super) fn returns_dirty(function: &Function) -> bool {
    let states = follow(function, false);
    function.steps.iter().zip(states).any(|(step, state)| step.leaves() && state & DIRTY != 0)
}

/// What is wrong with how the SHA instructions are reached, in a function that cleans the upper
/// halves itself where the CPU needs it.
pub(super) fn unguarded_sha(function: &Function, is_sha_kernel: fn(&str) -> bool) -> Option<&'static str> {
    let states = follow(function, true);
    function.steps.iter().zip(states).find_map(|(step, state)| {
        let runs_sha = is_sha_rounds(step) || step.callee.as_deref().is_some_and(is_sha_kernel);
        if runs_sha && state & AS_AT_ENTRY != 0 {
            Some("the SHA instructions are reached without cleaning the upper halves")
        } else if runs_sha && state & DIRTY != 0 {
            Some("the SHA instructions are reached with upper halves dirtied after the cleaning")
        } else {
            None
        }
    })
}

/// Whether it computes rounds: four of SHA-1, two of SHA-256.
pub(super) fn is_sha_rounds(step: &Step) -> bool {
    matches!(step.instruction.mnemonic(), Mnemonic::Sha1rnds4 | Mnemonic::Sha256rnds2)
}

/// Whether it writes one of the registers 0 to 15 beyond the lower 128 bits.
///
/// Only operands count. Every AVX instruction on a 128-bit register zeroes the rest of it.
pub(super) fn dirties(step: &Step) -> bool {
    use OpAccess::{CondWrite, ReadCondWrite, ReadWrite, Write};
    let instruction = &step.instruction;
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(instruction);
    (0..instruction.op_count()).any(|i| {
        let register = instruction.op_register(i);
        instruction.op_kind(i) == OpKind::Register
            && (register.is_ymm() || register.is_zmm())
            && register.number() < 16
            && matches!(info.op_access(i), Write | ReadWrite | CondWrite | ReadCondWrite)
    })
}

fn cleans(step: &Step) -> bool {
    let is_cleaning = |callee: &str| callee.ends_with("x86_sha::clean_upper_state");
    step.instruction.mnemonic() == Mnemonic::Vzeroupper || step.callee.as_deref().is_some_and(is_cleaning)
}

/// Follows all paths from the entry, and gives the state before each instruction; 0 where none leads.
fn follow(function: &Function, with_guards: bool) -> Vec<State> {
    let steps = &function.steps;
    let mut states = vec![0; steps.len()];
    let mut work = vec![(0, AS_AT_ENTRY)];
    while let Some((i, state)) = work.pop() {
        let Some(step) = steps.get(i) else { continue };
        if states[i] | state == states[i] {
            continue;
        }
        states[i] |= state;

        let mut after = states[i];
        if cleans(step) || with_guards && is_guard(function, i) {
            after = CLEAN;
        } else if dirties(step) {
            after = after & AS_AT_ENTRY | DIRTY;
        }
        work.extend(step.jumps.iter().map(|&target| (target, after)));
        if step.falls_through() {
            work.push((i + 1, after));
        }
    }
    states
}

/// Whether it is a conditional jump around the cleaning: the cleaning is skipped only on CPUs that
/// do not need it. The cleaning may also stand elsewhere, with a jump back.
fn is_guard(function: &Function, i: usize) -> bool {
    let step = &function.steps[i];
    let is_conditional = step.instruction.flow_control() == FlowControl::ConditionalBranch;
    let Some(&target) = step.jumps.first().filter(|_| is_conditional) else { return false };
    is_cleaning_block(function, i + 1, target) || is_cleaning_block(function, target, i + 1)
}

/// Whether a few instructions from `start` clean the upper halves and lead to `end`.
fn is_cleaning_block(function: &Function, start: usize, end: usize) -> bool {
    let mut is_clean = false;
    for i in start..start + 10 {
        let Some(step) = function.steps.get(i).filter(|_| i != end) else { return is_clean && i == end };
        is_clean |= cleans(step);
        match step.instruction.flow_control() {
            FlowControl::Next => {}
            FlowControl::Call if cleans(step) => {}
            FlowControl::UnconditionalBranch => return is_clean && step.jumps == [end],
            _ => return false,
        }
    }
    false
}
