//! FIPS 205 as it is written: one hash after another, by recursion, for parameter sets of any
//! height and any w. The tests compare with it.

use alloc::vec::Vec;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256, Sha512};
use shake::{ExtendableOutput, Shake256, Update, XofReader};

use crate::parameters::Parameters;

/// The hashes of a parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hashes {
    Sha2,
    Shake,
}

/// A key with its numbers.
pub(crate) struct Reference<'k> {
    pub(crate) set: Parameters,
    pub(crate) hashes: Hashes,
    pub(crate) sk_seed: &'k [u8],
    pub(crate) sk_prf: &'k [u8],
    pub(crate) pk_seed: &'k [u8],
}

/// ADRS (FIPS 205 §4.2): layer, three words of the tree, type, and three words.
type Adrs = [u32; 8];

impl Reference<'_> {
    fn len_1(&self) -> usize {
        (8 * self.set.n).div_ceil(self.set.lg_w)
    }

    /// Algorithm 1.
    fn len_2(&self) -> usize {
        let w = 1 << self.set.lg_w;
        let (mut len_2, mut capacity) = (1, w);
        while capacity <= self.len_1() * (w - 1) {
            (len_2, capacity) = (len_2 + 1, capacity * w);
        }
        len_2
    }

    fn long(&self) -> bool {
        self.set.n > 16
    }

    /// F, PRF (`is_f`), H and T (FIPS 205 §11).
    fn hash(&self, is_f: bool, adrs: &Adrs, parts: &[&[u8]]) -> Vec<u8> {
        let bytes: Vec<u8> = adrs.iter().flat_map(|word| word.to_be_bytes()).collect();
        let n = self.set.n;
        if self.hashes == Hashes::Shake {
            return shake(&[&[self.pk_seed, &bytes], parts].concat(), n);
        }
        let compressed = [&bytes[3..4], &bytes[8..16], &bytes[19..20], &bytes[20..32]].concat();
        let zeros = [0; 128];
        if is_f || !self.long() {
            let mut hasher = Sha256::new();
            Digest::update(&mut hasher, self.pk_seed);
            Digest::update(&mut hasher, &zeros[..64 - n]);
            Digest::update(&mut hasher, compressed);
            parts.iter().for_each(|part| Digest::update(&mut hasher, part));
            hasher.finalize()[..n].to_vec()
        } else {
            let mut hasher = Sha512::new();
            Digest::update(&mut hasher, self.pk_seed);
            Digest::update(&mut hasher, &zeros[..128 - n]);
            Digest::update(&mut hasher, compressed);
            parts.iter().for_each(|part| Digest::update(&mut hasher, part));
            hasher.finalize()[..n].to_vec()
        }
    }

    /// Algorithm 5.
    fn chain(&self, mut x: Vec<u8>, from: u32, steps: u32, adrs: &mut Adrs) -> Vec<u8> {
        for j in from..from + steps {
            adrs[7] = j;
            x = self.hash(true, adrs, &[&x]);
        }
        x
    }

    /// The digits of algorithms 7 and 8.
    fn digits(&self, message: &[u8]) -> Vec<u32> {
        let lg_w = self.set.lg_w;
        let mut digits = base_2b(message, lg_w, self.len_1());
        let checksum: u32 = digits.iter().map(|digit| (1 << lg_w) - 1 - digit).sum();
        let bits = self.len_2() * lg_w;
        let shifted = checksum << ((8 - bits % 8) % 8);
        let bytes = bits.div_ceil(8);
        digits.extend(base_2b(&shifted.to_be_bytes()[4 - bytes..], lg_w, self.len_2()));
        digits
    }

    /// The beginning of a chain of the key at `adrs`, whose words 0 to 3 and 5 count.
    fn chain_secret(&self, adrs: &Adrs, chain: u32) -> Vec<u8> {
        let mut prf = *adrs;
        (prf[4], prf[6], prf[7]) = (5, chain, 0);
        self.hash(true, &prf, &[self.sk_seed])
    }

    /// Algorithm 6, with the key pair's address in `adrs`.
    fn wots_key(&self, adrs: &Adrs) -> Vec<u8> {
        let w = 1 << self.set.lg_w;
        let ends: Vec<Vec<u8>> = (0..(self.len_1() + self.len_2()) as u32)
            .map(|i| {
                let mut here = *adrs;
                (here[4], here[6]) = (0, i);
                self.chain(self.chain_secret(adrs, i), 0, w - 1, &mut here)
            })
            .collect();
        let mut key = *adrs;
        (key[4], key[6], key[7]) = (1, 0, 0);
        let ends: Vec<&[u8]> = ends.iter().map(|end| &end[..]).collect();
        self.hash(false, &key, &ends)
    }

    /// Algorithm 7.
    fn wots_sign(&self, message: &[u8], adrs: &Adrs) -> Vec<u8> {
        let mut signature = Vec::new();
        for (i, digit) in (0..).zip(self.digits(message)) {
            let mut here = *adrs;
            (here[4], here[6]) = (0, i);
            signature.extend(self.chain(self.chain_secret(adrs, i), 0, digit, &mut here));
        }
        signature
    }

    /// All nodes of a tree from its leaves, level by level (algorithm 9 and 15).
    fn levels(&self, adrs: &Adrs, first: u32, leaves: Vec<Vec<u8>>) -> Vec<Vec<Vec<u8>>> {
        let mut levels = alloc::vec![leaves];
        let mut z = 1;
        while levels[levels.len() - 1].len() > 1 {
            let below = &levels[levels.len() - 1];
            let level = (0..).zip(below.chunks(2)).map(|(i, pair)| {
                let mut here = *adrs;
                (here[6], here[7]) = (z, (first >> z) + i);
                self.hash(false, &here, &[&pair[0], &pair[1]])
            });
            let level = level.collect();
            levels.push(level);
            z += 1;
        }
        levels
    }

    fn xmss_levels(&self, layer: u32, tree: u64) -> Vec<Vec<Vec<u8>>> {
        let mut adrs = [layer, 0, (tree >> 32) as u32, tree as u32, 0, 0, 0, 0];
        let leaves = (0..1 << (self.set.h / self.set.d))
            .map(|leaf| {
                adrs[5] = leaf;
                self.wots_key(&adrs)
            })
            .collect();
        adrs[5] = 0;
        adrs[4] = 2;
        self.levels(&adrs, 0, leaves)
    }

    /// PK.root (algorithm 18).
    pub(crate) fn root(&self) -> Vec<u8> {
        self.xmss_levels(self.set.d as u32 - 1, 0).pop().unwrap().remove(0)
    }

    /// Algorithm 19, of a message in one part, with `root` as PK.root.
    pub(crate) fn sign(&self, root: &[u8], message: &[u8], opt_rand: &[u8]) -> Vec<u8> {
        let Parameters { n, h, d, a, k, .. } = self.set;
        let height = h / d;
        let r = match self.hashes {
            Hashes::Shake => shake(&[self.sk_prf, opt_rand, message], n),
            Hashes::Sha2 if self.long() => mac::<Hmac<Sha512>>(self.sk_prf, opt_rand, message, n),
            Hashes::Sha2 => mac::<Hmac<Sha256>>(self.sk_prf, opt_rand, message, n),
        };
        let (md, tree, leaf) = ((k * a).div_ceil(8), (h - height).div_ceil(8), height.div_ceil(8));
        let m = md + tree + leaf;
        let parts = [&r[..], self.pk_seed, root, message];
        let digest = match self.hashes {
            Hashes::Shake => shake(&parts, m),
            Hashes::Sha2 if self.long() => mgf1::<Sha512>(&r, self.pk_seed, &parts, m),
            Hashes::Sha2 => mgf1::<Sha256>(&r, self.pk_seed, &parts, m),
        };
        let number = |bytes: &[u8], bits: usize| {
            let number = bytes.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
            if bits == 64 { number } else { number % (1 << bits) }
        };
        let mut tree_index = number(&digest[md..md + tree], h - height);
        let mut leaf_index = number(&digest[md + tree..], height) as u32;

        // FORS (algorithms 14 to 16).
        let fors = [0, 0, (tree_index >> 32) as u32, tree_index as u32, 3, leaf_index, 0, 0];
        let mut signature = r;
        let mut roots = Vec::new();
        for (i, index) in (0..).zip(base_2b(&digest[..md], a, k)) {
            let first: u32 = i << a;
            let secret = |leaf: u32| {
                let mut prf = fors;
                (prf[4], prf[7]) = (6, first + leaf);
                self.hash(true, &prf, &[self.sk_seed])
            };
            let leaves = (0..1 << a).map(|leaf| {
                let mut here = fors;
                here[7] = first + leaf;
                self.hash(true, &here, &[&secret(leaf)])
            });
            let levels = self.levels(&fors, first, leaves.collect());
            signature.extend(secret(index));
            for (z, level) in levels[..a].iter().enumerate() {
                signature.extend_from_slice(&level[(index >> z ^ 1) as usize]);
            }
            roots.push(levels[a][0].clone());
        }
        let mut key = fors;
        key[4] = 4;
        let roots: Vec<&[u8]> = roots.iter().map(|root| &root[..]).collect();
        let mut message = self.hash(false, &key, &roots);

        // The hypertree (algorithm 12).
        for layer in 0..d as u32 {
            let levels = self.xmss_levels(layer, tree_index);
            let tree = [(tree_index >> 32) as u32, tree_index as u32];
            let adrs = [layer, 0, tree[0], tree[1], 0, leaf_index, 0, 0];
            signature.extend(self.wots_sign(&message, &adrs));
            for (z, level) in levels[..height].iter().enumerate() {
                signature.extend_from_slice(&level[(leaf_index >> z ^ 1) as usize]);
            }
            message = levels[height][0].clone();
            leaf_index = number(&tree_index.to_be_bytes(), height) as u32;
            tree_index = tree_index.checked_shr(height as u32).unwrap_or(0);
        }
        assert_eq!(message, root);
        signature
    }
}

/// Algorithm 4.
fn base_2b(bytes: &[u8], b: usize, count: usize) -> Vec<u32> {
    let (mut bits, mut total) = (0, 0_u64);
    let mut bytes = bytes.iter();
    let mut numbers = Vec::new();
    for _ in 0..count {
        while bits < b {
            total = (total << 8 | u64::from(*bytes.next().unwrap())) & 0xffff_ffff;
            bits += 8;
        }
        bits -= b;
        numbers.push((total >> bits) as u32 & ((1 << b) - 1));
    }
    numbers
}

fn shake(parts: &[&[u8]], len: usize) -> Vec<u8> {
    let mut hasher = Shake256::default();
    parts.iter().for_each(|part| hasher.update(part));
    let mut output = alloc::vec![0; len];
    hasher.finalize_xof().read(&mut output);
    output
}

fn mac<M: Mac + KeyInit>(key: &[u8], opt_rand: &[u8], message: &[u8], n: usize) -> Vec<u8> {
    let mut mac = <M as KeyInit>::new_from_slice(key).unwrap();
    mac.update(opt_rand);
    mac.update(message);
    mac.finalize().into_bytes()[..n].to_vec()
}

fn mgf1<D: Digest>(r: &[u8], pk_seed: &[u8], parts: &[&[u8]], len: usize) -> Vec<u8> {
    let mut hasher = D::new();
    parts.iter().for_each(|part| hasher.update(part));
    let seed = [r, pk_seed, &hasher.finalize()].concat();
    let mut mask = Vec::new();
    for counter in 0_u32.. {
        if mask.len() >= len {
            break;
        }
        mask.extend_from_slice(&D::digest([&seed[..], &counter.to_be_bytes()].concat()));
    }
    mask.truncate(len);
    mask
}

mod tests {
    use super::*;
    use crate::parameters::small::{LowSha2, LowShake, TallFors, TallTree};
    use crate::{ParameterSet, Sha2_128f, Shake192f, SigningKey, VerifyingKey};

    fn agrees<P: ParameterSet>(hashes: Hashes) {
        let n = P::PARAMETERS.n;
        let seeds =
            [3, 5, 7].map(|seed| (0..n).map(|i| (i * seed + seed) as u8).collect::<Vec<_>>());
        let key = SigningKey::<P>::from_seeds(&seeds[0], &seeds[1], &seeds[2]).unwrap();
        let [sk_seed, sk_prf, pk_seed] = &seeds;
        let reference = Reference { set: P::PARAMETERS, hashes, sk_seed, sk_prf, pk_seed };
        let root = reference.root();
        assert_eq!(key.verifying_key().to_bytes()[..], [&pk_seed[..], &root].concat());
        for message in ["", "a message"] {
            let signature = key.sign_internal(&[message.as_bytes()], None).unwrap();
            let expected = reference.sign(&root, message.as_bytes(), pk_seed);
            assert!(signature.as_ref() == expected, "{}: {message:?}", P::PARAMETERS.name);
            let bytes = key.verifying_key().to_bytes();
            let verifying_key = VerifyingKey::<P>::from_bytes(&bytes).unwrap();
            verifying_key.verify_internal(&[message.as_bytes()], &signature).unwrap();
            verifying_key.verify_internal(&[b"another"], &signature).unwrap_err();
        }
    }

    /// The reference itself.
    #[test]
    fn standard_sets() {
        agrees::<Sha2_128f>(Hashes::Sha2);
        agrees::<Shake192f>(Hashes::Shake);
    }

    #[test]
    fn other_digits() {
        agrees::<LowSha2>(Hashes::Sha2);
        agrees::<LowShake>(Hashes::Shake);
    }

    /// Trees that are hashed in parts.
    #[test]
    fn tall_trees() {
        agrees::<TallTree>(Hashes::Sha2);
        agrees::<TallFors>(Hashes::Shake);
    }
}
