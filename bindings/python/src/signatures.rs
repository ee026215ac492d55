//! SLH-DSA, the hash-based signature of FIPS 205.

use std::error::Error as _;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use slh_dsa_multi::signature::Error;
use slh_dsa_multi::{
    FIPS_SETS, KeyError, ParameterSet, Parameters, Signature, SigningKey, VerifyingKey,
    with_fips_set,
};
use zeroize::Zeroizing;

use crate::buffers::{buffer, buffers, reserve, slices};

/// Evaluates an expression with the parameter set of a name as a type.
macro_rules! with_set {
    ($name:expr, $Set:ident => $value:expr) => {
        with_fips_set!($name, $Set => $value).ok_or_else(|| {
            let names = FIPS_SETS.map(|set| set.name).join(", ");
            let text = format!("{:?} is not a parameter set of FIPS 205, which are {names}", $name);
            PyValueError::new_err(text)
        })?
    };
}

fn refused(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What is wrong with a call of `signature`'s traits, whose errors only name it as their source.
fn unsigned(error: Error) -> PyErr {
    refused(error.source().map_or_else(|| error.to_string(), ToString::to_string))
}

/// Secret bytes of `bytes` or a `bytearray`. Any other buffer would leave copies behind.
fn secret(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Zeroizing<Vec<u8>>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Zeroizing::new(bytes.as_bytes().to_vec()));
    }
    if let Ok(bytes) = object.cast::<PyByteArray>() {
        return Ok(Zeroizing::new(bytes.to_vec()));
    }
    let kind = object.get_type().name()?;
    Err(PyTypeError::new_err(format!("{name} must be bytes or a bytearray, not '{kind}'")))
}

/// Fills a buffer from the random number generator of the system.
fn fill_random(bytes: &mut [u8]) -> PyResult<()> {
    getrandom::fill(bytes)
        .map_err(|error| PyOSError::new_err(format!("the system has no random bytes: {error}")))
}

/// A signing key of any parameter set.
trait AnyKey: Send + Sync {
    fn write_to(&self, bytes: &mut [u8]);
    fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        opt_rand: Option<&[u8]>,
    ) -> Result<Vec<u8>, Error>;
}

impl<P: ParameterSet + Send + Sync> AnyKey for SigningKey<P> {
    fn write_to(&self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.to_bytes());
    }

    fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        opt_rand: Option<&[u8]>,
    ) -> Result<Vec<u8>, Error> {
        let signature = self.try_sign_with_context(message, context, opt_rand)?;
        Ok(Box::<[u8]>::from(signature).into_vec())
    }
}

/// A key that signs with SLH-DSA (FIPS 205).
///
/// Make one with generate, from_seeds or from_bytes. It is erased from memory by erase, or when the
/// last reference to it is dropped. Two threads can sign with one key at the same time.
#[pyclass(frozen, module = "hashlanes")]
pub(crate) struct SlhDsaSigningKey {
    set: Parameters,
    verifying_key: Vec<u8>,
    /// `None` after it was erased.
    key: Mutex<Option<Arc<dyn AnyKey>>>,
}

impl SlhDsaSigningKey {
    fn new<P: ParameterSet + Send + Sync>(key: SigningKey<P>) -> Self {
        let verifying_key = key.verifying_key().to_bytes().to_vec();
        let key: Arc<dyn AnyKey> = Arc::new(key);
        Self { set: P::PARAMETERS, verifying_key, key: Mutex::new(Some(key)) }
    }

    fn key(&self) -> PyResult<Arc<dyn AnyKey>> {
        let key = self.key.lock().unwrap_or_else(PoisonError::into_inner).clone();
        key.ok_or_else(|| PyValueError::new_err("the key was erased"))
    }
}

#[pymethods]
impl SlhDsaSigningKey {
    /// Generates a key with the random number generator of the system.
    ///
    /// `parameter_set` is a name of FIPS 205, such as "SLH-DSA-SHA2-128s".
    #[staticmethod]
    fn generate(py: Python<'_>, parameter_set: &str) -> PyResult<Self> {
        with_set!(parameter_set, P => {
            let n = P::PARAMETERS.n;
            let mut seeds = Zeroizing::new([0; 96]);
            fill_random(&mut seeds[..3 * n])?;
            let [sk_seed, sk_prf, pk_seed] = [0, n, 2 * n].map(|at| &seeds[at..at + n]);
            let key = py.detach(|| SigningKey::<P>::from_seeds(sk_seed, sk_prf, pk_seed));
            key.map(Self::new).map_err(refused)
        })
    }

    /// Makes the key of three random seeds of n bytes: SK.seed, SK.prf and PK.seed
    /// (slh_keygen_internal, FIPS 205 section 9.1). They are bytes or bytearrays.
    #[staticmethod]
    fn from_seeds(
        py: Python<'_>,
        parameter_set: &str,
        sk_seed: &Bound<'_, PyAny>,
        sk_prf: &Bound<'_, PyAny>,
        pk_seed: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (sk_seed, sk_prf) = (secret(sk_seed, "sk_seed")?, secret(sk_prf, "sk_prf")?);
        let pk_seed = buffer(pk_seed, "pk_seed")?;
        let pk_seed = pk_seed.as_bytes();
        with_set!(parameter_set, P => {
            let key = py.detach(|| SigningKey::<P>::from_seeds(&sk_seed, &sk_prf, pk_seed));
            key.map(Self::new).map_err(refused)
        })
    }

    /// Reads a key that to_bytearray wrote: SK.seed, SK.prf, PK.seed and PK.root (FIPS 205 figure
    /// 15), as bytes or a bytearray.
    ///
    /// Computes the root again, which takes as long as generate, and raises ValueError if it
    /// differs.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, parameter_set: &str, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = secret(key, "key")?;
        with_set!(parameter_set, P => {
            let key = py.detach(|| SigningKey::<P>::from_bytes(&key));
            key.map(Self::new).map_err(refused)
        })
    }

    /// Signs a message after a context of at most 255 bytes (FIPS 205 section 10.2.1).
    ///
    /// The signature is hedged with random bytes of the system. With deterministic=True, equal
    /// messages have equal signatures, and a hardware fault during a signature may give the key
    /// away.
    #[pyo3(signature = (message, context=None, *, deterministic=false))]
    fn sign<'py>(
        &self,
        message: &Bound<'py, PyAny>,
        context: Option<&Bound<'py, PyAny>>,
        deterministic: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let py = message.py();
        let message = buffer(message, "message")?;
        let context = self::context(py, context)?;
        let key = self.key()?;
        let mut random = [0; 32];
        let opt_rand = if deterministic {
            None
        } else {
            let bytes = &mut random[..self.set.n];
            fill_random(bytes)?;
            Some(&*bytes)
        };
        let (message, context) = (message.as_bytes(), context.as_bytes());
        let signature = py.detach(|| key.sign(message, context, opt_rand)).map_err(unsigned)?;
        PyBytes::new_with(py, signature.len(), |bytes| {
            bytes.copy_from_slice(&signature);
            Ok(())
        })
    }

    /// Returns the key as a bytearray, for from_bytes. Overwrite it when you no longer need it.
    fn to_bytearray<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let key = self.key()?;
        PyByteArray::new_with(py, self.set.signing_key_len(), |bytes| {
            key.write_to(bytes);
            Ok(())
        })
    }

    /// Erases the key from memory. Signing then raises ValueError. A signature that another thread
    /// is making is finished first.
    fn erase(&self) {
        *self.key.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The name of the parameter set.
    #[getter]
    fn parameter_set(&self) -> &'static str {
        self.set.name
    }

    /// The key that verifies signatures: PK.seed and PK.root. It is public.
    #[getter]
    fn verifying_key<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.verifying_key)
    }

    /// Shows only what is public.
    fn __repr__(&self) -> String {
        let key: String = self.verifying_key.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("<hashlanes.SlhDsaSigningKey: {}, verifying key {key}>", self.set.name)
    }
}

/// The bytes of a context, which is empty by default.
fn context<'py>(
    py: Python<'py>,
    context: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    context.map_or_else(|| Ok(PyBytes::new(py, &[])), |context| buffer(context, "context"))
}

/// Verifies an SLH-DSA signature of a message after a context. Raises ValueError if it is not
/// valid.
#[pyfunction]
#[pyo3(signature = (parameter_set, verifying_key, message, signature, context=None))]
pub(crate) fn slh_dsa_verify<'py>(
    parameter_set: &str,
    verifying_key: &Bound<'py, PyAny>,
    message: &Bound<'py, PyAny>,
    signature: &Bound<'py, PyAny>,
    context: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let py = message.py();
    let key = buffer(verifying_key, "verifying_key")?;
    let message = buffer(message, "message")?;
    let signature = buffer(signature, "signature")?;
    let context = self::context(py, context)?;
    let (message, signature) = (message.as_bytes(), signature.as_bytes());
    let context = context.as_bytes();
    with_set!(parameter_set, P => {
        let refused = |name, error: KeyError| refused(format_args!("{name}: {error}"));
        let key = VerifyingKey::<P>::from_bytes(key.as_bytes())
            .map_err(|error| refused("verifying_key", error))?;
        let expected = P::PARAMETERS.signature_len();
        let Ok(signature) = Signature::<P>::try_from(signature) else {
            let (set, found) = (P::PARAMETERS.name, signature.len());
            return Err(refused("signature", KeyError::Length { set, expected, found }));
        };
        check_context(context)?;
        let verified = py.detach(|| key.try_verify_with_context(message, context, &signature));
        verified.map_err(|_| PyValueError::new_err("the signature is not valid"))
    })
}

/// Refuses a context that cannot be signed.
fn check_context(context: &[u8]) -> PyResult<()> {
    match context.len() {
        0..=255 => Ok(()),
        len => Err(PyValueError::new_err(format!("a context has at most 255 bytes, not {len}"))),
    }
}

/// The signatures that are copied and verified at once.
const GROUP: usize = 256;

/// Verifies SLH-DSA signatures, each with the key and the message of the same index and all with
/// one context. Returns the indices of those that are not valid: an empty list if all are.
///
/// Hashes of all signatures share the lanes, so this is faster than a loop over slh_dsa_verify. A
/// signature of another length is not valid.
#[pyfunction]
#[pyo3(signature = (parameter_set, verifying_keys, messages, signatures, context=None))]
pub(crate) fn slh_dsa_verify_many<'py>(
    parameter_set: &str,
    verifying_keys: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
    signatures: &Bound<'py, PyAny>,
    context: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<usize>> {
    let py = messages.py();
    let keys = buffers(verifying_keys, "verifying key")?;
    let (messages, signatures) = (buffers(messages, "message")?, buffers(signatures, "signature")?);
    let context = self::context(py, context)?;
    let context = context.as_bytes();
    let (keys, messages, signatures) = (slices(&keys)?, slices(&messages)?, slices(&signatures)?);
    let count = keys.len();
    if (count, count) != (messages.len(), signatures.len()) {
        let (messages, signatures) = (messages.len(), signatures.len());
        let text = format!("{count} keys, but {messages} messages and {signatures} signatures");
        return Err(PyValueError::new_err(text));
    }
    check_context(context)?;
    with_set!(parameter_set, P => {
        let mut read = Vec::new();
        reserve(&mut read, count)?;
        for (i, bytes) in keys.iter().enumerate() {
            let key = VerifyingKey::<P>::from_bytes(bytes);
            read.push(key.map_err(|error| refused(format!("verifying key {i}: {error}")))?);
        }
        py.detach(|| wrong_signatures::<P>(&read, &messages, &signatures, context))
            .map_err(unsigned)
    })
}

/// The indices of the signatures that are not valid.
fn wrong_signatures<P: ParameterSet>(
    keys: &[VerifyingKey<P>],
    messages: &[&[u8]],
    signatures: &[&[u8]],
    context: &[u8],
) -> Result<Vec<usize>, Error> {
    let mut wrong = Vec::new();
    let indices: Vec<usize> = (0..keys.len()).collect();
    for indices in indices.chunks(GROUP) {
        let mut read = Vec::new();
        for &i in indices {
            match Signature::<P>::try_from(signatures[i]) {
                Ok(signature) => read.push((i, signature)),
                Err(_) => wrong.push(i),
            }
        }
        let items = read.iter().map(|(i, signature)| (&keys[*i], messages[*i], signature));
        if let Err(error) = VerifyingKey::try_verify_many_with_context(context, items)? {
            wrong.extend(error.signatures().iter().map(|&at| read[at].0));
        }
    }
    wrong.sort_unstable();
    Ok(wrong)
}
