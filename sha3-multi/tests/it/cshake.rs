//! cSHAKE: the samples of NIST for SP 800-185, and the crate `cshake`.

use sha3_multi::XofLanes;

use super::{backends, messages, painted, scattered};

/// Samples 1 to 4 of
/// <https://csrc.nist.gov/CSRC/media/Projects/Cryptographic-Standards-and-Guidelines/documents/examples/cSHAKE_samples.pdf>.
#[test]
fn samples_of_sp_800_185() {
    let (short, long): (Vec<u8>, Vec<u8>) = ((0..4).collect(), (0..200).collect());
    let samples_128 = [
        (&short, "c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5"),
        (&long, "c5221d50e4f822d96a2e8881a961420f294b7b24fe3d2094baed2c6524cc166b"),
    ];
    let samples_256 = [
        (
            &short,
            "d008828e2b80ac9d2218ffee1d070c48b8e4c87bff32c9699d5b6896eee0edd1\
             64020e2be0560858d9c00c037e34a96937c561a74c412bb4c746469527281c8c",
        ),
        (
            &long,
            "07dc27b11e51fbac75bc7b3c1d983e8b4b85fb1defaf218912ac864302730917\
             27f42b17ed1df63e8ec118f04b23633c1dfb1574c8fb55cb45da8e25afb092bb",
        ),
    ];
    for backend in backends() {
        let xof = XofLanes::cshake128(b"", b"Email Signature").with_backend(backend);
        for (message, expected) in samples_128 {
            assert_eq!(hex::encode(xof.xof::<32>(message)), expected);
        }
        let xof = XofLanes::cshake256(b"", b"Email Signature").with_backend(backend);
        for (message, expected) in samples_256 {
            assert_eq!(hex::encode(xof.xof::<64>(message)), expected);
        }
    }
}

#[test]
fn without_strings_it_is_shake() {
    assert_eq!(XofLanes::cshake128(b"", b""), XofLanes::shake128());
    assert_eq!(XofLanes::cshake256(b"", b""), XofLanes::shake256());
}

#[test]
fn strings_of_any_length() {
    use cshake::digest::{ExtendableOutput, Update};

    let all = messages(scattered(20, 400));
    for name_length in [0, 1, 31, 32, 160, 168] {
        for length in [1, 30, 129, 136, 200, 10_000] {
            let (name, customization) = (painted(1, name_length), painted(2, length));
            let outputs_128 = XofLanes::cshake128(&name, &customization).xof_many::<70>(&all);
            let outputs_256 = XofLanes::cshake256(&name, &customization).xof_many::<70>(&all);
            for (i, message) in all.iter().enumerate() {
                let mut expected = [0; 70];
                let mut hasher = cshake::CShake128::new_with_function_name(&name, &customization);
                hasher.update(message);
                hasher.finalize_xof_into(&mut expected);
                assert_eq!(outputs_128[i], expected, "{name_length}, {length}");
                let mut hasher = cshake::CShake256::new_with_function_name(&name, &customization);
                hasher.update(message);
                hasher.finalize_xof_into(&mut expected);
                assert_eq!(outputs_256[i], expected, "{name_length}, {length}");
            }
        }
    }
}
