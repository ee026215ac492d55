//! SHAKE and TurboSHAKE, their outputs of any length, and readers that squeeze on.

use sha3_multi::XofLanes;
use shake::digest::{ExtendableOutput, Update, XofReader};

use super::{backends, messages, scattered};

/// The implementation to compare with.
fn reference(name: &str, message: &[u8], length: usize) -> Vec<u8> {
    let mut output = vec![0; length];
    match name {
        "SHAKE128" => shake::Shake128::digest_xof(message, &mut output),
        "SHAKE256" => shake::Shake256::digest_xof(message, &mut output),
        "TurboSHAKE128" => turboshake::CTurboShake128::<0x1f>::digest_xof(message, &mut output),
        _ => turboshake::CTurboShake256::<0x1f>::digest_xof(message, &mut output),
    }
    output
}

fn functions() -> [(&'static str, XofLanes); 4] {
    [
        ("SHAKE128", XofLanes::shake128()),
        ("SHAKE256", XofLanes::shake256()),
        ("TurboSHAKE128", XofLanes::turboshake128(0x1f)),
        ("TurboSHAKE256", XofLanes::turboshake256(0x1f)),
    ]
}

#[test]
fn every_length_to_600() {
    for backend in backends() {
        for (name, xof) in functions() {
            let xof = xof.with_backend(backend);
            for length in 0..=600 {
                let messages = messages([length; 5]);
                let outputs = xof.xof_many::<50>(&messages);
                for (message, output) in messages.iter().zip(outputs) {
                    assert_eq!(output[..], reference(name, message, 50), "{name}, {length}");
                }
            }
        }
    }
}

#[test]
fn outputs_of_any_lengths() {
    let all = messages(scattered(150, 500));
    for backend in backends() {
        for (name, xof) in functions() {
            let xof = xof.with_backend(backend);
            for count in [0, 1, 2, 7, 8, 9, 64, 65, 150] {
                let mut outputs: Vec<Vec<u8>> =
                    (0..count).map(|i| vec![0xee; i * i * 31 % 900]).collect();
                xof.xof_many_into(&all[..count], &mut outputs);
                for (message, output) in all.iter().zip(&outputs) {
                    assert_eq!(*output, reference(name, message, output.len()), "{name}");
                }
            }
        }
    }
}

#[test]
fn outputs_around_the_rate() {
    let all = messages([34; 9]);
    for backend in backends() {
        for (name, xof) in functions() {
            for length in [0, 1, 7, 8, 135, 136, 137, 167, 168, 169, 271, 272, 273, 336, 504, 505] {
                let mut outputs = vec![vec![0; length]; 9];
                xof.with_backend(backend).xof_many_into(&all, &mut outputs);
                for (message, output) in all.iter().zip(outputs) {
                    assert_eq!(output, reference(name, message, length), "{name}, {length}");
                }
            }
        }
    }
}

#[test]
fn readers_squeeze_on() {
    let all = messages(scattered(70, 400));
    for backend in backends() {
        for (name, xof) in functions() {
            let mut readers = xof.with_backend(backend).readers(&all);
            assert_eq!(readers.len(), 70);
            let mut outputs = vec![Vec::new(); 70];
            for round in 0..12 {
                let length = |i: usize| (i * 13 + round * 29) % 211;
                let mut parts: Vec<Vec<u8>> = (0..70).map(|i| vec![0; length(i)]).collect();
                readers.read_into(&mut parts);
                for (output, part) in outputs.iter_mut().zip(parts) {
                    output.extend(part);
                }
            }
            for (message, output) in all.iter().zip(outputs) {
                assert_eq!(output, reference(name, message, output.len()), "{name}");
            }
        }
    }
}

#[test]
fn readers_that_stop_at_the_end_of_a_block_squeeze_on() {
    let all = messages(scattered(11, 400));
    for backend in backends() {
        for (name, xof) in functions() {
            let rate = if name.ends_with("128") { 168 } else { 136 };
            let mut readers = xof.with_backend(backend).readers(&all);
            let mut outputs = vec![Vec::new(); 11];
            // Read by all; then every third reader stops where a block ends, and the others go on.
            for (length, more) in [(3 * rate, 0), (2 * rate, 5), (rate, rate - 5), (1, 0)] {
                let length = |i: usize| if i.is_multiple_of(3) { length } else { length + more };
                let mut parts: Vec<Vec<u8>> = (0..11).map(|i| vec![0; length(i)]).collect();
                readers.read_into(&mut parts);
                for (output, part) in outputs.iter_mut().zip(parts) {
                    output.extend(part);
                }
            }
            for (message, output) in all.iter().zip(outputs) {
                assert_eq!(output, reference(name, message, output.len()), "{name}");
            }
        }
    }
}

#[test]
fn two_parts_are_one_message() {
    let all = messages(scattered(100, 700));
    for (name, xof) in functions() {
        let parts = || all.iter().enumerate().map(|(i, it)| it.split_at(i % (it.len() + 1)));
        let outputs = xof.xof_concat_many::<200>(parts());
        let mut into = vec![[0; 200]; 100];
        xof.xof_concat_many_into(parts(), &mut into);
        assert_eq!(outputs, into);
        let read = xof.readers_concat(parts()).read::<200>();
        assert_eq!(outputs, read);
        for (message, output) in all.iter().zip(outputs) {
            assert_eq!(output[..], reference(name, message, 200), "{name}");
        }
    }
}

#[test]
fn domains_of_turboshake() {
    let message = b"message";
    let mut expected = [0; 40];
    turboshake::CTurboShake128::<0x01>::digest_xof(message, &mut expected);
    assert_eq!(XofLanes::turboshake128(0x01).xof::<40>(message), expected);
    turboshake::CTurboShake256::<0x7f>::digest_xof(message, &mut expected);
    assert_eq!(XofLanes::turboshake256(0x7f).xof::<40>(message), expected);
}

#[test]
fn a_reader_alone() {
    let mut hasher = shake::Shake128::default();
    hasher.update(b"seed");
    let mut expected = [0; 1000];
    hasher.finalize_xof().read(&mut expected);
    let mut readers = XofLanes::shake128().readers(["seed"]);
    let output: Vec<u8> = (0..1000).map(|_| readers.read::<1>()[0][0]).collect();
    assert_eq!(output, expected);
}

#[test]
#[should_panic(expected = "the domain separation byte 0x80 is not in 0x01..=0x7f")]
fn a_domain_that_is_too_large() {
    let _ = XofLanes::turboshake128(0x80);
}

#[test]
#[should_panic(expected = "2 outputs for 3 messages")]
fn outputs_that_are_missing() {
    XofLanes::shake128().readers(["one", "two", "three"]).read_into(&mut [[0; 3]; 2]);
}
