//! Builds the paths of a torrent.

use std::collections::HashSet;

use super::fields::Field;
use crate::torrent::MAX_PATH_BYTES;
use crate::torrent::error::{TorrentError, Warnings};
use crate::torrent::path::{PathBuilder, PathError, TorrentPath, shown};

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

    /// Adds another warning.
    pub(super) fn warn(&mut self, offset: usize, message: &str) {
        self.warnings.add(offset, message);
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
        let mut components = list.items()?.peekable();
        if components.peek().is_none() {
            self.push_bytes(&mut path, b"", list)?;
        }
        for component in components {
            self.push(&mut path, Field::new(component, "a component of a path"))?;
        }
        self.finish(&path, list)
    }

    /// Builds a path of one component without warnings, if it is valid.
    pub(super) fn raw_name(&mut self, name: Field<'d>) -> Option<TorrentPath> {
        let mut path = PathBuilder::default();
        path.push(name.bytes().ok()?).ok().filter(Option::is_none)?;
        self.finish(&path, name).ok()
    }

    /// Builds a path of a list of components without warnings, if it is valid.
    pub(super) fn raw(&mut self, list: Field<'d>) -> Option<TorrentPath> {
        let mut path = PathBuilder::default();
        for component in list.items().ok()? {
            let bytes = Field::new(component, "a component of a path").bytes().ok()?;
            path.push(bytes).ok().filter(Option::is_none)?;
        }
        if path.depth() == 0 {
            return None;
        }
        self.finish(&path, list).ok()
    }

    /// Appends a component to a path. A component that is not valid, but does not lead elsewhere
    /// either, is replaced by the name under which clients save it.
    pub(super) fn push(
        &mut self,
        path: &mut PathBuilder<'d>,
        component: Field<'d>,
    ) -> Result<(), TorrentError> {
        self.push_bytes(path, component.bytes()?, component)
    }

    /// Appends a component, whose position is `at`.
    fn push_bytes(
        &mut self,
        path: &mut PathBuilder<'d>,
        bytes: &'d [u8],
        at: Field<'d>,
    ) -> Result<(), TorrentError> {
        match path.push(bytes) {
            Err(error) => {
                let name = shown(bytes);
                return Err(at.error(format!("invalid path component \"{name}\": {error}")));
            }
            Ok(Some(PathError::PathTooLong)) => {
                self.warn_once(bytes, at, "in a path that is too long");
            }
            Ok(Some(_)) => {
                self.warn_once(bytes, at, "invalid; looking for the name that libtorrent gives it");
            }
            Ok(None) if str::from_utf8(bytes).is_err() => self.warn_once(bytes, at, "not UTF-8"),
            Ok(None) => {}
        }
        Ok(())
    }

    /// Warns of a component, unless there was a warning of it.
    fn warn_once(&mut self, component: &'d [u8], at: Field<'d>, what: &str) {
        if self.odd.insert(component) {
            self.warnings.add(at.offset(), format!("the name \"{}\" is {what}", shown(component)));
        }
    }

    /// Finishes a path. `at` is its position for errors.
    pub(super) fn finish(
        &mut self,
        path: &PathBuilder<'_>,
        at: Field<'d>,
    ) -> Result<TorrentPath, TorrentError> {
        let path = path.path();
        self.bytes += path.memory();
        if self.bytes > MAX_PATH_BYTES {
            let max = MAX_PATH_BYTES;
            return Err(at.error(format!("the paths have more than {max} bytes in total")));
        }
        Ok(path)
    }
}
