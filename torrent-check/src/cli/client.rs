//! Finds the sessions of clients.

use std::env;
use std::path::{Path, PathBuf};

use torrent_check::{Client, Escaped, Saved, Session, Torrent};

use super::failure::Failure;

/// Sessions that are not read: the files that they have, what they are, and what to do instead.
const UNREADABLE: [(&str, &str, &str); 3] = [
    (
        "resume.dat",
        "µTorrent and BitTorrent keep their session in",
        "pass the folder of its *.torrent files, and that of its downloads with --root",
    ),
    (
        "biglybt.config",
        "BiglyBT keeps its session beside",
        "pass its folder torrents, and that of its downloads with --root",
    ),
    (
        "azureus.config",
        "Vuze keeps its session beside",
        "pass its folder torrents, and that of its downloads with --root",
    ),
];

/// A folder of [`Client::folders`].
fn folder(place: &str) -> PathBuf {
    let home = env::home_dir().unwrap_or_default();
    let of =
        |variable, usual| env::var_os(variable).map_or_else(|| home.join(usual), PathBuf::from);
    let (base, inside) = place.split_once('/').unwrap_or_default();
    let base = match base {
        "HOME" => home,
        "DATA" => of("XDG_DATA_HOME", ".local/share"),
        "CONFIG" => of("XDG_CONFIG_HOME", ".config"),
        "LOCAL" => of("LOCALAPPDATA", "Library/Application Support"),
        _ => PathBuf::from("/"),
    };
    base.join(inside)
}

/// Opens the session of a client, given by name or by its folder.
pub(super) fn open(client: &Path) -> Result<Session, Failure> {
    let is_named = |it: &Client| client.as_os_str().eq_ignore_ascii_case(it.name());
    let Some(wanted) = Client::all().find(is_named) else {
        let session = Session::recognise(client);
        return session.ok_or_else(|| unknown(client));
    };
    let folders: Vec<PathBuf> = wanted.folders().iter().map(|place| folder(place)).collect();
    let mut sessions = folders.iter().filter_map(|folder| Session::recognise(folder));
    let session = sessions.find(|session| session.client() == wanted);
    let lost = || folders.iter().find_map(|folder| Session::of(wanted, folder));
    session.or_else(lost).ok_or_else(|| {
        let unreadable = folders.iter().find_map(|folder| unreadable(folder));
        Failure::Refused(unreadable.unwrap_or_else(|| {
            let others = folders.iter().map(|folder| Escaped(folder).to_string());
            let (name, others) = (wanted.name(), others.collect::<Vec<_>>().join(", "));
            format!("no session of {name} in {others}; pass its folder, such as --client DIR")
        }))
    })
}

fn unknown(client: &Path) -> Failure {
    let others = ["utorrent", "bittorrent", "biglybt", "vuze", "azureus"];
    let is_other = |name: &&str| client.as_os_str().eq_ignore_ascii_case(name);
    let names: Vec<&str> = Client::all().map(Client::name).collect();
    let names = match &names[..] {
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
        [] => String::new(),
    };
    Failure::Refused(match (unreadable(client), others.into_iter().find(is_other)) {
        (Some(why), _) => why,
        (None, Some(name)) => format!(
            "the session of {name} is not read; pass the folder of its *.torrent files, and that \
             of its downloads with --root"
        ),
        (None, None) => format!(
            "{} is neither {names} nor the folder of the session of one: BT_backup, state, \
             the folder with resume and torrents, or that with *.torrent.rtorrent",
            Escaped(client)
        ),
    })
}

/// What a folder has that is not read, and what to do.
pub(super) fn unreadable(folder: &Path) -> Option<String> {
    UNREADABLE.iter().find_map(|(file, what, instead)| {
        let above = folder.parent().filter(|above| !above.as_os_str().is_empty());
        let mut paths =
            [folder, above.unwrap_or(Path::new("."))].map(|it| it.join(file)).into_iter();
        let path = paths.find(|path| path.is_file())?;
        Some(format!("{what} {}, which is not read; {instead}", Escaped(&path)))
    })
}

/// Where the content of a torrent of a client may be.
pub(super) enum Where {
    /// Where the client keeps it, or what a root has at the same path if the client sees its
    /// folders elsewhere.
    Saved(Saved),
    /// In the folders that are searched: the client's folder does not exist.
    Moved(Saved),
    /// There, too: what the client knew of the torrent is lost, for this reason.
    Lost(String),
}

/// Finds out where the content of a torrent may be. `may_search` says whether there are folders to
/// be searched.
pub(super) fn saved(
    session: &Session,
    torrent: &Torrent,
    roots: &[PathBuf],
    may_search: bool,
) -> Result<Where, Failure> {
    let lost = |why: String| match may_search {
        true => Ok(Where::Lost(why)),
        false => Err(Failure::Refused(format!(
            "{why}; to look for the content, pass the folder of the downloads with --root"
        ))),
    };
    let saved = match session.saved(torrent) {
        Ok(Some(saved)) => saved,
        Ok(None) => return lost("the client has saved nothing about this torrent".to_owned()),
        Err(error) => return lost(error.to_string()),
    };
    if saved.folder().is_dir() {
        return Ok(Where::Saved(saved));
    }
    if let Some(moved) = roots.iter().find_map(|root| saved.moved_to(root)) {
        return Ok(Where::Saved(moved));
    }
    if !roots.is_empty() {
        return Ok(Where::Moved(saved));
    }
    let folder = Escaped(saved.folder()).to_string();
    Err(Failure::Refused(format!(
        "the client's folder {folder} does not exist; if the client is in a container, or on \
         another computer, pass the folder that it sees there with --root"
    )))
}
