//! Hashes by each library, so that the linker needs all of it.
#![no_std]
#![no_main]

use core::hint::black_box;
use core::panic::PanicInfo;

use merkle_lanes::ssz::Ssz;
use static_alloc::Bump;

#[global_allocator]
static ALLOCATOR: Bump<[u8; 1 << 16]> = Bump::uninit();

#[panic_handler]
fn halt(_: &PanicInfo<'_>) -> ! {
    loop {}
}

#[no_mangle]
pub extern "C" fn _start() -> ! {
    let messages = black_box(["one", "two", "three"]);
    black_box(sha1_multi::hash_many(messages));
    black_box(sha256_multi::hash_many(messages));
    black_box(sha512_multi::hash_many(messages));
    black_box(ripemd_multi::hash160_many(messages));
    black_box(sha3_multi::keccak256::hash_many(messages));
    let parts = messages.map(|message| (message,));
    black_box(sha3_multi::XofLanes::shake256().xof_array::<64, 3>(&parts));
    black_box(blake2_multi::blake2s256::hash_many(messages));
    black_box(sumhash512::hash_many(messages));
    black_box(merkle_lanes::root(&Ssz::new(), &[[1; 32], [2; 32]]));
    loop {}
}
