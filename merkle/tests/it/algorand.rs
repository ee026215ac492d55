//! Algorand's trees: known answers of go-algorand, generated trees that its verifier accepts, state
//! proofs from the public chains, and the definitions.

use std::fs;
use std::path::PathBuf;

use merkle_lanes::algorand::{
    Algorand, FixedLengthError, FixedLengthProof, HashFunction, Sha256, Sha512_256, Sumhash512,
    VectorCommitment, domains, position, verify_element, verify_elements,
};
use merkle_lanes::{
    Backend, Claim, InclusionProof, LeafPosition, MultiProof, Node, NodeHasher, RootBuilder, Tree,
    VerifyError, root, verify_many,
};
use serde_json::Value;
use sha2::Digest;
use sumhash512::{CompressLookup, Matrix};

use crate::oracle;

type Wide = [u8; 64];

/// sumhash512 of one message, from its definition for matrices of any size.
pub(crate) fn sumhash() -> impl Fn(&[u8]) -> Wide {
    let matrix = Matrix::new(8, 1024, b"Algorand").unwrap();
    let compress = CompressLookup::new(&matrix);
    move |message| sumhash512::hash(&compress, message).try_into().unwrap()
}

/// A tree from its definition: a level with an odd number of nodes is padded with zeros.
pub(crate) fn plain<N: Node>(leaves: &[N], node: &impl Fn(&[u8]) -> N) -> N {
    match leaves {
        [] => N::ZERO,
        [root] => *root,
        _ => {
            let pair =
                |pair: &[N]| [pair[0].as_ref(), pair.get(1).unwrap_or(&N::ZERO).as_ref()].concat();
            let parents: Vec<N> =
                leaves.chunks(2).map(|nodes| node(&[b"MA", &pair(nodes)[..]].concat())).collect();
            plain(&parents, node)
        }
    }
}

/// The leaves of a vector commitment in their positions.
fn placed<N: Node>(leaves: &[N], bottom: N) -> Vec<N> {
    let mut depth = 0;
    while 1 << depth < leaves.len() {
        depth += 1;
    }
    let element = |position: usize| {
        let index = (0..depth).fold(0, |index, bit| index * 2 + (position >> bit & 1));
        leaves.get(index).copied().unwrap_or(bottom)
    };
    (0..1 << depth).map(element).collect()
}

fn check<F: HashFunction>(function: F, hash: impl Fn(&[u8]) -> F::Node) {
    let hasher = Algorand::new(function, b"MX");
    let data: Vec<[u8; 32]> = (0..131_u8).map(|i| oracle::sha256(&[&[i]])).collect();
    let leaves: Vec<F::Node> = data.iter().map(|data| hash(&[b"MX", &data[..]].concat())).collect();
    let mut hashed = vec![F::Node::ZERO; data.len()];
    hasher.hash_leaves(&data, &mut hashed);
    assert_eq!(hashed, leaves);

    for count in 0..=130 {
        let leaves = &leaves[..count];
        let expected = plain(leaves, &hash);
        assert_eq!(root(&hasher, leaves), expected, "{count}");
        let tree = Tree::from_leaves(hasher, leaves);
        assert_eq!(tree.root(), expected, "{count}");
        let mut builder = RootBuilder::new(hasher);
        builder.extend(leaves);
        assert_eq!(builder.root(), expected, "{count}");

        let vector = VectorCommitment::from_data(hasher, &data[..count]);
        let placed = placed(leaves, hash(b"MB"));
        assert_eq!(vector.tree().leaves(), placed, "{count}");
        let expected = plain(&placed, &hash);
        assert_eq!((vector.root(), 1 << vector.depth()), (expected, placed.len()), "{count}");
        assert_eq!(vector.elements(), count as u64);

        // A stride that covers every index in some tree.
        for index in (0..count).step_by(1 + count / 10) {
            let proof = tree.prove(index as u64).unwrap();
            let position = LeafPosition { index: index as u64, size: count as u64 };
            proof.verify(&hasher, &tree.root(), position, &leaves[index]).unwrap();
            let index = index as u64;
            let proof = vector.prove(index).unwrap();
            let leaf = (index, &leaves[index as usize]);
            assert_eq!(verify_element(&hasher, &expected, vector.depth(), leaf, &proof), Ok(()));
            let long = InclusionProof::from([proof.nodes(), &[F::Node::ZERO]].concat());
            assert!(verify_element(&hasher, &expected, vector.depth(), leaf, &long).is_err());
            assert!(verify_element(&hasher, &expected, vector.depth() + 1, leaf, &long).is_err());
            let other = (index + 1, leaf.1);
            assert!(verify_element(&hasher, &expected, vector.depth(), other, &proof).is_err());
        }
        for step in [1, 2, 3, 7, 64] {
            // In descending order.
            let indices: Vec<u64> = (0..count as u64).rev().step_by(step).collect();
            let elements: Vec<_> =
                indices.iter().map(|&index| (index, leaves[index as usize])).collect();
            let Ok(proof) = vector.prove_many(&indices) else {
                assert_eq!(count, 0);
                continue;
            };
            assert_eq!(
                verify_elements(&hasher, &expected, vector.depth(), &elements, &proof),
                Ok(())
            );
            let twice = [&elements[..], &elements[..1]].concat();
            let refused = verify_elements(&hasher, &expected, vector.depth(), &twice, &proof);
            assert!(matches!(refused, Err(VerifyError::Unsorted { .. })));
        }
    }
}

#[test]
fn trees_match_the_definition() {
    check(Sumhash512::new(), sumhash());
    check(Sha512_256, |message| sha2::Sha512_256::digest(message).into());
    for backend in Backend::available() {
        check(Sha256::new().with_backend(backend), |message| oracle::sha256(&[message]));
    }
}

#[test]
fn every_backend_agrees_on_larger_trees() {
    let hash = sumhash();
    let leaves: Vec<Wide> = (0..700_u32).map(|i| hash(&i.to_le_bytes())).collect();
    let expected = plain(&leaves, &hash);
    for backend in sumhash512::Backend::available() {
        let hasher = Algorand::new(Sumhash512::new().with_backend(backend), b"");
        assert_eq!(root(&hasher, &leaves), expected, "{}", backend.name());
    }
    let leaves: Vec<[u8; 32]> =
        (0..5000_u32).map(|i| oracle::sha256(&[&i.to_le_bytes()])).collect();
    let expected = plain(&leaves, &|message: &[u8]| oracle::sha256(&[message]));
    for backend in Backend::available() {
        let hasher = Algorand::new(Sha256::new().with_backend(backend), b"");
        assert_eq!(root(&hasher, &leaves), expected, "{}", backend.name());
        assert_eq!(Tree::from_leaves(hasher, &leaves[..]).root(), expected, "{}", backend.name());
    }
}

#[test]
fn positions() {
    assert_eq!(position(0, 0), Ok(LeafPosition { index: 0, size: 1 }));
    assert_eq!(position(0b0011, 4), Ok(LeafPosition { index: 0b1100, size: 16 }));
    assert_eq!(position(1, 63), Ok(LeafPosition { index: 1 << 62, size: 1 << 63 }));
    assert_eq!(position(1, 0), Err(VerifyError::NoSuchLeaf { index: 1, size: 1 }));
    assert_eq!(position(16, 4), Err(VerifyError::NoSuchLeaf { index: 16, size: 16 }));
    let too_many = VerifyError::TooManyLeaves { size: u64::MAX, capacity: 1 << 63 };
    assert_eq!(position(1, 64), Err(too_many));
    assert_eq!(position(1, u32::MAX), Err(too_many));
}

#[test]
fn fixed_length_proofs() {
    let hasher = Algorand::new(Sumhash512::new(), b"MX");
    let vector = VectorCommitment::from_data(hasher, &(0..9_u8).map(|i| [i]).collect::<Vec<_>>());
    let proof = vector.prove(5).unwrap();
    let fixed = FixedLengthProof::try_from(proof.clone()).unwrap();
    let bytes = fixed.to_bytes();
    assert_eq!(bytes, [&[4], &[0; 12 * 64][..], &proof.to_bytes()].concat());
    assert_eq!(FixedLengthProof::try_from(&bytes[..]).as_ref(), Ok(&fixed));
    assert_eq!(fixed.into_proof(), proof);

    let longest = FixedLengthProof::try_from(InclusionProof::from(vec![[1; 64]; 16])).unwrap();
    assert_eq!(FixedLengthProof::try_from(&longest.to_bytes()[..]), Ok(longest));
    let too_long = FixedLengthProof::try_from(InclusionProof::from(vec![[1_u8; 64]; 17]));
    assert_eq!(too_long, Err(FixedLengthError::TooDeep { depth: 17 }));

    let read = |bytes: &[u8]| FixedLengthProof::<Wide>::try_from(bytes);
    for got in [0, 1, 1024, 1026] {
        assert_eq!(read(&vec![0; got]), Err(FixedLengthError::WrongLength { expected: 1025, got }));
    }
    for position in 1..=12 * 64 {
        let mut bytes = bytes.clone();
        bytes[position] = 1;
        assert_eq!(read(&bytes), Err(FixedLengthError::NotZero { position }));
    }
    for depth in [17, 255] {
        let mut bytes = bytes.clone();
        bytes[0] = depth;
        assert_eq!(read(&bytes), Err(FixedLengthError::TooDeep { depth: depth.into() }));
    }
}

fn vectors(name: &str) -> Vec<u8> {
    let folder = std::env::var_os("HASHLANES_VECTORS")
        .expect("set the environment variable HASHLANES_VECTORS to the folder of the test vectors");
    let path = PathBuf::from(folder).join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn json(name: &str) -> Value {
    serde_json::from_slice(&vectors(name)).unwrap()
}

fn hexadecimal(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().unwrap()).unwrap()
}

fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in text.trim_end_matches('=').bytes() {
        bits = bits << 6 | DIGITS.iter().position(|&other| other == digit).unwrap() as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// A node. Empty bytes are a missing node.
fn node<N: Node>(bytes: &[u8]) -> N {
    if bytes.is_empty() { N::ZERO } else { N::from_bytes(bytes).0[0] }
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn nodes<N: Node>(value: &Value) -> Vec<N> {
    items(value).iter().map(|item| node(&hexadecimal(item))).collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

fn known_answers<F: HashFunction>(name: &str, root: impl Fn(Algorand<F>, &[Vec<u8>]) -> F::Node) {
    let known = json("merkle/algorand/merklearray_kats.json");
    let known = items(&known[name]);
    assert_eq!(known.len(), 5, "{name}");
    for answer in known {
        let elements: Vec<_> = items(&answer["Elements"]).iter().map(hexadecimal).collect();
        let expected: F::Node = node(&hexadecimal(&answer["Root"]));
        assert_eq!(root(Algorand::new(F::default(), b"MX"), &elements), expected, "{name}");
    }
}

fn root_of_data<F: HashFunction>(hasher: Algorand<F>, data: &[Vec<u8>]) -> F::Node {
    let mut builder = RootBuilder::new(hasher);
    builder.extend_data(data);
    builder.root()
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn known_answers_of_go_algorand() {
    known_answers::<Sumhash512>("Sumhash", root_of_data);
    known_answers::<Sha512_256>("Sha512_256", root_of_data);
    known_answers::<Sha256>("Sha256", root_of_data);
    known_answers::<Sha512_256>("VC_Sha512_256", |hasher, data| {
        VectorCommitment::from_data(hasher, data).root()
    });
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn trees_accepted_by_go_algorand() {
    let trees = json("merkle/algorand/sumhash_trees.json");
    let hasher = Algorand::new(Sumhash512::new(), b"MX");
    let data: Vec<_> = (0..33).map(|i| oracle::sha256(&[format!("leaf {i}").as_bytes()])).collect();
    let mut leaves = vec![[0; 64]; data.len()];
    hasher.hash_leaves(&data, &mut leaves);

    let mut proofs = 0;
    for (name, is_vector) in [("plain", false), ("vector_commitment", true)] {
        assert_eq!(items(&trees[name]).len(), 14);
        for known in items(&trees[name]) {
            let count = number(&known["Count"]) as usize;
            let vector = VectorCommitment::from_leaves(hasher, &leaves[..count]);
            let plain = Tree::from_leaves(hasher, &leaves[..count]);
            let tree = if is_vector { vector.tree() } else { &plain };
            let root = node(&hexadecimal(&known["Root"]));
            assert_eq!(tree.root(), root, "{name} {count}");
            assert_eq!(u64::from(tree.depth()), number(&known["Depth"]), "{name} {count}");
            for (level, expected) in items(&known["levels"]).iter().enumerate() {
                assert_eq!(
                    tree.level(level as u32),
                    nodes::<Wide>(expected),
                    "{name} {count}: {level}"
                );
            }
            for known in items(&known["proofs"]) {
                let indices: Vec<u64> = items(&known["idx"]).iter().map(number).collect();
                let path: Vec<Wide> = nodes(&known["path"]);
                let elements: Vec<_> =
                    indices.iter().map(|&index| (index, leaves[index as usize])).collect();
                let proof = if is_vector {
                    vector.prove_many(&indices)
                } else {
                    plain.prove_many(&indices)
                }
                .unwrap();
                assert_eq!(proof.nodes(), path, "{name} {count}: {indices:?}");
                if is_vector {
                    verify_elements(&hasher, &root, vector.depth(), &elements, &proof).unwrap();
                } else {
                    proof.verify(&hasher, &root, count as u64, &elements).unwrap();
                }
                if let [index] = indices[..] {
                    let single =
                        if is_vector { vector.prove(index) } else { plain.prove(index) }.unwrap();
                    assert_eq!(single.nodes(), path, "{name} {count}: {index}");
                }
                proofs += 1;
            }
        }
    }
    assert!(proofs > 120, "{proofs} proofs");
}

/// A signature in a state proof and its signer.
struct Reveal {
    position: u64,
    weight: u64,
    key_lifetime: u64,
    key_commitment: Vec<u8>,
    /// The total weight of the signatures before this one.
    signed_before: u64,
    signature: Vec<u8>,
    key: Vec<u8>,
    key_index: u64,
    key_proof: InclusionProof<Wide>,
}

struct StateProof {
    signatures_root: Wide,
    signatures: (u32, MultiProof<Wide>),
    participants: (u32, MultiProof<Wide>),
    reveals: Vec<Reveal>,
}

/// A deterministic compressed Falcon-1024 signature, with its coefficients re-encoded in 12 bits
/// each.
fn constant_length(signature: &[u8]) -> Vec<u8> {
    assert_eq!(signature[0], 0xba);
    let mut bits = signature[2..]
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| u32::from(byte >> bit & 1)));
    let mut bytes = vec![0xda, signature[1]];
    let mut coefficients = (0..1024).map(|_| {
        let is_negative = bits.next().unwrap() == 1;
        let low = (0..7).fold(0, |low, _| low << 1 | bits.next().unwrap());
        let high = bits.by_ref().take_while(|&bit| bit == 0).count() as u32;
        let magnitude = high << 7 | low;
        (if is_negative { magnitude.wrapping_neg() } else { magnitude }) & 0xfff
    });
    while let (Some(first), Some(second)) = (coefficients.next(), coefficients.next()) {
        bytes.extend(&(first << 12 | second).to_be_bytes()[1..]);
    }
    bytes
}

impl Reveal {
    fn participant(&self) -> Vec<u8> {
        [&self.weight.to_le_bytes()[..], &self.key_lifetime.to_le_bytes(), &self.key_commitment]
            .concat()
    }

    fn key(&self, round: u64) -> Vec<u8> {
        [&[0; 2][..], &round.to_le_bytes(), &self.key].concat()
    }

    fn signature_slot(&self) -> Vec<u8> {
        let proof = FixedLengthProof::try_from(self.key_proof.clone()).unwrap().to_bytes();
        let bytes = [
            &self.signed_before.to_le_bytes()[..],
            &[0; 2],
            &constant_length(&self.signature),
            &self.key,
            &self.key_index.to_le_bytes(),
            &proof,
        ]
        .concat();
        assert_eq!(bytes.len(), 4377 - 3);
        bytes
    }
}

impl StateProof {
    /// Verifies all three kinds of trees. Returns the root of the participants.
    fn check(&self, key_round: u64) -> Wide {
        let positions = self.reveals.iter().map(|reveal| reveal.position);
        let leaves = |domain, data: &dyn Fn(&Reveal) -> Vec<u8>| {
            let data: Vec<_> = self.reveals.iter().map(data).collect();
            let mut leaves = vec![[0; 64]; data.len()];
            Algorand::new(Sumhash512::new(), domain).hash_leaves(&data, &mut leaves);
            leaves
        };
        let hasher = Algorand::new(Sumhash512::new(), b"");

        let slots = leaves(domains::SIGNATURE_SLOT, &Reveal::signature_slot);
        let slots: Vec<_> = positions.clone().zip(slots).collect();
        let (depth, proof) = &self.signatures;
        assert_eq!(verify_elements(&hasher, &self.signatures_root, *depth, &slots, proof), Ok(()));

        let keys = leaves(domains::KEY, &|reveal| reveal.key(key_round));
        let roots: Vec<Wide> =
            self.reveals.iter().map(|reveal| node(&reveal.key_commitment)).collect();
        let claims: Vec<_> = (self.reveals.iter().zip(&keys).zip(&roots))
            .map(|((reveal, leaf), root)| {
                let (depth, proof) = (reveal.key_proof.nodes().len() as u32, &reveal.key_proof);
                let position = position(reveal.key_index, depth).unwrap();
                Claim { root, position, leaf, proof }
            })
            .collect();
        assert!(verify_many(&hasher, &claims).iter().all(Result::is_ok));

        let participants = leaves(domains::PARTICIPANT, &Reveal::participant);
        let (depth, proof) = &self.participants;
        let mut participants: Vec<_> =
            positions.map(|i| position(i, *depth).unwrap().index).zip(participants).collect();
        participants.sort_unstable();
        proof.root(&hasher, 1 << depth, &participants).unwrap()
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn a_state_proof_of_betanet() {
    let proof = json("sumhash/stateProof.json");
    let path = |proof: &Value| -> (u32, Vec<Wide>) {
        let path = items(&proof["Path"])
            .iter()
            .map(|item| node(&base64(item.as_str().unwrap_or_default())));
        assert_eq!(number(&proof["HashFactory"]["HashType"]), u64::from(Sumhash512::HASH_TYPE));
        (number(&proof["TreeDepth"]) as u32, path.collect())
    };
    let array =
        |value: &Value| items(value).iter().map(|byte| number(byte) as u8).collect::<Vec<_>>();
    let many = |proof: &Value| {
        let (depth, path) = path(proof);
        (depth, path.into())
    };
    let reveal = |(position, reveal): (&String, &Value)| {
        let (participant, slot) = (&reveal["Part"], &reveal["SigSlot"]);
        let signature = &slot["Sig"];
        let (depth, key_path) = path(&signature["Proof"]);
        assert_eq!(depth as usize, key_path.len());
        Reveal {
            position: position.parse().unwrap(),
            weight: number(&participant["Weight"]),
            key_lifetime: number(&participant["PK"]["KeyLifetime"]),
            key_commitment: array(&participant["PK"]["Commitment"]),
            signed_before: number(&slot["L"]),
            signature: base64(signature["Signature"].as_str().unwrap()),
            key: array(&signature["VerifyingKey"]["PublicKey"]),
            key_index: number(&signature["VectorCommitmentIndex"]),
            key_proof: key_path.into(),
        }
    };
    let proof = StateProof {
        signatures_root: node(&base64(proof["SigCommit"].as_str().unwrap())),
        signatures: many(&proof["SigProofs"]),
        participants: many(&proof["PartProofs"]),
        reveals: proof["Reveals"].as_object().unwrap().iter().map(reveal).collect(),
    };
    assert_eq!(proof.reveals.len(), 20);

    // The leaves of the keys contain the round.
    let preimages = json("sumhash/betanet_leaf_preimages.json");
    let mut round = None;
    for known in items(&preimages) {
        let preimage = hexadecimal(&known["Preimage"]);
        let reveal = proof
            .reveals
            .iter()
            .find(|reveal| reveal.position == number(&known["Pos"]))
            .expect("it is revealed");
        let (domain, data) = match known["Kind"].as_str().unwrap() {
            "spp" => (domains::PARTICIPANT, reveal.participant()),
            "KP" => {
                let of_key = u64::from_le_bytes(preimage[4..12].try_into().unwrap());
                assert_eq!(*round.get_or_insert(of_key), of_key);
                (domains::KEY, reveal.key(of_key))
            }
            other => panic!("{other}"),
        };
        assert_eq!([domain, &data].concat(), preimage);
        let expected: Wide = node(&hexadecimal(&known["Digest"]));
        assert_eq!(Algorand::new(Sumhash512::new(), domain).hash_leaf(&data), expected);
    }
    let voters: String =
        serde_json::from_slice(&vectors("sumhash/previousVotersCommitment.json")).unwrap();
    assert_eq!(proof.check(round.unwrap()).to_vec(), base64(&voters));
}

/// A msgpack value.
#[derive(Debug)]
enum Packed {
    Number(u64),
    Bytes(Vec<u8>),
    List(Vec<Packed>),
    Map(Vec<(Packed, Packed)>),
}

impl Packed {
    /// Reads a well-formed value.
    fn read(rest: &mut &[u8]) -> Self {
        fn take<'a>(rest: &mut &'a [u8], bytes: usize) -> &'a [u8] {
            let (now, later) = rest.split_at(bytes);
            *rest = later;
            now
        }
        fn number(rest: &mut &[u8], bytes: usize) -> usize {
            take(rest, bytes).iter().fold(0, |number, &byte| number << 8 | usize::from(byte))
        }
        let list = |rest: &mut &[u8], count: usize| {
            Self::List((0..count).map(|_| Self::read(rest)).collect())
        };
        let map = |rest: &mut &[u8], count: usize| {
            Self::Map((0..count).map(|_| (Self::read(rest), Self::read(rest))).collect())
        };
        match take(rest, 1)[0] {
            small @ ..0x80 => Self::Number(small.into()),
            first @ 0x80..0x90 => map(rest, (first & 15).into()),
            first @ 0x90..0xa0 => list(rest, (first & 15).into()),
            first @ 0xa0..0xc0 => Self::Bytes(take(rest, (first & 31).into()).to_vec()),
            first @ (0xc4 | 0xc5) => {
                let bytes = number(rest, usize::from(first - 0xc3));
                Self::Bytes(take(rest, bytes).to_vec())
            }
            first @ 0xcc..=0xcf => Self::Number(number(rest, 1 << (first - 0xcc)) as u64),
            0xdc => {
                let count = number(rest, 2);
                list(rest, count)
            }
            0xde => {
                let count = number(rest, 2);
                map(rest, count)
            }
            other => panic!("{other:#x}"),
        }
    }

    fn entries(&self) -> &[(Self, Self)] {
        match self {
            Self::Map(entries) => entries,
            other => panic!("{other:?}"),
        }
    }

    fn find(&self, key: &str) -> Option<&Self> {
        let is_it =
            |(name, _): &&(Self, Self)| matches!(name, Self::Bytes(name) if name == key.as_bytes());
        self.entries().iter().find(is_it).map(|(_, value)| value)
    }

    fn get(&self, key: &str) -> &Self {
        self.find(key).unwrap_or_else(|| panic!("{key} of {self:?}"))
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            other => panic!("{other:?}"),
        }
    }

    fn number(&self) -> u64 {
        match self {
            Self::Number(number) => *number,
            other => panic!("{other:?}"),
        }
    }

    /// A proof and its depth.
    fn path(&self) -> (u32, Vec<Wide>) {
        let Self::List(path) = self.get("pth") else { panic!("{self:?}") };
        assert_eq!(self.get("hsh").get("t").number(), u64::from(Sumhash512::HASH_TYPE));
        (self.get("td").number() as u32, path.iter().map(|item| node(item.bytes())).collect())
    }
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn a_state_proof_of_mainnet() {
    /// The last round that it attests to. From this round on, the keys are those of a new lifetime.
    const ROUND: u64 = 60_000_000;

    let bytes = vectors("sumhash/stateproof_60000000.bin");
    let mut rest = bytes.as_slice();
    let proof = Packed::read(&mut rest);
    assert!(rest.is_empty());
    // Zero fields are omitted.
    let number = |value: &Packed, key| value.find(key).map_or(0, Packed::number);
    let many = |proof: &Packed| {
        let (depth, path) = proof.path();
        (depth, path.into())
    };
    let reveal = |(position, reveal): &(Packed, Packed)| {
        let (participant, slot) = (reveal.get("p"), reveal.get("s"));
        let signature = slot.get("s");
        let (depth, key_path) = signature.get("prf").path();
        assert_eq!(depth as usize, key_path.len());
        Reveal {
            position: position.number(),
            weight: number(participant, "w"),
            key_lifetime: number(participant.get("p"), "lf"),
            key_commitment: participant.get("p").get("cmt").bytes().to_vec(),
            signed_before: number(slot, "l"),
            signature: signature.get("sig").bytes().to_vec(),
            key: signature.get("vkey").get("k").bytes().to_vec(),
            key_index: number(signature, "idx"),
            key_proof: key_path.into(),
        }
    };
    let proof = StateProof {
        signatures_root: node(proof.get("c").bytes()),
        signatures: many(proof.get("S")),
        participants: many(proof.get("P")),
        reveals: proof.get("r").entries().iter().map(reveal).collect(),
    };
    assert_eq!((proof.reveals.len(), proof.participants.0), (67, 10));
    // The previous state proof contains the commitment to the participants.
    proof.check(ROUND);
}
