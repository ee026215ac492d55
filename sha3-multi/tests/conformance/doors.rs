//! The doors of this crate, which all keep the laws of `hash-lanes-testing`.

use hash_lanes_testing::laws::{Door, Message, outputs};
use hash_lanes_testing::{concat_doors, hash_doors, hasher_doors, try_door};
use k12::digest::{ExtendableOutput as _, Update as _};
use sha3::Digest;
use sha3_multi::{Backend, KtLanes, XofLanes};

/// Some bytes of SHAKE128.
fn shake128<const N: usize>(message: &[u8]) -> Vec<u8> {
    let mut output = vec![0; N];
    shake::Shake128::digest_xof(message, &mut output);
    output
}

/// 40 bytes of KT128.
fn kt128(message: &[u8]) -> Vec<u8> {
    let mut output = vec![0; 40];
    let mut hasher = k12::CustomRefKt128::new_customized(b"custom");
    hasher.update(message);
    hasher.finalize_xof_into(&mut output);
    output
}

fn xof(backend: Backend) -> XofLanes {
    XofLanes::shake128().with_backend(backend)
}

/// Output bytes of all that XOFs offer: a part of a row, of a block, and more than two blocks.
macro_rules! xof_doors {
    ($doors:ident, $($N:literal),+) => {$(
        $doors.extend(concat_doors!(
            "XofLanes::", on, [xof(on).], xof_concat_many, xof_concat_many_into, $N, 168,
            shake128::<$N>
        ));
        $doors.push(Door::new("XofLanes::xof_many", 168, shake128::<$N>, |on, messages, _| {
            outputs(xof(on).xof_many::<$N>(messages))
        }));
        $doors.push(
            Door::new("XofLanes::xof_many_into", 168, shake128::<$N>, |on, messages, count| {
                let mut digests = vec![[0; $N]; count];
                xof(on).xof_many_into(messages, &mut digests);
                outputs(digests)
            })
            .counted(),
        );
        $doors.push(Door::new("XofLanes::readers", 168, shake128::<$N>, |on, messages, _| {
            outputs(xof(on).readers(messages).read::<$N>())
        }));
        $doors.push(Door::new("XofLanes::readers_concat", 168, shake128::<$N>, |on, messages, _| {
            outputs(xof(on).readers_concat(messages.map(Message::in_two)).read::<$N>())
        }));
        $doors.extend(hasher_doors!(
            "XofManyHasher", on, count, xof(on).many_hasher(count), 168, shake128::<$N>,
            |mut readers: sha3_multi::XofReaders| readers.read::<$N>()
        ));
    )+};
}

pub(crate) fn doors() -> Vec<Door> {
    let mut doors = Vec::new();
    macro_rules! fixed {
        ($($module:ident, $Lanes:ident, $Digest:ident: $N:literal, $rate:literal;)+) => {$(
            let hash = |message: &[u8]| sha3::$Digest::digest(message).to_vec();
            let name = concat!(stringify!($module), "::");
            doors.extend(hash_doors!(name, _on, [sha3_multi::$module::], $N, $rate, hash));
            doors.extend(concat_doors!(
                name, _on, [sha3_multi::$module::], hash_concat_many, hash_concat_many_into, $N,
                $rate, hash
            ));
            let name = concat!(stringify!($Lanes), "::");
            doors.extend(hash_doors!(name, on, [sha3_multi::$Lanes::on(on).], $N, $rate, hash));
            doors.push(try_door!(name, on, [sha3_multi::$Lanes::on(on).], $rate, hash));
            doors.extend(concat_doors!(
                name, on, [sha3_multi::$Lanes::on(on).], hash_concat_many, hash_concat_many_into,
                $N, $rate, hash
            ));
            doors.extend(hasher_doors!(
                "ManyHasher", on, count, sha3_multi::$Lanes::on(on).many_hasher(count), $rate,
                hash, |digests| digests
            ));
        )+};
    }
    fixed! {
        keccak224, Keccak224Lanes, Keccak224: 28, 144;
        keccak256, Keccak256Lanes, Keccak256: 32, 136;
        keccak384, Keccak384Lanes, Keccak384: 48, 104;
        keccak512, Keccak512Lanes, Keccak512: 64, 72;
        sha3_224, Sha3_224Lanes, Sha3_224: 28, 144;
        sha3_256, Sha3_256Lanes, Sha3_256: 32, 136;
        sha3_384, Sha3_384Lanes, Sha3_384: 48, 104;
        sha3_512, Sha3_512Lanes, Sha3_512: 64, 72;
    }
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
