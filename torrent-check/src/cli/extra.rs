//! Lists what is beneath the roots, but belongs to no torrent.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The files and folders that are known: content, torrents, roots and the state. Links in their
/// paths are resolved.
#[derive(Default)]
pub(super) struct Known {
    paths: HashSet<PathBuf>,
    /// The folders that contain them.
    folders: HashSet<PathBuf>,
}

impl Known {
    /// Adds a file or folder, if it exists.
    pub(super) fn add(&mut self, path: &Path) {
        if let Ok(path) = fs::canonicalize(path) {
            self.folders.extend(path.ancestors().skip(1).map(Path::to_owned));
            self.paths.insert(path);
        }
    }

    /// The files and folders beneath these roots that neither are known nor contain anything known,
    /// sorted. Links are not followed, and unreadable folders are skipped. Returns `None` if that
    /// is cancelled.
    pub(super) fn others(
        mut self,
        roots: &[&Path],
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Vec<PathBuf>> {
        let is_content =
            |root: &Path| fs::canonicalize(root).is_ok_and(|r| self.paths.contains(&r));
        let mut folders: Vec<PathBuf> =
            roots.iter().filter(|root| !is_content(root)).map(|&root| root.to_owned()).collect();
        for root in roots {
            // A root beneath another one is searched once.
            self.add(root);
        }
        let mut others = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                if !goes_on() {
                    return None;
                }
                let path = entry.path();
                match fs::canonicalize(&path) {
                    Ok(found) if self.paths.contains(&found) => {}
                    Ok(found) if self.folders.contains(&found) => {
                        if entry.file_type().is_ok_and(|file_type| file_type.is_dir()) {
                            folders.push(path);
                        }
                    }
                    _ => others.push(path),
                }
            }
        }
        others.sort();
        // A root may have been given twice.
        others.dedup();
        Some(others)
    }
}
