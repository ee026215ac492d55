/* Preloaded into a program: hides the crypto extensions of ARMv8 from feature detection. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/auxv.h>

unsigned long getauxval(unsigned long type)
{
    unsigned long (*real)(unsigned long) = dlsym(RTLD_NEXT, "getauxval");
    /* HWCAP_AES, _PMULL, _SHA1, _SHA2; _SHA3; _SHA512 */
    unsigned long hidden = 15UL << 3 | 1UL << 17 | 1UL << 21;
    return type == AT_HWCAP ? real(type) & ~hidden : real(type);
}
