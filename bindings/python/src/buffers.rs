//! Turns bytes-like objects into slices that stay valid while the GIL is released.

use std::fmt::Display;

use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyMemoryView, PyString, PyTuple};

/// The bytes-like object of an argument as `bytes`. An error begins with the argument's name.
pub(crate) fn buffer<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
    bytes_of(object).map_err(|error| named(object.py(), &error, name))
}

/// An error with the name of what it is about before its text.
pub(crate) fn named(py: Python<'_>, error: &PyErr, name: impl Display) -> PyErr {
    PyErr::from_type(error.get_type(py), format!("{name}: {}", error.value(py)))
}

/// A bytes-like object as `bytes`.
///
/// `bytes` are used where they are, because nobody can change them. Other threads could write to
/// any other buffer during the call, so it is copied.
fn bytes_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let made;
    let view = match object.cast_exact::<PyMemoryView>() {
        Ok(view) => view,
        Err(_) => {
            made = PyMemoryView::from(object)?;
            &made
        }
    };
    if has_objects(view)? {
        return Err(PyTypeError::new_err("an array of objects is not a buffer of bytes"));
    }
    // `bytes(view)`, which is faster than `view.tobytes()`.
    Ok(object.py().get_type::<PyBytes>().call1((view,))?.cast_into()?)
}

/// Whether the items of a buffer are Python objects, whose bytes are addresses.
fn has_objects(view: &Bound<'_, PyMemoryView>) -> PyResult<bool> {
    let format = view.getattr(intern!(view.py(), "format"))?;
    // That of nearly every buffer is a single object.
    if format.is(intern!(view.py(), "B")) {
        return Ok(false);
    }
    // Names of fields are between colons.
    Ok(format.cast::<PyString>()?.to_cow()?.split(':').step_by(2).any(|part| part.contains('O')))
}

/// The items of an iterable as `bytes`. An error names the first bad item: "`name` 7: ...".
pub(crate) fn buffers<'py>(
    items: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    if is_one_buffer(items)? {
        return Err(PyTypeError::new_err(format!(
            "the {name}s are one buffer; pass a list of {name}s"
        )));
    }
    // An object may say that it has any number of items, so nothing is reserved for them.
    let mut list = Vec::new();
    for item in items.try_iter()? {
        let bytes = bytes_of(&item?)
            .map_err(|error| named(items.py(), &error, format_args!("{name} {}", list.len())))?;
        reserve(&mut list, 1)?;
        list.push(bytes);
        if list.len().is_multiple_of(SIGNALS) {
            items.py().check_signals()?;
        }
    }
    Ok(list)
}

/// The number of items after which signals are checked.
const SIGNALS: usize = 1 << 20;

/// Whether an object is a buffer of items that are no messages. Those of an array with more
/// dimensions are its rows.
fn is_one_buffer(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        return Ok(false);
    }
    let Ok(view) = PyMemoryView::from(object) else { return Ok(false) };
    let dimensions: usize = view.getattr(intern!(object.py(), "ndim"))?.extract()?;
    Ok(dimensions == 1 && !has_objects(&view)?)
}

/// The items of an iterable as integers of 32 bits. An error names the first bad item.
pub(crate) fn integers(items: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<u32>> {
    let mut list = Vec::new();
    for item in items.try_iter()? {
        let item = item?;
        let integer: u32 = item.extract().map_err(|error: PyErr| {
            named(items.py(), &error, format_args!("{name} {}", list.len()))
        })?;
        reserve(&mut list, 1)?;
        list.push(integer);
    }
    Ok(list)
}

/// Borrows the bytes of each object.
pub(crate) fn slices<'a>(list: &'a [Bound<'_, PyBytes>]) -> PyResult<Vec<&'a [u8]>> {
    collect(list.iter().map(|bytes| bytes.as_bytes()))
}

/// The items of an iterator whose length is true.
pub(crate) fn collect<T>(items: impl ExactSizeIterator<Item = T>) -> PyResult<Vec<T>> {
    let mut list = Vec::new();
    reserve(&mut list, items.len())?;
    list.extend(items);
    Ok(list)
}

/// `count` digests of zeros.
pub(crate) fn digests<const N: usize>(count: usize) -> PyResult<Vec<[u8; N]>> {
    let mut digests = Vec::new();
    reserve(&mut digests, count)?;
    digests.resize(count, [0; N]);
    Ok(digests)
}

/// Makes room for more items, or raises MemoryError, where Rust would abort.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> PyResult<()> {
    list.try_reserve(more).map_err(|error| PyMemoryError::new_err(error.to_string()))
}

/// The size of a `bytes` object of `count` items.
pub(crate) fn size(count: usize, item: usize) -> PyResult<usize> {
    let size = count.checked_mul(item).filter(|&size| isize::try_from(size).is_ok());
    size.ok_or_else(|| PyMemoryError::new_err("the result exceeds the address space"))
}

/// The number of items of `size` bytes in a buffer that holds nothing else.
pub(crate) fn count(bytes: &[u8], size: usize) -> PyResult<usize> {
    match bytes.len().checked_rem(size) {
        Some(0) => Ok(bytes.len() / size),
        Some(_) => Err(PyValueError::new_err(format!(
            "a buffer of {} bytes cannot be cut into pieces of {size} bytes",
            bytes.len()
        ))),
        None => Err(PyValueError::new_err("the length must not be 0")),
    }
}
