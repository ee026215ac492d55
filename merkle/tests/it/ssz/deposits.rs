//! The deposit tree.

use merkle_lanes::ssz::{DEPOSIT_TREE_DEPTH, DepositTree, GeneralizedIndex, SnapshotError, Ssz};
use merkle_lanes::{FrontierError, Tree};

use super::{Hash, chunks, index, node};
use crate::oracle;

fn root(deposits: &[Hash]) -> Hash {
    let mut count = [0; 32];
    count[..8].copy_from_slice(&(deposits.len() as u64).to_le_bytes());
    node(&oracle::ssz(deposits, 32), &count)
}

/// The root of the contract before the first deposit.
#[test]
fn no_deposit() {
    let empty = DepositTree::new();
    assert_eq!(empty.root(), root(&[]));
    // What the contract returns.
    let digits = hex::encode(empty.root());
    assert_eq!(digits, "d70a234731285c6804c2a4f56711ddb8c82c99740f207854891028af34e27e5e");
    assert_eq!((empty.len(), empty.finalized()), (0, vec![]));
    let resumed = DepositTree::resume(vec![], 0, &empty.root()).unwrap();
    assert_eq!(resumed.root(), empty.root());
}

#[test]
fn roots_and_resumed_roots() {
    let deposits = chunks(300);
    for count in (0..=70).chain([127, 128, 129, 255, 300]) {
        let mut tree = DepositTree::new();
        tree.extend(&deposits[..count]);
        assert_eq!(tree.len(), count as u64);
        assert_eq!(tree.root(), root(&deposits[..count]));
        let mut resumed = DepositTree::resume(tree.finalized(), tree.len(), &tree.root()).unwrap();
        for &deposit in &deposits[count..] {
            resumed.push(deposit);
        }
        assert_eq!(resumed.root(), root(&deposits));
    }
}

/// `Deposit.proof` of the specification: 32 levels, then the number of deposits.
#[test]
fn branches_of_deposits() {
    let deposits = chunks(21);
    let ssz = Ssz::with_limit(1 << DEPOSIT_TREE_DEPTH);
    let tree = Tree::from_leaves(ssz, deposits.as_slice());
    let mut count = [0; 32];
    count[0] = 21;
    for (position, deposit) in deposits.iter().enumerate() {
        let mut branch = tree.prove(position as u64).unwrap().into_nodes();
        branch.push(count);
        let place = GeneralizedIndex::at(DEPOSIT_TREE_DEPTH, position as u64).unwrap();
        let place = index(2).concat(place).unwrap();
        assert_eq!(Some(place), GeneralizedIndex::at(DEPOSIT_TREE_DEPTH + 1, position as u64));
        ssz.verify_branch(&root(&deposits), place, deposit, &branch.into()).unwrap();
    }
}

#[test]
fn invalid_snapshots_are_refused() {
    let mut tree = DepositTree::new();
    tree.extend(&chunks(5));
    let (finalized, root) = (tree.finalized(), tree.root());
    let resume = |finalized: &[Hash], count, root| {
        DepositTree::resume(finalized.to_vec(), count, root).unwrap_err()
    };
    assert_eq!(resume(&finalized, 5, &[0; 32]), SnapshotError::WrongRoot);
    assert_eq!(resume(&finalized, 6, &root), SnapshotError::WrongRoot);
    let swapped = [finalized[1], finalized[0]];
    assert_eq!(resume(&swapped, 5, &root), SnapshotError::WrongRoot);
    let error = FrontierError::WrongLength { size: 7, expected: 3, got: 2 };
    assert_eq!(resume(&finalized, 7, &root), SnapshotError::Frontier(error));
    let error = FrontierError::TooManyLeaves { size: 1 << 32, capacity: (1 << 32) - 1 };
    assert_eq!(resume(&finalized[..1], 1 << 32, &root), SnapshotError::Frontier(error));
}
