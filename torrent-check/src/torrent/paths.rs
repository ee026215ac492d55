//! Builds the paths of a torrent.

use std::collections::HashSet;
use std::sync::Arc;

use super::fields::Field;
use crate::error::{TorrentError, TorrentErrorKind};
use crate::limits::MAX_PATH_BYTES;
use crate::path::{InvalidName, PathBuilder, PathError, TorrentPath, shown};
use crate::warning::{WarningKind, Warnings};

/// Builds paths from components, and warns of odd ones.
pub(super) struct Paths<'d, 'w> {
    warnings: &'w mut Warnings,
    /// Components with a warning already: a folder's name is in the path of each file in it.
    odd: HashSet<&'d [u8]>,
    /// The total length of all paths built so far.
    bytes: usize,
}

/// A path, and the first component that had to be replaced.
pub(super) struct Named {
    pub(super) path: TorrentPath,
    pub(super) invalid: Option<Arc<InvalidName>>,
}

impl<'d, 'w> Paths<'d, 'w> {
    pub(super) fn new(warnings: &'w mut Warnings) -> Self {
        Self { warnings, odd: HashSet::new(), bytes: 0 }
    }

    /// Adds another warning.
    pub(super) fn warn(&mut self, offset: usize, kind: WarningKind) {
        self.warnings.add(offset, kind);
    }

    /// Builds a path of one component.
    pub(super) fn name(&mut self, name: Field<'d>) -> Result<Named, TorrentError> {
        let mut path = PathBuilder::default();
        self.push(&mut path, name)?;
        self.finish(&path, name)
    }

    /// Builds a path from a list of components.
    pub(super) fn list(&mut self, list: Field<'d>) -> Result<Named, TorrentError> {
        let mut path = PathBuilder::default();
        for component in list.items()? {
            self.push(&mut path, Field::new(component, "a component of a path"))?;
        }
        self.finish(&path, list)
    }

    /// Appends a component to a path. A component that is not valid, but does not lead elsewhere
    /// either, is replaced by the name under which clients save it.
    pub(super) fn push(
        &mut self,
        path: &mut PathBuilder<'d>,
        component: Field<'d>,
    ) -> Result<(), TorrentError> {
        let bytes = component.bytes()?;
        let pushed = path.push(bytes);
        let mut warn = |kind: fn(String) -> WarningKind| {
            if self.odd.insert(bytes) {
                self.warnings.add(component.offset(), kind(shown(bytes)));
            }
        };
        let pushed = match pushed {
            Err(error) if !error.is_hostile() && error != PathError::PathTooLong => {
                warn(|component| WarningKind::InvalidName { component });
                path.push_saved(bytes, error)
            }
            pushed => pushed,
        };
        pushed.map_err(|error| path_error(component, bytes, error))?;
        if str::from_utf8(bytes).is_err() {
            warn(|component| WarningKind::NotUtf8 { component });
        }
        Ok(())
    }

    /// Finishes a path. `at` is its position for errors.
    pub(super) fn finish(
        &mut self,
        path: &PathBuilder<'_>,
        at: Field<'d>,
    ) -> Result<Named, TorrentError> {
        let invalid = path.invalid().cloned();
        let path = path.path().map_err(|error| path_error(at, b"", error))?;
        self.bytes += path.memory();
        if self.bytes > MAX_PATH_BYTES {
            return Err(at.error(TorrentErrorKind::Paths));
        }
        Ok(Named { path, invalid })
    }
}

fn path_error(at: Field<'_>, component: &[u8], error: PathError) -> TorrentError {
    at.error(TorrentErrorKind::Path { component: shown(component), error })
}
