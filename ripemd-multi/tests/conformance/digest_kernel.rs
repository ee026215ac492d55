//! The compression function of messages of 32 bytes, with every kernel.

use hash_lanes::engine::{ByteOrder, LaneJob, Lanes, MAX_LANES};
use hash_lanes_testing::Subject;
use hash_lanes_testing::hazmat::{States, assert_digests, kernels, messages, stored};
use ripemd_multi::hazmat::compress_32_bytes;

use crate::subject::Ripemd160;

type Rows = [[u8; 32]; MAX_LANES];

#[inline(always)]
fn load<V: Lanes>(token: V::Token, rows: &Rows) -> [V; 8] {
    V::load_rows(
        token,
        ByteOrder::Little,
        #[inline(always)]
        |lane| &rows[lane],
    )
}

struct OfDigests<'a>(&'a Rows);

impl LaneJob for OfDigests<'_> {
    type Output = States<5>;

    #[inline(always)]
    fn run<V: Lanes>(self, token: V::Token) -> States<5> {
        stored(compress_32_bytes(token, load::<V>(token, self.0)))
    }
}

#[test]
fn messages_of_32_bytes() {
    let messages = messages(0, 32);
    let rows = messages.each_ref().map(|message| -> [u8; 32] { message[..].try_into().unwrap() });
    for kernel in kernels() {
        let states = kernel.run(OfDigests(&rows));
        assert_digests::<Ripemd160, _>(kernel, &states, &messages, Ripemd160::reference);
    }
}
