//! Finds files in place of links.

use std::cell::LazyCell;
use std::collections::HashMap;

use crate::root::{Absence, Root};
use crate::{FileKind, Torrent, TorrentPath};

/// The files in place of links that have the length of the link's target, each with that target.
/// Only links that are wanted are examined.
pub(crate) fn candidates(
    torrent: &Torrent,
    root: &Root,
    is_wanted: impl Fn(usize) -> bool,
) -> Vec<(usize, usize)> {
    let files = torrent.files();
    let targets = LazyCell::new(|| {
        files.iter().map(|file| file.path()).zip(0..).collect::<HashMap<&TorrentPath, usize>>()
    });
    let target_of = |(index, file): (usize, &crate::File)| {
        let FileKind::Symlink(target) = file.kind() else { return None };
        let place = root.relative(file.path());
        if !is_wanted(index) || root.read_link(&place) != Err(Absence::NotALink("a file")) {
            return None;
        }
        let &target = targets.get(target)?;
        let length = root.regular(&place).ok()?.len();
        let is_candidate =
            *files[target].kind() == FileKind::Data && length == files[target].length();
        is_candidate.then_some((index, target))
    };
    files.iter().enumerate().filter_map(target_of).collect()
}
