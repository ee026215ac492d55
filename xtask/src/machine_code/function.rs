//! A function as the checks see it: its instructions, where each may jump, and what each calls.

use std::collections::HashMap;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};

/// What the analysis needs to know about the surroundings of a function.
pub(super) trait Surroundings {
    /// The function at this address.
    fn function_at(&self, address: u64) -> Option<&str>;
    /// The function whose address is stored at this address.
    fn pointer_at(&self, address: u64) -> Option<&str>;
    /// Four bytes of data, for jump tables.
    fn word_at(&self, address: u64) -> Option<i32>;
}

pub(super) struct Function {
    /// The demangled name, without the hashes of crates.
    pub(super) name: String,
    pub(super) steps: Vec<Step>,
}

pub(super) struct Step {
    pub(super) instruction: Instruction,
    /// The instructions of the same function that this one may jump to.
    pub(super) jumps: Vec<usize>,
    /// The function that a call or a jump leads to. Both may leave the function.
    pub(super) callee: Option<String>,
}

impl Function {
    /// Decodes the function that starts at `address`.
    pub(super) fn decode(name: &str, address: u64, code: &[u8], surroundings: &impl Surroundings) -> Self {
        let instructions: Vec<_> =
            Decoder::with_ip(64, code, address, DecoderOptions::NONE).into_iter().collect();
        let index_of: HashMap<_, _> = instructions.iter().enumerate().map(|(i, at)| (at.ip(), i)).collect();
        let tables = jump_tables(&instructions, &index_of, surroundings);

        let steps = instructions.iter().map(|&instruction| {
            let (mut jumps, mut callee) = (Vec::new(), None);
            let named = |name: Option<&str>| Some(name.unwrap_or("an unknown function").to_owned());
            match instruction.flow_control() {
                FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => {
                    let target = instruction.near_branch_target();
                    match index_of.get(&target) {
                        Some(&i) => jumps.push(i),
                        None => callee = named(surroundings.function_at(target)),
                    }
                }
                FlowControl::Call => {
                    callee = named(surroundings.function_at(instruction.near_branch_target()));
                }
                FlowControl::IndirectBranch | FlowControl::IndirectCall => {
                    let is_table_jump = instruction.flow_control() == FlowControl::IndirectBranch
                        && instruction.op0_kind() == OpKind::Register;
                    if is_table_jump && !tables.is_empty() {
                        jumps.clone_from(&tables);
                    } else if instruction.is_ip_rel_memory_operand() {
                        callee = named(surroundings.pointer_at(instruction.ip_rel_memory_address()));
                    } else {
                        callee = Some("a function pointer".to_owned());
                    }
                }
                _ => {}
            }
            Step { instruction, jumps, callee }
        });
        Self { name: name.to_owned(), steps: steps.collect() }
    }
}

/// The targets of all jump tables of a function.
///
/// The compiler loads a table's address with `lea`. Each entry is the distance from the table to
/// its target. A table ends at the first word that is not such a distance, or where the next begins.
fn jump_tables(
    instructions: &[Instruction],
    index_of: &HashMap<u64, usize>,
    surroundings: &impl Surroundings,
) -> Vec<usize> {
    if !instructions.iter().any(|at| at.flow_control() == FlowControl::IndirectBranch) {
        return Vec::new();
    }
    let is_address = |at: &&Instruction| at.mnemonic() == Mnemonic::Lea && at.is_ip_rel_memory_operand();
    let bases: Vec<_> =
        instructions.iter().filter(is_address).map(Instruction::memory_displacement64).collect();
    let mut targets = Vec::new();
    for &base in &bases {
        for entry in (base..).step_by(4) {
            let target =
                surroundings.word_at(entry).map(|distance| base.wrapping_add_signed(distance.into()));
            match target.and_then(|target| index_of.get(&target)) {
                Some(&i) if entry == base || !bases.contains(&entry) => targets.push(i),
                _ => break,
            }
        }
    }
    targets.sort_unstable();
    targets.dedup();
    targets
}

impl Step {
    /// Whether it calls a function that never returns: a panic. Panics are cold and cost no time.
    pub(super) fn panics(&self) -> bool {
        self.callee.as_deref().is_some_and(|callee| {
            let is_in = |module| callee.starts_with(module) || callee.contains(&format!("<{module}"));
            is_in("core::panicking::")
                || is_in("core::slice::") && callee.contains("_fail")
                || (is_in("core::option::") || is_in("core::result::")) && callee.contains("_failed")
        })
    }

    /// Whether the instruction after it can be the next.
    pub(super) fn falls_through(&self) -> bool {
        use FlowControl::{Exception, IndirectBranch, Return, UnconditionalBranch};
        let ends = matches!(
            self.instruction.flow_control(),
            Exception | IndirectBranch | Return | UnconditionalBranch
        );
        !ends && !self.panics()
    }

    /// Whether it returns to the caller, or jumps to a function that does.
    pub(super) fn leaves(&self) -> bool {
        match self.instruction.flow_control() {
            FlowControl::Return => true,
            FlowControl::Call | FlowControl::IndirectCall => false,
            _ => self.callee.is_some() && !self.panics(),
        }
    }

    /// Whether it has a register operand of this kind.
    pub(super) fn has_register(&self, is_kind: fn(Register) -> bool) -> bool {
        (0..self.instruction.op_count()).any(|i| {
            self.instruction.op_kind(i) == OpKind::Register && is_kind(self.instruction.op_register(i))
        })
    }
}
