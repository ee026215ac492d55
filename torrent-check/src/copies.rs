//! Accepts a copy in place of a link: on file systems without links, clients have to write one.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::root::Root;
use crate::survey::{Survey, copies_of_targets};
use crate::verdict::FileVerdict;

/// The size of a read, in bytes.
const PORTION: usize = 1 << 20;

/// What became of the files in place of links.
#[derive(Default)]
pub(crate) struct Copies {
    /// Good, or unchecked if the target is not checked or the check was cancelled.
    pub(crate) verdicts: Vec<(usize, FileVerdict)>,
    pub(crate) is_cancelled: bool,
}

/// Compares files in place of links with the targets of those links, if the targets are good.
///
/// `goes_on` gets the number of bytes read since its last call, and returns `false` if the check is
/// cancelled.
pub(crate) fn find(
    survey: &Survey<'_>,
    root: &Root,
    verdicts: &[FileVerdict],
    goes_on: &dyn Fn(u64) -> bool,
) -> Copies {
    let torrent = survey.torrent;
    let mut copies = Copies::default();
    let is_file = |index: usize| {
        survey.is_requested(index) && verdicts[index] == FileVerdict::NotALink("a file")
    };
    for (copy, target) in copies_of_targets(torrent, root, is_file) {
        let verdict = match (&verdicts[target], survey.place(target)) {
            (FileVerdict::Good, Some(target)) => {
                let place = root.relative(torrent.files()[copy].path());
                match is_same(root, &place, &target.path, goes_on) {
                    Some(true) => FileVerdict::Good,
                    Some(false) => continue,
                    None => {
                        copies.is_cancelled = true;
                        FileVerdict::Unchecked
                    }
                }
            }
            // The target may not be requested.
            (FileVerdict::Unchecked, _) => FileVerdict::Unchecked,
            _ => continue,
        };
        copies.verdicts.push((copy, verdict));
    }
    copies
}

/// Whether two files of the same length can be read and have the same content, or `None` if the
/// check is cancelled.
fn is_same(root: &Root, one: &Path, other: &Path, goes_on: &dyn Fn(u64) -> bool) -> Option<bool> {
    let (Ok(mut one), Ok(mut other)) = (root.open(one), root.open(other)) else {
        return Some(false);
    };
    let (mut left, mut right) = (Vec::new(), Vec::new());
    while goes_on((left.len() + right.len()) as u64) {
        let read = read(&mut one, &mut left).and_then(|()| read(&mut other, &mut right));
        if read.is_err() || left != right {
            return Some(false);
        }
        if left.is_empty() {
            return Some(true);
        }
    }
    None
}

/// Reads the next portion of a file, or nothing at its end.
fn read(file: &mut File, portion: &mut Vec<u8>) -> io::Result<()> {
    portion.clear();
    file.take(PORTION as u64).read_to_end(portion).map(drop)
}
