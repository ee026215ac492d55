/* Shadows the compiler's <cpuid.h> in builds by with-avx-hashtree.sh. hashtree then detects no
 * SHA-NI, and selects its widest AVX kernel that the CPU can run. */
#include_next <cpuid.h>
#undef bit_SHA
#define bit_SHA 0
