//! Messages that consist of some slices.

/// A message in parts: a tuple of up to four values with bytes, or an array of slices.
///
/// The message is the bytes of all parts, one after the other.
pub trait Parts {
    /// The number of parts.
    const COUNT: usize;

    /// Part `i`, below [`Self::COUNT`].
    fn part(&self, i: usize) -> &[u8];
}

macro_rules! parts_of_tuple {
    ($count:literal $($Part:ident $i:tt),+) => {
        impl<$($Part: AsRef<[u8]>),+> Parts for ($($Part,)+) {
            const COUNT: usize = $count;

            #[inline]
            fn part(&self, i: usize) -> &[u8] {
                match i {
                    $($i => self.$i.as_ref(),)+
                    _ => &[],
                }
            }
        }
    };
}

parts_of_tuple!(1 A 0);
parts_of_tuple!(2 A 0, B 1);
parts_of_tuple!(3 A 0, B 1, C 2);
parts_of_tuple!(4 A 0, B 1, C 2, D 3);

impl<P: Parts + ?Sized> Parts for &P {
    const COUNT: usize = P::COUNT;

    #[inline]
    fn part(&self, i: usize) -> &[u8] {
        (**self).part(i)
    }
}

impl<const N: usize> Parts for [&[u8]; N] {
    const COUNT: usize = N;

    #[inline]
    fn part(&self, i: usize) -> &[u8] {
        self[i]
    }
}
