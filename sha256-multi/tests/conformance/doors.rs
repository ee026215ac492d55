//! The doors of this crate, which all keep the laws of `hash-lanes-testing`.

use hash_lanes_testing::hmac::Keyed;
use hash_lanes_testing::laws::{Door, KEY, Message, outputs};
use hash_lanes_testing::{function_doors, keyed_doors, pbkdf2_doors};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha224, Sha256};
use sha256_multi::{Backend, Midstate, Sha224Lanes, Sha256Lanes};

use crate::subject;

fn derive(password: &[u8]) -> Vec<u8> {
    let mut key = vec![0; 40];
    <subject::Sha256 as Keyed<32>>::pbkdf2(password, b"salt", 2, &mut key);
    key
}

pub(crate) fn doors() -> Vec<Door> {
    let hash = |message: &[u8]| Sha256::digest(message).to_vec();
    let mac = |message: &[u8]| <subject::Sha256 as Keyed<32>>::hmac(KEY, message).to_vec();
    let hash_224 = |message: &[u8]| Sha224::digest(message).to_vec();
    let mac_224 = |message: &[u8]| {
        let mac = Hmac::<Sha224>::new_from_slice(KEY).unwrap();
        mac.chain_update(message).finalize().into_bytes().to_vec()
    };
    let mut doors: Vec<_> = function_doors!("", [sha256_multi::], Sha256Lanes, 32, 64, hash)
        .chain(keyed_doors!("", [sha256_multi::], Sha256Lanes, 32, 64, mac))
        .chain(pbkdf2_doors!("", _on, [sha256_multi::], 64, derive))
        .chain(pbkdf2_doors!("Lanes::", on, [Sha256Lanes::on(on).], 64, derive))
        .chain(function_doors!(
            "sha224::", [sha256_multi::sha224::], Sha224Lanes, 28, 64, hash_224
        ))
        .chain(keyed_doors!("sha224::", [sha256_multi::sha224::], Sha224Lanes, 28, 64, mac_224))
        .collect();

    let twice = |message: &[u8]| Sha256::digest(Sha256::digest(message)).to_vec();
    let after = |message: &[u8]| Sha256::digest([&[7; 128], message].concat()).to_vec();
    let midstate = Midstate::new(&[7; 128]);
    macro_rules! pair {
        ($name:literal, $into_name:literal, $hash:expr, $into:expr, $reference:expr) => {
            doors.push(Door::new($name, 64, $reference, move |on, messages, _| {
                outputs($hash(on, messages))
            }));
            let hash = move |on, messages: &mut dyn Iterator<Item = Message>, count| {
                let mut digests = vec![[0; 32]; count];
                $into(on, messages, &mut digests[..]);
                outputs(digests)
            };
            doors.push(Door::new($into_name, 64, $reference, hash).counted());
        };
    }
    type Messages<'m> = &'m mut dyn Iterator<Item = Message>;
    type Digests<'d> = &'d mut [[u8; 32]];
    pair!(
        "double_hash_many",
        "double_hash_many_into",
        |_, messages: Messages<'_>| sha256_multi::double_hash_many(messages),
        |_, messages: Messages<'_>, to: Digests<'_>| {
            sha256_multi::double_hash_many_into(messages, to);
        },
        twice
    );
    pair!(
        "Lanes::double_hash_many",
        "Lanes::double_hash_many_into",
        |on, messages: Messages<'_>| Sha256Lanes::on(on).double_hash_many(messages),
        |on, messages: Messages<'_>, to: Digests<'_>| {
            Sha256Lanes::on(on).double_hash_many_into(messages, to);
        },
        twice
    );
    pair!(
        "Midstate::hash_many_with",
        "Midstate::hash_many_into_with",
        |on: Backend, messages: Messages<'_>| midstate.hash_many_with(on, messages),
        |on: Backend, messages: Messages<'_>, to: Digests<'_>| {
            midstate.hash_many_into_with(on, messages, to);
        },
        after
    );
    pair!(
        "Midstate::hash_many",
        "Midstate::hash_many_into",
        |_, messages: Messages<'_>| midstate.hash_many(messages),
        |_, messages: Messages<'_>, to: Digests<'_>| midstate.hash_many_into(messages, to),
        after
    );
    doors
}
