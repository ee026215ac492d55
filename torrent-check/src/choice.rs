//! Chooses the download folder that has a torrent's content.

use std::path::Path;

use crate::root::{Content, Root};
use crate::survey;
use crate::{FileKind, Torrent};

/// The index of the download folder that has the most of a torrent's files at the right length, or
/// `None` if there are no folders.
///
/// The first of equal folders wins, and a folder with anything under the torrent's name wins over
/// one with nothing. Files are only examined as long as they can change the choice: not at all if a
/// single folder has the torrent's name, and not after a folder with all files.
///
/// A folder that cannot be opened counts as one that has the name but none of the files, so that
/// [`Check::run`] reports why.
///
/// [`Check::run`]: crate::Check::run
#[must_use]
pub fn best_folder(torrent: &Torrent, folders: &[&Path]) -> Option<usize> {
    if folders.len() < 2 {
        return folders.first().map(|_| 0);
    }
    let mut candidates = Vec::new();
    for (index, folder) in folders.iter().enumerate() {
        match Root::below(torrent, folder) {
            Ok(root) if matches!(root.content, Content::Absent(_)) => {}
            root => candidates.push((index, root.ok())),
        }
    }
    let &(mut best, _) = match &candidates[..] {
        [] => return Some(0),
        [(only, _)] => return Some(*only),
        [first, ..] => first,
    };
    let total = torrent.files().iter().filter(|file| *file.kind() != FileKind::Pad).count();
    let mut most = 0;
    for (index, root) in candidates {
        let Some(root) = root else { continue };
        let mut files = survey::right_lengths(torrent, &root);
        let (mut right, mut left) = (0, total);
        while right + left > most
            && let Some(is_right) = files.next()
        {
            right += usize::from(is_right);
            left -= 1;
        }
        if right > most {
            (best, most) = (index, right);
        }
    }
    Some(best)
}
