//! A small assembler with the instructions that the tests need. The one in iced-x86 takes longer to
//! compile than the rest of that crate.

use iced_x86::{Code, Encoder, IcedError, Instruction, MemoryOperand, Register};

use super::{PANIC, START};

/// Writes a function that starts at `START`.
#[derive(Default)]
pub(super) struct Assembler {
    pub(super) bytes: Vec<u8>,
    mask: Register,
}

impl Assembler {
    /// Appends an instruction in the first of these encodings that accepts its operands.
    fn push(&mut self, codes: &[Code], build: impl Fn(Code) -> Result<Instruction, IcedError>) {
        let address = START + self.bytes.len() as u64;
        let encoded = codes.iter().find_map(|&code| {
            let mut instruction = build(code).ok()?;
            instruction.set_op_mask(self.mask);
            // An encoder that has failed keeps half an instruction, so each attempt has its own.
            let mut encoder = Encoder::new(64);
            encoder.encode(&instruction, address).ok()?;
            Some(encoder.take_buffer())
        });
        self.bytes.extend(encoded.unwrap_or_else(|| panic!("no {codes:?} with these operands")));
        self.mask = Register::None;
    }

    /// Masks the next instruction with `k1`.
    pub(super) fn k1(&mut self) -> &mut Self {
        self.mask = Register::K1;
        self
    }

    /// Appends a conditional jump over the instructions that `write` appends.
    pub(super) fn jump_over(&mut self, jump: Code, write: impl FnOnce(&mut Self)) {
        // No `rel8` jump reaches this target; all others end in a distance of four bytes.
        self.push(&[jump], |code| Instruction::with_branch(code, PANIC));
        let start = self.bytes.len();
        write(self);
        let distance = (self.bytes.len() - start) as i32;
        self.bytes[start - 4..start].copy_from_slice(&distance.to_le_bytes());
    }

    pub(super) fn ret(&mut self) {
        self.push(&[Code::Retnq], |code| Ok(Instruction::with(code)));
    }

    pub(super) fn vzeroupper(&mut self) {
        self.push(&[Code::VEX_Vzeroupper], |code| Ok(Instruction::with(code)));
    }
}

/// Defines a method for each instruction: its operands, iced-x86's constructor, and the encodings.
macro_rules! instructions {
    ($($name:ident($($operand:ident: $kind:ty),+) = $with:ident($($code:ident)|+);)+) => {
        impl Assembler {
            $(pub(super) fn $name(&mut self, $($operand: $kind),+) {
                self.push(&[$(Code::$code),+], |code| Instruction::$with(code, $($operand),+));
            })+
        }
    };
}

instructions! {
    add(to: Register, from: Register) = with2(Add_rm64_r64);
    call(target: u64) = with_branch(Call_rel32_64);
    call_memory(pointer: MemoryOperand) = with1(Call_rm64);
    call_register(pointer: Register) = with1(Call_rm64);
    cmp(a: Register, b: Register) = with2(Cmp_rm64_r64);
    jae(target: u64) = with_branch(Jae_rel32_64);
    jmp(target: u64) = with_branch(Jmp_rel32_64);
    jmp_register(pointer: Register) = with1(Jmp_rm64);
    lea(to: Register, address: MemoryOperand) = with2(Lea_r64_m);
    movsxd(to: Register, from: MemoryOperand) = with2(Movsxd_r64_rm32);
    paddd(to: Register, from: Register) = with2(Paddd_xmm_xmmm128);
    rol(to: Register, bits: i32) = with2(Rol_rm32_imm8 | Rol_rm64_imm8);
    sha1rnds4(to: Register, from: Register, function: i32) = with3(Sha1rnds4_xmm_xmmm128_imm8);
    sha256rnds2(to: Register, from: Register) = with2(Sha256rnds2_xmm_xmmm128);
    test(a: Register, b: Register) = with2(Test_rm64_r64);
    vextracti128(to: Register, from: Register, half: i32) =
        with3(VEX_Vextracti128_xmmm128_ymm_imm8);
    vmovdqu_load(to: Register, from: MemoryOperand) = with2(VEX_Vmovdqu_ymm_ymmm256);
    vmovdqu_store(to: MemoryOperand, from: Register) = with2(VEX_Vmovdqu_ymmm256_ymm);
    vmovdqu32_load(to: Register, from: MemoryOperand) = with2(EVEX_Vmovdqu32_ymm_k1z_ymmm256);
    vpaddd(to: Register, a: Register, b: Register) =
        with3(VEX_Vpaddd_xmm_xmm_xmmm128 | VEX_Vpaddd_ymm_ymm_ymmm256 |
            EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32);
    vpaddq(to: Register, a: Register, b: MemoryOperand) =
        with3(EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64);
    vpgatherdd(to: Register, from: MemoryOperand) = with2(EVEX_Vpgatherdd_ymm_k1_vm32y);
    vprold(to: Register, from: Register, bits: i32) =
        with3(EVEX_Vprold_ymm_k1z_ymmm256b32_imm8 | EVEX_Vprold_zmm_k1z_zmmm512b32_imm8);
    vpternlogd(to: Register, a: Register, b: Register, function: i32) =
        with4(EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8);
    vptest(a: Register, b: Register) = with2(VEX_Vptest_ymm_ymmm256);
}
