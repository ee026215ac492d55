//! State proofs: of Algorand's networks, and one made here, with every part of it changed.

use std::collections::BTreeMap;

use merkle_lanes::algorand::state_proof::{
    Anchor, MAX_REVEALS, Message, Participant, Reveal, RevealsProof, Signature, Signed, StateProof,
    StateProofDecodeError, StateProofError, Verifier,
};
use merkle_lanes::algorand::{Algorand, Sumhash512, VectorCommitment, domains, fixed_length_bytes};
use merkle_lanes::{InclusionProof, VerifyError};
use rmp::encode::{write_array_len, write_bin, write_map_len, write_sint, write_str, write_uint};
use serde_json::Value;
use shake::{ExtendableOutput, Shake256, Update, XofReader};

use super::Wide;
use super::go_algorand::{items, json, node, number, vectors};
use crate::ct::base64;

/// The last round of the state proof made here, and the first one for its keys.
const ROUND: u64 = 1000;
const KEY_ROUND: u64 = 768;

const MESSAGE: [u8; 32] = [0x5a; 32];

/// A natural logarithm with 16 fractional bits, rounded up.
fn ln(weight: f64) -> u64 {
    (weight.ln() * 65536.0).ceil() as u64
}

/// A compressed signature of Falcon-1024, with coefficients 0, 1, -1, 200, 0, ... and its form of
/// constant length.
fn falcon_signature(version: u8) -> (Vec<u8>, Vec<u8>) {
    let mut bits = String::new();
    let mut constant = String::new();
    for i in 0..1024 {
        let (compressed, expanded) = [
            ("0 0000000 1", "000"),
            ("0 0000001 1", "001"),
            ("1 0000001 1", "fff"),
            ("0 1001000 01", "0c8"),
        ][i % 4];
        bits.extend(compressed.chars().filter(|&bit| bit != ' '));
        constant += expanded;
    }
    bits += &"0".repeat(bits.len().next_multiple_of(8) - bits.len());
    let bytes = bits
        .as_bytes()
        .chunks(8)
        .map(|bits| u8::from_str_radix(std::str::from_utf8(bits).unwrap(), 2).unwrap());
    let compressed = [0xba, version].into_iter().chain(bytes).collect();
    (compressed, [&[0xda, version][..], &hex::decode(constant).unwrap()].concat())
}

/// A vector commitment to data, and a proof of elements.
fn committed(data: &[Vec<u8>], elements: &[u64]) -> (Wide, RevealsProof) {
    let vector = VectorCommitment::from_data(Algorand::new(Sumhash512::new(), b""), data);
    let nodes = vector.prove_many(elements).unwrap();
    (vector.root(), RevealsProof { depth: vector.depth(), nodes })
}

/// Makes a state proof of five signers, of which those that coins fall on are revealed. Also the
/// root of the participants.
fn made(coins: usize) -> (Wide, u64, StateProof) {
    made_with([500, 3000, 1, 40_000, 7], ln(10_000.0), coins)
}

/// Makes a state proof of signers with these weights.
fn made_with(weights: [u64; 5], ln_proven_weight: u64, coins: usize) -> (Wide, u64, StateProof) {
    let (falcon, constant) = falcon_signature(3);
    let (mut reveals, mut slots, mut participants) = (Vec::new(), Vec::new(), Vec::new());
    let mut signed_before = 0;
    for (i, weight) in weights.into_iter().enumerate() {
        let key = Box::new([i as u8; 1793]);
        let leaf =
            |round: u64, key: &[u8]| [domains::KEY, &[0; 2], &round.to_le_bytes(), key].concat();
        let keys: Vec<_> = (0..6).map(|k| leaf(256 * k, &[&key[..], &[]].concat())).collect();
        let tree = VectorCommitment::from_data(Algorand::new(Sumhash512::new(), b""), &keys);
        let key_proof = tree.prove(KEY_ROUND / 256).unwrap();
        let slot = [
            domains::SIGNATURE_SLOT,
            &u64::to_le_bytes(signed_before),
            &[0; 2],
            &constant,
            &key[..],
            &(KEY_ROUND / 256).to_le_bytes(),
            &fixed_length_bytes(&key_proof).unwrap(),
        ];
        assert_eq!(slot.concat().len(), 4377);
        slots.push(slot.concat());
        let participant = Participant { weight, key_lifetime: 256, key_commitment: tree.root() };
        participants.push(
            [domains::PARTICIPANT, &weight.to_le_bytes(), &256_u64.to_le_bytes(), &tree.root()]
                .concat(),
        );
        let signature = Signature {
            falcon: falcon.clone(),
            key,
            key_index: KEY_ROUND / 256,
            key_depth: tree.depth(),
            key_proof,
        };
        reveals.push(Reveal { signed_before, signature, participant });
        signed_before += weight;
    }
    let signed_weight = signed_before;
    let (signatures_root, _) = committed(&slots, &[0]);
    let (participants_root, _) = committed(&participants, &[0]);

    let mut seed = Shake256::default();
    seed.update(b"spc\x00");
    seed.update(&participants_root);
    seed.update(&ln_proven_weight.to_le_bytes());
    seed.update(&signatures_root);
    seed.update(&signed_weight.to_le_bytes());
    seed.update(&MESSAGE);
    let mut reader = seed.finalize_xof();
    let positions: Vec<u64> = (0..coins)
        .map(|_| {
            // The numbers below the greatest multiple of the weight are accepted.
            let accepted = (1 << 64) / u128::from(signed_weight) * u128::from(signed_weight);
            let number = loop {
                let mut bytes = [0; 8];
                reader.read(&mut bytes);
                let number = u64::from_le_bytes(bytes);
                if u128::from(number) < accepted {
                    break number;
                }
            };
            let coin = number % signed_weight;
            reveals.iter().rposition(|reveal| reveal.signed_before <= coin).unwrap() as u64
        })
        .collect();
    let mut revealed = positions.clone();
    revealed.sort_unstable();
    revealed.dedup();
    let (_, signatures) = committed(&slots, &revealed);
    let (_, participants) = committed(&participants, &revealed);
    let reveals: BTreeMap<_, _> =
        (0..).zip(reveals).filter(|(i, _)| revealed.contains(i)).collect();
    let proof = StateProof {
        signatures_root,
        signed_weight,
        signatures,
        participants,
        salt_version: 3,
        reveals,
        positions,
    };
    (participants_root, ln_proven_weight, proof)
}

/// 122 coins are enough: 256 · ln 2 / ln(43508 / 10000) is 120.7, and the logarithm of the signed
/// weight is bounded from below.
#[test]
fn coins_that_are_enough() {
    for (coins, is_enough) in [(1, false), (120, false), (122, true), (640, true)] {
        let (root, ln_proven_weight, proof) = made(coins);
        let verifier = Verifier::new(root, ln_proven_weight);
        let error = StateProofError::TooLittleWeight { signed: 43_508, reveals: coins };
        let expected = if is_enough { Ok(()) } else { Err(error) };
        assert_eq!(verifier.verify(ROUND, &MESSAGE, &proof, |_| true), expected, "{coins}");
        let weaker = verifier.with_strength_target(128);
        let expected = if coins > 61 { Ok(()) } else { Err(error) };
        assert_eq!(weaker.verify(ROUND, &MESSAGE, &proof, |_| true), expected, "{coins}");
    }
    let (root, _, mut proof) = made(640);
    // As much as has signed, or anything without a signature.
    for (ln_proven_weight, signed) in [(ln(43_508.0), 43_508), (u64::MAX, 43_508), (0, 0)] {
        proof.signed_weight = signed;
        let error = StateProofError::TooLittleWeight { signed, reveals: 640 };
        let verifier = Verifier::new(root, ln_proven_weight);
        assert_eq!(verifier.verify(ROUND, &MESSAGE, &proof, |_| true), Err(error));
    }
    // The largest numbers do not overflow.
    proof.signed_weight = u64::MAX;
    let verifier = Verifier::new(root, u64::MAX).with_strength_target(u64::MAX);
    assert!(verifier.verify(ROUND, &MESSAGE, &proof, |_| true).is_err());
}

/// Of a signed weight of 3 · 2^62, a quarter of all numbers is rejected.
#[test]
fn coins_that_are_drawn_again() {
    let weights = [1 << 61, 1 << 62, 1 << 60, 1 << 61, (1 << 62) - (1 << 60)];
    let (root, ln_proven_weight, proof) = made_with(weights, ln(1e18), 300);
    assert_eq!(proof.signed_weight, 3 << 62);
    assert_eq!(proof.reveals.len(), 5);
    let verifier = Verifier::new(root, ln_proven_weight);
    assert_eq!(verifier.verify(ROUND, &MESSAGE, &proof, |_| true), Ok(()));
}

/// With stakes of 1, each coin is at both ends of one: the position before and the one after are
/// refused.
#[test]
fn coins_at_the_ends_of_a_stake() {
    let (root, ln_proven_weight, good) = made_with([1; 5], ln(1.5), 300);
    let verifier = Verifier::new(root, ln_proven_weight);
    let verify = |proof: &StateProof| verifier.verify(ROUND, &MESSAGE, proof, |_| true);
    assert_eq!(verify(&good), Ok(()));
    for i in 0..40 {
        let coin = good.positions[i];
        for position in [coin.checked_sub(1), Some(coin + 1)].into_iter().flatten() {
            if position < 5 {
                let mut proof = good.clone();
                proof.positions[i] = position;
                let error = StateProofError::CoinElsewhere { position, coin };
                assert_eq!(verify(&proof), Err(error));
            }
        }
    }
}

/// For 1,000 pairs of a signed weight and a number of coins, the greatest proven weight that they
/// prove and the least that they do not, in exact integers.
#[test]
fn weights_at_the_border() {
    const LN_2: u128 = 45_427;
    let (root, _, mut proof) = made(1);
    let first = proof.positions[0];
    let mut random = Shake256::default();
    random.update(b"weights");
    let mut random = random.finalize_xof();
    let mut next = || {
        let mut bytes = [0; 8];
        random.read(&mut bytes);
        u64::from_le_bytes(bytes)
    };
    for i in 0..1000 {
        // From 2^3 to 2^40, and each fourth a power of two, or one less.
        let bits = 3 + next() % 37;
        let signed = match i % 4 {
            0 => 1 << bits,
            1 => (2 << bits) - 1,
            _ => (1 << bits) | (next() % (1 << bits)),
        };
        let coins = 1 + next() % 640;
        let target = [0, 128, 256][i % 3];

        let (d, s) = (u128::from(signed.ilog2()), u128::from(signed));
        let denominator = s * s + ((4 * s) << d) + (1 << (2 * d));
        let ln_signed = ((3 * (s * s - (1 << (2 * d)))) << 16) + d * (LN_2 - 1) * denominator;
        let (all, needed) =
            (u128::from(coins) * ln_signed, u128::from(target) * LN_2 * denominator);
        proof.signed_weight = signed;
        proof.positions = vec![first; coins as usize];
        let error = StateProofError::TooLittleWeight { signed, reveals: coins as usize };
        let verify = |ln_proven_weight| {
            let verifier = Verifier::new(root, ln_proven_weight).with_strength_target(target);
            verifier.verify(ROUND, &MESSAGE, &proof, |_| true)
        };
        match all.checked_sub(needed) {
            Some(rest) => {
                let greatest = (rest / (u128::from(coins) * denominator)) as u64;
                assert_ne!(verify(greatest), Err(error), "{signed}, {coins}, {target}");
                assert_eq!(verify(greatest + 1), Err(error), "{signed}, {coins}, {target}");
            }
            None => assert_eq!(verify(0), Err(error), "{signed}, {coins}, {target}"),
        }
    }
}

/// A signature of Falcon-1024 whose first coefficient has this sign and magnitude, and whose others
/// are zero. The bits after the last coefficient are `padding`.
fn falcon_with_first(is_negative: bool, magnitude: u32, padding: &str) -> Vec<u8> {
    let mut bits = String::from(if is_negative { "1" } else { "0" });
    bits += &format!("{:07b}", magnitude % 128);
    bits += &"0".repeat(magnitude as usize / 128);
    bits += "1";
    bits += &"000000001".repeat(1023);
    bits += padding;
    assert!(bits.len().is_multiple_of(8));
    let bytes = bits.as_bytes().chunks(8);
    let bytes =
        bytes.map(|bits| u8::from_str_radix(std::str::from_utf8(bits).unwrap(), 2).unwrap());
    [0xba, 3].into_iter().chain(bytes).collect()
}

#[test]
fn borders_of_a_falcon_signature() {
    let (root, ln_proven_weight, good) = made(150);
    let verifier = Verifier::new(root, ln_proven_weight);
    let (&position, _) = good.reveals.first_key_value().unwrap();
    let verify = |falcon: Vec<u8>| {
        let mut proof = good.clone();
        proof.reveals.get_mut(&position).unwrap().signature.falcon = falcon;
        verifier.verify(ROUND, &MESSAGE, &proof, |_| true)
    };
    // Well formed, but not the signature that was committed to.
    let other = Err(StateProofError::Signatures(VerifyError::WrongRoot));
    let malformed = Err(StateProofError::MalformedSignature { position });
    // 1,024 coefficients of 9 bits each fill bytes; one more bit for each 128 of the magnitude.
    for is_negative in [false, true] {
        assert_eq!(verify(falcon_with_first(is_negative, 127, "")), other);
        assert_eq!(verify(falcon_with_first(is_negative, 2047, "0")), other);
        assert_eq!(verify(falcon_with_first(is_negative, 2048, "")), malformed);
        assert_eq!(verify(falcon_with_first(is_negative, 2049, "")), malformed);
    }
    // Seven bits of padding: each must be zero.
    assert_eq!(verify(falcon_with_first(false, 128, "0000000")), other);
    for bit in 0..7 {
        let mut padding = [b'0'; 7];
        padding[bit] = b'1';
        let padding = std::str::from_utf8(&padding).unwrap();
        assert_eq!(verify(falcon_with_first(false, 128, padding)), malformed, "{padding}");
    }
    // A whole byte of padding is one byte too many.
    assert_eq!(verify(falcon_with_first(false, 127, "00000000")), malformed);
}

#[test]
fn every_change_is_refused() {
    let (root, ln_proven_weight, good) = made(150);
    let verifier = Verifier::new(root, ln_proven_weight);
    let verify = |proof: &StateProof| verifier.verify(ROUND, &MESSAGE, proof, |_| true);
    assert_eq!(verify(&good), Ok(()));
    // Every round of the key's lifetime.
    for (round, is_right) in [(767, false), (768, true), (1023, true), (1024, false)] {
        let verdict = verifier.verify(round, &MESSAGE, &good, |_| true);
        assert_eq!(verdict.is_ok(), is_right, "{round}");
    }

    let (&first, _) = good.reveals.first_key_value().unwrap();
    let changed = |change: &dyn Fn(&mut StateProof)| {
        let mut proof = good.clone();
        change(&mut proof);
        verify(&proof).unwrap_err()
    };
    let of_first = |change: &dyn Fn(&mut Reveal)| {
        changed(&|proof| change(proof.reveals.get_mut(&first).unwrap()))
    };
    let key = |error| StateProofError::Key { position: first, error };
    let malformed = StateProofError::MalformedSignature { position: first };

    // Each change of what the coins depend on moves them.
    let is_elsewhere = |error| matches!(error, StateProofError::CoinElsewhere { .. });
    assert!(is_elsewhere(changed(&|proof| proof.signatures_root[0] ^= 1)));
    assert!(is_elsewhere(changed(&|proof| proof.signed_weight += 1)));
    assert!(is_elsewhere(verifier.verify(ROUND, &[0; 32], &good, |_| true).unwrap_err()));
    let other = Verifier::new(root, ln_proven_weight - 1);
    assert!(is_elsewhere(other.verify(ROUND, &MESSAGE, &good, |_| true).unwrap_err()));
    let other = Verifier::new([7; 64], ln_proven_weight);
    assert!(is_elsewhere(other.verify(ROUND, &MESSAGE, &good, |_| true).unwrap_err()));

    let others = good.positions.iter().position(|position| *position != good.positions[0]).unwrap();
    assert!(is_elsewhere(changed(&|proof| proof.positions.swap(0, others))));
    let missing = StateProofError::NotRevealed { position: 2 };
    assert!(!good.reveals.contains_key(&2));
    assert_eq!(changed(&|proof| proof.positions[149] = 2), missing);
    // A greater weight, or less before it, would catch more coins, but neither is committed to.
    assert_eq!(
        of_first(&|reveal| reveal.participant.weight += 1),
        StateProofError::Participants(VerifyError::WrongRoot)
    );
    let (&last, _) = good.reveals.last_key_value().unwrap();
    assert_eq!(
        changed(&|proof| proof.reveals.get_mut(&last).unwrap().signed_before -= 1),
        StateProofError::Signatures(VerifyError::WrongRoot)
    );

    assert_eq!(
        of_first(&|reveal| reveal.participant.key_lifetime = 0),
        StateProofError::NoKeyLifetime { position: first }
    );
    assert_eq!(
        of_first(&|reveal| reveal.participant.key_lifetime = 257),
        key(VerifyError::WrongRoot)
    );
    assert_eq!(
        of_first(&|reveal| reveal.participant.key_commitment[9] ^= 1),
        key(VerifyError::WrongRoot)
    );
    assert_eq!(of_first(&|reveal| reveal.signature.key[1792] ^= 1), key(VerifyError::WrongRoot));
    assert_eq!(of_first(&|reveal| reveal.signature.key_index = 2), key(VerifyError::WrongRoot));
    assert_eq!(
        of_first(&|reveal| reveal.signature.key_index = 8),
        key(VerifyError::NoSuchLeaf { index: 8, size: 8 })
    );
    assert_eq!(
        of_first(&|reveal| reveal.signature.key_depth = 2),
        key(VerifyError::WrongLength { expected: 2, got: 3 })
    );
    assert_eq!(
        of_first(&|reveal| reveal.signature.key_depth = u32::MAX),
        key(VerifyError::TooManyLeaves { size: u64::MAX, capacity: 1 << 63 })
    );
    let too_long = InclusionProof::from(vec![[0; 64]; 17]);
    assert_eq!(of_first(&|reveal| reveal.signature.key_proof = too_long.clone()), malformed);

    let salt = StateProofError::SaltVersion { position: first, expected: 4 };
    assert_eq!(changed(&|proof| proof.salt_version = 4), salt);
    // Other coefficients, which only the commitment to signatures knows.
    assert_eq!(
        of_first(&|reveal| reveal.signature.falcon[2] ^= 0b0100_0000),
        StateProofError::Signatures(VerifyError::WrongRoot)
    );
    assert_eq!(of_first(&|reveal| reveal.signature.falcon[0] = 0x3a), malformed);
    assert_eq!(of_first(&|reveal| reveal.signature.falcon.push(0)), malformed);
    assert_eq!(of_first(&|reveal| assert!(reveal.signature.falcon.pop().is_some())), malformed);
    // The sign of a zero, and a coefficient above 2047.
    assert_eq!(of_first(&|reveal| reveal.signature.falcon[2] ^= 0b1000_0000), malformed);
    assert_eq!(of_first(&|reveal| reveal.signature.falcon[2..].fill(0)), malformed);
    assert_eq!(
        of_first(&|reveal| reveal.signature.falcon.truncate(1)),
        StateProofError::SaltVersion { position: first, expected: 3 }
    );

    // Both trees.
    for tree in
        [(|proof| &mut proof.signatures) as fn(&mut StateProof) -> &mut RevealsProof, |proof| {
            &mut proof.participants
        }]
    {
        let too_deep = StateProofError::TooDeep { depth: 21, max: 20 };
        assert_eq!(changed(&|proof| tree(proof).depth = 21), too_deep);
        for change in [
            |tree: &mut RevealsProof| tree.depth -= 1,
            |tree: &mut RevealsProof| tree.depth += 1,
            |tree: &mut RevealsProof| tree.nodes = tree.nodes.nodes()[1..].to_vec().into(),
            |tree: &mut RevealsProof| {
                tree.nodes = [tree.nodes.nodes(), &[[0; 64]]].concat().into();
            },
            |tree: &mut RevealsProof| {
                let mut nodes = tree.nodes.nodes().to_vec();
                nodes[0][0] ^= 1;
                tree.nodes = nodes.into();
            },
        ] {
            let error = changed(&|proof| change(tree(proof)));
            let is_of_a_tree =
                matches!(error, StateProofError::Signatures(_) | StateProofError::Participants(_));
            assert!(is_of_a_tree, "{error}");
        }
    }
    // A reveal that no coin falls on must be proven, too.
    assert_ne!(
        changed(&|proof| drop(proof.reveals.insert(2, proof.reveals[&first].clone()))),
        StateProofError::NotRevealed { position: 2 }
    );
    let too_many = StateProofError::TooManyReveals { reveals: 641, max: MAX_REVEALS };
    assert_eq!(changed(&|proof| proof.positions.resize(641, first)), too_many);
    let many = |proof: &mut StateProof| {
        let reveal = proof.reveals[&first].clone();
        proof.reveals.extend((10..).map(|i| (i, reveal.clone())).take(641 - good.reveals.len()));
    };
    assert_eq!(changed(&many), too_many);

    // The Falcon verifier gets each signature once, and its answer counts.
    let mut asked = Vec::new();
    let verdict = verifier.verify(ROUND, &MESSAGE, &good, |signed| {
        assert_eq!(signed.message, &MESSAGE);
        asked.push((signed.key[0], signed.signature.to_vec()));
        true
    });
    assert_eq!(verdict, Ok(()));
    let expected: Vec<_> = good.reveals.keys().map(|&i| (i as u8, falcon_signature(3).0)).collect();
    assert_eq!(asked, expected);
    for &position in good.reveals.keys() {
        let verdict =
            verifier.verify(ROUND, &MESSAGE, &good, |signed| u64::from(signed.key[0]) != position);
        assert_eq!(verdict, Err(StateProofError::WrongSignature { position }));
    }
}

/// Encodes a state proof as go-algorand does: sorted names, and no field that is zero or empty.
fn encoded(proof: &StateProof) -> Vec<u8> {
    fn of_proof(depth: u32, nodes: &[Wide]) -> Vec<u8> {
        let path = map_values(nodes.iter().map(|node| bin(node)));
        map(&[("hsh", map(&[("t", uint(1))])), ("pth", path), ("td", uint(depth.into()))])
    }
    let reveal = |reveal: &Reveal| {
        let Signature { falcon, key, key_index, key_depth, key_proof } = &reveal.signature;
        let signature = map(&[
            ("idx", uint(*key_index)),
            ("prf", of_proof(*key_depth, key_proof.nodes())),
            ("sig", bin(falcon)),
            ("vkey", map(&[("k", bin(&key[..]))])),
        ]);
        let Participant { weight, key_lifetime, key_commitment } = &reveal.participant;
        let keys = map(&[("cmt", bin(key_commitment)), ("lf", uint(*key_lifetime))]);
        map(&[
            ("p", map(&[("p", keys), ("w", uint(*weight))])),
            ("s", map(&[("l", uint(reveal.signed_before)), ("s", signature)])),
        ])
    };
    let mut reveals = Vec::new();
    write_map_len(&mut reveals, proof.reveals.len() as u32).unwrap();
    for (&position, revealed) in &proof.reveals {
        write_uint(&mut reveals, position).unwrap();
        reveals.extend(reveal(revealed));
    }
    let of_tree = |tree: &RevealsProof| of_proof(tree.depth, tree.nodes.nodes());
    map(&[
        ("P", of_tree(&proof.participants)),
        ("S", of_tree(&proof.signatures)),
        ("c", bin(&proof.signatures_root)),
        ("pr", map_values(proof.positions.iter().map(|&position| uint(position)))),
        ("r", reveals),
        ("v", uint(proof.salt_version.into())),
        ("w", uint(proof.signed_weight)),
    ])
}

fn uint(value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_uint(&mut bytes, value).unwrap();
    bytes
}

fn bin(value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_bin(&mut bytes, value).unwrap();
    bytes
}

fn map_values(values: impl ExactSizeIterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_array_len(&mut bytes, values.len() as u32).unwrap();
    bytes.extend(values.flatten());
    bytes
}

/// A map without the fields that are zero.
fn map(fields: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let fields: Vec<_> = fields.iter().filter(|(_, value)| *value != [0]).collect();
    let mut bytes = Vec::new();
    write_map_len(&mut bytes, fields.len() as u32).unwrap();
    for (name, value) in fields {
        write_str(&mut bytes, name).unwrap();
        bytes.extend(value);
    }
    bytes
}

#[test]
fn reads_what_go_algorand_writes() {
    let (_, _, proof) = made(3);
    let bytes = encoded(&proof);
    assert_eq!(StateProof::from_msgpack(&bytes), Ok(proof));
    // Cut anywhere, it is an error, and not read beyond the end.
    for length in (0..bytes.len()).filter(|length| length % 61 == 0 || *length < 200) {
        let error = StateProof::from_msgpack(&bytes[..length]).unwrap_err();
        assert!(error.offset <= length, "{length}: {error}");
    }
    let surplus = [&bytes[..], &[0]].concat();
    let error = StateProofDecodeError { expected: "the end", offset: bytes.len() };
    assert_eq!(StateProof::from_msgpack(&surplus), Err(error));
}

#[test]
fn refuses_other_encodings() {
    let error = |bytes: &[u8]| StateProof::from_msgpack(bytes).unwrap_err();
    let expected = |expected, offset| StateProofDecodeError { expected, offset };
    let known = "a field of this map, once";
    assert_eq!(error(&[]), expected("a map", 0));
    assert_eq!(error(&[0xc0]), expected("a map", 0));
    assert_eq!(error(&map(&[("x", uint(1))])), expected(known, 1));
    assert_eq!(error(&map(&[("w", uint(1)), ("w", uint(2))])), expected(known, 4));
    assert_eq!(error(&map(&[("w", bin(&[1]))])), expected("a weight", 3));
    let mut negative = vec![0x81, 0xa1, b'w'];
    write_sint(&mut negative, -1).unwrap();
    assert_eq!(error(&negative), expected("a weight", 3));
    assert_eq!(error(&map(&[("v", uint(256))])), expected("a salt version", 3));
    assert_eq!(error(&map(&[("c", bin(&[0; 63]))])), expected("a digest of 64 bytes", 3));
    // A length of four gigabytes.
    assert_eq!(
        error(&[0x81, 0xa1, b'c', 0xc6, 0xff, 0xff, 0xff, 0xff]),
        expected("a digest of 64 bytes", 3)
    );
    assert_eq!(
        error(&[0x81, 0xa1, b'r', 0xdf, 0xff, 0xff, 0xff, 0xff]),
        expected("at most 640 reveals", 3)
    );
    assert_eq!(
        error(&[0x81, 0xa2, b'p', b'r', 0xdd, 0xff, 0xff, 0xff, 0xff]),
        expected("at most 640 positions", 4)
    );
    assert_eq!(error(&[0xdf, 0xff, 0xff, 0xff, 0xff]), expected("the name of a field", 5));
    let sumhash = "a proof with sumhash512, hash type 1";
    for hash in [map(&[]), map(&[("hsh", map(&[]))]), map(&[("hsh", map(&[("t", uint(2))]))])] {
        assert_eq!(error(&map(&[("S", hash)])), expected(sumhash, 3));
    }
    let node = map(&[("pth", map_values([bin(&[0; 65])].into_iter()))]);
    assert_eq!(error(&map(&[("P", node)])), expected("a node of 64 bytes", 9));
    // The same position twice.
    let twice = [&[0x81, 0xa1, b'r', 0x82][..], &[7], &map(&[]), &[7], &map(&[])].concat();
    assert_eq!(error(&twice), expected("another position", 6));
    assert_eq!(error(&twice).to_string(), "expected another position at byte 6");
}

/// A proof of `merklearray` in JSON.
fn merkle_proof(proof: &Value) -> (u32, Vec<Wide>) {
    assert_eq!(number(&proof["HashFactory"]["HashType"]), 1);
    let path =
        items(&proof["Path"]).iter().map(|item| node(&base64(item.as_str().unwrap_or_default())));
    (number(&proof["TreeDepth"]) as u32, path.collect())
}

/// A whole state proof of the network betanet, with the data that go-algorand's verifier is tested
/// with.
#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn a_state_proof_of_betanet() {
    let json_proof = json("sumhash/stateProof.json");
    let array =
        |value: &Value| items(value).iter().map(|byte| number(byte) as u8).collect::<Vec<_>>();
    let tree = |name: &str| {
        let (depth, nodes) = merkle_proof(&json_proof[name]);
        RevealsProof { depth, nodes: nodes.into() }
    };
    let reveal = |(position, reveal): (&String, &Value)| {
        let (participant, slot) = (&reveal["Part"], &reveal["SigSlot"]);
        let signature = &slot["Sig"];
        let (key_depth, key_proof) = merkle_proof(&signature["Proof"]);
        let key = array(&signature["VerifyingKey"]["PublicKey"]).try_into().unwrap();
        let reveal = Reveal {
            signed_before: number(&slot["L"]),
            signature: Signature {
                falcon: base64(signature["Signature"].as_str().unwrap()),
                key: Box::new(key),
                key_index: number(&signature["VectorCommitmentIndex"]),
                key_depth,
                key_proof: key_proof.into(),
            },
            participant: Participant {
                weight: number(&participant["Weight"]),
                key_lifetime: number(&participant["PK"]["KeyLifetime"]),
                key_commitment: node(&array(&participant["PK"]["Commitment"])),
            },
        };
        (position.parse().unwrap(), reveal)
    };
    let proof = StateProof {
        signatures_root: node(&base64(json_proof["SigCommit"].as_str().unwrap())),
        signed_weight: number(&json_proof["SignedWeight"]),
        signatures: tree("SigProofs"),
        participants: tree("PartProofs"),
        salt_version: number(&json_proof["MerkleSignatureSaltVersion"]) as u8,
        reveals: json_proof["Reveals"].as_object().unwrap().iter().map(reveal).collect(),
        positions: items(&json_proof["PositionsToReveal"]).iter().map(number).collect(),
    };
    assert_eq!((proof.reveals.len(), proof.positions.len()), (20, 148));
    assert_eq!(StateProof::from_msgpack(&encoded(&proof)).as_ref(), Ok(&proof));

    let text = |name| serde_json::from_slice::<Value>(&vectors(name)).unwrap();
    let voters = text("sumhash/previousVotersCommitment.json");
    let message = array(&text("sumhash/stateProofMessageHash.json")).try_into().unwrap();
    let verifier = Verifier::new(node(&base64(voters.as_str().unwrap())), 2_334_949);
    let mut asked = 0;
    let verdict = verifier.verify(20_134_400, &message, &proof, |signed| {
        asked += 1;
        signed.is_valid()
    });
    assert_eq!((verdict, asked), (Ok(()), 20));
    assert!(verifier.verify(20_134_400 + 256, &message, &proof, |_| true).is_err());
    // One coin less is not enough.
    let mut fewer = proof.clone();
    fewer.positions.pop();
    let error = StateProofError::TooLittleWeight { signed: proof.signed_weight, reveals: 147 };
    assert_eq!(verifier.verify(20_134_400, &message, &fewer, |_| true), Err(error));
}

/// The first revealed signature of `MainNet`'s state proof for round 60000000, and changes of it.
#[test]
fn a_falcon_signature_of_mainnet() {
    let part = |name: &str| -> Vec<u8> {
        let lines = include_str!("falcon.txt").lines().filter_map(|line| line.strip_prefix(name));
        hex::decode(lines.map(str::trim).collect::<String>()).unwrap()
    };
    let key: [u8; 1793] = part("key").try_into().unwrap();
    let message: [u8; 32] = part("message").try_into().unwrap();
    let signature = part("signature");
    let is_valid = |key: &[u8; 1793], message: &[u8; 32], signature: &[u8]| {
        Signed { key, message, signature }.is_valid()
    };
    assert!(is_valid(&key, &message, &signature));
    for bit in [0, 100, 255] {
        let mut other = message;
        other[bit / 8] ^= 1 << (bit % 8);
        assert!(!is_valid(&key, &other, &signature));
    }
    for at in [0, 1, 2, 900, 1792] {
        let mut other = key;
        other[at] ^= 1;
        assert!(!is_valid(&other, &message, &signature), "{at}");
    }
    for at in [0, 1, 2, 3, 600, signature.len() - 1] {
        let mut other = signature.clone();
        other[at] ^= 0x40;
        assert!(!is_valid(&key, &message, &other), "{at}");
    }
    for shorter in [0, 1, 2, signature.len() - 1] {
        assert!(!is_valid(&key, &message, &signature[..shorter]));
    }
    // A coefficient of the key that is q or more, though it is the same modulo q.
    let mut bits = key.iter().map(|byte| format!("{byte:08b}")).collect::<String>();
    let first = u32::from_str_radix(&bits[8..22], 2).unwrap();
    let small = (0..1024)
        .map(|i| 8 + 14 * i)
        .find(|&at| u32::from_str_radix(&bits[at..at + 14], 2).unwrap() < (1 << 14) - 12_289);
    assert!(first < 12_289);
    let at = small.expect("a quarter of all are so small");
    let value = u32::from_str_radix(&bits[at..at + 14], 2).unwrap() + 12_289;
    bits.replace_range(at..at + 14, &format!("{value:014b}"));
    let mut other = key;
    for (i, byte) in other.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&bits[8 * i..8 * i + 8], 2).unwrap();
    }
    assert!(!is_valid(&other, &message, &signature));
    // Zeros are short, but far from what the message hashes to.
    let (zeros, _) = falcon_signature(signature[1]);
    assert!(!is_valid(&key, &message, &zeros));
}

/// The message of `MainNet`'s state proof for rounds 59999745 to 60000000 (transaction
/// U3E4UQIKQF7X2KJWNXAK7F7S6736TOLST5I7MKEGLESK5ZJLSTOQ), and what came before it (transaction
/// WH6WHFQIFYZTKTOUTMNZUZV4ENEVWGYFBYVQ2AHENUZ3F4Z4P64Q). Both are as th0tmaker's
/// algorand-state-proof quotes them.
fn mainnet() -> (Anchor, Message) {
    let anchor = Anchor {
        voters_commitment: node(&base64(
            "Yqhs72l9VsNRRfXTDe5ZRmRnsTYP9fm0rp5kywwt8y9Ul39tNa1abC7ceX3+Hy3XnxZogVGzYRZsBMJCvpwTWQ==",
        )),
        ln_proven_weight: 2_230_322,
        last_round: 59_999_744,
    };
    let message = Message {
        block_headers_commitment: base64("751g1mbohNWzYqT/R588/5KlcBSl3GpkY9g9T+HCzj4=")
            .try_into()
            .unwrap(),
        voters_commitment: node(&base64(
            "SHvN62JrCY6VuhDtI8BKJwRH0bHjQyH6MUyecsC+E4p9ulTBwqM4GJNVf8CVX74KUxZN8wpia/U3R75Izu1MDA==",
        )),
        ln_proven_weight: 2_230_235,
        first_round: 59_999_745,
        last_round: 60_000_000,
    };
    (anchor, message)
}

#[test]
fn the_hash_of_a_message_of_mainnet() {
    let (_, message) = mainnet();
    let expected = "393e1231a9369027d58461c90e4bc1fe52d83c6341c9b278136ad99483b41ed2";
    assert_eq!(hex::encode(message.hash()), expected);
    let bytes = message.to_msgpack();
    assert_eq!(Message::from_msgpack(&bytes), Ok(message));
    // A map of five fields, in ascending order.
    assert_eq!(hex::encode(&bytes[..12]), "85a150ce002207dba162c420");
    assert_eq!(bytes.len(), 1 + 7 + 4 + 32 + 7 + 7 + 4 + 64);
}

#[test]
fn messages_that_are_not() {
    let (_, message) = mainnet();
    let error = |bytes: &[u8]| Message::from_msgpack(bytes).unwrap_err();
    let expected = |expected, offset| StateProofDecodeError { expected, offset };
    let good = message.to_msgpack();
    for end in 0..good.len() {
        assert!(Message::from_msgpack(&good[..end]).is_err(), "{end}");
    }
    assert_eq!(error(&[&good[..], &[0]].concat()), expected("the end", good.len()));
    let [b, v] = [bin(&[1; 32]), bin(&[2; 64])];
    let both = map(&[("b", b.clone()), ("v", v.clone())]);
    let zeros = Message::from_msgpack(&both).unwrap();
    assert_eq!((zeros.first_round, zeros.last_round, zeros.ln_proven_weight), (0, 0, 0));
    assert_eq!(zeros.to_msgpack(), both);
    for (fields, wrong) in [
        (vec![("v", v.clone()), ("b", b.clone())], expected("the canonical form", 2)),
        (
            vec![("b", b.clone()), ("f", vec![0xcc, 0]), ("v", v.clone())],
            expected("the canonical form", 0),
        ),
        (
            vec![("b", b.clone()), ("v", v.clone()), ("f", uint(1))],
            expected("the canonical form", 38),
        ),
        (vec![("b", b.clone())], expected("both commitments", 37)),
        (vec![("v", v.clone())], expected("both commitments", 69)),
        (vec![("b", b.clone()), ("b", b.clone())], expected("a field of this map, once", 37)),
        (vec![("b", b.clone()), ("x", uint(1))], expected("a field of this map, once", 37)),
        (vec![("b", bin(&[1; 31]))], expected("a commitment of 32 bytes", 3)),
        (vec![("v", bin(&[1; 65]))], expected("a digest of 64 bytes", 3)),
        (vec![("l", bin(&[1; 8]))], expected("a round", 3)),
    ] {
        assert_eq!(error(&map(&fields)), wrong, "{fields:?}");
    }
    // An integer that is longer than it need be.
    let long = vec![0xcd, 0, 5];
    let fields = [("P", long), ("b", b), ("v", v)];
    assert_eq!(error(&map(&fields)), expected("the canonical form", 3));
}

/// The state proof for round 60000000 with its message, from the anchor before it, with all Falcon
/// signatures.
#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn a_state_proof_of_mainnet() {
    let bytes = vectors("sumhash/stateproof_60000000.bin");
    let proof = StateProof::from_msgpack(&bytes).unwrap();
    let (anchor, message) = mainnet();
    let verified = anchor.verify(&message, &proof, |signed| signed.is_valid());
    assert_eq!(verified, Ok(message.anchor()));
    assert_eq!(message.anchor().last_round, 60_000_000);

    let mut other = message;
    other.block_headers_commitment[0] ^= 1;
    assert!(anchor.verify(&other, &proof, |_| true).is_err());
    let other = Anchor { ln_proven_weight: anchor.ln_proven_weight + 1, ..anchor };
    assert!(other.verify(&message, &proof, |_| true).is_err());
    // By its own participants, it is not signed.
    let next = Anchor { last_round: anchor.last_round, ..message.anchor() };
    assert!(next.verify(&message, &proof, |_| true).is_err());
    // A signature with another coefficient is refused by the trees, and with another key by Falcon.
    let position = *proof.reveals.keys().nth(3).unwrap();
    let mut forged = 0;
    let verdict = anchor.verify(&message, &proof, |signed| {
        forged += 1;
        forged != 4 && signed.is_valid()
    });
    assert_eq!(verdict, Err(StateProofError::WrongSignature { position }));
}

/// Two messages by the participants of the state proof made here.
#[test]
fn chains() {
    let (root, ln_proven_weight, mut proof) = made(300);
    let anchor = Anchor { voters_commitment: root, ln_proven_weight, last_round: ROUND - 256 };
    let message = Message {
        block_headers_commitment: [1; 32],
        voters_commitment: [2; 64],
        ln_proven_weight: 77,
        first_round: ROUND - 255,
        last_round: ROUND,
    };
    for (first, last) in [(ROUND - 256, ROUND), (ROUND - 254, ROUND), (0, ROUND), (ROUND - 255, 0)]
    {
        let other = Message { first_round: first, last_round: last, ..message };
        let error = StateProofError::WrongRounds { expected: ROUND - 255, first, last };
        assert_eq!(anchor.verify(&other, &proof, |_| true), Err(error));
    }
    let last = Anchor { last_round: u64::MAX, ..anchor };
    let error = last.verify(&message, &proof, |_| true).unwrap_err();
    assert!(matches!(error, StateProofError::WrongRounds { expected: u64::MAX, .. }));
    // The coins are those of another message.
    assert!(anchor.verify(&message, &proof, |_| true).is_err());
    // Without coins there is nothing to prove, whatever the message is.
    proof.positions.clear();
    let verdict = anchor.verify(&message, &proof, |_| true);
    let signed = proof.signed_weight;
    assert_eq!(verdict, Err(StateProofError::TooLittleWeight { signed, reveals: 0 }));
    assert_eq!(message.anchor().last_round, ROUND);
    assert_eq!(
        (message.anchor().voters_commitment, message.anchor().ln_proven_weight),
        ([2; 64], 77)
    );
}
