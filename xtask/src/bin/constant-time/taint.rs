//! Taint tracking: which bytes of registers and memory, and which flags, depend on a secret.
//!
//! The rule is coarse: everything that an instruction writes is tainted if anything that it reads
//! is. Only plain moves are followed byte by byte, because structures with secrets in them are
//! copied through vector registers.

use std::collections::HashMap;

use iced_x86::{
    FlowControl, Instruction, InstructionInfo, InstructionInfoFactory, Mnemonic, OpAccess, OpKind,
    Register,
};

/// An instruction, with the registers and the memory that it reads and writes.
pub(crate) struct Step {
    pub(crate) instruction: Instruction,
    info: InstructionInfo,
}

impl Step {
    pub(crate) fn new(instruction: Instruction) -> Self {
        let info = InstructionInfoFactory::new().info(&instruction).clone();
        Self { instruction, info }
    }

    /// Whether it works on 512 bits.
    pub(crate) fn is_wide(&self) -> bool {
        self.instruction.op0_register().is_zmm()
    }
}

/// How a secret leaks.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Leak {
    Address,
    Branch,
}

/// A bit for each byte, or for each flag, that depends on a secret.
#[derive(Default)]
pub(crate) struct Taint {
    general: [u64; 16],
    vectors: [u64; 32],
    masks: [u64; 8],
    /// What the mask registers hold, where it was moved from a general register.
    mask_values: [Option<u64>; 8],
    flags: u32,
    /// By lines of 64 bytes.
    memory: HashMap<u64, u64>,
}

fn reads(access: OpAccess) -> bool {
    use OpAccess::{CondRead, Read, ReadCondWrite, ReadWrite};
    matches!(access, Read | CondRead | ReadWrite | ReadCondWrite)
}

/// `Some` if it is written: whether all of the old value is overwritten.
fn writes(access: OpAccess) -> Option<bool> {
    match access {
        OpAccess::Write | OpAccess::ReadWrite => Some(true),
        OpAccess::CondWrite | OpAccess::ReadCondWrite => Some(false),
        _ => None,
    }
}

/// The lowest `count` bits.
fn low(count: usize) -> u64 {
    u64::MAX.checked_shr(64 - count as u32).unwrap_or(0)
}

/// The bytes of a full register that one of its names covers.
fn bytes_of(register: Register) -> u64 {
    match register {
        Register::AH | Register::BH | Register::CH | Register::DH => 0b10,
        _ => low(register.size()),
    }
}

/// Whether it moves bytes unchanged from its second operand to its first.
fn is_plain_move(instruction: &Instruction) -> bool {
    use Mnemonic::{
        Mov, Movaps, Movdqa, Movdqu, Movups, Vmovaps, Vmovdqa, Vmovdqa32, Vmovdqa64, Vmovdqu,
        Vmovdqu8, Vmovdqu32, Vmovdqu64, Vmovups,
    };
    let is_move = matches!(
        instruction.mnemonic(),
        Mov | Movaps | Movdqa | Movdqu | Movups | Vmovaps | Vmovdqa | Vmovdqu | Vmovups
    ) || matches!(
        instruction.mnemonic(),
        Vmovdqa32 | Vmovdqa64 | Vmovdqu8 | Vmovdqu32 | Vmovdqu64
    );
    is_move && !instruction.has_op_mask()
}

impl Taint {
    /// The taint of the full register; `None` if it is not tracked.
    fn register(&mut self, register: Register) -> Option<&mut u64> {
        let number = register.full_register().number();
        if register.is_gpr() {
            Some(&mut self.general[number])
        } else if register.is_vector_register() {
            Some(&mut self.vectors[number])
        } else if register.is_k() {
            Some(&mut self.masks[number])
        } else {
            let is_clean =
                register == Register::None || register.is_segment_register() || register.is_ip();
            assert!(is_clean, "not followed: {register:?}");
            None
        }
    }

    fn bits(&mut self, register: Register) -> u64 {
        self.register(register).map_or(0, |bits| *bits & bytes_of(register))
    }

    fn has(&mut self, register: Register) -> bool {
        self.bits(register) != 0
    }

    /// Writes a register, starting at its lowest byte.
    fn set(&mut self, register: Register, is_whole: bool, bits: u64) {
        // A write to the lower half of a general register zeroes the upper half.
        let bytes = if register.is_gpr32() { low(8) } else { bytes_of(register) };
        if let Some(place) = self.register(register) {
            let kept = if is_whole { *place & !bytes } else { *place };
            *place = kept | bits & bytes;
        }
    }

    /// The bits of up to 64 bytes of memory.
    fn memory_bits(&self, address: u64, count: usize) -> u64 {
        let line = |number: u64| self.memory.get(&number).copied().unwrap_or(0);
        let (number, shift) = (address / 64, address % 64);
        let next = line(number.wrapping_add(1)).checked_shl(64 - shift as u32).unwrap_or(0);
        (line(number) >> shift | next) & low(count)
    }

    fn set_memory_bits(&mut self, address: u64, count: usize, bits: u64) {
        for i in 0..count {
            let at = address.wrapping_add(i as u64);
            if bits >> i & 1 == 1 {
                *self.memory.entry(at / 64).or_default() |= 1 << (at % 64);
            } else if let Some(line) = self.memory.get_mut(&(at / 64)) {
                *line &= !(1 << (at % 64));
            }
        }
    }

    /// The bytes of memory that an instruction may read: with a known mask, those that it selects.
    ///
    /// LLVM gathers the lengths of a list of slices with a constant mask, and the elements between
    /// and after them may be secrets.
    fn selected(&self, instruction: &Instruction, count: usize) -> u64 {
        let size = instruction.memory_size().element_size();
        let mask = instruction.op_mask();
        if mask == Register::None || size == 0 || size == count {
            return low(count);
        }
        let Some(mask) = self.mask_values[mask.number()] else { return low(count) };
        (0..count)
            .filter(|byte| mask >> (byte / size) & 1 == 1)
            .fold(0, |all, byte| all | 1 << byte)
    }

    /// Follows the value of a mask register.
    fn follow_mask(&mut self, instruction: &Instruction, value: impl Fn(Register) -> Option<u64>) {
        let mask = instruction.op0_register();
        if mask.is_k() {
            let is_moved = matches!(
                instruction.mnemonic(),
                Mnemonic::Kmovb | Mnemonic::Kmovw | Mnemonic::Kmovd | Mnemonic::Kmovq
            ) && instruction.op1_register().is_gpr();
            self.mask_values[mask.number()] =
                if is_moved { value(instruction.op1_register()) } else { None };
        }
    }

    /// Declares memory as secret.
    pub(crate) fn set_secret(&mut self, address: u64, count: u64) {
        for i in 0..count {
            self.set_memory_bits(address + i, 1, 1);
        }
    }

    /// Forgets memory that is returned to the system.
    pub(crate) fn forget(&mut self, address: u64, count: u64) {
        let lines = address / 64..(address + count).div_ceil(64);
        self.memory.retain(|line, _| !lines.contains(line));
    }

    /// Applies an instruction that is about to run. `value` is what registers hold; for segments,
    /// their base.
    pub(crate) fn follow(
        &mut self,
        step: &Step,
        value: impl Fn(Register) -> Option<u64>,
    ) -> Option<Leak> {
        let instruction = &step.instruction;
        if matches!(instruction.mnemonic(), Mnemonic::Vzeroupper) {
            self.vectors[..16].iter_mut().for_each(|bits| *bits &= low(16));
            return None;
        }
        assert!(
            !instruction.is_vsib() && !instruction.is_save_restore_instruction(),
            "not followed: {instruction:?}"
        );

        // iced does not count a prefetch as an access, but the cache sees it.
        let has_address = !matches!(instruction.mnemonic(), Mnemonic::Lea | Mnemonic::Nop)
            && (0..instruction.op_count()).any(|i| instruction.op_kind(i) == OpKind::Memory);
        let mut is_address_tainted = has_address
            && (self.has(instruction.memory_base()) || self.has(instruction.memory_index()));

        let mut source = self.flags & instruction.rflags_read() != 0;
        for used in step.info.used_registers() {
            source |= reads(used.access()) && self.has(used.register());
        }
        let mut moved = self.bits(instruction.op1_register());
        let mut written = Vec::new();
        for used in step.info.used_memory() {
            is_address_tainted |= self.has(used.base()) || self.has(used.index());
            let address = used
                .virtual_address(0, |register, _, _| value(register))
                .expect("an address of registers");
            // A repeated instruction is one step per element.
            let repeats = instruction.has_rep_prefix();
            let count =
                if repeats { instruction.memory_size().size() } else { used.memory_size().size() };
            assert!((1..=64).contains(&count), "not followed: {instruction:?}");
            if reads(used.access()) {
                let bits = self.memory_bits(address, count) & self.selected(instruction, count);
                moved |= bits;
                source |= bits != 0;
            }
            if let Some(is_whole) = writes(used.access()) {
                written.push((
                    address,
                    count,
                    is_whole || repeats && value(Register::RCX) != Some(0),
                ));
            }
        }

        let is_free = matches!(
            instruction.flow_control(),
            FlowControl::Next | FlowControl::UnconditionalBranch | FlowControl::Call
        );
        let is_plain_move =
            is_plain_move(instruction) && bytes_of(instruction.op1_register()) != 0b10;
        let bits = match (source, is_plain_move) {
            (true, true) => moved,
            (true, false) => u64::MAX,
            (false, _) => 0,
        };
        // A saved register may hold a secret, but the stack pointer does not depend on it.
        let is_saving = matches!(instruction.mnemonic(), Mnemonic::Push | Mnemonic::Pop)
            && instruction.op0_register() != Register::RSP;
        for used in step.info.used_registers() {
            if is_saving && used.register() == Register::RSP {
                continue;
            }
            if let Some(is_whole) = writes(used.access()) {
                // The second byte of a register is treated like the others.
                let bits =
                    if bytes_of(used.register()) == 0b10 && source { u64::MAX } else { bits };
                self.set(used.register(), is_whole, bits);
            }
        }
        for (address, count, is_whole) in written {
            if source || is_whole {
                let kept = if is_whole { 0 } else { self.memory_bits(address, count) };
                self.set_memory_bits(address, count, kept | bits);
            }
        }
        self.follow_mask(instruction, value);
        self.flags &= !instruction.rflags_modified();
        if source {
            self.flags |= instruction.rflags_written() | instruction.rflags_undefined();
        }
        if source && !is_free {
            Some(Leak::Branch)
        } else {
            is_address_tainted.then_some(Leak::Address)
        }
    }
}
