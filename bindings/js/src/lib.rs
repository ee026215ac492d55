//! Hashes of many messages and SLH-DSA, for JavaScript. Each is compiled by itself: programs that
//! only hash do not load the signatures, and secrets are in a memory of their own.

#[cfg(feature = "hashes")]
mod hashes;
#[cfg(feature = "slh-dsa")]
mod signatures;

/// The messages of these lengths that lie end to end.
pub(crate) fn cut<'m>(
    mut messages: &'m [u8],
    lengths: &'m [u32],
) -> impl Iterator<Item = &'m [u8]> {
    lengths.iter().map(move |&length| {
        let (message, rest) = messages.split_at(length as usize);
        messages = rest;
        message
    })
}
