//! Hash-based signatures: chains of hashes, and SLH-DSA beside the crate `slh-dsa`.

use hash_lanes::Backend;
use sha2::{Digest as _, Sha256};
use sha256_multi::{ChainLayout, Sha256Lanes};
use slh_dsa_multi::signature::Keypair as _;
use slh_dsa_multi::{self as ours, ParameterSet as _};

use crate::harness::{Candidate, Role, Set, Shape};
use crate::machine::label;

pub(crate) static SETS: [Set; 3] = [
    Set::new("chains", "chains", "sha256-multi"),
    Set::new("slh-dsa", "slh-dsa", "slh-dsa-multi"),
    Set::only_ratios("slh-dsa-all", "slh-dsa", "slh-dsa-multi"),
];

/// Key generation, signing and verifying with a parameter set.
macro_rules! signatures {
    ($Set:ident, $name:literal, $set:literal) => {{
        type Ours = ours::SigningKey<ours::$Set>;
        type Theirs = ::slh_dsa::SigningKey<::slh_dsa::$Set>;

        fn our_key() -> Ours {
            let [sk_seed, sk_prf, pk_seed] =
                SEEDS.each_ref().map(|seed| &seed[..ours::$Set::PARAMETERS.n]);
            Ours::from_seeds(sk_seed, sk_prf, pk_seed).expect("seeds of n bytes")
        }

        fn their_key() -> Theirs {
            let [sk_seed, sk_prf, pk_seed] =
                SEEDS.each_ref().map(|seed| &seed[..ours::$Set::PARAMETERS.n]);
            Theirs::slh_keygen_internal(sk_seed, sk_prf, pk_seed)
        }

        let rival = || label("slh-dsa", "0.2");
        [
            Shape::new($set, ("slh_dsa_keygen", $name.to_owned()), (1, 1), move |then| {
                let expected = their_key().to_bytes();
                let ours =
                    Candidate::returning(auto(), Role::Auto, || our_key().to_bytes().to_vec());
                let theirs = Candidate::returning(rival(), Role::Rival, || their_key().to_bytes());
                then(vec![ours, theirs], &expected);
            }),
            Shape::new($set, ("slh_dsa_sign", $name.to_owned()), (1, 1), move |then| {
                let (our, their) = (our_key(), their_key());
                let sign = || their.try_sign_with_context(MESSAGE, b"", None).expect("a context");
                let expected = sign().to_bytes();
                let ours = Candidate::returning(auto(), Role::Auto, || {
                    our.try_sign_with_context(MESSAGE, b"", None).expect("a context")
                });
                let theirs = Candidate::returning(rival(), Role::Rival, || sign().to_bytes());
                then(vec![ours, theirs], &expected);
            }),
            Shape::new($set, ("slh_dsa_verify", $name.to_owned()), (1, 1), move |then| {
                let (our, their) = (our_key(), their_key());
                let signature = our.try_sign_with_context(MESSAGE, b"", None).expect("a context");
                let theirs = ::slh_dsa::Signature::<::slh_dsa::$Set>::try_from(signature.as_ref())
                    .expect("a signature");
                let (our, their) = (our.verifying_key(), their.verifying_key());
                let ours = Candidate::returning(auto(), Role::Auto, || {
                    [u8::from(our.try_verify_with_context(MESSAGE, b"", &signature).is_ok())]
                });
                let theirs = Candidate::returning(rival(), Role::Rival, || {
                    [u8::from(their.try_verify_with_context(MESSAGE, b"", &theirs).is_ok())]
                });
                then(vec![ours, theirs], &[1]);
            }),
            Shape::new(
                $set,
                ("slh_dsa_verify_many", concat!("64x", $name).to_owned()),
                (64, 64),
                {
                    move |then| {
                        let (our, their) = (our_key(), their_key());
                        let messages: Vec<[u8; 1]> = (0..64).map(|i| [i]).collect();
                        let sign = |message| our.try_sign_with_context(message, b"", None);
                        let signatures: Vec<_> =
                            messages.iter().map(|it| sign(it).expect("a context")).collect();
                        let theirs: Vec<_> = signatures
                            .iter()
                            .map(|it| {
                                ::slh_dsa::Signature::<::slh_dsa::$Set>::try_from(it.as_ref())
                            })
                            .map(|it| it.expect("a signature"))
                            .collect();
                        let (our, their) = (our.verifying_key(), their.verifying_key());
                        let ours = Candidate::returning(auto(), Role::Auto, || {
                            let items = messages.iter().zip(&signatures);
                            let items =
                                items.map(|(message, signature)| (&our, message, signature));
                            [u8::from(ours::VerifyingKey::verify_many(items).is_ok())]
                        });
                        let theirs = Candidate::returning(rival(), Role::Rival, || {
                            let mut items = messages.iter().zip(&theirs);
                            let verify = |(message, signature): (&[u8; 1], _)| {
                                their.try_verify_with_context(message, b"", signature).is_ok()
                            };
                            [u8::from(items.all(verify))]
                        });
                        then(vec![ours, theirs], &[1]);
                    }
                },
            ),
        ]
    }};
}

/// Chains of digests and of messages with a counter, and a set for each hash function.
pub(crate) fn shapes() -> Vec<Shape> {
    let digests = ChainLayout::new(32, 0..32);
    // WOTS+ of SLH-DSA-SHA2-128s, without the seed.
    let wots = ChainLayout::new(38, 22..38).with_counter(18..22);
    let mut all = vec![
        chains("64x1000-digests", digests.clone(), 64, |_| 1000),
        chains("560x15-wots", wots.clone(), 560, |_| 15),
        chains("35-ragged-wots", wots, 35, |i| i as u32 * 7 % 16),
    ];
    all.extend(signatures!(Sha2_128f, "sha2-128f", "slh-dsa"));
    all.extend(signatures!(Sha2_192f, "sha2-192f", "slh-dsa"));
    all.extend(signatures!(Shake128f, "shake-128f", "slh-dsa"));
    all.extend(signatures!(Sha2_256f, "sha2-256f", "slh-dsa-all"));
    all.extend(signatures!(Shake192f, "shake-192f", "slh-dsa-all"));
    all.extend(signatures!(Shake256f, "shake-256f", "slh-dsa-all"));
    all.extend(signatures!(Sha2_128s, "sha2-128s", "slh-dsa-all"));
    all.extend(signatures!(Sha2_192s, "sha2-192s", "slh-dsa-all"));
    all.extend(signatures!(Sha2_256s, "sha2-256s", "slh-dsa-all"));
    all.extend(signatures!(Shake128s, "shake-128s", "slh-dsa-all"));
    all.extend(signatures!(Shake192s, "shake-192s", "slh-dsa-all"));
    all.extend(signatures!(Shake256s, "shake-256s", "slh-dsa-all"));
    all
}

/// `count` chains.
fn chains(name: &'static str, layout: ChainLayout, count: usize, steps: fn(usize) -> u32) -> Shape {
    let steps: Vec<u32> = (0..count).map(steps).collect();
    let items: usize = steps.iter().map(|&steps| steps as usize).sum();
    let shape = ("chains", name.to_owned());
    Shape::new("chains", shape, (items, items * layout.message_len()), move |then| {
        let len = layout.message_len();
        let messages: Vec<u8> = (0..count * len).map(|i| (i % 251) as u8).collect();
        let (layout, steps, messages) = (&layout, &steps[..], &messages[..]);
        let one_by_one = move |output: &mut [u8]| {
            output.copy_from_slice(messages);
            for (message, &steps) in output.chunks_exact_mut(len).zip(steps) {
                for _ in 0..steps {
                    let digest = Sha256::digest(&*message);
                    layout.advance(message, &digest);
                }
            }
        };
        let mut expected = vec![0; messages.len()];
        one_by_one(&mut expected);
        let mut all: Vec<Candidate<'_>> = Vec::new();
        for backend in Backend::available() {
            let run = move |output: &mut [u8]| {
                output.copy_from_slice(messages);
                Sha256Lanes::on(backend).hash_chains(layout, output, steps);
            };
            let role = Role::of(&backend, &Backend::detect());
            all.push(Candidate::new(backend.name().to_owned(), role, Box::new(run)));
        }
        let name = label("sha2", "0.11");
        all.push(Candidate::new(name, Role::Rival, Box::new(one_by_one)));
        #[cfg(feature = "rivals")]
        if *layout == ChainLayout::new(32, 0..32) {
            let lens: Vec<u64> = steps.iter().map(|&steps| steps.into()).collect();
            let run = move |output: &mut [u8]| {
                let (seeds, digests) = (messages.as_chunks().0, output.as_chunks_mut().0);
                tape_sha256::hash_chains(seeds, &lens, digests);
            };
            all.push(Candidate::new(label("tape-sha256", "0.2"), Role::Rival, Box::new(run)));
        }
        then(all, &expected);
    })
}

/// The seeds of the keys, of which each set takes as many bytes as it needs.
const SEEDS: [[u8; 32]; 3] = [[1; 32], [2; 32], [3; 32]];

const MESSAGE: &[u8] = b"a message";

fn auto() -> String {
    Backend::detect().name().to_owned()
}
