//! Tests of refused file trees, roots and layers, and of hybrids that contradict themselves.

use merkle_lanes::bep52::LayerError;
use torrent_check::TorrentErrorKind as Kind;

use super::{error, folder, refused, single};
use crate::make::{Format, Value, dictionary, strings};

#[test]
fn file_trees() {
    let tree = &["info", "file tree"];
    let file = || dictionary([("length", 0.into())]);
    for format in [Format::V2, Format::Hybrid] {
        refused(format, |torrent| torrent.set(tree, "", file()), &Kind::TreeIsFile, "d0:");
        let both = |torrent: &mut Value| torrent.set(&["info", "file tree", "a"], "", file());
        refused(format, both, &Kind::FileIsFolder, "1:a");
        let pad = |torrent: &mut Value| torrent.set(&["info", "file tree", "b", ""], "attr", "p");
        refused(format, pad, &Kind::PadInFileTree, "1:b");
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
            refused(format, change, &Kind::RootLength { bytes }, &format!("{bytes}:"));
        }
        let zero = |torrent: &mut Value| torrent.set(file, "pieces root", vec![0; 32]);
        refused(format, zero, &Kind::ZeroRoot, "32:\0");
        let other = |torrent: &mut Value| {
            let (root, _) = layer_of(torrent);
            torrent.set(file, "pieces root", root);
        };
        refused(format, other, &Kind::RootOfOtherLength { length: 100, other: 40_000 }, "1:b");
        let key = |torrent: &mut Value| {
            torrent.at(&["piece layers"]).entries().insert(vec![7; 33], vec![].into());
        };
        refused(format, key, &Kind::LayerKey { bytes: 33 }, "33:");

        let changed = |change: &dyn Fn(&mut Vec<u8>)| {
            let change = |torrent: &mut Value| {
                let (root, layer) = layer_of(torrent);
                let Value::Bytes(mut layer) = layer else { panic!("{layer:?}") };
                change(&mut layer);
                torrent.at(&["piece layers"]).entries().insert(root, layer.into());
            };
            let mut torrent = folder().torrent(format);
            change(&mut torrent);
            error(&torrent.encode()).kind
        };
        for bit in [0, 300, 96 * 8 - 1] {
            assert_eq!(
                changed(&|layer| layer[bit / 8] ^= 1 << (bit % 8)),
                Kind::Layer(LayerError::WrongRoot)
            );
        }
        for got in [0, 64, 95, 97, 128] {
            let kind = Kind::Layer(LayerError::WrongLength { expected: 96, got });
            assert_eq!(changed(&|layer| layer.resize(got, 0)), kind);
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
    let path = |v1: &str, v2: &str| Kind::HybridPath { v1: v1.to_owned(), v2: v2.to_owned() };
    // The list is a/large, padding, b, link.
    let renamed =
        |torrent: &mut Value| torrent.set(&["info", "files", "2"], "path", strings(["c"]));
    refused(Format::Hybrid, renamed, &path("c", "b"), "d6:lengthi100e");
    let swapped = |torrent: &mut Value| list(torrent, &|list| list.swap(0, 2));
    refused(Format::Hybrid, swapped, &path("b", "a/large"), "d6:lengthi100e");
    let longer = |torrent: &mut Value| torrent.set(&["info", "files", "2"], "length", 101);
    refused(Format::Hybrid, longer, &Kind::HybridLength { v1: 101, v2: 100 }, "d6:lengthi101e");
    let count = |v1| Kind::HybridCount { v1, v2: 3 };
    let fewer = |torrent: &mut Value| list(torrent, &|list| drop(list.pop()));
    refused(Format::Hybrid, fewer, &count(2), "d6:lengthi40000e");
    let more = |torrent: &mut Value| list(torrent, &|list| list.push(list[0].clone()));
    refused(Format::Hybrid, more, &count(4), "d6:lengthi40000e");
    let unpadded = |torrent: &mut Value| list(torrent, &|list| drop(list.remove(1)));
    refused(Format::Hybrid, unpadded, &Kind::HybridAlignment { start: 40_000 }, "d6:lengthi100e");
    let elsewhere =
        |torrent: &mut Value| torrent.set(&["info", "files", "3"], "symlink path", strings(["a"]));
    refused(Format::Hybrid, elsewhere, &Kind::HybridSymlink, "d4:attr1:l");
    let no_link = |torrent: &mut Value| drop(torrent.remove(&["info", "files", "3"], "attr"));
    refused(Format::Hybrid, no_link, &Kind::HybridSymlink, "d6:lengthi0e");
    // A pad in the list is not compared with a file in the tree.
    let hidden = |torrent: &mut Value| torrent.set(&["info", "files", "0"], "attr", "p");
    refused(Format::Hybrid, hidden, &path("b", "a/large"), "d6:lengthi100e");

    let mut torrent = single(Format::Hybrid);
    let tree = torrent.remove(&["info"], "file tree");
    torrent.set(&["info"], "file tree", dictionary([("folder", tree)]));
    assert_eq!(error(&torrent.encode()).kind, path("single", "folder/single"));
}
