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
    CHECK(hashlanes_sha256_nodes(nodes, 2, nodes + 1) == HASHLANES_OVERLAP);
    CHECK(hashlanes_sha256_nodes_twice(nodes, 2, nodes + 127) == HASHLANES_OVERLAP);
    /* In place, and to digests that begin before the nodes and reach into them. */
    for (size_t count = 0; count <= 100; count++) {
        for (size_t before = 0; before <= 33; before += 11) {
            uint8_t memory[33 + 100 * 64];
            memcpy(memory + before, nodes, count * 64);
            CHECK(hashlanes_sha256_nodes(memory + before, count, memory) == HASHLANES_OK);
            CHECK(!memcmp(memory, expected, count * 32));
            memcpy(memory + before, nodes, count * 64);
            CHECK(hashlanes_sha256_nodes_twice(memory + before, count, memory) == HASHLANES_OK);
            CHECK(!memcmp(memory, twice, count * 32));
        }
    }
    CHECK(hashlanes_sha256_nodes(nodes, SIZE_MAX / 32, digests) == HASHLANES_OVERFLOW);
}

/* Every kernel of the machine, by its name, has the digests of the best. */
static void test_kernels(void) {
    const char *name = "kernels";
    uint8_t nodes[70 * 64], digests[70 * 32], expected[70 * 32];
    size_t kernels = 0;
    for (size_t i = 0; i < sizeof nodes; i++) nodes[i] = (uint8_t)(i % 251);
    CHECK(hashlanes_sha256_nodes(nodes, 70, expected) == HASHLANES_OK);
    for (const char *kernel; (kernel = hashlanes_kernel_name(kernels)); kernels++) {
        for (size_t count = 0; count <= 70; count++) {
            memset(digests, 0, sizeof digests);
            CHECK(hashlanes_sha256_nodes_on(kernel, nodes, count, digests) == HASHLANES_OK);
            CHECK(!memcmp(digests, expected, count * 32));
        }
    }
    CHECK(hashlanes_kernel_name(SIZE_MAX) == NULL);
    CHECK(hashlanes_sha256_nodes_on("portable", nodes, 70, digests) == HASHLANES_OK);
    CHECK(!memcmp(digests, expected, sizeof digests));
    CHECK(hashlanes_sha256_nodes_on(hashlanes_backend(), nodes, 1, digests) == HASHLANES_OK);
    CHECK(hashlanes_sha256_nodes_on("avx9", nodes, 1, digests) == HASHLANES_KERNEL);
    CHECK(hashlanes_sha256_nodes_on("\xff", nodes, 1, digests) == HASHLANES_KERNEL);
    CHECK(hashlanes_sha256_nodes_on(NULL, nodes, 1, digests) == HASHLANES_NULL);
    CHECK(hashlanes_sha256_nodes_on("portable", NULL, 1, digests) == HASHLANES_NULL);
    CHECK(hashlanes_sha256_nodes_on("portable", nodes, 2, nodes + 1) == HASHLANES_OVERLAP);
    CHECK(hashlanes_sha256_nodes_on("portable", nodes, 70, nodes) == HASHLANES_OK);
    CHECK(!memcmp(nodes, expected, sizeof expected));
#ifdef __x86_64__
    CHECK(kernels >= 1);
#endif
}

typedef hashlanes_status chains_fn(const hashlanes_chain_layout *, uint8_t *, const uint32_t *,
                                   size_t);

/* The messages after some steps, one hash a step. */
static void test_chains(const char *name, chains_fn *chains, equal_fn *equal,
                        size_t digest_bytes, size_t longest) {
    const hashlanes_chain_layout layouts[] = {
        {32, 0, 32, 0, 0}, {38, 22, 16, 18, 4}, {longest, 5, 20, 0, 1},
    };
    for (size_t which = 0; which < LENGTH(layouts); which++) {
        const hashlanes_chain_layout *layout = &layouts[which];
        size_t length = layout->message_length;
        for (size_t count = 0; count <= 40; count += 5) {
            uint8_t *messages = malloc(count * length + 1), *expected = malloc(count * length + 1);
            uint32_t *steps = malloc(count * sizeof *steps + 1);
            for (size_t i = 0; i < count * length; i++)
                messages[i] = expected[i] = (uint8_t)(i * 7 % 251);
            for (size_t i = 0; i < count; i++) {
                steps[i] = (uint32_t)(i * 37 % 300);
                uint8_t *message = expected + i * length, digest[64];
                for (uint32_t step = 0; step < steps[i]; step++) {
                    CHECK(equal(message, length, 1, digest) == HASHLANES_OK);
                    memcpy(message + layout->value_start, digest, layout->value_length);
                    size_t at = layout->counter_start + layout->counter_length;
                    while (at > layout->counter_start && !++message[--at]) {}
                }
            }
            CHECK(chains(layout, messages, steps, count) == HASHLANES_OK);
            CHECK(!memcmp(messages, expected, count * length));
            free(messages), free(expected), free(steps);
        }
    }
    uint8_t memory[512] = {0};
    uint32_t steps[4] = {1, 1, 1, 1};
    const hashlanes_chain_layout wrong[] = {
        {32, 0, 33, 0, 0}, {32, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {40, 0, 32, 32, 5},
        {40, 0, 32, 31, 2}, {40, 0, 32, 38, 3}, {longest + 1, 0, 8, 0, 0},
        {longest, 0, digest_bytes + 1, 0, 0},
    };
    for (size_t i = 0; i < LENGTH(wrong); i++)
        CHECK(chains(&wrong[i], memory, steps, 1) == HASHLANES_LAYOUT);
    hashlanes_chain_layout layout = {32, 0, 32, 0, 0}, far = {32, SIZE_MAX, 32, 0, 0};
    CHECK(chains(&far, memory, steps, 1) == HASHLANES_OVERFLOW);
    CHECK(chains(NULL, memory, steps, 1) == HASHLANES_NULL);
    CHECK(chains(&layout, NULL, steps, 1) == HASHLANES_NULL);
    CHECK(chains(&layout, memory, NULL, 1) == HASHLANES_NULL);
    CHECK(chains(&layout, NULL, NULL, 0) == HASHLANES_OK);
    CHECK(chains(&layout, (uint8_t *)steps, steps, 1) == HASHLANES_OVERLAP);
    CHECK(chains(&layout, memory, steps, SIZE_MAX / 8) == HASHLANES_OVERFLOW);
    for (size_t i = 0; i < sizeof memory; i++) CHECK(!memory[i]);
}

/* SHAKE256 has no function of its own here: the first output of one step is its beginning. */
static void test_shake256(void) {
    const char *name = "shake256";
    const hashlanes_chain_layout layout = {32, 0, 32, 0, 0};
    uint8_t message[32] = {0}, *expected;
    uint32_t steps[2] = {1, 2};
    size_t length;
    /* From Python: hashlib.shake_256(bytes(32)).hexdigest(32). */
    expected = bytes_of("f5977c8283546a63723bc31d2619124f11db4658643336741df81757d5ad3062", &length);
    CHECK(hashlanes_shake256_chains(&layout, message, steps, 1) == HASHLANES_OK);
    CHECK(!memcmp(message, expected, 32));
    free(expected);
    uint8_t two[64] = {0}, again[32];
    CHECK(hashlanes_shake256_chains(&layout, two, steps, 2) == HASHLANES_OK);
    memcpy(again, message, 32);
    CHECK(hashlanes_shake256_chains(&layout, again, steps, 1) == HASHLANES_OK);
    CHECK(!memcmp(two, message, 32) && !memcmp(two + 32, again, 32));
    hashlanes_chain_layout wrong = {136, 0, 32, 0, 0};
    uint8_t memory[136] = {0};
    CHECK(hashlanes_shake256_chains(&wrong, memory, steps, 1) == HASHLANES_LAYOUT);
}

static void test_version(void) {
    const char *name = "version";
    char version[32];
    CHECK(!strcmp(hashlanes_version(), HASHLANES_VERSION));
    snprintf(version, sizeof version, "%d.%d.%d", HASHLANES_VERSION_MAJOR,
             HASHLANES_VERSION_MINOR, HASHLANES_VERSION_PATCH);
    CHECK(!strncmp(version, HASHLANES_VERSION, strlen(version)));
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
    /* hashtree's functions for single instruction sets, where this machine has them. */
    static const struct {
        const char *kernel;
        void (*hash)(uint8_t *, const uint8_t *, uint64_t);
    } kernels[] = {
#ifdef __x86_64__
        {"portable", hashtree_sha256_sse_x1},    {"portable", hashtree_sha256_avx_x1},
        {"sse2x4", hashtree_sha256_avx_x4},    {"avx2x8", hashtree_sha256_avx2_x8},
        {"avx512x16", hashtree_sha256_avx512_x16}, {"shax2", hashtree_sha256_shani_x2},
#endif
#ifdef __aarch64__
        {"portable", hashtree_sha256_neon_x1}, {"neonx4", hashtree_sha256_neon_x4},
        {"shax1", hashtree_sha256_sha_x1},
#endif
        {NULL, NULL},
    };
    for (size_t i = 0; kernels[i].kernel; i++) {
        uint8_t nodes[67 * 64], digests[67 * 32], expected[67 * 32];
        for (size_t byte = 0; byte < sizeof nodes; byte++) nodes[byte] = (uint8_t)(byte % 251);
        if (hashlanes_sha256_nodes_on(kernels[i].kernel, nodes, 67, expected) != HASHLANES_OK)
            continue;
        for (size_t count = 0; count <= 67; count++) {
            kernels[i].hash(digests, nodes, count);
            CHECK(!memcmp(digests, expected, count * 32));
        }
        CHECK(hashtree_init(kernels[i].hash) == 1);
        hashtree_hash(nodes, nodes, 67);
        CHECK(!memcmp(nodes, expected, sizeof expected));
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
    TEST(sha512, 64);
    TEST(keccak256, 32);
    TEST(sha3_256, 32);
    TEST(sha1, 20);
    TEST(ripemd160, 20);
    TEST(hash160, 20);
    TEST(sumhash512, 64);
    test_nodes();
    test_kernels();
    test_chains("sha256_chains", hashlanes_sha256_chains, hashlanes_sha256_equal, 32, 55);
    test_chains("sha512_chains", hashlanes_sha512_chains, hashlanes_sha512_equal, 64, 111);
    test_shake256();
    test_version();
    test_ssz();
#ifdef HASHLANES_HASHTREE
    test_hashtree();
#endif
    CHECK(strlen(hashlanes_backend()) > 0);
    for (int status = -1; status < 10; status++) CHECK(strlen(hashlanes_strerror(status)) > 0);
    printf("all C tests passed on %s\n", hashlanes_backend());
    return 0;
}
