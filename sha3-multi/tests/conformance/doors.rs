//! The doors of this crate, which all keep the laws of `hash-lanes-testing`.

use hash_lanes_testing::laws::{Door, Message, outputs};
use hash_lanes_testing::{concat_doors, function_doors, hasher_doors};
use k12::digest::{ExtendableOutput as _, Update as _};
use sha3_multi::{Backend, KtLanes, XofLanes};

/// The functions of `sha3` and `shake`, under the names of the list of the crate.
#[allow(non_snake_case, reason = "the list has names of types")]
mod reference {
    use k12::digest::ExtendableOutput as _;
    use sha3::Digest;

    macro_rules! digests {
        ($($Digest:ident),+) => {$(
            pub(super) fn $Digest<const N: usize>(message: &[u8]) -> Vec<u8> {
                let digest = sha3::$Digest::digest(message).to_vec();
                assert_eq!(digest.len(), N);
                digest
            }
        )+};
    }
    digests!(Keccak224, Keccak256, Keccak384, Keccak512, Sha3_224, Sha3_256, Sha3_384, Sha3_512);

    macro_rules! xofs {
        ($($Xof:ident),+) => {$(
            pub(super) fn $Xof<const N: usize>(message: &[u8]) -> Vec<u8> {
                let mut output = vec![0; N];
                shake::$Xof::digest_xof(message, &mut output);
                output
            }
        )+};
    }
    xofs!(Shake128, Shake256);
}
/// 40 bytes of KT128.
fn kt128(message: &[u8]) -> Vec<u8> {
    let mut output = vec![0; 40];
    let mut hasher = k12::CustomRefKt128::new_customized(b"custom");
    hasher.update(message);
    hasher.finalize_xof_into(&mut output);
    output
}

/// Some bytes of SHAKE128.
fn hash<const N: usize>(message: &[u8]) -> Vec<u8> {
    reference::Shake128::<N>(message)
}

fn after_prefix<const N: usize>(message: &[u8]) -> Vec<u8> {
    hash::<N>(&[&[7; 200], message].concat())
}

fn xof(backend: Backend) -> XofLanes {
    XofLanes::shake128().with_backend(backend)
}

/// Output bytes of all that XOFs offer: a part of a row, of a block, and more than two blocks.
macro_rules! xof_doors {
    ($doors:ident, $($N:literal),+) => {$(
        $doors.extend(concat_doors!(
            "XofLanes::", on, [xof(on).], xof_concat_many, xof_concat_many_into, $N, 168,
            hash::<$N>
        ));
        $doors.push(Door::new("XofLanes::xof_many", 168, hash::<$N>, |on, messages, _| {
            outputs(xof(on).xof_many::<$N>(messages))
        }));
        $doors.push(
            Door::new("XofLanes::xof_many_into", 168, hash::<$N>, |on, messages, count| {
                let mut digests = vec![[0; $N]; count];
                xof(on).xof_many_into(messages, &mut digests);
                outputs(digests)
            })
            .counted(),
        );
        $doors.push(Door::new("XofLanes::readers", 168, hash::<$N>, |on, messages, _| {
            outputs(xof(on).readers(messages).read::<$N>())
        }));
        $doors.push(Door::new("XofLanes::readers_concat", 168, hash::<$N>, |on, messages, _| {
            outputs(xof(on).readers_concat(messages.map(Message::in_two)).read::<$N>())
        }));
        $doors.extend(concat_doors!(
            "XofPrefix::", on, [xof(on).prefix(&[7; 200]).], xof_many, xof_many_into, $N, 168,
            after_prefix::<$N>
        ));
        $doors.push(Door::new("XofPrefix::readers", 168, after_prefix::<$N>, |on, messages, _| {
            let mut readers = xof(on).prefix(&[7; 200]).readers(messages.map(Message::in_two));
            outputs(readers.read::<$N>())
        }));
        $doors.extend(hasher_doors!(
            "XofManyHasher", on, count, xof(on).prefix(&[7; 200]).many_hasher(count), 168,
            after_prefix::<$N>, |mut readers: sha3_multi::XofReaders| readers.read::<$N>()
        ));
        $doors.extend(hasher_doors!(
            "XofManyHasher", on, count, xof(on).many_hasher(count), 168, hash::<$N>,
            |mut readers: sha3_multi::XofReaders| readers.read::<$N>()
        ));
    )+};
}

pub(crate) fn doors() -> Vec<Door> {
    let mut doors = Vec::new();
    macro_rules! fixed {
        ($(
            $_name:literal, $module:ident, $Lanes:ident: $Digest:ident, $N:literal, $rate:literal,
            $_suffix:literal;
        )+) => {$(
            let name = concat!(stringify!($module), "::");
            doors.extend(function_doors!(
                name, [sha3_multi::$module::], sha3_multi::$Lanes, $N, $rate,
                reference::$Digest::<$N>
            ));
        )+};
    }
    sha3_multi::each_function!(fixed);
    xof_doors!(doors, 32, 100, 400);
    doors.push(Door::new("KtLanes::xof_many", 168, kt128, |on, messages, _| {
        outputs(KtLanes::kt128().with_backend(on).xof_many::<40>(messages, b"custom"))
    }));
    doors.push(
        Door::new("KtLanes::xof_many_into", 168, kt128, |on, messages, count| {
            let mut digests = vec![[0; 40]; count];
            KtLanes::kt128().with_backend(on).xof_many_into(messages, b"custom", &mut digests);
            outputs(digests)
        })
        .counted(),
    );
    doors
}
