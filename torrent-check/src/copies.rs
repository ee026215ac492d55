//! Accepts a copy in place of a link: on file systems without links, clients have to write one.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::links;
use crate::report::Report;
use crate::root::Root;
use crate::verdict::FileVerdict;

/// The size of a read, in bytes.
const PORTION: usize = 1 << 20;

/// Compares files in place of links with the targets of those links, if the targets are good. Files
/// of the right length are unchecked if the target is not checked, or if the check is cancelled.
///
/// `goes_on` gets the number of bytes read since its last call, and returns `false` if the check is
/// cancelled.
pub(crate) fn find(report: &mut Report<'_>, root: &Root, goes_on: &dyn Fn(u64) -> bool) {
    let files = report.torrent().files();
    let is_file = |index: usize| report.files()[index].verdict == FileVerdict::NotALink("a file");
    for (copy, target) in links::candidates(report.torrent(), root, is_file) {
        // The target may not be requested.
        match report.cause(target) {
            FileVerdict::Good => {}
            FileVerdict::Unchecked => {
                report.set_unchecked(copy);
                continue;
            }
            _ => continue,
        }
        let place = root.relative(files[copy].path());
        let saved = report.files()[target].saved_as.clone();
        let target = saved.unwrap_or_else(|| root.relative(files[target].path()));
        match is_same(root, &place, &target, goes_on) {
            Some(true) => report.set_copy(copy),
            Some(false) => {}
            None => {
                report.set_unchecked(copy);
                report.set_cancelled();
            }
        }
    }
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
