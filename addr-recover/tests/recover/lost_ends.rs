//! Keys of all kinds whose end is lost, with their address: alone and in a sentence, with a mark
//! and without one.

use addr_recover::{KeyAnswer, KeyError, KeyOptions, KeyQuestion, ask_key};
use sha2::{Digest, Sha256};

/// Private keys and their addresses: in Base58, of 43 and of 44 digits, and like keys in the wallet
/// import format.
fn secrets() -> Vec<([u8; 32], String)> {
    let secret = |number: u32| <[u8; 32]>::from(Sha256::digest(number.to_be_bytes()));
    let first = |is: &dyn Fn(&str) -> bool| {
        let secrets = (0..).map(secret);
        secrets.clone().find(|it| is(&bs58::encode(it).into_string())).unwrap()
    };
    let found = [
        first(&|it| it.len() == 44 && it.starts_with('9')),
        first(&|it| it.len() == 43 && it.starts_with('z')),
        first(&|it| it.len() == 44 && it.starts_with('5')),
        first(&|it| it.len() == 43 && it.starts_with('K')),
    ];
    found.map(|secret| (secret, address(&secret))).to_vec()
}

fn address(secret: &[u8; 32]) -> String {
    let mut options = KeyOptions::default();
    // That of another key.
    options.owner = Some("1LoVGDgRs9hTfTNJNuXKSpywcbdvwRXpmK".parse().unwrap());
    let question = KeyQuestion::new(&hex::encode(secret), &options).unwrap();
    question.other().unwrap().addresses[0].clone()
}

/// How a private key is written, and what is found of it.
fn spellings(secret: &[u8; 32]) -> [(String, String); 4] {
    let wif = |end: &[u8]| bs58::encode([&[0x80], &secret[..], end].concat()).with_check();
    let [compressed, uncompressed] = [&[1][..], &[]].map(|end| wif(end).into_string());
    let digits = hex::encode(secret);
    let bytes = bs58::encode(secret).into_string();
    [
        (compressed.clone(), compressed),
        (uncompressed.clone(), uncompressed),
        (bytes, digits.clone()),
        (digits.clone(), digits),
    ]
}

fn ask(text: &str, address: &str) -> Result<KeyAnswer, KeyError> {
    let mut options = KeyOptions::default();
    options.owner = Some(address.parse().unwrap());
    ask_key(text, &options)
}

#[test]
fn a_lost_end_is_found_with_an_address() {
    let (mut cases, mut missed) = (0, Vec::new());
    for (secret, address) in secrets() {
        for (key, found) in spellings(&secret) {
            // Without a checksum, three characters of 32 bytes in Base58 are 195,112 keys.
            let max_lost = if key.len() < 45 { 2 } else { 3 };
            for lost in 1..=max_lost {
                let kept = &key[..key.len() - lost];
                for text in [kept.to_owned(), format!("{kept}...")] {
                    cases += 1;
                    let text = match cases % 3 {
                        0 => text,
                        1 => format!("my key is {text}"),
                        _ => format!("The rest of 2014 is lost: {text}"),
                    };
                    let answer = ask(&text, &address);
                    let is_found = |it: &KeyAnswer| it.keys.iter().any(|key| *key.text == found);
                    if !answer.as_ref().is_ok_and(is_found) {
                        missed.push(format!("{text}: {answer:?}"));
                    }
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} {missed:#?}", missed.len());
}

/// So much of a key cannot be searched, and is no mini key.
#[test]
fn half_a_key_is_cut() {
    let (secret, address) = &secrets()[0];
    let [(compressed, _), (uncompressed, _), ..] = spellings(secret);
    for key in [compressed, uncompressed] {
        for text in [
            key[..30].to_owned(),
            key[..22].to_owned(),
            format!("{}{}", &key[..15], &key[key.len() - 15..]),
        ] {
            let error = ask(&text, address).unwrap_err();
            assert_eq!(error, KeyError::Cut { given: text.len() }, "{text}");
            assert!(error.to_string().contains("half of a key is not enough"));
        }
    }
}
