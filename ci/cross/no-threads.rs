//! A `pthread_create` that answers that the platform has no threads. That of wasi-libc answers that
//! there are too few resources.

#![no_std]
#![crate_type = "lib"]

/// `errno` of WASI: "not supported".
const ENOTSUP: i32 = 58;

#[unsafe(no_mangle)]
extern "C" fn pthread_create(_: usize, _: usize, _: usize, _: usize) -> i32 {
    ENOTSUP
}
