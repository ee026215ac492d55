//! Finds the sessions of clients.

use std::env;
use std::path::{Path, PathBuf};

use torrent_check::{Client, Escaped, Saved, Session, Torrent};

use super::Failure;

/// The names of clients, and where each keeps its session. [`folder`] resolves the first names.
const CLIENTS: [(&str, Client, &[&str]); 4] = [
    (
        "qbittorrent",
        Client::QBittorrent,
        &[
            "DATA/qBittorrent/BT_backup",
            "DATA/data/qBittorrent/BT_backup",
            "HOME/.var/app/org.qbittorrent.qBittorrent/data/qBittorrent/BT_backup",
            "LOCAL/qBittorrent/BT_backup",
        ],
    ),
    (
        "deluge",
        Client::Deluge,
        &[
            "CONFIG/deluge/state",
            "HOME/.var/app/org.deluge_torrent.deluge/config/deluge/state",
            "/var/lib/deluged/config/state",
        ],
    ),
    (
        "transmission",
        Client::Transmission,
        &[
            "CONFIG/transmission",
            "CONFIG/transmission-daemon",
            "HOME/.var/app/com.transmissionbt.Transmission/config/transmission",
            "LOCAL/transmission",
            "/var/lib/transmission-daemon/info",
        ],
    ),
    (
        "rtorrent",
        Client::Rtorrent,
        &[
            "HOME/.session",
            "HOME/.rtorrent/session",
            "HOME/.rtorrent/.session",
            "HOME/rtorrent/.session",
            "HOME/rtorrent/session",
            "DATA/rtorrent/session",
        ],
    ),
];

/// A folder of [`CLIENTS`].
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
    let wanted = CLIENTS.iter().find(|(name, ..)| client.as_os_str().eq_ignore_ascii_case(name));
    let Some((name, client, places)) = wanted else {
        // The folder of all files of the client may have been given.
        let mut folders =
            ["", "BT_backup", "data/BT_backup", "state"].iter().map(|inside| client.join(inside));
        let session = folders.find_map(|folder| Session::recognise(&folder));
        return session.ok_or_else(|| unknown(client));
    };
    let folders: Vec<PathBuf> = places.iter().map(|place| folder(place)).collect();
    let mut sessions = folders.iter().filter_map(|folder| Session::recognise(folder));
    sessions.find(|session| session.client() == *client).ok_or_else(|| {
        let mut databases = folders.iter().map(|folder| folder.join("../torrents.db"));
        Failure(match databases.find(|path| path.exists()) {
            Some(path) => is_database(&path),
            None => {
                let others = folders.iter().map(|folder| Escaped(folder).to_string());
                let others = others.collect::<Vec<_>>().join(", ");
                format!("no session of {name} in {others}; pass its folder, such as --client DIR")
            }
        })
    })
}

fn unknown(folder: &Path) -> Failure {
    let databases = [folder.join("torrents.db"), folder.join("../torrents.db")];
    Failure(match databases.iter().find(|path| path.exists()) {
        Some(path) => is_database(path),
        None => format!(
            "{} is neither qbittorrent, deluge, transmission or rtorrent nor the folder of the \
             session of one: BT_backup, state, the folder with resume and torrents, or that with \
             *.torrent.rtorrent",
            Escaped(folder)
        ),
    })
}

fn is_database(path: &Path) -> String {
    format!(
        "qBittorrent keeps its session in {}, which is not read; choose fastresume files in its \
         advanced settings, and restart it",
        Escaped(path)
    )
}

/// Where the client keeps the content of a torrent, or what a root has at the same path if the
/// client sees its folders elsewhere.
pub(super) fn saved(
    session: &Session,
    torrent: &Torrent,
    roots: &[PathBuf],
) -> Result<Saved, Failure> {
    let saved = session.saved(torrent)?;
    let saved = saved.ok_or_else(|| Failure("the client does not have this torrent".to_owned()))?;
    if saved.folder().is_dir() {
        return Ok(saved);
    }
    let folder = Escaped(saved.folder()).to_string();
    roots.iter().find_map(|root| saved.moved_to(root)).ok_or_else(|| {
        Failure(format!(
            "the client's folder {folder} does not exist; if the client is in a container, pass \
             the folder that it sees there with --root"
        ))
    })
}
