//! Merkle Tree Certificates: the encodings of the working group's own tests, and certificates made
//! here.

use std::num::NonZeroU16;

use merkle_lanes::rfc6962::mtc::{
    EntryExtensions, Landmarks, LandmarksError, LogId, MAX_ENTRIES, MtcCertificate, MtcProof,
    MtcProofError, SubtreeSignature, TbsCertificate, TrustAnchorId, cosigned_message, join_serial,
    split_serial,
};
use merkle_lanes::rfc6962::{Rfc6962, Subtree};
use merkle_lanes::{InclusionProof, Tree, VerifyError};
use proptest::prelude::*;

use crate::leaves;
use crate::oracle::{Hash, sha256};

fn id(text: &str) -> TrustAnchorId {
    text.parse().unwrap()
}

fn log(ca: &str, number: u16) -> LogId {
    LogId { ca: id(ca), number: NonZeroU16::new(number).unwrap() }
}

fn bytes(digits: &str) -> Vec<u8> {
    hex::decode(digits.replace(' ', "")).unwrap()
}

/// An element of DER.
fn der(tag: u8, contents: &[u8]) -> Vec<u8> {
    let len = contents.len();
    let mut bytes = vec![tag];
    match len {
        0..0x80 => bytes.push(len as u8),
        0x80..0x100 => bytes.extend([0x81, len as u8]),
        _ => bytes.extend([0x82, (len >> 8) as u8, len as u8]),
    }
    bytes.extend_from_slice(contents);
    bytes
}

/// `AddTBSCertificate` and `MarshalTBSCertificateLogEntry` of the working group's demo, for drafts
/// 06 and 07, in its test of encodings.
const ENTRIES: [(&str, &str); 2] = [
    (
        "3081aca003020102020204d2300c060a2b0601040182da4b2f00301631143012060a2b0601040182da4b2f03\
         0d0481fd5901301e170d3230303130313030303030305a170d3230313233313233353935395a300030593013\
         06072a8648ce3d020106082a8648ce3d03010703420004e62b69e2bf659f97be2f1e0d948a4cd5976bb7a91e\
         0d46fbdda9a91e9ddcba5a01e7d697a80a18f9c3c4a31e56e27c8348db161a1cf51d7ef1942d4bcf7222c1",
        "00000001a003020102301631143012060a2b0601040182da4b2f030d0481fd5901301e170d32303031303130\
         30303030305a170d3230313233313233353935395a3000301306072a8648ce3d020106082a8648ce3d030107\
         0420b3aea0f0a50538874f2b4c912f2676bd25ccc3dae700e20dcad42d3d5c074ca5",
    ),
    (
        "3081a8a003020102020204d2300a06082b0601050507064330143112301006082b060105050719030d0481fd\
         5901301e170d3230303130313030303030305a170d3230313233313233353935395a30003059301306072a86\
         48ce3d020106082a8648ce3d03010703420004e62b69e2bf659f97be2f1e0d948a4cd5976bb7a91e0d46fbdd\
         a9a91e9ddcba5a01e7d697a80a18f9c3c4a31e56e27c8348db161a1cf51d7ef1942d4bcf7222c1",
        "00000001a00302010230143112301006082b060105050719030d0481fd5901301e170d323030313031303030\
         3030305a170d3230313233313233353935395a3000301306072a8648ce3d020106082a8648ce3d0301070420\
         b3aea0f0a50538874f2b4c912f2676bd25ccc3dae700e20dcad42d3d5c074ca5",
    ),
];

#[test]
fn log_entries_of_the_working_group() {
    for (tbs, entry) in ENTRIES {
        let tbs_bytes = bytes(tbs);
        let tbs = TbsCertificate::from_der(&tbs_bytes).unwrap();
        assert_eq!((tbs.serial(), tbs.ca()), (1234, &id("32473.1")));
        assert_eq!(hex::encode(tbs.log_entry(&EntryExtensions::default())), entry);
        let longer = [&tbs_bytes[..], &[0]].concat();
        assert_eq!(TbsCertificate::from_der(&longer).unwrap_err().expected, "the end");
    }
    assert_eq!(EntryExtensions::default().null_entry(), [0; 4]);
    // The issuer as a string, as before draft 06.
    let older = bytes(
        "3081afa003020102020204d2300c060a2b0601040182da4b2f00301931173015060a2b0601040182da4b2f01\
         0c0733323437332e31301e170d3230303130313030303030305a170d3230313233313233353935395a300030\
         59301306072a8648ce3d020106082a8648ce3d03010703420004e62b69e2bf659f97be2f1e0d948a4cd5976b\
         b7a91e0d46fbdda9a91e9ddcba5a01e7d697a80a18f9c3c4a31e56e27c8348db161a1cf51d7ef1942d4bcf72\
         22c1",
    );
    let error = TbsCertificate::from_der(&older).unwrap_err();
    assert_eq!((error.expected, error.offset), ("an issuer with a trust anchor ID alone", 26));
}

/// The parts of a certificate by CA 32473.1. `rest` follows the public key.
struct Parts {
    version: Vec<u8>,
    serial: Vec<u8>,
    issuer: Vec<u8>,
    subject: Vec<u8>,
    key: Vec<u8>,
    rest: Vec<u8>,
}

const ALGORITHM: &str = "06082b06010505070643";

impl Parts {
    fn new(serial: u64, subject: u8) -> Self {
        let mut number = serial.to_be_bytes().to_vec();
        while number.len() > 1 && number[0] == 0 && number[1] & 0x80 == 0 {
            number.remove(0);
        }
        if number[0] & 0x80 != 0 {
            number.insert(0, 0);
        }
        let name = [bytes("06082b06010505071903"), der(0x0d, &bytes("81fd5901"))].concat();
        Self {
            version: der(0xa0, &der(2, &[2])),
            serial: der(2, &number),
            issuer: der(0x30, &der(0x31, &der(0x30, &name))),
            subject: der(0x30, &[subject; 200]),
            key: der(0x30, &[der(0x30, b"algorithm"), der(3, &[subject; 1300])].concat()),
            rest: der(0xa3, b"extensions"),
        }
    }

    fn certificate(&self, algorithm: &[u8], proof: &[u8]) -> Vec<u8> {
        let algorithm = der(0x30, algorithm);
        let validity = der(0x30, b"validity");
        let parts = [
            &self.version,
            &self.serial,
            &algorithm,
            &self.issuer,
            &validity,
            &self.subject,
            &self.key,
            &self.rest,
        ];
        let tbs = der(0x30, &parts.map(Vec::as_slice).concat());
        let signature = der(3, &[&[0], proof].concat());
        der(0x30, &[tbs, algorithm, signature].concat())
    }

    /// The entry by the definition of section 5.2.1.
    fn entry(&self, extensions: &[u8]) -> Vec<u8> {
        let validity = der(0x30, b"validity");
        let hash = der(4, &sha256(&[&self.key]));
        let algorithm = der(0x30, b"algorithm");
        let parts: [&[u8]; 9] = [
            extensions,
            &[0, 1],
            &self.version,
            &self.issuer,
            &validity,
            &self.subject,
            &algorithm,
            &hash,
            &self.rest,
        ];
        parts.concat()
    }
}

#[test]
fn certificates_of_a_log() {
    let hasher = Rfc6962::new();
    let extensions = EntryExtensions::new(&[(1, b"one"), (7, &[0; 300])]).unwrap();
    let serial = |index: u64| join_serial(NonZeroU16::new(0xffff).unwrap(), index).unwrap();
    let all: Vec<Parts> = (0..100).map(|index| Parts::new(serial(index), index as u8)).collect();
    let entries: Vec<_> = all.iter().map(|parts| parts.entry(&extensions.to_bytes())).collect();
    let mut tree = Tree::new(hasher);
    tree.extend_data(&entries);
    let (_, subtree) = Subtree::covering(37, 91).unwrap();
    let root = subtree.root(&tree).unwrap();
    let proof_of = |index: u64| {
        let signatures = ["32473.130", "32473.2", "1"]
            .map(|cosigner| SubtreeSignature { cosigner: id(cosigner), signature: vec![7; 2420] });
        let inclusion = subtree.prove(&tree, index).unwrap();
        MtcProof::new(extensions.clone(), subtree, inclusion, signatures.into()).unwrap()
    };
    for index in subtree.start()..subtree.end() {
        let proof = proof_of(index);
        let der = all[index as usize].certificate(&bytes(ALGORITHM), &proof.to_bytes());
        let certificate = MtcCertificate::from_der(&der).unwrap();
        assert_eq!(certificate.proof(), &proof);
        assert_eq!((certificate.log(), certificate.index()), (&log("32473.1", 0xffff), index));
        let certified = certificate.certified_subtree(&hasher).unwrap();
        assert_eq!((certified.subtree, certified.root), (subtree, root));
        assert_eq!(certified.log, log("32473.1", 0xffff));
        // A certificate for another key, by the same proof, leads to another root.
        let mut other = Parts::new(serial(index), index as u8);
        *other.key.last_mut().unwrap() ^= 1;
        let der = other.certificate(&bytes(ALGORITHM), &proof.to_bytes());
        let certified = MtcCertificate::from_der(&der).unwrap().certified_subtree(&hasher).unwrap();
        assert_ne!(certified.root, root);
    }

    // What a cosigner signs.
    let der = all[70].certificate(&bytes(ALGORITHM), &proof_of(70).to_bytes());
    let certified = MtcCertificate::from_der(&der).unwrap().certified_subtree(&hasher).unwrap();
    let message = [
        &b"subtree/v1\n\0\x19oid/1.3.6.1.4.1.32473.130"[..],
        &[0; 8],
        &b"\x1foid/1.3.6.1.4.1.32473.1.0.65535"[..],
        &64_u64.to_be_bytes(),
        &91_u64.to_be_bytes(),
        &root,
    ]
    .concat();
    assert_eq!(certified.message(&id("32473.130")), Some(message));

    // An entry that is not in the subtree, and a proof of another length.
    let parts = Parts::new(serial(91), 91);
    let der = parts.certificate(&bytes(ALGORITHM), &proof_of(70).to_bytes());
    let error = MtcCertificate::from_der(&der).unwrap().certified_subtree(&hasher).unwrap_err();
    assert_eq!(error, VerifyError::NoSuchLeaf { index: 91, size: 91 });
    let none = InclusionProof::from(Vec::new());
    let proof = MtcProof::new(extensions, subtree, none, Vec::new()).unwrap();
    let der = all[70].certificate(&bytes(ALGORITHM), &proof.to_bytes());
    let error = MtcCertificate::from_der(&der).unwrap().certified_subtree(&hasher).unwrap_err();
    assert_eq!(error, VerifyError::WrongLength { expected: 5, got: 0 });
}

#[test]
fn certificates_that_are_not() {
    let subtree = Subtree::new(0, 8).unwrap();
    let inclusion = InclusionProof::from(leaves(3));
    let extensions = EntryExtensions::default();
    let proof = MtcProof::new(extensions, subtree, inclusion, Vec::new()).unwrap().to_bytes();
    let serial = (1 << 48) + 5;
    let algorithm = bytes(ALGORITHM);
    let good = Parts::new(serial, 1).certificate(&algorithm, &proof);
    assert_eq!(MtcCertificate::from_der(&good).unwrap().index(), 5);
    let experimental = bytes("060a2b0601040182da4b2f00");
    let other = Parts::new(serial, 1).certificate(&experimental, &proof);
    assert!(MtcCertificate::from_der(&other).is_ok());

    let expected = |der: &[u8]| MtcCertificate::from_der(der).unwrap_err().expected;
    let with = |change: &dyn Fn(&mut Parts)| {
        let mut parts = Parts::new(serial, 1);
        change(&mut parts);
        parts.certificate(&algorithm, &proof)
    };
    for algorithm in [&b""[..], &bytes("06082b060105050706430500"), &bytes("06082b06010505070644")]
    {
        let der = Parts::new(serial, 1).certificate(algorithm, &proof);
        assert_eq!(expected(&der), "the signature algorithm id-alg-mtcProof");
    }
    let log_zero = with(&|parts| parts.serial = der(2, &[5]));
    assert_eq!(expected(&log_zero), "a serial number from 2^48 to 2^64 - 1");
    // Negative, empty, with leading zeros, and longer than 64 bits.
    for number in [&[0x80, 0, 0, 0, 0, 0, 0][..], &[], &[0, 1, 0, 0, 0, 0, 0, 0, 0], &[1; 9]] {
        let der = with(&|parts| parts.serial = der(2, number));
        assert_eq!(expected(&der), "a serial number from 0 to 2^64 - 1", "{number:x?}");
    }
    assert!(
        MtcCertificate::from_der(&with(
            &|parts| parts.serial = der(2, &[0, 0xff, 0, 0, 0, 0, 0, 0, 0])
        ))
        .is_ok()
    );
    // Without a version, and without anything after the key.
    assert!(MtcCertificate::from_der(&with(&|parts| parts.version.clear())).is_ok());
    assert!(MtcCertificate::from_der(&with(&|parts| parts.rest.clear())).is_ok());
    for issuer in [
        "",
        "3000",
        "301231103010",
        "30143112301006082b060105050719030c0481fd5901",
        "30163114301206082b060105050719030d0481fd59010500",
        "30143112301006082b060105050719030d0481fd5981",
        "30123110300e06082b060105050719030d028001",
    ] {
        let der = with(&|parts| parts.issuer = bytes(issuer));
        assert_eq!(expected(&der), "an issuer with a trust anchor ID alone", "{issuer}");
    }
    assert_eq!(expected(&[&good[..], &[0]].concat()), "the end");
    // A signature of a part of a byte, and an element after the signature.
    let contents = &good[4..];
    let (tbs_and_algorithm, signature) = contents.split_at(contents.len() - proof.len() - 3);
    assert_eq!(signature[..3], [3, proof.len() as u8 + 1, 0]);
    let mut part = signature.to_vec();
    part[2] = 1;
    let der_of = |signature: &[u8]| der(0x30, &[tbs_and_algorithm, signature].concat());
    assert_eq!(der_of(signature), good);
    assert_eq!(expected(&der_of(&part)), "a bit string of whole bytes");
    // Another algorithm than in the signed part.
    let tbs = &tbs_and_algorithm[..tbs_and_algorithm.len() - 12];
    let experimental = der(0x30, &experimental);
    let other = der(0x30, &[tbs, &experimental, signature].concat());
    assert_eq!(expected(&other), "the signature algorithm of the TBSCertificate");
    assert_eq!(expected(&der_of(&[signature, &der(5, &[])].concat())), "the end");
    // A length that is longer than it need be.
    let longer = [&[0x30, 0x83, 0, good[2], good[3]], &good[4..]].concat();
    assert_eq!(expected(&longer), "a certificate");
    for end in 0..good.len() {
        assert!(MtcCertificate::from_der(&good[..end]).is_err(), "{end}");
    }
}

#[test]
fn bytes_of_proofs() {
    let subtree = Subtree::new(8, 13).unwrap();
    let signature =
        |cosigner: &str, signature: Vec<u8>| SubtreeSignature { cosigner: id(cosigner), signature };
    let new = |signatures| {
        let extensions = EntryExtensions::new(&[(5, &[0xde, 0xad])]).unwrap();
        MtcProof::new(extensions, subtree, vec![[3; 32], [4; 32]].into(), signatures)
    };
    let several = vec![
        signature("32473.130", vec![2]),
        signature("1", vec![]),
        signature("32473.2", vec![1, 1]),
    ];
    let proof = new(several).unwrap();
    let expected = [
        bytes("0006 0005 0002 dead 000000000008 00000000000d 0040"),
        [[3; 32], [4; 32]].concat(),
        bytes("000016 01 01 0000 04 81fd5902 0002 0101 05 81fd598102 0001 02"),
    ]
    .concat();
    assert_eq!(hex::encode(proof.to_bytes()), hex::encode(&expected));
    assert_eq!(MtcProof::from_bytes(&expected), Ok(proof.clone()));
    assert_eq!(proof.signature_of(&id("32473.2")), Some(&[1, 1][..]));
    assert_eq!(proof.signature_of(&id("32473.3")), None);
    assert_eq!((proof.subtree(), proof.inclusion_proof().nodes().len()), (&subtree, 2));
    assert_eq!(proof.signatures().len(), 3);

    for end in 0..expected.len() {
        assert!(MtcProof::from_bytes(&expected[..end]).is_err(), "{end}");
    }
    let error = MtcProof::from_bytes(&[&expected[..], &[0]].concat()).unwrap_err();
    assert_eq!((error.expected, error.offset), ("the end", expected.len()));
    // Cosigners in the wrong order, twice, and malformed.
    for all in ["04 81fd5902 0000 01 01 0000", "01 01 0000 01 01 0000", "00 0000", "01 80 0000"] {
        let mut wrong = expected[..expected.len() - 25].to_vec();
        wrong.extend([0, 0, bytes(all).len() as u8]);
        wrong.extend(bytes(all));
        let error = MtcProof::from_bytes(&wrong).unwrap_err();
        assert_eq!(error.expected, "the ID of a cosigner after the one before", "{all}");
    }
    // Shorter IDs come first, whatever they begin with.
    let proof = new(vec![signature("0.5", vec![]), signature("127", vec![])]).unwrap();
    assert_eq!(proof.signatures()[0].cosigner, id("127"));
    assert_eq!(MtcProof::from_bytes(&proof.to_bytes()), Ok(proof));
    // Extensions in the wrong order, and twice.
    for all in ["0005 0000 0004 0000", "0005 0000 0005 0000"] {
        let wrong = [&[0, 8], &bytes(all)[..], &expected[8..]].concat();
        let error = MtcProof::from_bytes(&wrong).unwrap_err();
        assert_eq!(error.expected, "a type of extension after the one before");
    }
    // An invalid subtree, and half a node.
    let wrong = [&expected[..8], &bytes("000000000001 000000000003"), &expected[20..]].concat();
    let error = MtcProof::from_bytes(&wrong).unwrap_err();
    assert_eq!((error.expected, error.offset), ("the start and the end of a subtree", 8));
    let wrong = [&expected[..20], &[0, 33], &[0; 33], &[0; 3]].concat();
    let error = MtcProof::from_bytes(&wrong).unwrap_err();
    assert_eq!((error.expected, error.offset), ("an inclusion proof of nodes of 32 bytes", 20));

    let twice = vec![signature("1", vec![1]), signature("1", vec![2])];
    assert_eq!(new(twice), Err(MtcProofError::RepeatedCosigner));
    assert!(new(vec![signature("1", vec![1; 65_535])]).is_ok());
    let long = vec![signature("1", vec![1; 65_536])];
    assert_eq!(new(long), Err(MtcProofError::SignaturesTooLong));
    let many =
        |count: u32| (0..count).map(|i| signature(&i.to_string(), vec![1; 65_535])).collect();
    assert!(new(many(255)).is_ok());
    assert_eq!(new(many(256)), Err(MtcProofError::SignaturesTooLong));
    // The longest, and one byte more. Each signature has the length of an ID and two of its own.
    for (surplus, expected) in [(0, Ok(())), (1, Err(MtcProofError::SignaturesTooLong))] {
        let mut signatures: Vec<SubtreeSignature> = many(255);
        let all: usize = (signatures.iter())
            .map(|one| 3 + one.cosigner.as_bytes().len() + one.signature.len())
            .sum();
        let left = (1 << 24) - 1 - all - 5 + surplus;
        signatures.push(signature("999", vec![1; left]));
        let made = new(signatures);
        assert_eq!(made.as_ref().map(|_| ()).map_err(|error| *error), expected);
        if let Ok(proof) = made {
            assert_eq!(MtcProof::from_bytes(&proof.to_bytes()), Ok(proof));
        }
    }
    let none = InclusionProof::from(Vec::new());
    for (end, expected) in [(MAX_ENTRIES, Ok(())), (1 << 48, Err(MtcProofError::SubtreeTooLate))] {
        let subtree = Subtree::new(end - 1, end).unwrap();
        let made = MtcProof::new(EntryExtensions::default(), subtree, none.clone(), Vec::new());
        assert_eq!(made.map(|_| ()), expected);
    }
    let nodes = |count: usize| InclusionProof::from(vec![[0; 32]; count]);
    let made = |count| {
        MtcProof::new(EntryExtensions::default(), subtree, nodes(count), Vec::new()).map(|_| ())
    };
    assert_eq!((made(2047), made(2048)), (Ok(()), Err(MtcProofError::InclusionProofTooLong)));
}

#[test]
fn extensions_of_entries() {
    assert_eq!(EntryExtensions::new(&[]), Some(EntryExtensions::default()));
    assert_eq!(EntryExtensions::new(&[(2, b""), (1, b"")]), None);
    assert_eq!(EntryExtensions::new(&[(2, b""), (2, b"")]), None);
    assert!(EntryExtensions::new(&[(2, &[0; 65_531])]).is_some());
    assert_eq!(EntryExtensions::new(&[(2, &[0; 65_532])]), None);
    assert_eq!(EntryExtensions::new(&[(2, &[0; 65_536])]), None);
}

#[test]
fn trust_anchor_ids() {
    for (text, digits) in [
        ("0", "00"),
        ("127", "7f"),
        ("128", "8100"),
        ("32473.1", "81fd5901"),
        ("44363.47.0", "82da4b2f00"),
        ("18446744073709551616.5", ""),
    ] {
        let expected = bytes(digits);
        if text.len() < 20 {
            assert_eq!(id(text).as_bytes(), expected, "{text}");
            assert_eq!(TrustAnchorId::from_bytes(&expected).unwrap().to_string(), text);
        }
        assert_eq!(TrustAnchorId::from_bytes(id(text).as_bytes()).unwrap().to_string(), text);
    }
    // Numbers of any length are shown, such as 2^140 - 1.
    let long = [&[0xff; 19][..], &[0x7f]].concat();
    let text = TrustAnchorId::from_bytes(&long).unwrap().to_string();
    assert_eq!(text, "1393796574908163946345982392040522594123775");
    assert_eq!(text.parse::<TrustAnchorId>().ok(), None);
    for text in ["", ".", "1.", ".1", "01", "+1", "1..2", "-1", "1 ", "00", "x"] {
        assert!(text.parse::<TrustAnchorId>().is_err(), "{text:?}");
    }
    for digits in ["", "80", "8001", "81", "0180", "018001"] {
        assert!(TrustAnchorId::from_bytes(&bytes(digits)).is_err(), "{digits}");
    }
    assert!(TrustAnchorId::from_bytes(&[1; 255]).is_ok());
    assert!(TrustAnchorId::from_bytes(&[1; 256]).is_err());
    let ones = |count: usize| vec!["1"; count].join(".");
    assert!(ones(255).parse::<TrustAnchorId>().is_ok());
    assert!(ones(256).parse::<TrustAnchorId>().is_err());
}

#[test]
fn ids_of_logs_and_landmarks() {
    let log = log("32473.1", 300);
    assert_eq!(log.trust_anchor_id(), Some(id("32473.1.0.300")));
    assert_eq!(log.landmark_id(42), Some(id("32473.1.1.300.42")));
    let number = NonZeroU16::new(1).unwrap();
    let long =
        |bytes: usize| LogId { ca: TrustAnchorId::from_bytes(&vec![1; bytes]).unwrap(), number };
    assert!(long(253).trust_anchor_id().is_some() && long(254).trust_anchor_id().is_none());
    // A name of 255 bytes: 16 for the prefix, and 120 digits with 119 dots.
    let subtree = Subtree::new(0, 4).unwrap();
    let message = |cosigner: usize, ca: usize, timestamp| {
        let cosigner = TrustAnchorId::from_bytes(&vec![1; cosigner]).unwrap();
        cosigned_message(&cosigner, timestamp, &long(ca), &subtree, &[0; 32])
    };
    assert!(message(120, 118, 0).is_some());
    assert_eq!((message(121, 1, 0), message(1, 119, 0)), (None, None));
    // Only a checkpoint has a time.
    assert_eq!(message(1, 1, 7).unwrap()[30..38], 7_u64.to_be_bytes());
    let later = Subtree::new(4, 8).unwrap();
    assert_eq!(cosigned_message(&id("1"), 7, &log, &later, &[0; 32]), None);
    assert!(cosigned_message(&id("1"), 0, &log, &later, &[0; 32]).is_some());
}

#[test]
fn serial_numbers() {
    let one = NonZeroU16::new(1).unwrap();
    assert_eq!(split_serial(MAX_ENTRIES), None);
    assert_eq!(split_serial(1 << 48), Some((one, 0)));
    assert_eq!(split_serial(u64::MAX), Some((NonZeroU16::MAX, MAX_ENTRIES)));
    assert_eq!(join_serial(one, 5), Some((1 << 48) + 5));
    assert_eq!(join_serial(NonZeroU16::MAX, MAX_ENTRIES - 1), Some(u64::MAX - 1));
    assert_eq!(join_serial(one, MAX_ENTRIES), None);
}

#[test]
fn landmarks() {
    let text = "4\n900 5000\n500 4000\n300 4000\n100 2000\n0 0\n";
    let all = Landmarks::parse(text, 3000).unwrap();
    assert_eq!(all.to_string(), text);
    let numbers: Vec<_> = all.all().iter().map(|landmark| landmark.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4]);
    for (now, expected) in [
        (0, vec![1, 2, 3, 4]),
        (2000, vec![1, 2, 3, 4]),
        (2001, vec![2, 3, 4]),
        (4000, vec![2, 3, 4]),
        (4001, vec![4]),
        (5001, vec![]),
    ] {
        let active: Vec<_> = all.active(now).map(|(landmark, _)| landmark.number).collect();
        assert_eq!(active, expected, "{now}");
    }
    for (landmark, [left, right]) in all.active(0) {
        let before = all.all()[landmark.number as usize - 1].tree_size;
        assert_eq!(Subtree::covering(before, landmark.tree_size), Ok((left, right)));
    }
    // Each entry: by the first landmark that has it.
    for index in 0..900 {
        let (landmark, subtree) = all.subtree_of(index).unwrap();
        let first = all.all().iter().find(|landmark| landmark.tree_size > index).unwrap();
        assert_eq!(landmark, *first);
        assert!((subtree.start()..subtree.end()).contains(&index));
        let before = all.all()[landmark.number as usize - 1].tree_size;
        let (left, right) = Subtree::covering(before, landmark.tree_size).unwrap();
        assert!([left, right].contains(&subtree));
    }
    assert_eq!(all.subtree_of(900), None);
    // A list that begins later does not know older entries.
    let later = Landmarks::parse("3\n500 4000\n300 100\n", 200).unwrap();
    assert_eq!(later.subtree_of(299), None);
    assert_eq!(later.subtree_of(300).unwrap().0.number, 3);
}

#[test]
fn lists_of_landmarks_that_are_not() {
    let malformed = |line| LandmarksError::Malformed { line };
    let unordered = |line| LandmarksError::Unordered { line };
    let before_zero = |line| LandmarksError::BeforeZero { line };
    for (text, error) in [
        ("", malformed(1)),
        ("\n", malformed(1)),
        ("1", malformed(1)),
        ("01\n2 0\n", malformed(1)),
        ("+1\n2 0\n", malformed(1)),
        ("281474976710656\n2 0\n", malformed(1)),
        ("2\n2 0", malformed(2)),
        ("2\r\n2 0\n", malformed(1)),
        ("2\n2  0\n", malformed(2)),
        ("2\n 2 0\n", malformed(2)),
        ("2\n2 0 \n", malformed(2)),
        ("2\n2 00\n", malformed(2)),
        ("2\n2\n", malformed(2)),
        ("2\n281474976710656 0\n", malformed(2)),
        ("2\n2 18446744073709551616\n", malformed(2)),
        ("2\n2 0\n\n", malformed(3)),
        ("2\n5 10\n5 0\n", unordered(3)),
        ("2\n5 10\n6 0\n", unordered(3)),
        ("2\n5 10\n4 11\n", unordered(3)),
        ("1\n5 10\n0 0\n0 0\n", before_zero(4)),
        ("1\n5 10\n1 0\n", before_zero(3)),
        ("1\n5 10\n0 1\n", before_zero(3)),
        ("1\n0 0\n", before_zero(2)),
        ("2\n", LandmarksError::NoneExpired),
        ("2\n5 100\n4 50\n", LandmarksError::NoneExpired),
    ] {
        assert_eq!(Landmarks::parse(text, 50), Err(error), "{text:?}");
    }
    assert!(Landmarks::parse("2\n5 100\n4 49\n", 50).is_ok());
    assert!(Landmarks::parse("0\n0 0\n", 50).is_ok());
    assert!(Landmarks::parse("281474976710655\n281474976710655 0\n", 50).is_ok());
}

proptest! {
    /// Any bytes, and a proof with some of them changed: what is read is written alike.
    #[test]
    fn hostile_bytes(
        random in prop::collection::vec(any::<u8>(), 0..80),
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..4),
    ) {
        let hashes: Vec<Hash> = leaves(2);
        let signatures = ["1", "2.3"].map(|cosigner| SubtreeSignature {
            cosigner: id(cosigner),
            signature: vec![1, 2],
        });
        let subtree = Subtree::new(4, 7).unwrap();
        let extensions = EntryExtensions::new(&[(1, b"x"), (2, b"")]).unwrap();
        let proof = MtcProof::new(extensions, subtree, hashes.into(), signatures.into()).unwrap();
        let mut changed = proof.to_bytes();
        let mut certificate = Parts::new(1 << 48, 1).certificate(&bytes(ALGORITHM), &changed);
        for (at, byte) in changes {
            let (len, longer) = (changed.len(), certificate.len());
            changed[at % len] = byte;
            certificate[at % longer] = byte;
        }
        for bytes in [&random, &changed] {
            if let Ok(proof) = MtcProof::from_bytes(bytes) {
                prop_assert_eq!(&proof.to_bytes(), bytes);
            }
        }
        let _ = MtcCertificate::from_der(&random);
        if let Ok(certificate) = MtcCertificate::from_der(&certificate) {
            let _ = certificate.certified_subtree(&Rfc6962::new());
        }
    }
}
