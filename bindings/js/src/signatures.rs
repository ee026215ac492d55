//! SLH-DSA, the hash-based signature of FIPS 205. `slh-dsa.js` checks the arguments.
//!
//! What JavaScript passes by value is moved into this memory, where it is erased. It reads secrets
//! in place, because the glue of a returned list would leave a copy.

use std::error::Error as _;

use slh_dsa_multi::{
    FIPS_SETS, ParameterSet, Parameters, Signature, SigningKey, VerifyingKey, with_fips_set,
};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};
use zeroize::Zeroizing;

use crate::cut;

/// Evaluates an expression with the parameter set of a name as a type.
macro_rules! with_set {
    ($name:expr, $Set:ident => $value:expr) => {
        with_fips_set!($name, $Set => $value).ok_or_else(|| {
            let names = FIPS_SETS.map(|set| set.name).join(", ");
            let text = format!("{:?} is not a parameter set of FIPS 205, which are {names}", $name);
            JsError::new(&text)
        })?
    };
}

/// The lengths of a parameter set: of a seed, a signing key, a verifying key and a signature.
///
/// # Errors
///
/// Returns an error if FIPS 205 has no set of this name.
#[wasm_bindgen(js_name = slhDsaLengths)]
pub fn slh_dsa_lengths(set: &str) -> Result<Vec<u32>, JsError> {
    let set: Parameters = with_set!(set, P => P::PARAMETERS);
    let (signing, verifying) = (set.signing_key_len(), set.verifying_key_len());
    Ok([set.n, signing, verifying, set.signature_len()].map(|len| len as u32).to_vec())
}

/// A signing key. It is erased when JavaScript frees it.
#[wasm_bindgen]
pub struct SlhDsaKey {
    set: String,
    bytes: Zeroizing<Vec<u8>>,
}

#[wasm_bindgen]
impl SlhDsaKey {
    /// The key of three seeds of n bytes, end to end.
    ///
    /// # Errors
    ///
    /// Returns an error for an unknown set or another length.
    #[wasm_bindgen(js_name = fromSeeds)]
    pub fn from_seeds(set: String, seeds: Vec<u8>) -> Result<Self, JsError> {
        let seeds = Zeroizing::new(seeds);
        let bytes = with_set!(&set, P => {
            let (sk_seed, rest) = seeds.split_at(seeds.len() / 3);
            let (sk_prf, pk_seed) = rest.split_at(rest.len() / 2);
            let key = SigningKey::<P>::from_seeds(sk_seed, sk_prf, pk_seed)?;
            Zeroizing::new(key.to_bytes().to_vec())
        });
        Ok(Self { set, bytes })
    }

    /// The key with these bytes. Computes its root again.
    ///
    /// # Errors
    ///
    /// Returns an error for an unknown set, another length or another root.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(set: String, bytes: Vec<u8>) -> Result<Self, JsError> {
        let bytes = Zeroizing::new(bytes);
        with_set!(&set, P => drop(SigningKey::<P>::from_bytes(&bytes)?));
        Ok(Self { set, bytes })
    }

    /// The address of SK.seed, SK.prf, PK.seed and PK.root.
    pub fn address(&self) -> *const u8 {
        self.bytes.as_ptr()
    }

    /// Signs a message after a context, with n random bytes, or with none deterministically.
    ///
    /// # Errors
    ///
    /// Returns an error for a context that is too long.
    pub fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        opt_rand: Option<Vec<u8>>,
    ) -> Result<Vec<u8>, JsError> {
        Ok(with_set!(&self.set, P => {
            // It was computed here or checked when it was read.
            let key = SigningKey::<P>::from_bytes_trusting_root(&self.bytes)?;
            let signature = key.try_sign_with_context(message, context, opt_rand.as_deref());
            let signature = signature.map_err(|error| {
                // The traits' error only names it as its source.
                let text = error.source().map_or_else(|| error.to_string(), ToString::to_string);
                JsError::new(&text)
            })?;
            Box::<[u8]>::from(signature).into_vec()
        }))
    }
}

/// The indices of the signatures that are not valid. Keys, messages and signatures lie end to end.
/// A signature of another length is not valid.
///
/// # Errors
///
/// Returns an error for an unknown set, keys of another length, or a context that is too long.
#[wasm_bindgen(js_name = slhDsaVerifyMany)]
pub fn slh_dsa_verify_many(
    set: &str,
    keys: &[u8],
    messages: &[u8],
    message_lengths: &[u32],
    signatures: &[u8],
    signature_lengths: &[u32],
    context: &[u8],
) -> Result<Vec<u32>, JsError> {
    Ok(with_set!(set, P => {
        let keys = keys.chunks(P::PARAMETERS.verifying_key_len());
        let keys = keys.map(VerifyingKey::<P>::from_bytes).collect::<Result<Vec<_>, _>>()?;
        let (mut read, mut wrong) = (Vec::new(), Vec::new());
        let messages = cut(messages, message_lengths);
        let signatures = cut(signatures, signature_lengths);
        let items = keys.iter().zip(messages).zip(signatures);
        for (i, ((key, message), signature)) in (0..).zip(items) {
            match Signature::<P>::try_from(signature) {
                Ok(signature) => read.push((i, key, message, signature)),
                Err(_) => wrong.push(i),
            }
        }
        let items = read.iter().map(|(_, key, message, signature)| (*key, *message, signature));
        if let Err(error) = VerifyingKey::try_verify_many_with_context(context, items)? {
            wrong.extend(error.signatures().iter().map(|&at| read[at].0));
        }
        wrong.sort_unstable();
        wrong
    }))
}
