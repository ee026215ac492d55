//! Hashes without an allocator. If a library linked `alloc`, this program would not compile.
#![no_std]
#![no_main]

use core::hint::black_box;
use core::panic::PanicInfo;

use sha3_multi::XofLanes;

#[panic_handler]
fn halt(_: &PanicInfo<'_>) -> ! {
    loop {}
}

#[no_mangle]
pub extern "C" fn _start() -> ! {
    let messages = black_box(["one", "two", "three"]);
    black_box(sha3_multi::sha3_256::hash(messages[0]));
    black_box(XofLanes::shake256().xof::<100>(messages[1]));
    let mut readers = XofLanes::shake128().reader_array(&messages.map(|message| (message,)));
    black_box::<[[u8; 504]; 3]>(readers.read());
    black_box::<[[u8; 168]; 3]>(readers.read());
    let mut states = [[0; 25]; 3];
    sha3_multi::hazmat::permute_many(&mut states, 24);
    black_box(states);
    loop {}
}
