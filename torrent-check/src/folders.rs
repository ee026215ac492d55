//! Chooses where in several download folders the content of a torrent is.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::find::{Finding, Listing};
use crate::root::{CheckError, Content, Root, open_folder};
use crate::survey;
use crate::{FileKind, Torrent};

/// Download folders in which the content of torrents is looked for.
///
/// A folder is listed only when content is searched for that is not under its torrent's name. The
/// listing is kept, so checks of many torrents should share their folders. See
/// [`Place::Folders`](crate::Place::Folders).
pub struct Folders<'a>(Vec<(&'a Path, OnceLock<Listing>)>);

impl<'a> Folders<'a> {
    /// Creates a list of download folders, the preferred ones first.
    ///
    /// # Panics
    ///
    /// Panics if there are no folders.
    #[must_use]
    #[track_caller]
    pub fn new(folders: &[&'a Path]) -> Self {
        assert!(!folders.is_empty(), "give at least one download folder");
        Self(folders.iter().map(|folder| (*folder, OnceLock::new())).collect())
    }

    /// Finds the content of a torrent: in the folder that has the most of its files under the
    /// torrent's name, or else wherever a search finds them.
    pub(crate) fn root(
        &self,
        torrent: &Torrent,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Root, CheckError> {
        let named = self.named(torrent)?;
        if !named.is_searched_for(torrent) {
            return Ok(named);
        }
        let mut places = Vec::new();
        for (folder, listing) in &self.0 {
            let Ok(dir) = open_folder(folder) else { continue };
            match listing.get_or_init(|| Listing::new(&dir, folder, goes_on)).search(torrent, &dir)
            {
                // It may have the torrent's name, and only its files have others.
                Finding::Found(place) if join(folder, &place) == named.content.path() => {
                    return Ok(named);
                }
                Finding::Found(place) => return Root::found(torrent, dir, folder, &place),
                Finding::Unsure(more) => {
                    places.extend(more.iter().map(|place| join(folder, place)));
                }
            }
        }
        Ok(named.with_suggestions(places))
    }

    /// The content under the torrent's name, in the folder that has the most of its files at the
    /// right length.
    ///
    /// The first of equal folders wins, and a folder with anything under the torrent's name wins
    /// over one with nothing. Files are only examined if several folders have the name, and not
    /// after a folder with all files.
    ///
    /// A folder that cannot be opened counts as one that has the name but none of the files, so
    /// that its error is reported.
    fn named(&self, torrent: &Torrent) -> Result<Root, CheckError> {
        let is_absent = |root: &Result<Root, CheckError>| {
            root.as_ref().is_ok_and(|root| matches!(root.content, Content::Absent(_)))
        };
        let roots = self.0.iter().map(|(folder, _)| Root::named(torrent, folder));
        let (absent, named): (Vec<_>, Vec<_>) = roots.partition(is_absent);
        let is_single = named.len() == 1;
        let total = torrent.files().iter().filter(|file| *file.kind() != FileKind::Pad).count();
        let mut best = None;
        for root in named {
            let right = match &root {
                Ok(root) if !is_single => {
                    survey::right_lengths(torrent, root).filter(|is_right| *is_right).count()
                }
                _ => 0,
            };
            if best.as_ref().is_none_or(|(most, _)| right > *most) {
                best = Some((right, root));
            }
            if right == total {
                break;
            }
        }
        let best = best.map(|(_, root)| root).or_else(|| absent.into_iter().next());
        best.expect("there is at least one folder")
    }
}

/// The path of a place in a folder, which may be the folder itself.
pub(crate) fn join(folder: &Path, place: &Path) -> PathBuf {
    if place.as_os_str().is_empty() { folder.to_owned() } else { folder.join(place) }
}
