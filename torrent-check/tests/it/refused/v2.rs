//! Tests of refused file trees, roots and layers, and of hybrids that contradict themselves.

use merkle_lanes::bep52::LayerError;

use super::{error, folder, refused, single};
use crate::make::{Format, Value, dictionary, strings};

#[test]
fn file_trees() {
    let tree = &["info", "file tree"];
    let file = || dictionary([("length", 0.into())]);
    for format in [Format::V2, Format::Hybrid] {
        refused(
            format,
            |torrent| torrent.set(tree, "", file()),
            "the `file tree` itself is a file, without a name",
            "d0:",
        );
        let both = |torrent: &mut Value| torrent.set(&["info", "file tree", "a"], "", file());
        let message = "an entry of the `file tree` is both a file and a folder";
        refused(format, both, message, "1:a");
        let pad = |torrent: &mut Value| torrent.set(&["info", "file tree", "b", ""], "attr", "p");
        refused(format, pad, "the `file tree` has a padding file", "1:b");
    }
}

#[test]
fn roots_and_layers() {
    let file = &["info", "file tree", "b", ""];
    let layer_of = |torrent: &mut Value| {
        let layers = torrent.at(&["piece layers"]).entries();
        layers
            .iter()
            .next()
            .map(|(root, layer)| (root.clone(), layer.clone()))
            .expect("the torrent has a piece layer")
    };
    for format in [Format::V2, Format::Hybrid] {
        for bytes in [0, 31, 33] {
            let change = |torrent: &mut Value| torrent.set(file, "pieces root", vec![1; bytes]);
            let message = format!("the length of a `pieces root` in bytes is {bytes}, not 32");
            refused(format, change, &message, &format!("{bytes}:"));
        }
        let zero = |torrent: &mut Value| torrent.set(file, "pieces root", vec![0; 32]);
        refused(format, zero, "a `pieces root` is all zeros", "32:\0");
        let other = |torrent: &mut Value| {
            let (root, _) = layer_of(torrent);
            torrent.set(file, "pieces root", root);
        };
        let message = "this file has the same `pieces root` as an earlier file, but its length in \
                       bytes is 100, not 40000";
        refused(format, other, message, "1:b");
        let key = |torrent: &mut Value| {
            torrent.at(&["piece layers"]).entries().insert(vec![7; 33], vec![].into());
        };
        let message = "the length of a key of `piece layers` in bytes is 33, not 32";
        refused(format, key, message, "33:");

        let changed = |change: &dyn Fn(&mut Vec<u8>)| {
            let change = |torrent: &mut Value| {
                let (root, layer) = layer_of(torrent);
                let Value::Bytes(mut layer) = layer else { panic!("{layer:?}") };
                change(&mut layer);
                torrent.at(&["piece layers"]).entries().insert(root, layer.into());
            };
            let mut torrent = folder().torrent(format);
            change(&mut torrent);
            error(&torrent.encode()).message
        };
        for bit in [0, 300, 96 * 8 - 1] {
            assert_eq!(
                changed(&|layer| layer[bit / 8] ^= 1 << (bit % 8)),
                LayerError::WrongRoot.to_string()
            );
        }
        for got in [0, 64, 95, 97, 128] {
            let error = LayerError::WrongLength { expected: 96, got };
            assert_eq!(changed(&|layer| layer.resize(got, 0)), error.to_string());
        }
    }
}

#[test]
fn hybrids_whose_lists_differ() {
    let files = &["info", "files"];
    let list = |torrent: &mut Value, change: &dyn Fn(&mut Vec<Value>)| {
        let Value::List(list) = torrent.at(files) else { panic!("no list") };
        change(list);
    };
    let path = |v1, v2| format!("the v1 list has \"{v1}\" where the `file tree` has \"{v2}\"");
    // The list is a/large, padding, b, link.
    let renamed =
        |torrent: &mut Value| torrent.set(&["info", "files", "2"], "path", strings(["c"]));
    refused(Format::Hybrid, renamed, &path("c", "b"), "d6:lengthi100e");
    let swapped = |torrent: &mut Value| list(torrent, &|list| list.swap(0, 2));
    refused(Format::Hybrid, swapped, &path("b", "a/large"), "d6:lengthi100e");
    let longer = |torrent: &mut Value| torrent.set(&["info", "files", "2"], "length", 101);
    let message =
        "the length of the file in bytes is 101 in the v1 list, but 100 in the `file tree`";
    refused(Format::Hybrid, longer, message, "d6:lengthi101e");
    let count = |v1| {
        format!("the number of files is {v1} in the v1 list (no padding), but 3 in the `file tree`")
    };
    let fewer = |torrent: &mut Value| list(torrent, &|list| drop(list.pop()));
    refused(Format::Hybrid, fewer, &count(2), "d6:lengthi40000e");
    let more = |torrent: &mut Value| list(torrent, &|list| list.push(list[0].clone()));
    refused(Format::Hybrid, more, &count(4), "d6:lengthi40000e");
    let unpadded = |torrent: &mut Value| list(torrent, &|list| drop(list.remove(1)));
    let message = "the file starts at byte 40000 of the content; hybrids require a piece boundary \
                   there";
    refused(Format::Hybrid, unpadded, message, "d6:lengthi100e");
    let link = "the file is a symbolic link in only one of the lists, or the targets differ";
    let elsewhere =
        |torrent: &mut Value| torrent.set(&["info", "files", "3"], "symlink path", strings(["a"]));
    refused(Format::Hybrid, elsewhere, link, "d4:attr1:l");
    let no_link = |torrent: &mut Value| drop(torrent.remove(&["info", "files", "3"], "attr"));
    refused(Format::Hybrid, no_link, link, "d6:lengthi0e");
    // A pad in the list is not compared with a file in the tree.
    let hidden = |torrent: &mut Value| torrent.set(&["info", "files", "0"], "attr", "p");
    refused(Format::Hybrid, hidden, &path("b", "a/large"), "d6:lengthi100e");

    let mut torrent = single(Format::Hybrid);
    let tree = torrent.remove(&["info"], "file tree");
    torrent.set(&["info"], "file tree", dictionary([("folder", tree)]));
    assert_eq!(error(&torrent.encode()).message, path("single", "folder/single"));
}
