//! Core traits whose names are the same in both generations of `digest`.

/// Implements the traits of one generation for a core.
///
/// The calling module imports the traits and has a function `hash_arrays`, which converts that
/// generation's slices of blocks.
macro_rules! impl_core {
    ($core:ty; $name:literal) => {
        impl HashMarker for $core {}

        impl AlgorithmName for $core {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($name)
            }
        }

        impl BlockSizeUser for $core {
            type BlockSize = U64;
        }

        impl BufferKindUser for $core {
            type BufferKind = Eager;
        }

        impl OutputSizeUser for $core {
            type OutputSize = U64;
        }

        impl UpdateCore for $core {
            #[inline]
            fn update_blocks(&mut self, blocks: &[DigestBlock<Self>]) {
                hash_arrays(blocks, |blocks| self.update_blocks(blocks));
            }
        }

        impl FixedOutputCore for $core {
            #[inline]
            fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finalize(buffer.get_data()));
            }
        }

        impl Reset for $core {
            fn reset(&mut self) {
                self.reset();
            }
        }
    };
}

pub(crate) use impl_core;
