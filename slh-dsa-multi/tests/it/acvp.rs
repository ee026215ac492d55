//! NIST's ACVP vectors for FIPS 205.

use std::process::Command;

use serde_json::Value;
use slh_dsa_multi::{ParameterSet, Signature, SigningKey, VerifyingKey, with_fips_set};

/// A file of the folder that `HASHLANES_VECTORS` names.
fn vectors(name: &str) -> Value {
    let folder = std::env::var("HASHLANES_VECTORS").expect("HASHLANES_VECTORS is set");
    let path = format!("{folder}/slh-dsa/{name}");
    let text = if name.ends_with(".xz") {
        Command::new("xz").args(["-dc", &path]).output().expect("xz runs").stdout
    } else {
        std::fs::read(path).expect("the vectors are there")
    };
    serde_json::from_slice(&text).expect("JSON")
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("a string")).expect("hexadecimal digits")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn generates<P: ParameterSet>(test: &Value) {
    let [sk_seed, sk_prf, pk_seed] = ["skSeed", "skPrf", "pkSeed"].map(|name| bytes(&test[name]));
    let key = SigningKey::<P>::from_seeds(&sk_seed, &sk_prf, &pk_seed).unwrap();
    assert_eq!(key.to_bytes()[..], bytes(&test["sk"]));
    assert_eq!(key.verifying_key().to_bytes()[..], bytes(&test["pk"]));
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn key_generation() {
    let vectors = vectors("SLH-DSA-keyGen-FIPS205.json");
    let mut count = 0;
    for group in list(&vectors["testGroups"]) {
        let name = group["parameterSet"].as_str().unwrap();
        for test in list(&group["tests"]) {
            with_fips_set!(name, P => generates::<P>(test)).expect(name);
            count += 1;
        }
    }
    assert_eq!(count, 40);
}

/// These messages are signed without a context.
fn verifies<P: ParameterSet>(test: &Value) {
    let key = VerifyingKey::<P>::from_bytes(&bytes(&test["pk"])).unwrap();
    let message = bytes(&test["message"]);
    let is_valid = Signature::<P>::try_from(&bytes(&test["signature"])[..])
        .is_ok_and(|signature| key.verify_internal(&[&message], &signature).is_ok());
    assert_eq!(is_valid, test["testPassed"].as_bool().unwrap(), "{}", test["reason"]);
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn verification() {
    let vectors = vectors("SLH-DSA-sigVer-FIPS205.json.xz");
    let mut count = 0;
    for group in list(&vectors["testGroups"]) {
        let name = group["parameterSet"].as_str().unwrap();
        for test in list(&group["tests"]) {
            with_fips_set!(name, P => verifies::<P>(test)).expect(name);
            count += 1;
        }
    }
    assert_eq!(count, 45);
}

/// The valid signatures of the vectors are signatures of their keys, too.
fn signs<P: ParameterSet>(test: &Value) {
    let key = SigningKey::<P>::from_bytes(&bytes(&test["sk"])).unwrap();
    let opt_rand = bytes(&test["additionalRandomness"]);
    let signature = key.sign_internal(&[&bytes(&test["message"])], Some(&opt_rand)).unwrap();
    assert!(signature.as_ref() == bytes(&test["signature"]));
}

#[test]
#[ignore = "needs HASHLANES_VECTORS"]
fn signing() {
    let vectors = vectors("SLH-DSA-sigVer-FIPS205.json.xz");
    for group in list(&vectors["testGroups"]) {
        let name = group["parameterSet"].as_str().unwrap();
        for test in list(&group["tests"]).iter().filter(|test| test["testPassed"] == true) {
            with_fips_set!(name, P => signs::<P>(test)).expect(name);
        }
    }
}
