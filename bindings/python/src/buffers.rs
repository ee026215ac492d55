//! Turns bytes-like objects into slices that stay valid while the GIL is released.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

/// A bytes-like object as `bytes`.
///
/// `bytes` are used where they are, because nobody can change them. Other threads could write to
/// any other buffer during the call, so it is copied.
pub(crate) fn buffer<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let view = PyMemoryView::from(object)?;
    Ok(view.call_method0(intern!(object.py(), "tobytes"))?.cast_into()?)
}

/// The items of an iterable as `bytes`. An error names the first bad item: "`name` 7: ...".
pub(crate) fn buffers<'py>(
    items: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    if items.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err(format!(
            "the {name}s are one bytes object; pass a list of {name}s"
        )));
    }
    let mut list = Vec::with_capacity(items.len().unwrap_or(0));
    for item in items.try_iter()? {
        let bytes = buffer(&item?).map_err(|error| {
            let py = items.py();
            let text = format!("{name} {}: {}", list.len(), error.value(py));
            PyErr::from_type(error.get_type(py), text)
        })?;
        list.push(bytes);
    }
    Ok(list)
}

/// Borrows the bytes of each object.
pub(crate) fn slices<'a>(list: &'a [Bound<'_, PyBytes>]) -> Vec<&'a [u8]> {
    list.iter().map(|bytes| bytes.as_bytes()).collect()
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
