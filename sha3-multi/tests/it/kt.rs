//! KT128 and KT256: the vectors of RFC 9861 §5, and the crate `k12`.

use k12::digest::{ExtendableOutput, Update};
use sha3_multi::KtLanes;

use super::backends;

/// `ptn(n)` of RFC 9861 §5.
fn ptn(length: usize) -> Vec<u8> {
    (0..=250).cycle().take(length).collect()
}

#[test]
fn vectors_of_empty_messages() {
    for backend in backends() {
        let output = KtLanes::kt128().with_backend(backend).xof::<10_032>(b"", b"");
        assert_eq!(
            hex::encode(&output[..64]),
            "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5\
             4269c056b8c82e48276038b6d292966cc07a3d4645272e31ff38508139eb0a71"
        );
        assert_eq!(
            hex::encode(&output[10_000..]),
            "e8dc563642f7228c84684c898405d3a834799158c079b12880277a1d28e2ff6d"
        );
        let output = KtLanes::kt256().with_backend(backend).xof::<64>(b"", b"");
        assert_eq!(
            hex::encode(output),
            "b23d2e9cea9f4904e02bec06817fc10ce38ce8e93ef4c89e6537076af8646404\
             e3e8b68107b8833a5d30490aa33482353fd4adc7148ecb782855003aaebde4a9"
        );
    }
}

#[test]
fn vectors_of_patterns() {
    let expected = [
        "2bda92450e8b147f8a7cb629e784a058efca7cf7d8218e02d345dfaa65244a1f",
        "6bf75fa2239198db4772e36478f8e19b0f371205f6a9a93a273f51df37122888",
        "0c315ebcdedbf61426de7dcf8fb725d1e74675d7f5327a5067f367b108ecb67c",
        "cb552e2ec77d9910701d578b457ddf772c12e322e4ee7fe417f92c758f0d59d0",
        "8701045e22205345ff4dda05555cbb5c3af1a771c2b89baef37db43d9998b9fe",
        "844d610933b1b9963cbdeb5ae3b6b05cc7cbd67ceedf883eb678a0a8e0371682",
    ];
    let messages: Vec<Vec<u8>> = (0..6).map(|i| ptn(17_usize.pow(i))).collect();
    for backend in backends() {
        let outputs = KtLanes::kt128().with_backend(backend).xof_many::<32>(&messages, b"");
        assert_eq!(outputs.map_hex(), expected);
    }
    let last = KtLanes::kt128().xof::<32>(&ptn(17_usize.pow(6)), b"");
    let expected = "3c390782a8a4e89fa6367f72feaaf13255c8d95878481d3cd8ce85f58e880af8";
    assert_eq!(hex::encode(last), expected);
    let last = KtLanes::kt256().xof::<64>(&ptn(17_usize.pow(6)), b"");
    assert_eq!(
        hex::encode(last),
        "0652b740d78c5e1f7c8dcc1777097382768b7ff38f9a7a20f29f413bb1b3045b\
         31a5578f568f911e09cf44746da84224a5266e96a4a535e871324e4f9c7004da"
    );
}

trait MapHex {
    fn map_hex(&self) -> Vec<String>;
}

impl MapHex for Vec<[u8; 32]> {
    fn map_hex(&self) -> Vec<String> {
        self.iter().map(hex::encode).collect()
    }
}

#[test]
fn vectors_of_customization_strings() {
    let expected = [
        "fab658db63e94a246188bf7af69a133045f46ee984c56e3c3328caaf1aa1a583",
        "d848c5068ced736f4462159b9867fd4c20b808acc3d5bc48e0b06ba0a3762ec4",
        "c389e5009ae57120854c2e8c64670ac01358cf4c1baf89447a724234dc7ced74",
        "75d2f86a2e644566726b4fbcfc5657b9dbcf070c7b0dca06450ab291d7443bcf",
    ];
    for (i, expected) in (0..).zip(expected) {
        let message = vec![0xff; 2_usize.pow(i) - 1];
        let output = KtLanes::kt128().xof::<32>(&message, &ptn(41_usize.pow(i)));
        assert_eq!(hex::encode(output), expected, "{i}");
    }
}

#[test]
fn lengths_around_chunks() {
    let around =
        |chunks: usize| (chunks * 8192 - 3..=chunks * 8192 + 3).chain([chunks * 8192 + 99]);
    let messages: Vec<Vec<u8>> = [1, 2, 3, 9].into_iter().flat_map(around).map(ptn).collect();
    for customization in [0, 1, 5, 300, 8192, 20_000].map(ptn) {
        let outputs_128 = KtLanes::kt128().xof_many::<200>(&messages, &customization);
        let outputs_256 = KtLanes::kt256().xof_many::<200>(&messages, &customization);
        let mut into: Vec<Vec<u8>> = (0..messages.len()).map(|i| vec![0; i * 9 % 200]).collect();
        KtLanes::kt128().xof_many_into(&messages, &customization, &mut into);
        for (i, message) in messages.iter().enumerate() {
            let mut expected = [0; 200];
            let mut hasher = k12::CustomRefKt128::new_customized(&customization);
            hasher.update(message);
            hasher.finalize_xof_into(&mut expected);
            assert_eq!(outputs_128[i], expected, "{} bytes", message.len());
            assert_eq!(into[i], expected[..into[i].len()]);
            let mut hasher = k12::CustomRefKt256::new_customized(&customization);
            hasher.update(message);
            hasher.finalize_xof_into(&mut expected);
            assert_eq!(outputs_256[i], expected, "{} bytes", message.len());
        }
    }
}

#[test]
#[should_panic(expected = "3 messages cannot be hashed into 2 digests")]
fn counts_that_differ() {
    KtLanes::kt128().xof_many_into(["one", "two", "three"], b"", &mut [[0; 32]; 2]);
}
