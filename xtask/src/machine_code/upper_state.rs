//! Tracks the upper halves of the vector registers along all paths of a function.
//!
//! After an instruction that writes a 256-bit or 512-bit register, SHA instructions in the legacy
//! encoding are slower until `vzeroupper`. Registers 16 to 31 do not count: the legacy encoding
//! cannot name them.

use iced_x86::{InstructionInfoFactory, Mnemonic, OpAccess, OpKind};

use super::function::{Function, Step};

/// What the upper halves may hold before an instruction: a set of these bits, joined over all
/// paths.
type State = u8;
const AS_AT_ENTRY: State = 1;
const CLEAN: State = 2;
const DIRTY: State = 4;

/// Whether some path returns with dirty upper halves.
pub(super) fn returns_dirty(function: &Function) -> bool {
    let states = follow(function);
    function.steps.iter().zip(states).any(|(step, state)| step.leaves() && state & DIRTY != 0)
}

/// Why the upper halves may not be zero at some SHA instruction.
pub(super) fn unclean_sha(function: &Function) -> Option<&'static str> {
    let states = follow(function);
    function.steps.iter().zip(states).filter(|(step, _)| is_sha_rounds(step)).find_map(
        |(_, state)| {
            if state & AS_AT_ENTRY != 0 {
                Some("the SHA instructions are reached without vzeroupper")
            } else if state & DIRTY != 0 {
                Some("the SHA instructions are reached with upper halves dirtied after vzeroupper")
            } else {
                None
            }
        },
    )
}

/// Whether it computes rounds: four of SHA-1, two of SHA-256 or of SHA-512.
pub(super) fn is_sha_rounds(step: &Step) -> bool {
    matches!(
        step.instruction.mnemonic(),
        Mnemonic::Sha1rnds4 | Mnemonic::Sha256rnds2 | Mnemonic::Vsha512rnds2
    )
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
    step.instruction.mnemonic() == Mnemonic::Vzeroupper
}

/// Follows all paths from the entry. Returns the state before each instruction; 0 if it is
/// unreachable.
fn follow(function: &Function) -> Vec<State> {
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
        if cleans(step) {
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
