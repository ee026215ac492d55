//! Emulates the tiles of AMX on CPUs without them: the few instructions that sumhash512 uses, and
//! the answers that make it use them. The semantics are those of Intel's Software Developer's
//! Manual, volume 2.

use std::fs::File;
use std::os::unix::fs::FileExt as _;

use iced_x86::{Instruction, Mnemonic, Register};
use nix::libc::{SYS_arch_prctl, user_regs_struct};

use crate::taint::{Leak, Taint};

const ROWS: usize = 16;
const ROW_BYTES: usize = 64;

type Tile = [[u8; ROW_BYTES]; ROWS];

/// What LDTILECFG has to read: all eight registers with 16 rows of 64 bytes. No other configuration
/// is needed.
const CONFIGURATION: [u8; 64] = {
    let mut bytes = [0; 64];
    bytes[0] = 1;
    let mut i = 0;
    while i < 8 {
        bytes[16 + 2 * i] = ROW_BYTES as u8;
        bytes[48 + i] = ROWS as u8;
        i += 1;
    }
    bytes
};

/// The registers, if they are configured.
#[derive(Default)]
pub(crate) struct Tiles(Option<Box<[Tile; 8]>>);

/// Whether [`Tiles::execute`] is needed.
pub(crate) fn is_of_amx(instruction: &Instruction) -> bool {
    use Mnemonic::{Ldtilecfg, Tdpbuud, Tileloadd, Tilerelease, Tilestored};
    matches!(instruction.mnemonic(), Ldtilecfg | Tdpbuud | Tileloadd | Tilerelease | Tilestored)
}

impl Tiles {
    /// Executes the instruction, including its effects on the memory of a process. `value` is what
    /// its registers hold.
    pub(crate) fn execute(
        &mut self,
        instruction: &Instruction,
        value: impl Fn(Register) -> Option<u64>,
        memory: &File,
        taint: &mut Taint,
    ) -> Option<Leak> {
        let of = |register| value(register).expect("a general register");
        let (base, index) = (instruction.memory_base(), instruction.memory_index());
        let begin = of(base).wrapping_add(instruction.memory_displacement64());
        let tile = |operand| instruction.op_register(operand).number();
        let row_at = |i| begin + of(index) * u64::from(instruction.memory_index_scale()) * i as u64;
        match instruction.mnemonic() {
            Mnemonic::Ldtilecfg => {
                let mut bytes = [0; 64];
                memory.read_exact_at(&mut bytes, begin + of(index)).expect("a configuration");
                assert_eq!(bytes, CONFIGURATION, "tiles that are configured otherwise");
                self.0 = Some(Box::new([[[0; ROW_BYTES]; ROWS]; 8]));
                taint.tiles = [false; 8];
            }
            Mnemonic::Tilerelease => self.0 = None,
            Mnemonic::Tileloadd => {
                let number = tile(0);
                taint.tiles[number] = (0..ROWS).any(|i| taint.has_row(row_at(i)));
                for (i, row) in self.configured()[number].iter_mut().enumerate() {
                    memory.read_exact_at(row, row_at(i)).expect("a row in memory");
                }
            }
            Mnemonic::Tilestored => {
                let number = tile(1);
                for (i, row) in self.configured()[number].iter().enumerate() {
                    memory.write_all_at(row, row_at(i)).expect("a row in memory");
                    taint.set_row(row_at(i), taint.tiles[number]);
                }
            }
            Mnemonic::Tdpbuud => {
                let (sums, left, right) = (tile(0), tile(1), tile(2));
                taint.tiles[sums] |= taint.tiles[left] || taint.tiles[right];
                let tiles = self.configured();
                let (left, right) = (tiles[left], tiles[right]);
                for (row, factors) in tiles[sums].iter_mut().zip(left) {
                    for (n, sum) in row.as_chunks_mut().0.iter_mut().enumerate() {
                        let products = (0..ROW_BYTES).map(|k| {
                            u32::from(factors[k]) * u32::from(right[k / 4][4 * n + k % 4])
                        });
                        *sum = products
                            .fold(u32::from_le_bytes(*sum), u32::wrapping_add)
                            .to_le_bytes();
                    }
                }
            }
            other => panic!("not one of AMX: {other:?}"),
        }
        (taint.has(base) || taint.has(index)).then_some(Leak::Address)
    }

    fn configured(&mut self) -> &mut [Tile; 8] {
        self.0.as_mut().expect("the tiles are configured")
    }
}

/// Claims that CPU and kernel have tiles, if the process has just asked: CPUID for AMX-TILE and
/// AMX-INT8, XGETBV for their states, and `arch_prctl` for the permission.
pub(crate) fn claim(asked: &Instruction, before: &user_regs_struct, after: &mut user_regs_struct) {
    const ARCH_REQ_XCOMP_PERM: u64 = 0x1023;
    match asked.mnemonic() {
        Mnemonic::Cpuid if before.rax as u32 == 7 && before.rcx as u32 == 0 => {
            after.rdx |= 1 << 24 | 1 << 25;
        }
        Mnemonic::Xgetbv => after.rax |= 1 << 17 | 1 << 18,
        Mnemonic::Syscall
            if before.rax == SYS_arch_prctl as u64 && before.rdi == ARCH_REQ_XCOMP_PERM =>
        {
            after.rax = 0;
        }
        _ => {}
    }
}
