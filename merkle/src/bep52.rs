//! BitTorrent v2's Merkle trees: BEP 52.
