//! Messages that arrive in parts.

use proptest::prelude::*;
use proptest::sample::Index;

use crate::subject::{Backend, ManyHasher};
use crate::{assert_shared_between_threads, painted, reference};

const _: () = assert_shared_between_threads::<ManyHasher>();

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Update(Index, usize),
    UpdateAll(Vec<usize>),
    FinalizeOne(Index),
    Reset,
}

pub(crate) const MOST_MESSAGES: usize = 20;

/// Lengths around the edges of a block and of the 1024 bytes that wait, and far beyond.
fn any_length() -> impl Strategy<Value = usize> {
    prop_oneof![
        2 => Just(0),
        3 => 0..=130_usize,
        1 => (0..=17_usize).prop_map(|blocks| blocks * 64),
        2 => 900..=1200_usize,
        1 => 0..=4000_usize,
    ]
}

pub(crate) fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (any::<Index>(), any_length()).prop_map(|(index, length)| Step::Update(index, length)),
        4 => prop::collection::vec(any_length(), MOST_MESSAGES).prop_map(Step::UpdateAll),
        2 => any::<Index>().prop_map(Step::FinalizeOne),
        1 => Just(Step::Reset),
    ]
}

/// Takes the steps, of which each gives other bytes, and says what the messages behind `prefix` are then.
pub(crate) fn take_steps(hasher: &mut ManyHasher, prefix: &[u8], steps: &[Step]) -> Vec<Vec<u8>> {
    let count = hasher.count();
    let mut messages = vec![Vec::new(); count];
    for (seed, step) in steps.iter().enumerate() {
        match step {
            // Without messages there is none to choose.
            Step::Update(..) | Step::FinalizeOne(_) if count == 0 => {}
            Step::Update(index, length) => {
                let part = painted(seed, *length);
                hasher.update(index.index(count), &part);
                messages[index.index(count)].extend(part);
            }
            Step::FinalizeOne(index) => {
                let index = index.index(count);
                let message = std::mem::take(&mut messages[index]);
                assert_eq!(hasher.finalize_one(index), reference([prefix, &message].concat()));
            }
            Step::UpdateAll(lengths) => {
                let part = |(nth, &length): (usize, &usize)| painted(seed * MOST_MESSAGES + nth, length);
                let parts: Vec<_> = lengths[..count].iter().enumerate().map(part).collect();
                hasher.update_all(&parts);
                for (message, part) in messages.iter_mut().zip(parts) {
                    message.extend(part);
                }
            }
            Step::Reset => {
                hasher.reset();
                messages.fill(Vec::new());
            }
        }
    }
    messages
}

pub(crate) fn assert_finalized(hasher: ManyHasher, prefix: &[u8], messages: &[Vec<u8>], context: &str) {
    let expected: Vec<_> = messages.iter().map(|message| reference([prefix, message].concat())).collect();
    assert!(hasher.finalize() == expected, "{context}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_parts_in_random_order(
        count in 0..=MOST_MESSAGES,
        steps in prop::collection::vec(any_step(), 0..=60),
    ) {
        for backend in Backend::available() {
            let mut hasher = ManyHasher::with_backend(backend, count);
            let messages = take_steps(&mut hasher, &[], &steps);
            assert_finalized(hasher, &[], &messages, backend.name());
        }
    }
}

/// With `begun` bytes of each message there already, every length of the part that matters.
#[test]
fn parts_around_the_room_of_1024_bytes() {
    for begun in [0, 1, 63, 64, 65, 960, 1023, 1024] {
        for length in [0, 1, 63, 64, 65, 959, 960, 961, 1023, 1024, 1025, 1087, 1088, 1089, 2047, 2048, 5000]
        {
            let messages: Vec<Vec<u8>> = (0..3).map(|seed| painted(seed, begun + length)).collect();
            for backend in Backend::available() {
                let mut one_by_one = ManyHasher::with_backend(backend, 3);
                let mut together = one_by_one.clone();
                for (index, message) in messages.iter().enumerate() {
                    one_by_one.update(index, &message[..begun]);
                    one_by_one.update(index, &message[begun..]);
                }
                together.update_all(&[0, 1, 2].map(|index| &messages[index][..begun]));
                together.update_all(&[0, 1, 2].map(|index| &messages[index][begun..]));
                let context = format!("{backend}: {begun} bytes, then {length}");
                assert_finalized(one_by_one, &[], &messages, &context);
                assert_finalized(together, &[], &messages, &context);
            }
        }
    }
}

#[test]
fn byte_by_byte() {
    let messages: Vec<Vec<u8>> = (0..5).map(|seed| painted(seed, 2100 - seed)).collect();
    for backend in Backend::available() {
        let mut hasher = ManyHasher::with_backend(backend, messages.len());
        for i in 0..2100 {
            for (index, message) in messages.iter().enumerate() {
                hasher.update(index, message.get(i..=i).unwrap_or(&[]));
            }
        }
        assert_finalized(hasher, &[], &messages, backend.name());
    }
}

#[test]
fn a_clone_goes_its_own_way() {
    let mut hasher = ManyHasher::new(2);
    hasher.update(0, b"common");
    let mut clone = hasher.clone();
    hasher.update(1, b"first");
    clone.update(1, b"second");
    assert_eq!(hasher.finalize(), [reference("common"), reference("first")]);
    assert_eq!(clone.finalize(), [reference("common"), reference("second")]);
}

#[test]
fn no_messages() {
    let mut hasher = ManyHasher::new(0);
    hasher.update_all::<&[u8]>(&[]);
    hasher.reset();
    assert_eq!(hasher.count(), 0);
    assert!(hasher.finalize().is_empty());
}
