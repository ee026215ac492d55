//! The functions that hash many messages.

use hash_lanes::{ChainError, ChainLayout};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use sha3_multi::{XofLanes, keccak256, sha3_256};

use crate::buffers::{buffer, buffers, collect, count, digests, integers, size, slices};

/// Hashes messages: a list of them to a list of digests, or those of one length in a buffer to
/// digests end to end.
fn many<'py, const N: usize>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
    hash: impl FnOnce(&mut dyn Iterator<Item = &[u8]>, &mut [[u8; N]]) + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let Some(length) = length else {
        let messages = buffers(messages, "message")?;
        let messages = slices(&messages)?;
        let mut digests = digests(messages.len())?;
        py.detach(|| hash(&mut messages.iter().copied(), &mut digests));
        return list(py, &digests);
    };
    let buffer = buffer(messages)?;
    let bytes = buffer.as_bytes();
    let digests = PyBytes::new_with(py, size(count(bytes, length)?, N)?, |digests| {
        py.detach(|| hash(&mut bytes.chunks_exact(length), digests.as_chunks_mut().0));
        Ok(())
    })?;
    Ok(digests.into_any())
}

/// A Python list of digests. Raises MemoryError where `PyBytes::new` and `PyList::new` would panic.
fn list<'py>(py: Python<'py>, digests: &[impl AsRef<[u8]>]) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::empty(py);
    for digest in digests {
        let digest = digest.as_ref();
        list.append(PyBytes::new_with(py, digest.len(), |bytes| {
            bytes.copy_from_slice(digest);
            Ok(())
        })?)?;
    }
    Ok(list.into_any())
}

/// Hashes messages with SHA-256, 32 bytes per digest.
///
/// sha256_many(messages) hashes each message of a list and returns a list.
/// sha256_many(buffer, length) hashes each `length` bytes of a buffer and returns the digests end
/// to end.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn sha256_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, |messages, digests| sha256_multi::hash_many_into(messages, digests))
}

/// Hashes messages with SHA-512, 64 bytes per digest. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn sha512_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, |messages, digests| sha512_multi::hash_many_into(messages, digests))
}

/// Hashes messages with Keccak-256, Ethereum's hash, 32 bytes per digest. It is not SHA3-256: the
/// padding differs. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn keccak256_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, |messages, digests| keccak256::hash_many_into(messages, digests))
}

/// Hashes messages with SHA3-256, 32 bytes per digest. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn sha3_256_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, |messages, digests| sha3_256::hash_many_into(messages, digests))
}

/// Hashes messages with SHA-1, 20 bytes per digest. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn sha1_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, |messages, digests| sha1_multi::hash_many_into(messages, digests))
}

/// Hashes messages with RIPEMD-160, 20 bytes per digest. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn ripemd160_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, |messages, digests| ripemd_multi::hash_many_into(messages, digests))
}

/// Hashes messages with HASH160, which is RIPEMD-160 of SHA-256, 20 bytes per digest. Bitcoin
/// addresses are HASH160 of public keys. The arguments are those of sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn hash160_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, |messages, digests| ripemd_multi::hash160_many_into(messages, digests))
}

/// Hashes messages with Algorand's sumhash512, 64 bytes per digest. The arguments are those of
/// sha256_many.
#[pyfunction]
#[pyo3(signature = (messages, length=None))]
pub(crate) fn sumhash512_many<'py>(
    messages: &Bound<'py, PyAny>,
    length: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    many(messages, length, |messages, digests| sumhash512::hash_many_into(messages, digests))
}

/// Hashes each 64 bytes of a buffer with SHA-256, and returns the digests end to end: one level of
/// a Merkle tree from the level below. With double=True, the digest is hashed again, as in Bitcoin.
#[pyfunction]
#[pyo3(signature = (buffer, double=false))]
pub(crate) fn sha256_pairs<'py>(
    buffer: &Bound<'py, PyAny>,
    double: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = buffer.py();
    let buffer = self::buffer(buffer)?;
    let bytes = buffer.as_bytes();
    let hash = if double {
        sha256_multi::double_hash_pairs_into::<[u8; 64]>
    } else {
        sha256_multi::hash_pairs_into::<[u8; 64]>
    };
    PyBytes::new_with(py, size(count(bytes, 64)?, 32)?, |digests| {
        py.detach(|| hash(bytes.as_chunks().0, digests.as_chunks_mut().0));
        Ok(())
    })
}

/// Returns HMAC-SHA256 of each message with the key of the same index.
#[pyfunction]
pub(crate) fn hmac_sha256_many<'py>(
    keys: &Bound<'py, PyAny>,
    messages: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = keys.py();
    let (keys, messages) = (buffers(keys, "key")?, buffers(messages, "message")?);
    let (keys, messages) = (slices(&keys)?, slices(&messages)?);
    if keys.len() != messages.len() {
        let text = format!("{} keys, but {} messages", keys.len(), messages.len());
        return Err(PyValueError::new_err(text));
    }
    let mut macs = digests(keys.len())?;
    py.detach(|| sha256_multi::hmac_many_into(keys, messages, &mut macs));
    list(py, &macs)
}

/// Derives a key of `dklen` bytes from each password with the salt of the same index, by
/// PBKDF2-HMAC-SHA256.
#[pyfunction]
#[pyo3(signature = (passwords, salts, iterations, dklen=32))]
pub(crate) fn pbkdf2_sha256_many<'py>(
    passwords: &Bound<'py, PyAny>,
    salts: &Bound<'py, PyAny>,
    iterations: u32,
    dklen: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = passwords.py();
    let (passwords, salts) = (buffers(passwords, "password")?, buffers(salts, "salt")?);
    let (passwords, salts) = (slices(&passwords)?, slices(&salts)?);
    if passwords.len() != salts.len() {
        let text = format!("{} passwords, but {} salts", passwords.len(), salts.len());
        return Err(PyValueError::new_err(text));
    }
    if iterations == 0 || dklen == 0 {
        return Err(PyValueError::new_err("iterations and dklen must be at least 1"));
    }
    if dklen.div_ceil(32) > u32::MAX as usize {
        return Err(PyValueError::new_err("dklen exceeds 2^32 - 1 digests"));
    }
    let keys = PyBytes::new_with(py, size(passwords.len(), dklen)?, |keys| {
        let mut keys = collect(keys.chunks_exact_mut(dklen))?;
        py.detach(|| sha256_multi::pbkdf2_many_into(passwords, salts, iterations, &mut keys));
        Ok(())
    })?;
    list(py, &collect(keys.as_bytes().chunks_exact(dklen))?)
}

/// Advances the chains in a buffer of messages of `length` bytes.
fn chains<'py>(
    messages: &Bound<'py, PyAny>,
    steps: &Bound<'py, PyAny>,
    length: usize,
    value: Option<(usize, usize)>,
    counter: Option<(usize, usize)>,
    hash: impl FnOnce(&ChainLayout, &mut [u8], &[u32]) -> Result<(), ChainError> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = messages.py();
    let refused = |error: ChainError| PyValueError::new_err(error.to_string());
    let (start, end) = value.unwrap_or((0, length));
    let counter = counter.map(|(start, end)| start..end);
    let layout = ChainLayout::try_new(length, start..end, counter).map_err(refused)?;
    let (messages, steps) = (buffer(messages)?, integers(steps, "step")?);
    PyBytes::new_with(py, messages.as_bytes().len(), |chains| {
        chains.copy_from_slice(messages.as_bytes());
        py.detach(|| hash(&layout, chains, &steps)).map_err(refused)
    })
}

/// Hashes each message of a chain with SHA-256 as many times as its step count says, each time with
/// the digest in the place of the value, as in hash-based signatures.
///
/// `messages` is a buffer of messages of `length` bytes. `steps` has one number for each. `value`
/// is the (start, end) of the bytes of a message that become the beginning of the digest, by
/// default all of them. `counter` is the (start, end) of at most four bytes, the most significant
/// first, to which each step adds one. Returns the messages after the last step, end to end.
///
/// A message has at most 55 bytes, and a value 32.
#[pyfunction]
#[pyo3(signature = (messages, steps, length=32, *, value=None, counter=None))]
pub(crate) fn sha256_chains<'py>(
    messages: &Bound<'py, PyAny>,
    steps: &Bound<'py, PyAny>,
    length: usize,
    value: Option<(usize, usize)>,
    counter: Option<(usize, usize)>,
) -> PyResult<Bound<'py, PyBytes>> {
    chains(messages, steps, length, value, counter, sha256_multi::try_hash_chains)
}

/// Advances chains of SHA-512. The arguments are those of sha256_chains. A message has at most 111
/// bytes, and a value 64.
#[pyfunction]
#[pyo3(signature = (messages, steps, length=64, *, value=None, counter=None))]
pub(crate) fn sha512_chains<'py>(
    messages: &Bound<'py, PyAny>,
    steps: &Bound<'py, PyAny>,
    length: usize,
    value: Option<(usize, usize)>,
    counter: Option<(usize, usize)>,
) -> PyResult<Bound<'py, PyBytes>> {
    chains(messages, steps, length, value, counter, sha512_multi::try_hash_chains)
}

/// Advances chains of SHAKE256. The arguments are those of sha256_chains. A message has at most 135
/// bytes. A value may be as long as the message: it takes as much output.
#[pyfunction]
#[pyo3(signature = (messages, steps, length=32, *, value=None, counter=None))]
pub(crate) fn shake256_chains<'py>(
    messages: &Bound<'py, PyAny>,
    steps: &Bound<'py, PyAny>,
    length: usize,
    value: Option<(usize, usize)>,
    counter: Option<(usize, usize)>,
) -> PyResult<Bound<'py, PyBytes>> {
    chains(messages, steps, length, value, counter, |layout, messages, steps| {
        XofLanes::shake256().try_hash_chains(layout, messages, steps)
    })
}
