//! Chooses where in several download folders the content of a torrent may be.

pub(crate) mod beside;
mod borders;
mod by_border;
mod by_name;
mod by_piece;
mod by_root;
mod copies;
pub(crate) mod finding;
pub(crate) mod library;
pub(crate) mod names;
mod place;
pub(crate) mod root;
pub(crate) mod search;
mod stream;
pub(crate) mod survey;
mod verdicts;
pub(crate) mod work;

use std::cmp::Reverse;
use std::path::Path;
use std::sync::OnceLock;

use crate::content::root::{Content, Root};
use place::Finding;

use crate::folders::error::CheckError;
use crate::folders::listing::{Listing, Search, SearchLimit};
use crate::folders::{join, open_folder};
use crate::{FileKind, Torrent};

/// The maximum number of places that are suggested.
const MAX_SUGGESTIONS: usize = 3;

/// Download folders in which the content of torrents is looked for.
///
/// A folder is listed only when content is searched for that is not under its torrent's name. The
/// listing is kept, so checks of many torrents should share their folders. See
/// [`Place::Folders`](crate::Place::Folders).
pub struct Folders<'a>(Vec<(&'a Path, [OnceLock<Listing>; 2])>);

/// Where the content of a torrent may be.
pub(crate) struct Candidates {
    /// The likeliest first; at least one. The first that is complete is the content, or else the
    /// one with the most good pieces.
    pub(crate) roots: Vec<Root>,
    /// What stands if none of them has a good piece, or nothing is read.
    pub(crate) unsure: Option<Root>,
    /// The limits that the search has reached.
    pub(crate) limits: Vec<SearchLimit>,
}

impl From<Root> for Candidates {
    fn from(root: Root) -> Self {
        Self { roots: vec![root], unsure: None, limits: Vec::new() }
    }
}

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
        Self(folders.iter().map(|folder| (*folder, Default::default())).collect())
    }

    /// Finds where the content of a torrent may be: in folders with the torrent's name, or else
    /// wherever a search finds its files.
    pub(crate) fn candidates(
        &self,
        torrent: &Torrent,
        search: Search<'_>,
    ) -> Result<Candidates, CheckError> {
        let named = self.named(torrent, search)?;
        if !named[0].is_searched_for(torrent) {
            let others = named[1..].iter().map(|other| other.content.path());
            let others = others
                .filter_map(|path| Root::named(torrent, path.parent()?, search.follows_links).ok());
            let others = others.collect();
            let mut roots = named.into_iter();
            let first = roots.next().map(|first| first.with_others(others));
            let roots = first.into_iter().chain(roots).collect();
            return Ok(Candidates { roots, unsure: None, limits: Vec::new() });
        }
        let named = named.into_iter().next().expect("there is at least one");
        let (mut places, mut limits) = (Vec::new(), Vec::new());
        let follows_links = search.follows_links;
        for (folder, _) in &self.0 {
            let Ok(dir) = open_folder(folder) else { continue };
            let Some(listing) = self.listing(folder, search) else { continue };
            let finding = listing.search(torrent, &dir, &mut limits);
            limits.extend_from_slice(&listing.limits);
            match finding {
                // It may have the torrent's name, and only its files have others.
                Finding::Found(place) if join(folder, &place) == named.content.path() => {
                    return Ok(Candidates { limits, ..named.into() });
                }
                Finding::Found(place) => {
                    let found = Root::found(torrent, dir, folder, &place, follows_links)?;
                    return Ok(Candidates { limits, ..found.into() });
                }
                Finding::Unsure(more) => {
                    places.extend(more.into_iter().map(|place| (*folder, place)));
                }
            }
        }
        let paths = places.iter().map(|(folder, place)| join(folder, place));
        let unsure = named.with_suggestions(paths.take(MAX_SUGGESTIONS).collect());
        let roots = places.iter().filter_map(|(folder, place)| {
            Root::found(torrent, open_folder(folder).ok()?, folder, place, follows_links).ok()
        });
        let roots: Vec<Root> = roots.collect();
        Ok(if roots.is_empty() {
            Candidates { limits, ..unsure.into() }
        } else {
            Candidates { roots, unsure: Some(unsure), limits }
        })
    }

    /// The paths of the folders.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &'a Path> {
        self.0.iter().map(|(path, _)| *path)
    }

    /// The files beneath one of the folders, if it can be opened.
    pub(crate) fn listing(&self, folder: &Path, search: Search<'_>) -> Option<&Listing> {
        let (folder, listings) = self.0.iter().find(|(own, _)| *own == folder)?;
        let dir = open_folder(folder).ok()?;
        let listing = &listings[usize::from(search.follows_links)];
        Some(listing.get_or_init(|| Listing::new(&dir, folder, search)))
    }

    /// The content under the torrent's name in each folder that has it, those with the most files
    /// of the right length first, or in the first folder if none has it.
    ///
    /// The first of equal folders comes first, and a folder with anything under the torrent's name
    /// before one with nothing. Files are only examined if several folders have the name, and not
    /// after a folder with all files.
    ///
    /// A folder that cannot be opened counts as one that has the name but none of the files, so
    /// that its error is reported.
    fn named(&self, torrent: &Torrent, search: Search<'_>) -> Result<Vec<Root>, CheckError> {
        let is_absent = |root: &Result<Root, CheckError>| {
            root.as_ref().is_ok_and(|root| matches!(root.content, Content::Absent(_)))
        };
        let roots = self.0.iter();
        let roots = roots.map(|(folder, _)| Root::named(torrent, folder, search.follows_links));
        let (absent, named): (Vec<_>, Vec<_>) = roots.partition(is_absent);
        let is_single = named.len() == 1;
        let total = torrent.files().iter().filter(|file| *file.kind() != FileKind::Pad).count();
        let mut has_all = false;
        let right = |root: &Result<Root, CheckError>| match root {
            Ok(root) if !is_single && !has_all => {
                let right = survey::right_lengths(torrent, root).filter(|is_right| *is_right);
                let right = right.count();
                has_all = right == total;
                right
            }
            _ => 0,
        };
        let counts: Vec<usize> = named.iter().map(right).collect();
        let mut ranked: Vec<_> = counts.into_iter().zip(named).collect();
        ranked.sort_by_key(|(right, _)| Reverse(*right));
        let mut ranked = ranked.into_iter().map(|(_, root)| root);
        match ranked.next() {
            Some(best) => Ok([best?].into_iter().chain(ranked.flatten()).collect()),
            None => absent.into_iter().take(1).collect(),
        }
    }
}
