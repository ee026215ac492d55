//! Invariants of accepted torrents.

use torrent_check::{FileKind, Torrent, Version};

/// Panics if an invariant does not hold.
pub(crate) fn assert_sound(torrent: &Torrent) {
    let files = torrent.files();
    assert!(files.iter().any(|file| file.length() > 0));
    let targets = files.iter().filter_map(|file| match file.kind() {
        FileKind::Symlink(target) => Some(target),
        _ => None,
    });
    for path in files.iter().map(|file| file.path()).chain(targets).chain([torrent.name()]) {
        let forbidden = |component: &[u8]| {
            component.is_empty()
                || matches!(component, b"." | b"..")
                || component.iter().any(|byte| b"/\0".contains(byte))
                || (cfg!(not(unix)) && component.contains(&b'\\'))
        };
        assert!(!path.components().any(forbidden) && path.components().next().is_some());
        assert!(path.to_path_buf().is_relative());
        assert!(!path.to_string().contains(|character: char| character.is_control()));
    }
    assert_eq!(torrent.name().components().count(), 1);
    let (has_v1, has_v2) = (torrent.version() != Version::V2, torrent.version() != Version::V1);
    assert_eq!(
        (torrent.info_hash_v1().is_some(), torrent.info_hash_v2().is_some()),
        (has_v1, has_v2)
    );
    for file in files {
        let (is_data, length) = (*file.kind() == FileKind::Data, file.length());
        assert_eq!(file.pieces_root().is_some(), has_v2 && is_data && length > 0);
        // Files of more than one piece may lack the piece layer.
        if file.hashes().is_none() && has_v2 && is_data {
            assert!(length > torrent.piece_length());
        }
        assert!(file.hashes().is_none_or(|hashes| hashes.pieces_root() == file.pieces_root()));
        if let Some(hashes) = file.hashes() {
            assert_eq!(hashes.length(), file.length());
            assert_eq!(hashes.piece_length().bytes(), torrent.piece_length());
        }
    }
    let (map, total) = (torrent.pieces(), files.iter().map(|file| file.length()).sum::<u64>());
    if has_v1 {
        assert_eq!(map.total(), total);
    }
    let lengths = (0..map.count()).map(|piece| {
        assert_eq!(map.hash(piece).is_some(), has_v1);
        let segments: Vec<_> = map.segments(piece).collect();
        assert!(
            segments
                .iter()
                .all(|segment| segment.offset + segment.length <= files[segment.file].length())
        );
        assert!(segments.iter().all(|segment| map.of_file(segment.file).contains(&piece)));
        assert_eq!(segments.iter().map(|segment| segment.length).sum::<u64>(), map.length(piece));
        map.length(piece)
    });
    assert_eq!(lengths.sum::<u64>(), total);
}
