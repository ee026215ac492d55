//! A certificate that is signed with SLH-DSA, as RFC 9909 defines it, by the crate `x509-cert`: it
//! is built, written, read and verified.

use std::error::Error;
use std::str::FromStr;
use std::time::Duration;

use slh_dsa_multi::signature::Verifier;
use slh_dsa_multi::{Sha2_128s, Signature, SigningKey, VerifyingKey};
use x509_cert::Certificate;
use x509_cert::builder::{Builder, CertificateBuilder, profile};
use x509_cert::der::{Decode, Encode, referenced::OwnedToRef};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::SubjectPublicKeyInfo;
use x509_cert::time::Validity;

fn main() -> Result<(), Box<dyn Error>> {
    // Seeds from a random number generator; `SigningKey::new` takes the generator itself.
    let key = SigningKey::<Sha2_128s>::from_seeds(&[1; 16], &[2; 16], &[3; 16])?;

    let subject = Name::from_str("CN=Root of hashes,O=Example,C=NL")?;
    let builder = CertificateBuilder::new(
        profile::cabf::Root::new(false, subject)?,
        SerialNumber::from(1_u32),
        Validity::from_now(Duration::from_secs(3600))?,
        SubjectPublicKeyInfo::from_key(&key.verifying_key())?,
    )?;
    let certificate = builder.build::<_, Signature<Sha2_128s>>(&key)?.to_der()?;
    println!("a certificate of {} bytes", certificate.len());

    // Whoever verifies it has only these bytes.
    let certificate = Certificate::from_der(&certificate)?;
    let signed = certificate.tbs_certificate();
    let key = VerifyingKey::<Sha2_128s>::try_from(signed.subject_public_key_info().owned_to_ref())?;
    let signature = certificate.signature().as_bytes().ok_or("a signature has whole bytes")?;
    key.verify(&signed.to_der()?, &Signature::try_from(signature)?)?;
    println!("signed by itself with {}", certificate.signature_algorithm().oid);
    Ok(())
}
