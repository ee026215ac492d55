//! Trees of fs-verity and dm-verity, against `fsverity` and `veritysetup`.

use merkle_lanes::verity::{
    Algorithm, Digest, DmVerity, FsVerity, Layout, ParameterError, Parameters, TreeBlock,
    VerifyBlockError, verify_block,
};
use sha2::{Digest as _, Sha256, Sha512};

use crate::oracle::sha256;

/// The data of verity.txt.
fn data(len: usize) -> Vec<u8> {
    let period: Vec<u8> = (0..1757_usize).map(|i| ((i * i / 7 + i) % 251) as u8).collect();
    period.into_iter().cycle().take(len).collect()
}

fn algorithm(name: &str) -> Algorithm {
    [Algorithm::Sha256, Algorithm::Sha512].into_iter().find(|it| it.name() == name).unwrap()
}

/// The tree, as it is stored, and the root.
fn tree_of(
    parameters: &Parameters,
    data: &[u8],
    hash: impl FnOnce(&mut dyn FnMut(TreeBlock<'_>)) -> Digest,
) -> (Vec<u8>, Digest) {
    let (size, layout) = (parameters.block_size(), Layout::new(parameters, data.len() as u64));
    let mut tree = vec![0xee; size * layout.tree_blocks() as usize];
    let mut stored = vec![false; layout.tree_blocks() as usize];
    let root = hash(&mut |block| {
        let at = layout.position(block.level, block.index).unwrap() as usize;
        assert!(!stored[at], "level {}, block {}", block.level, block.index);
        stored[at] = true;
        tree[at * size..][..size].copy_from_slice(block.bytes);
    });
    assert!(stored.into_iter().all(|it| it));
    (tree, root)
}

#[test]
fn the_tools_agree() {
    let mut cases = 0;
    for line in include_str!("verity.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let (data, algorithm) = (data(fields[1].parse().unwrap()), algorithm(fields[2]));
        let block_size: usize = fields[3].parse().unwrap();
        let salt = hex::decode(fields[4].trim_matches('-')).unwrap();
        if fields[0] == "fs" {
            let format = FsVerity::new(algorithm).with_block_size(block_size).unwrap();
            let mut hasher = format.with_salt(&salt).unwrap().hasher();
            hasher.update(&data);
            assert_eq!(hasher.finalize().file_digest().to_string(), fields[5], "{line}");
        } else {
            let format = DmVerity::new(algorithm).with_block_size(block_size).unwrap();
            let format = format.with_salt(&salt).unwrap();
            let (tree, root) = tree_of(format.parameters(), &data, |sink| {
                let mut hasher = format.clone().hasher();
                // In parts of another length than blocks.
                data.chunks(99_991).for_each(|part| hasher.update(part, &mut *sink));
                hasher.finalize(sink).unwrap()
            });
            assert_eq!(root.to_string(), fields[5], "{line}");
            let uuid = std::array::from_fn(|i| i as u8 + 1);
            let mut device = format.superblock(uuid, (data.len() / block_size) as u64).to_vec();
            device.resize(block_size, 0);
            device.extend_from_slice(&tree);
            assert_eq!(hex::encode(sha256(&[&device])), fields[6], "{line}");
        }
        cases += 1;
    }
    assert_eq!(cases, 174);
}

/// A tree by its definition, one block at a time.
fn naive(algorithm: Algorithm, prefix: &[u8], size: usize, data: &[u8]) -> Vec<u8> {
    let digests: Vec<Vec<u8>> = data
        .chunks(size)
        .map(|block| {
            let zeros = vec![0; size - block.len()];
            let message = [prefix, block, &zeros].concat();
            match algorithm {
                Algorithm::Sha256 => Sha256::digest(message).to_vec(),
                _ => Sha512::digest(message).to_vec(),
            }
        })
        .collect();
    match &digests[..] {
        [root] => root.clone(),
        _ => naive(algorithm, prefix, size, &digests.concat()),
    }
}

/// Around the ends of what is hashed together, in any parts.
#[test]
fn in_any_parts() {
    let size = 1024;
    for algorithm in [Algorithm::Sha256, Algorithm::Sha512] {
        for blocks in [1, 2, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 2049] {
            for len in [blocks * size - 1, blocks * size, blocks * size + 1] {
                let data = data(len);
                let expected = naive(algorithm, b"", size, &data);
                for part in [1000, 65_536, 65_537, 1 << 20, 3 << 20] {
                    let format = FsVerity::new(algorithm).with_block_size(size).unwrap();
                    let mut hasher = format.hasher();
                    data.chunks(part).for_each(|part| hasher.update(part));
                    let digest = hasher.finalize();
                    assert_eq!(digest.root().as_bytes(), expected, "{len} in parts of {part}");
                    assert_eq!(digest.data_len(), len as u64);
                }
            }
        }
    }
}

#[test]
fn blocks_are_verified_by_those_above() {
    let size = 1024;
    for (salt, blocks) in [(&b""[..], 1), (b"salt", 2), (b"salt", 16), (b"", 17), (b"salt", 300)] {
        let data = data(blocks * size - 5);
        let len = data.len() as u64;
        let format = FsVerity::new(Algorithm::Sha512).with_block_size(size).unwrap();
        let format = format.with_salt(salt).unwrap();
        let parameters = format.parameters().clone();
        let (tree, root) = tree_of(&parameters, &data, |sink| {
            let mut hasher = format.hasher();
            hasher.update_with(&data, &mut *sink);
            hasher.finalize_with(sink).root()
        });
        let layout = Layout::new(&parameters, len);
        assert_eq!(layout.data_blocks(), blocks as u64);
        for index in [0, blocks / 2, blocks - 1] {
            let block = &data[index * size..][..size.min(data.len() - index * size)];
            let path = layout.path(index as u64).unwrap();
            let above: Vec<Vec<u8>> =
                path.iter().map(|&at| tree[at as usize * size..][..size].to_vec()).collect();
            let verify = |block: &[u8], above: &[Vec<u8>]| {
                verify_block(&parameters, &root, len, index as u64, block, above)
            };
            verify(block, &above).unwrap();

            let mut damaged = block.to_vec();
            damaged[7] ^= 1;
            let wrong = |level| Err(VerifyBlockError::WrongDigest { level });
            assert_eq!(verify(&damaged, &above), wrong(None));
            let found = block.len() - 1;
            let error = VerifyBlockError::Length { level: None, expected: block.len(), found };
            assert_eq!(verify(&block[1..], &above), Err(error));
            for level in 0..above.len() {
                // Beside the digests of the path.
                let place = index / 16_usize.pow(level as u32) % 16 * 64;
                for at in [0, 63, 64, size - 1] {
                    let mut damaged = above.clone();
                    damaged[level][at] ^= 0x80;
                    let is_on_path = (place..place + 64).contains(&at);
                    let level = if is_on_path { level.checked_sub(1) } else { Some(level) };
                    assert_eq!(verify(block, &damaged), wrong(level));
                }
                let mut short = above.clone();
                short[level].pop();
                let error = VerifyBlockError::Length {
                    level: Some(level),
                    expected: size,
                    found: size - 1,
                };
                assert_eq!(verify(block, &short), Err(error));
                let levels =
                    VerifyBlockError::Levels { expected: above.len(), found: above.len() - 1 };
                assert_eq!(verify(block, &above[1..]), Err(levels));
            }
        }
        let index = blocks as u64;
        let error = VerifyBlockError::NoSuchBlock { index, blocks: index };
        let none: [&[u8]; 0] = [];
        assert_eq!(verify_block(&parameters, &root, len, index, &[], &none), Err(error));
        assert_eq!(layout.path(index), None);
    }
}

#[test]
fn parameters_are_checked() {
    for bytes in [0, 1, 512, 1000, 4095, 1 << 17, usize::MAX] {
        let error = ParameterError::BlockSize { bytes };
        assert_eq!(FsVerity::new(Algorithm::Sha256).with_block_size(bytes), Err(error));
        assert_eq!(DmVerity::new(Algorithm::Sha256).with_block_size(bytes), Err(error));
    }
    let error = ParameterError::Salt { len: 33, max: 32 };
    assert_eq!(FsVerity::new(Algorithm::Sha512).with_salt(&[0; 33]), Err(error));
    assert_eq!(error.to_string(), "a salt has at most 32 bytes, not 33");
    let error = ParameterError::Salt { len: 257, max: 256 };
    assert_eq!(DmVerity::new(Algorithm::Sha512).with_salt(&[0; 257]), Err(error));
    // No sizes overflow.
    let layout = Layout::new(FsVerity::new(Algorithm::Sha512).parameters(), u64::MAX);
    assert_eq!(layout.levels().len(), 9);
    assert_eq!(layout.position(9, 0), None);
    assert_eq!(layout.path(u64::MAX), None);
    assert!(DmVerity::new(Algorithm::Sha256).hasher().finalize(|_| {}).is_none());
}
