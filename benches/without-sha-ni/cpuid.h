/* Stands before the compiler's own <cpuid.h> when with-avx-hashtree.sh builds: hashtree then sees no
 * SHA-NI, and takes the widest of its AVX kernels that the CPU has. */
#include_next <cpuid.h>
#undef bit_SHA
#define bit_SHA 0
