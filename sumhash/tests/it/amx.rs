//! AMX tiles, on machines that have them.
#![cfg(feature = "amx")]

use sumhash512::{Backend, Table, compress_many_with, hash_many_with};

use crate::reference::Reference;
use crate::{UNWRITTEN, painted};

#[test]
fn never_selected_automatically() {
    assert!(Backend::available().iter().all(|backend| backend.name() != "amx"));
    assert!("amx".parse::<Backend>().is_err());
    assert_ne!(Backend::detect().name(), "amx");
    assert_eq!(Backend::amx(), Backend::amx());
}

#[test]
fn counts_and_lengths() {
    let Some(amx) = Backend::amx() else {
        println!("not tested: this machine has no AMX");
        return;
    };
    assert_eq!(amx.name(), "amx");
    let reference = Reference::sumhash512();
    let messages: Vec<Vec<u8>> = (0..130).map(|i| painted(i, 40 + i)).collect();
    let expected: Vec<_> = messages.iter().map(|message| reference.digest(message)).collect();
    for count in [0, 1, 7, 8, 15, 16, 17, 33, 63, 64, 65, 130] {
        let mut digests = vec![UNWRITTEN; count];
        hash_many_with(amx, &messages[..count], &mut digests);
        assert_eq!(digests, expected[..count]);
        Table::constant_time().hash_many_with(amx, &messages[..count], &mut digests);
        assert_eq!(digests, expected[..count]);

        let mut states = digests;
        let blocks: Vec<[u8; 64]> =
            (0..count).map(|i| painted(i, 64).try_into().unwrap()).collect();
        let next =
            |(state, block): (&[u8; 64], &[u8; 64])| reference.compress(&[*state, *block].concat());
        let expected: Vec<Vec<u8>> = states.iter().zip(&blocks).map(next).collect();
        compress_many_with(amx, &mut states, &blocks);
        assert!(states.iter().zip(&expected).all(|(state, expected)| state[..] == *expected));
    }
}
