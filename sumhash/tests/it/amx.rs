//! AMX tiles, on machines that have them.
#![cfg(feature = "amx")]

use sumhash512::{Sumhash512Lanes, Table};

use crate::painted;
use crate::reference::Reference;

#[test]
fn counts_and_lengths() {
    let table = Table::constant_time();
    let Some(amx) = Sumhash512Lanes::default().with_amx() else {
        println!("not tested: this machine has no AMX");
        return;
    };
    let in_constant_time = Sumhash512Lanes::with_table(&table).with_amx().unwrap();
    let reference = Reference::new();
    let messages: Vec<Vec<u8>> = (0..130).map(|i| painted(i, 40 + i)).collect();
    let expected: Vec<_> = messages.iter().map(|message| reference.digest(message)).collect();
    for count in [0, 1, 7, 8, 15, 16, 17, 33, 63, 64, 65, 130] {
        let digests = amx.hash_many(&messages[..count]);
        assert_eq!(digests, expected[..count]);
        assert_eq!(in_constant_time.hash_many(&messages[..count]), digests);

        let mut states = digests;
        let blocks: Vec<[u8; 64]> =
            (0..count).map(|i| painted(i, 64).try_into().unwrap()).collect();
        let next = |(state, block)| reference.compress(state, block);
        let expected: Vec<_> = states.iter().zip(&blocks).map(next).collect();
        amx.compress_many(&mut states, &blocks);
        assert_eq!(states, expected);
    }
}
