//! Decodes a function: its instructions, their jump targets and their callees.

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
    /// The target of a call, or of a jump out of the function.
    pub(super) callee: Option<String>,
}

impl Function {
    /// Decodes the function that starts at `address`.
    pub(super) fn decode(
        name: &str,
        address: u64,
        code: &[u8],
        surroundings: &impl Surroundings,
    ) -> Self {
        let instructions: Vec<_> =
            Decoder::with_ip(64, code, address, DecoderOptions::NONE).into_iter().collect();
        let index_of: HashMap<_, _> =
            instructions.iter().enumerate().map(|(i, at)| (at.ip(), i)).collect();

        let steps = instructions.iter().enumerate().map(|(i, &instruction)| {
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
                    if instruction.op0_kind() == OpKind::Register
                        && !instruction.is_call_near_indirect()
                    {
                        jumps = table_targets(&instructions, i, &index_of, surroundings);
                    }
                    if instruction.is_ip_rel_memory_operand() {
                        callee =
                            named(surroundings.pointer_at(instruction.ip_rel_memory_address()));
                    } else if jumps.is_empty() {
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

/// The targets of an indirect jump through jump tables; empty if the function has none.
///
/// The compiler loads a table's address with `lea` just before the jump. If it loads the address
/// elsewhere, any table of the function is possible.
fn table_targets(
    instructions: &[Instruction],
    jump: usize,
    index_of: &HashMap<u64, usize>,
    surroundings: &impl Surroundings,
) -> Vec<usize> {
    let is_address =
        |at: &&Instruction| at.mnemonic() == Mnemonic::Lea && at.is_ip_rel_memory_operand();
    let bases: Vec<_> =
        instructions.iter().filter(is_address).map(Instruction::ip_rel_memory_address).collect();
    let targets = |base: u64| table_entries(base, &bases, index_of, surroundings);
    let same_block =
        instructions[..jump].iter().rev().take_while(|at| at.flow_control() == FlowControl::Next);
    let nearest = same_block.filter(is_address).map(|at| targets(at.ip_rel_memory_address()));
    let nearest = nearest.into_iter().find(|targets| !targets.is_empty());
    nearest.unwrap_or_else(|| bases.iter().flat_map(|&base| targets(base)).collect())
}

/// The targets in the table at `base`. Each entry is the distance from the table to its target. A
/// table ends at the first word that is not such a distance, or where the next table begins.
fn table_entries(
    base: u64,
    bases: &[u64],
    index_of: &HashMap<u64, usize>,
    surroundings: &impl Surroundings,
) -> Vec<usize> {
    let entries = (base..).step_by(4).take_while(|entry| *entry == base || !bases.contains(entry));
    let target = |entry| {
        let distance = surroundings.word_at(entry)?;
        index_of.get(&base.wrapping_add_signed(distance.into())).copied()
    };
    entries.map_while(target).collect()
}

impl Step {
    /// Whether it calls a function that never returns: a panic. Panics are cold and cost no time.
    pub(super) fn panics(&self) -> bool {
        self.callee.as_deref().is_some_and(|callee| {
            let is_in = |module| callee.trim_start_matches('<').starts_with(module);
            is_in("core::panicking::")
                || is_in("core::slice::") && callee.contains("_fail")
                || (is_in("core::option::") || is_in("core::result::"))
                    && callee.contains("_failed")
        })
    }

    /// Whether execution can continue with the instruction after it.
    pub(super) fn falls_through(&self) -> bool {
        match self.instruction.flow_control() {
            FlowControl::Exception
            | FlowControl::IndirectBranch
            | FlowControl::Return
            | FlowControl::UnconditionalBranch => false,
            FlowControl::Call | FlowControl::IndirectCall => !self.panics(),
            _ => true,
        }
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
            self.instruction.op_kind(i) == OpKind::Register
                && is_kind(self.instruction.op_register(i))
        })
    }
}
