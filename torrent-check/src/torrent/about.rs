//! What a torrent says besides its content.

use super::fields::{Field, Fields};
use crate::torrent::bencode::Value;

/// What a torrent says about itself and its sources, which a check does not need.
///
/// Fields of wrong types are left out. U+FFFD replaces bytes that are not UTF-8. Nothing is
/// escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct About {
    /// The URLs of trackers, in tiers: `announce-list`
    /// ([BEP 12](https://www.bittorrent.org/beps/bep_0012.html)), or else `announce`. Empty URLs
    /// are left out.
    pub trackers: Vec<Vec<String>>,
    /// The URLs of web seeds: `url-list`
    /// ([BEP 19](https://www.bittorrent.org/beps/bep_0019.html)).
    pub web_seeds: Vec<String>,
    /// When the torrent was created, in seconds since 1970.
    pub creation_date: Option<i64>,
    /// The program that created the torrent.
    pub created_by: Option<String>,
    /// A comment.
    pub comment: Option<String>,
    /// A tag that trackers add to give the torrent another info hash.
    pub source: Option<String>,
    /// Whether peers may only be found through the trackers
    /// ([BEP 27](https://www.bittorrent.org/beps/bep_0027.html)).
    pub is_private: bool,
}

impl About {
    pub(super) fn new(torrent: Fields<'_>, info: Fields<'_>) -> Self {
        let preferred = |utf8, key| text(torrent, utf8).or_else(|| text(torrent, key));
        let mut trackers: Vec<Vec<String>> = Vec::new();
        if let Some(Ok(tiers)) = torrent.get("announce-list").map(Field::items) {
            trackers.extend(tiers.map(texts).filter(|tier| !tier.is_empty()));
        }
        if trackers.is_empty() {
            let url = text(torrent, "announce").filter(|url| !url.is_empty());
            trackers.extend(url.map(|url| vec![url]));
        }
        let seeds = torrent.get("url-list").map(Field::value);
        Self {
            trackers,
            web_seeds: seeds.map(texts).unwrap_or_default(),
            creation_date: torrent.get("creation date").and_then(|field| field.integer().ok()),
            created_by: preferred("created by.utf-8", "created by"),
            comment: preferred("comment.utf-8", "comment"),
            source: text(info, "source"),
            is_private: info.get("private").is_some_and(|field| field.integer() == Ok(1)),
        }
    }
}

/// The text of a key, if it has one.
fn text(fields: Fields<'_>, key: &'static str) -> Option<String> {
    fields.get(key)?.bytes().ok().map(lossy)
}

/// The texts that are not empty in a list, or the text itself.
fn texts(value: Value<'_>) -> Vec<String> {
    let items = value.items().into_iter().flatten().filter_map(|item| item.bytes());
    let all = value.bytes().into_iter().chain(items);
    all.filter(|text| !text.is_empty()).map(lossy).collect()
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
