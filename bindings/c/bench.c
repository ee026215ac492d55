/* Prints the speed of this library beside OpenSSL's functions, which hash one message a call, and
 * beside hashtree, if HASHTREE is defined. README.md has the commands. */
#define _POSIX_C_SOURCE 199309L
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/ripemd.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hashlanes.h"

#ifdef HASHTREE
void hashtree_hash(unsigned char *output, const unsigned char *input, uint64_t count);
#endif

enum { COUNT = 10000, LONGEST = 1000, ROUNDS = 50 };

/* Hashes COUNT messages of `length` bytes that lie end to end. */
typedef void hash_fn(const uint8_t *messages, size_t length, uint8_t *digests);

#define OURS(name, call)                                                            \
    static void name(const uint8_t *messages, size_t length, uint8_t *digests) {    \
        (void)length;                                                               \
        if (call != HASHLANES_OK) abort();                                          \
    }
OURS(our_sha256, hashlanes_sha256_equal(messages, length, COUNT, digests))
OURS(our_nodes, hashlanes_sha256_nodes(messages, COUNT, digests))
OURS(our_sha1, hashlanes_sha1_equal(messages, length, COUNT, digests))
OURS(our_ripemd160, hashlanes_ripemd160_equal(messages, length, COUNT, digests))
OURS(our_hash160, hashlanes_hash160_equal(messages, length, COUNT, digests))

/* The low-level functions, because SHA256() looks up its provider in each call. */
#define OPENSSL(name, type, bytes)                                                            \
    static void one_##name(const uint8_t *message, size_t length, uint8_t *digest) {          \
        type context;                                                                         \
        name##_Init(&context);                                                                \
        name##_Update(&context, message, length);                                             \
        name##_Final(digest, &context);                                                       \
    }                                                                                         \
    static void each_##name(const uint8_t *messages, size_t length, uint8_t *digests) {       \
        for (size_t i = 0; i < COUNT; i++)                                                    \
            one_##name(messages + i * length, length, digests + i * bytes);                   \
    }
OPENSSL(SHA256, SHA256_CTX, 32)
OPENSSL(SHA1, SHA_CTX, 20)
OPENSSL(RIPEMD160, RIPEMD160_CTX, 20)

static void each_hash160(const uint8_t *messages, size_t length, uint8_t *digests) {
    for (size_t i = 0; i < COUNT; i++) {
        uint8_t digest[32];
        one_SHA256(messages + i * length, length, digest);
        one_RIPEMD160(digest, sizeof digest, digests + i * 20);
    }
}

#ifdef HASHTREE
static void hashtree_nodes(const uint8_t *messages, size_t length, uint8_t *digests) {
    (void)length;
    hashtree_hash(digests, messages, COUNT);
}
#else
#define hashtree_nodes NULL
#endif

static const struct {
    const char *name;
    size_t length, digest_bytes;
    /* OpenSSL, hashlanes, hashtree */
    hash_fn *candidates[3];
} jobs[] = {
    {"SHA-256, 32 bytes", 32, 32, {each_SHA256, our_sha256}},
    {"SHA-256, 64-byte nodes", 64, 32, {each_SHA256, our_nodes, hashtree_nodes}},
    {"SHA-256, 1000 bytes", 1000, 32, {each_SHA256, our_sha256}},
    {"SHA-1, 1000 bytes", 1000, 20, {each_SHA1, our_sha1}},
    {"RIPEMD-160, 32 bytes", 32, 20, {each_RIPEMD160, our_ripemd160}},
    {"HASH160, 33 bytes", 33, 20, {each_hash160, our_hash160}},
};

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

int main(void) {
    static uint8_t messages[COUNT * LONGEST], digests[COUNT * 32], expected[COUNT * 32];
    for (size_t i = 0; i < sizeof messages; i++) messages[i] = (uint8_t)(i % 251);
    printf("%s; kernels: %s\n\n", OpenSSL_version(OPENSSL_VERSION), hashlanes_backend());
    printf("| ns per message | OpenSSL | hashlanes | hashtree | OpenSSL / hashlanes |\n"
           "|---|---|---|---|---|\n");
    for (size_t job = 0; job < sizeof jobs / sizeof *jobs; job++) {
        double best[3] = {1e18, 1e18, 1e18};
        /* In turns, so that other programs disturb all alike. */
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < 3; i++) {
                hash_fn *hash = jobs[job].candidates[i];
                if (!hash) continue;
                uint8_t *output = i ? digests : expected;
                double begin = nanoseconds();
                hash(messages, jobs[job].length, output);
                double time = (nanoseconds() - begin) / COUNT;
                if (time < best[i]) best[i] = time;
                if (memcmp(output, expected, COUNT * jobs[job].digest_bytes)) abort();
            }
        }
        char hashtree[16] = "";
        if (best[2] < 1e18) snprintf(hashtree, sizeof hashtree, "%.1f", best[2]);
        printf("| %s | %.0f | %.1f | %s | %.1f |\n", jobs[job].name, best[0], best[1], hashtree,
               best[0] / best[1]);
    }
    return 0;
}
