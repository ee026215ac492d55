//! Builds the paths of a torrent.

use std::collections::HashSet;

use super::fields::Field;
use crate::error::{TorrentError, TorrentErrorKind};
use crate::limits::MAX_PATH_BYTES;
use crate::path::{PathBuilder, PathError, TorrentPath, is_reserved, shown};
use crate::warning::{WarningKind, Warnings};

/// Builds paths from components, and warns of odd ones.
pub(super) struct Paths<'d, 'w> {
    warnings: &'w mut Warnings,
    /// Components with a warning already: a folder's name is in the path of each file in it.
    odd: HashSet<&'d [u8]>,
    /// The total length of all paths built so far.
    bytes: usize,
}

impl<'d, 'w> Paths<'d, 'w> {
    pub(super) fn new(warnings: &'w mut Warnings) -> Self {
        Self { warnings, odd: HashSet::new(), bytes: 0 }
    }

    /// Builds a path of one component.
    pub(super) fn name(&mut self, name: Field<'d>) -> Result<TorrentPath, TorrentError> {
        let mut path = PathBuilder::default();
        self.push(&mut path, name)?;
        self.finish(&path, name)
    }

    /// Builds a path from a list of components.
    pub(super) fn list(&mut self, list: Field<'d>) -> Result<TorrentPath, TorrentError> {
        let mut path = PathBuilder::default();
        for component in list.items()? {
            self.push(&mut path, Field::new(component, "a component of a path"))?;
        }
        self.finish(&path, list)
    }

    /// Appends a component to a path.
    pub(super) fn push(
        &mut self,
        path: &mut PathBuilder,
        component: Field<'d>,
    ) -> Result<(), TorrentError> {
        let bytes = component.bytes()?;
        path.push(bytes).map_err(|error| path_error(component, bytes, error))?;
        let mut warn = |kind: fn(String) -> WarningKind| {
            if self.odd.insert(bytes) {
                self.warnings.add(component.offset(), kind(shown(bytes)));
            }
        };
        if is_reserved(bytes) {
            warn(|component| WarningKind::ReservedName { component });
        }
        if str::from_utf8(bytes).is_err() {
            warn(|component| WarningKind::NotUtf8 { component });
        }
        Ok(())
    }

    /// Finishes a path. `at` is its position for errors.
    pub(super) fn finish(
        &mut self,
        path: &PathBuilder,
        at: Field<'d>,
    ) -> Result<TorrentPath, TorrentError> {
        self.bytes += path.len();
        if self.bytes > MAX_PATH_BYTES {
            return Err(at.error(TorrentErrorKind::Paths));
        }
        path.path().map_err(|error| path_error(at, b"", error))
    }
}

fn path_error(at: Field<'_>, component: &[u8], error: PathError) -> TorrentError {
    at.error(TorrentErrorKind::Path { component: shown(component), error })
}
