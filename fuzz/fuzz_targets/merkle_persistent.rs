//! Changes, clones and rebases lists that share subtrees, and compares them with plain vectors.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use merkle_lanes::Backend;
use merkle_lanes::ssz::{Packed, PersistentList, Ssz, pack};

use oracle::Definition;

#[path = "../../merkle/tests/it/oracle.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is shared with the tests, which need more of it")]
mod oracle;

/// The maximum number of chunks, which the oracle hashes one by one.
const MAX_CHUNKS: usize = 600;

#[derive(Arbitrary, Debug)]
struct Input {
    width: u8,
    backend: u8,
    steps: Vec<(u8, Step)>,
}

#[derive(Arbitrary, Debug)]
enum Step {
    Push(u8),
    Extend(u16),
    Set(u16, u8),
    Truncate(u16),
    Clone(u8),
    Rebase(u8),
    Root,
}

fuzz_target!(|input: Input| match input.width % 3 {
    0 => run::<u8>(&input, |byte| byte),
    1 => run::<u64>(&input, |byte| u64::from_le_bytes([byte; 8])),
    _ => run::<[u8; 32]>(&input, |byte| [byte; 32]),
});

type Lists<T> = [(PersistentList<T>, Vec<u8>); 3];

/// Runs the steps on three lists of values, each of which repeats one byte.
fn run<T: Packed>(input: &Input, value: fn(u8) -> T) {
    let backends = Backend::available();
    let backend = backends[input.backend as usize % backends.len()];
    let families = [Definition::Ssz, Definition::SszOfDepth(10)];
    let [ssz, limited] = [Ssz::new(), Ssz::with_limit(1 << 10)];
    let definition = families[usize::from(input.width) / 3 % 2];
    let ssz = if matches!(definition, Definition::Ssz) { ssz } else { limited };
    let mut lists: Lists<T> =
        [(); 3].map(|()| (PersistentList::new(ssz.with_backend(backend)), Vec::new()));
    for (at, step) in input.steps.iter().take(40) {
        let at = usize::from(*at) % 3;
        apply(step, &mut lists, at, value);
        if matches!(step, Step::Root) {
            compare(&mut lists[at], definition);
        }
    }
    assert_eq!(lists[0].0 == lists[1].0, lists[0].1 == lists[1].1);
    for list in &mut lists {
        compare(list, definition);
    }
}

fn compare<T: Packed>((list, expected): &mut (PersistentList<T>, Vec<u8>), definition: Definition) {
    let values: Vec<u8> = expected.iter().flat_map(|&byte| vec![byte; T::BYTES]).collect();
    assert_eq!(list.root(), definition.root(&pack(&values)));
    let mut bytes = [0; 32];
    let mut first_byte = |value: T| {
        value.encode(&mut bytes[..T::BYTES]);
        bytes[0]
    };
    assert!(list.iter().map(&mut first_byte).eq(expected.iter().copied()));
    for index in [0, expected.len() / 2, expected.len()] {
        if let Some((at, chunk)) = list.chunk_of(index as u64) {
            let (head, proof) = (list.head(), list.prove(index as u64));
            assert_eq!(
                proof.map(|proof| proof.verify(list.hasher(), &head, at, &chunk)),
                Ok(Ok(()))
            );
        }
        let value = list.get(index as u64).map(&mut first_byte);
        assert_eq!(value, expected.get(index).copied());
    }
}

fn apply<T: Packed>(step: &Step, lists: &mut Lists<T>, at: usize, value: fn(u8) -> T) {
    let (list, expected) = &mut lists[at];
    let room = MAX_CHUNKS * 32 / T::BYTES - expected.len();
    match *step {
        Step::Push(byte) if room > 0 => {
            list.push(value(byte));
            expected.push(byte);
        }
        Step::Push(_) => {}
        Step::Extend(count) => {
            // The same values at the same places, so that lists can share them.
            let size = expected.len();
            let more = (size..size + room.min(count.into())).map(|i| (i / 5) as u8);
            list.extend(more.clone().map(value));
            expected.extend(more);
        }
        Step::Set(index, byte) => {
            let done = list.set(index.into(), value(byte));
            let expected = expected.get_mut(usize::from(index));
            assert_eq!(done.is_ok(), expected.is_some());
            if let Some(expected) = expected {
                *expected = byte;
            }
        }
        Step::Truncate(len) => {
            list.truncate(len.into());
            expected.truncate(len.into());
        }
        Step::Clone(from) => lists[at] = lists[usize::from(from) % 3].clone(),
        Step::Rebase(on) => {
            let base = lists[usize::from(on) % 3].0.clone();
            lists[at].0.rebase_on(&base);
        }
        Step::Root => {}
    }
}
