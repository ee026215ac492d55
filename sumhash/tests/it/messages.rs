//! Messages of every length, through every interface.

use proptest::prelude::*;
use sumhash512::{Backend, Sumhash512Core, Table};

use crate::reference::{Reference, shake256};
use crate::{assert_hashed, painted, tables};

#[test]
fn every_length() {
    let reference = Reference::new();
    let tables = tables();
    for length in 0..=1024 {
        let message = painted(length, length);
        let expected = reference.digest(&message);
        assert_hashed(&tables, &message, &expected);
        assert_digest_types(&message, &expected);
    }
}

/// Asserts that the digest types of both generations return the expected digest.
fn assert_digest_types(message: &[u8], expected: &[u8; 64]) {
    for backend in Backend::available() {
        #[cfg(feature = "digest")]
        {
            use sumhash512::Sumhash512;
            use sumhash512::digest::{FixedOutput, Update};

            let plain = Sumhash512::default().with_backend(backend).chain(message);
            assert_eq!(plain.finalize_fixed()[..], *expected, "{backend}");
        }
        #[cfg(feature = "digest-0_10")]
        {
            use sumhash512::digest_0_10::Sumhash512;
            use sumhash512::digest_0_10::digest::{FixedOutput, Update};

            let core = Sumhash512Core::new().with_backend(backend);
            let digest = Sumhash512::from_core(core).chain(message).finalize_fixed();
            assert_eq!(digest[..], *expected, "0.10, {backend}");
        }
        let _ = (backend, message, expected);
    }
}

/// The state after one block with a single one bit is a column of the matrix.
#[test]
fn each_single_bit_is_a_column() {
    let reference = Reference::new();
    for backend in Backend::available() {
        for table in tables() {
            for j in 0..512 {
                let mut block = [0; 64];
                block[j / 8] = 1 << (j % 8);
                let mut core = Sumhash512Core::with_table(&table).with_backend(backend);
                core.update_blocks(&[block]);
                for (i, word) in core.state().as_chunks().0.iter().enumerate() {
                    let column = reference.row(i)[512 + j];
                    assert_eq!(u64::from_le_bytes(*word), column, "{backend}, {table:?}, bit {j}");
                }
            }
        }
    }
}

/// So many blocks that every byte has every value in every position, also of the state.
#[test]
fn every_value_of_every_byte() {
    let message = shake256(b"blocks", 64 * 5000);
    let (blocks, _) = message.as_chunks();
    let reference = Reference::new();
    let mut state = [0; 64];
    let mut seen = vec![[false; 256]; 128];
    for block in blocks {
        for (byte, seen) in state.iter().chain(block).zip(&mut seen) {
            seen[usize::from(*byte)] = true;
        }
        state = reference.compress(&[state, *block].concat()).try_into().unwrap();
    }
    assert!(seen.as_flattened().iter().all(|&seen| seen));
    for backend in Backend::available() {
        for table in tables() {
            let mut core = Sumhash512Core::with_table(&table).with_backend(backend);
            core.update_blocks(blocks);
            assert_eq!(*core.state(), state, "{backend}, {table:?}");
        }
    }
}

/// Messages whose length takes 3, 4 and 5 bytes. Zero blocks leave the state zero, so the digest is
/// one compression of the padding.
#[test]
fn lengths_of_long_messages() {
    let reference = Reference::new();
    let (table, zeros) = (Table::new(), [[0; 64]; 128]);
    let mut core = Sumhash512Core::with_table(&table);
    let mut blocks = 0_u128;
    for log2 in [7, 15, 23] {
        while blocks < 1 << log2 {
            core.update_blocks(&zeros);
            blocks += zeros.len() as u128;
        }
        for rest in [20, 50] {
            let rest = painted(log2, rest);
            let mut padded = [&rest[..], &[1]].concat();
            padded.resize(if rest.len() < 48 { 48 } else { 112 }, 0);
            padded.extend((8 * (64 * blocks + rest.len() as u128)).to_le_bytes());
            let expected = padded.chunks(64).fold(vec![0; 64], |state, block| {
                reference.compress(&[&state[..], block].concat())
            });
            assert_eq!(core.finalize(&rest)[..], expected, "2^{log2} blocks, {} bytes", rest.len());
        }
    }
}

#[test]
fn columns_of_the_specification() {
    let reference = Reference::new();
    assert_eq!(reference.row(0)[..2], [0xc0df_2685_a9f8_a108, 0xd372_dd79_18bd_1926]);
    assert_eq!(reference.row(7)[1023], 0xd254_76de_b555_b6cb);
}

#[test]
fn blocks_in_parts() {
    let message = painted(5, 64 * 9 + 30);
    let (blocks, rest) = message.as_chunks();
    let expected = Reference::new().digest(&message);
    let table = Table::new();
    for first in 0..=9 {
        let mut core = Sumhash512Core::with_table(&table);
        for blocks in [&blocks[..first], &[], &blocks[first..]] {
            core.update_blocks(blocks);
        }
        assert_eq!(core.finalize(rest), expected);
        // Finalizing leaves the state unchanged.
        assert_eq!(core.clone().finalize(rest), expected);
    }
}

#[test]
fn reset_starts_a_new_message() {
    let mut core = Sumhash512Core::new();
    core.update_blocks(&[[7; 64]; 3]);
    core.reset();
    assert_eq!(core.finalize(b"abc"), Sumhash512Core::new().finalize(b"abc"));
}

#[test]
fn nothing_secret_is_printed() {
    assert_eq!(format!("{:?}", Sumhash512Core::new()), "Sumhash512Core { ... }");
    assert_eq!(format!("{:?}", Table::new()), "Table(\"small\")");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_messages(message in prop::collection::vec(any::<u8>(), 0..600)) {
        thread_local! {
            static TABLES: [Table; 2] = tables();
            static REFERENCE: Reference = Reference::new();
        }
        let expected = REFERENCE.with(|reference| reference.digest(&message));
        TABLES.with(|tables| assert_hashed(tables, &message, &expected));
    }
}
