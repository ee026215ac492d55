/* Tests the C functions. `cargo xtask bindings` builds it with AddressSanitizer and
 * UndefinedBehaviorSanitizer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hashlanes.h"
#include "vectors.h"

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, name, #condition); \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

#define LENGTH(array) (sizeof(array) / sizeof *(array))

typedef hashlanes_status many_fn(const uint8_t *const *, const size_t *, size_t, uint8_t *);
typedef hashlanes_status equal_fn(const uint8_t *, size_t, size_t, uint8_t *);

/* The bytes of a hexadecimal text, in a buffer of exactly their size. */
static uint8_t *bytes_of(const char *text, size_t *length) {
    *length = strlen(text) / 2;
    uint8_t *bytes = malloc(*length ? *length : 1);
    for (size_t i = 0; i < *length; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) abort();
        bytes[i] = (uint8_t)byte;
    }
    return bytes;
}

static void test_hash(const char *name, many_fn *many, equal_fn *equal, size_t digest_bytes,
                      const vector *vectors, size_t vector_count) {
    uint8_t *messages[40], *expected[40];
    const uint8_t *pointers[80];
    size_t lengths[40], repeated[80], ignored;
    CHECK(vector_count > 3 && vector_count <= 40);
    for (size_t i = 0; i < vector_count; i++) {
        messages[i] = bytes_of(vectors[i].message, &lengths[i]);
        expected[i] = bytes_of(vectors[i].digest, &ignored);
        CHECK(ignored == digest_bytes);
    }
    /* Each count, beginning with another vector, in memory of exactly the right size. */
    for (size_t count = 0; count <= 80; count++) {
        uint8_t *digests = malloc(count ? count * digest_bytes : 1);
        for (size_t i = 0; i < count; i++) {
            size_t which = (i + count) % vector_count;
            pointers[i] = lengths[which] ? messages[which] : NULL;
            repeated[i] = lengths[which];
        }
        CHECK(many(pointers, repeated, count, digests) == HASHLANES_OK);
        for (size_t i = 0; i < count; i++) {
            size_t which = (i + count) % vector_count;
            CHECK(!memcmp(digests + i * digest_bytes, expected[which], digest_bytes));
        }
        free(digests);
    }
    /* End to end: equal lengths agree with pointers. */
    for (size_t length = 0; length <= 130; length += 13) {
        uint8_t *all = malloc(40 * length + 1), one[40 * 64], other[40 * 64];
        for (size_t i = 0; i < 40 * length; i++) all[i] = (uint8_t)(i % 251);
        for (size_t i = 0; i < 40; i++) pointers[i] = all + i * length, repeated[i] = length;
        CHECK(many(pointers, repeated, 40, one) == HASHLANES_OK);
        CHECK(equal(all, length, 40, other) == HASHLANES_OK);
        CHECK(!memcmp(one, other, 40 * digest_bytes));
        free(all);
    }
    /* Hostile arguments. */
    uint8_t memory[256] = {0}, digests[2 * 64];
    const uint8_t *two[2] = {memory, NULL};
    size_t sizes[2] = {32, 32};
    CHECK(many(NULL, sizes, 1, digests) == HASHLANES_NULL);
    CHECK(many(two, NULL, 1, digests) == HASHLANES_NULL);
    CHECK(many(two, sizes, 1, NULL) == HASHLANES_NULL);
    CHECK(many(two, sizes, 2, digests) == HASHLANES_NULL);
    CHECK(many(NULL, NULL, 0, NULL) == HASHLANES_OK);
    CHECK(many(two, sizes, 1, memory + 31) == HASHLANES_OVERLAP);
    CHECK(many(two, sizes, 1, memory + 32) == HASHLANES_OK);
    CHECK(many(two, sizes, 1, (uint8_t *)two) == HASHLANES_OVERLAP);
    CHECK(many(two, sizes, 1, (uint8_t *)sizes) == HASHLANES_OVERLAP);
    CHECK(many(two, sizes, SIZE_MAX, digests) == HASHLANES_OVERFLOW);
    CHECK(many(two, sizes, SIZE_MAX / 8, digests) == HASHLANES_OVERFLOW);
    CHECK(many((const uint8_t *const *)(memory + 1), sizes, 1, digests) == HASHLANES_UNALIGNED
          || many((const uint8_t *const *)(memory + 2), sizes, 1, digests)
                 == HASHLANES_UNALIGNED);
    sizes[0] = SIZE_MAX;
    CHECK(many(two, sizes, 1, digests) == HASHLANES_OVERFLOW);
    sizes[0] = SIZE_MAX / 2 + 1;
    CHECK(many(two, sizes, 1, digests) == HASHLANES_OVERFLOW);
    CHECK(equal(NULL, 1, 1, digests) == HASHLANES_NULL);
    CHECK(equal(memory, 1, 1, NULL) == HASHLANES_NULL);
    CHECK(equal(NULL, 0, 2, digests) == HASHLANES_OK);
    CHECK(equal(NULL, 64, 0, NULL) == HASHLANES_OK);
    CHECK(equal(memory, SIZE_MAX / 2, 3, digests) == HASHLANES_OVERFLOW);
    CHECK(equal(memory, 0, SIZE_MAX / 2, digests) == HASHLANES_OVERFLOW);
    CHECK(equal(memory, 32, 2, memory) == HASHLANES_OVERLAP);
    CHECK(equal(memory + digest_bytes, 32, 2, memory) == HASHLANES_OVERLAP);
    for (size_t i = 0; i < vector_count; i++) free(messages[i]), free(expected[i]);
}

static void test_nodes(void) {
    const char *name = "nodes";
    uint8_t nodes[100 * 64], digests[100 * 32], expected[100 * 32], twice[100 * 32];
    for (size_t i = 0; i < sizeof nodes; i++) nodes[i] = (uint8_t)(i % 251);
    CHECK(hashlanes_sha256_equal(nodes, 64, 100, expected) == HASHLANES_OK);
    CHECK(hashlanes_sha256_equal(expected, 32, 100, twice) == HASHLANES_OK);
    for (size_t count = 0; count <= 100; count++) {
        CHECK(hashlanes_sha256_nodes(nodes, count, digests) == HASHLANES_OK);
        CHECK(!memcmp(digests, expected, count * 32));
        CHECK(hashlanes_sha256_nodes_twice(nodes, count, digests) == HASHLANES_OK);
        CHECK(!memcmp(digests, twice, count * 32));
    }
    CHECK(hashlanes_sha256_nodes(NULL, 1, digests) == HASHLANES_NULL);
    CHECK(hashlanes_sha256_nodes(nodes, 1, NULL) == HASHLANES_NULL);
    CHECK(hashlanes_sha256_nodes(nodes, 2, nodes) == HASHLANES_OVERLAP);
    CHECK(hashlanes_sha256_nodes_twice(nodes, 2, nodes + 127) == HASHLANES_OVERLAP);
    CHECK(hashlanes_sha256_nodes(nodes, SIZE_MAX / 32, digests) == HASHLANES_OVERFLOW);
}

static void test_ssz(void) {
    const char *name = "ssz";
    uint8_t chunks[128] = {0}, level[64], root[32], expected[32], *zeros;
    size_t length;
    for (size_t i = 0; i < 100; i++) chunks[i] = (uint8_t)i;
    CHECK(hashlanes_sha256_nodes(chunks, 2, level) == HASHLANES_OK);
    CHECK(hashlanes_sha256_nodes(level, 1, expected) == HASHLANES_OK);
    CHECK(hashlanes_ssz_root(chunks, 100, 0, root) == HASHLANES_OK);
    CHECK(!memcmp(root, expected, 32));
    CHECK(hashlanes_ssz_root(chunks, 128, 4, root) == HASHLANES_OK);
    CHECK(!memcmp(root, expected, 32));
    CHECK(hashlanes_ssz_root(chunks, 97, 3, root) == HASHLANES_LIMIT);
    CHECK(hashlanes_ssz_root(chunks, 97, UINT64_MAX, root) == HASHLANES_LIMIT);
    CHECK(hashlanes_ssz_root(chunks, 97, 0, chunks + 96) == HASHLANES_OVERLAP);
    CHECK(hashlanes_ssz_root(NULL, 97, 0, root) == HASHLANES_NULL);
    CHECK(hashlanes_ssz_root(chunks, 97, 0, NULL) == HASHLANES_NULL);
    /* Ethereum's first zero hash. */
    zeros = bytes_of("f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b", &length);
    CHECK(hashlanes_ssz_root(NULL, 0, 2, root) == HASHLANES_OK);
    CHECK(!memcmp(root, zeros, 32));
    free(zeros);
}

#ifdef HASHLANES_HASHTREE
static int overridden;

static void override(uint8_t *output, const uint8_t *input, uint64_t count) {
    (void)output, (void)input, (void)count;
    overridden++;
}

static void test_hashtree(void) {
    const char *name = "hashtree";
    for (size_t count = 0; count <= 300; count += 7) {
        uint8_t *nodes = malloc(count * 64 + 1), *digests = malloc(count * 32 + 1);
        uint8_t *expected = malloc(count * 32 + 1);
        for (size_t i = 0; i < count * 64; i++) nodes[i] = (uint8_t)(i % 251);
        CHECK(hashlanes_sha256_nodes(nodes, count, expected) == HASHLANES_OK);
        hashtree_hash(digests, nodes, count);
        CHECK(!memcmp(digests, expected, count * 32));
        hashtree_hash(nodes, nodes, count);
        CHECK(!memcmp(nodes, expected, count * 32));
        free(nodes), free(digests), free(expected);
    }
    CHECK(hashtree_init(override) == 1);
    hashtree_hash(NULL, NULL, 1);
    CHECK(overridden == 1);
    CHECK(hashtree_init(NULL) == 1);
    hashtree_hash(NULL, NULL, 0);
    CHECK(overridden == 1);
}
#endif

#define TEST(hash, bytes)                                                              \
    test_hash(#hash, hashlanes_##hash##_many, hashlanes_##hash##_equal, bytes,         \
              hash##_vectors, LENGTH(hash##_vectors))

int main(void) {
    const char *name = "main";
    TEST(sha256, 32);
    TEST(sha1, 20);
    TEST(ripemd160, 20);
    TEST(hash160, 20);
    TEST(sumhash512, 64);
    test_nodes();
    test_ssz();
#ifdef HASHLANES_HASHTREE
    test_hashtree();
#endif
    CHECK(strlen(hashlanes_backend()) > 0);
    for (int status = -1; status < 8; status++) CHECK(strlen(hashlanes_strerror(status)) > 0);
    printf("all C tests passed on %s\n", hashlanes_backend());
    return 0;
}
