//! Leaves in memory-mapped files.

use memmap2::MmapMut;
use merkle_lanes::{Node, NodeHasher, RootBuilder, root};

use crate::oracle::{Definition, Hash};
use crate::{each_family, leaves};

#[test]
fn leaves_are_read_in_place() {
    fn check<H: NodeHasher<Node = Hash> + Copy>(
        hasher: H,
        definition: Definition,
        mapped: &[u8],
        leaves: &[Hash],
    ) {
        let (nodes, rest) = Hash::from_bytes(mapped);
        assert_eq!(nodes.as_ptr().cast::<u8>(), mapped.as_ptr(), "not copied");
        assert_eq!(rest, [0xff; 5]);
        assert_eq!(root(&hasher, nodes), definition.root(leaves), "{definition:?}");
        let mut builder = RootBuilder::new(hasher);
        builder.extend(nodes);
        assert_eq!(builder.root(), definition.root(leaves), "{definition:?}");
    }
    let leaves = leaves(5001);
    let bytes = leaves.as_flattened();
    let mut mapping = MmapMut::map_anon(bytes.len() + 5).unwrap();
    mapping[..bytes.len()].copy_from_slice(bytes);
    mapping[bytes.len()..].fill(0xff);
    let mapping = mapping.make_read_only().unwrap();
    each_family!(check, &mapping, &leaves);
}

#[test]
fn nodes_of_bytes() {
    let mut bytes: Vec<u8> = (0..100).collect();
    let (nodes, rest) = <[u8; 48]>::from_bytes(&bytes);
    assert_eq!((nodes.concat(), rest), (bytes[..96].to_vec(), &bytes[96..]));
    assert_eq!(<[u8; 48]>::as_bytes(nodes), &bytes[..96]);
    assert_eq!((<[u8; 48]>::BYTES, <[u8; 48]>::ZERO), (48, [0; 48]));
    let (nodes, rest) = <[u8; 48]>::from_bytes_mut(&mut bytes);
    (nodes[1], rest[3]) = ([7; 48], 8);
    assert_eq!((&bytes[48..96], &bytes[96..]), (&[7; 48][..], &[96, 97, 98, 8][..]));
}
