/*
 * hashlanes: many messages, hashed at once. Made by cbindgen; see README.md.
 *
 * The rules of every function:
 * - An input has as many bytes as stated, and nobody writes to it during the call.
 * - An output has room for `count` digests, and nobody else uses it during the call. It may be
 *   uninitialised. After an error its content is unspecified.
 * - Buffers may have any alignment; arrays of pointers or lengths have that of their type.
 * - A buffer of no bytes may be null.
 * - A function may be called from any number of threads. None keeps a pointer.
 *
 * Null, overlaps of an output with an input, unless a function says otherwise, and sizes that
 * overflow are refused with a status. A wrong length of an existing buffer cannot be noticed.
 */

#ifndef HASHLANES_H
#define HASHLANES_H

#include <stddef.h>
#include <stdint.h>

/* The version of this header. `hashlanes_version` returns that of the library. */
#define HASHLANES_VERSION "0.1.0"
#define HASHLANES_VERSION_MAJOR 0
#define HASHLANES_VERSION_MINOR 1
#define HASHLANES_VERSION_PATCH 0

/*
 What a function returns.
 */
typedef enum hashlanes_status {
  /*
   The output is complete.
   */
  HASHLANES_OK = 0,
  /*
   A pointer is null although its buffer is not empty.
   */
  HASHLANES_NULL = 1,
  /*
   The output overlaps an input.
   */
  HASHLANES_OVERLAP = 2,
  /*
   A size in bytes, or the end of a buffer, exceeds the address space.
   */
  HASHLANES_OVERFLOW = 3,
  /*
   An array of pointers or lengths is not aligned.
   */
  HASHLANES_UNALIGNED = 4,
  /*
   There are more chunks than the limit, or the limit exceeds 2^63.
   */
  HASHLANES_LIMIT = 5,
  /*
   A bug in hashlanes. The output is unspecified.
   */
  HASHLANES_BUG = 6,
  /*
   This machine has no kernel of that name.
   */
  HASHLANES_KERNEL = 7,
  /*
   A value or counter does not fit into the messages of the chains, or a message is too long.
   */
  HASHLANES_LAYOUT = 8
} hashlanes_status;

/*
 Where the messages of chains have what changes from step to step.

 A step hashes the message, writes the beginning of the digest in the place of the value, and
 adds one to the counter, the most significant byte first. A counter of no bytes is none.
 */
typedef struct hashlanes_chain_layout {
  /*
   The bytes of a message.
   */
  size_t message_length;
  /*
   The first byte of the value.
   */
  size_t value_start;
  /*
   The bytes of the value.
   */
  size_t value_length;
  /*
   The first byte of the counter.
   */
  size_t counter_start;
  /*
   The bytes of the counter, at most 4.
   */
  size_t counter_length;
} hashlanes_chain_layout;

#if defined(HASHLANES_HASHTREE)
/*
 A function that `hashtree_init` can install.
 */
typedef void (*hashtree_hash_fcn)(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/*
 Writes the SHA-256 digest of each message to `digests`, 32 bytes each. Message `i` is the
 `lengths[i]` bytes at `messages[i]`.
 */
enum hashlanes_status hashlanes_sha256_many(const uint8_t *const *messages,
                                            const size_t *lengths,
                                            size_t count,
                                            uint8_t *digests);

/*
 Writes the SHA-256 digest of each message to `digests`, 32 bytes each. The messages have
 `length` bytes each and lie end to end.
 */
enum hashlanes_status hashlanes_sha256_equal(const uint8_t *messages,
                                             size_t length,
                                             size_t count,
                                             uint8_t *digests);

/*
 Writes the SHA-512 digest of each message to `digests`, 64 bytes each. Message `i` is the
 `lengths[i]` bytes at `messages[i]`.
 */
enum hashlanes_status hashlanes_sha512_many(const uint8_t *const *messages,
                                            const size_t *lengths,
                                            size_t count,
                                            uint8_t *digests);

/*
 Writes the SHA-512 digest of each message to `digests`, 64 bytes each. The messages have
 `length` bytes each and lie end to end.
 */
enum hashlanes_status hashlanes_sha512_equal(const uint8_t *messages,
                                             size_t length,
                                             size_t count,
                                             uint8_t *digests);

/*
 Writes the Keccak-256 digest of each message to `digests`, 32 bytes each. Message `i` is the
 `lengths[i]` bytes at `messages[i]`. Keccak-256 is Ethereum's hash, and not SHA3-256.
 */
enum hashlanes_status hashlanes_keccak256_many(const uint8_t *const *messages,
                                               const size_t *lengths,
                                               size_t count,
                                               uint8_t *digests);

/*
 Writes the Keccak-256 digest of each message to `digests`, 32 bytes each. The messages have
 `length` bytes each and lie end to end.
 */
enum hashlanes_status hashlanes_keccak256_equal(const uint8_t *messages,
                                                size_t length,
                                                size_t count,
                                                uint8_t *digests);

/*
 Writes the SHA3-256 digest of each message to `digests`, 32 bytes each. Message `i` is the
 `lengths[i]` bytes at `messages[i]`.
 */
enum hashlanes_status hashlanes_sha3_256_many(const uint8_t *const *messages,
                                              const size_t *lengths,
                                              size_t count,
                                              uint8_t *digests);

/*
 Writes the SHA3-256 digest of each message to `digests`, 32 bytes each. The messages have
 `length` bytes each and lie end to end.
 */
enum hashlanes_status hashlanes_sha3_256_equal(const uint8_t *messages,
                                               size_t length,
                                               size_t count,
                                               uint8_t *digests);

/*
 Writes the SHA-1 digest of each message to `digests`, 20 bytes each. Message `i` is the
 `lengths[i]` bytes at `messages[i]`.
 */
enum hashlanes_status hashlanes_sha1_many(const uint8_t *const *messages,
                                          const size_t *lengths,
                                          size_t count,
                                          uint8_t *digests);

/*
 Writes the SHA-1 digest of each message to `digests`, 20 bytes each. The messages have
 `length` bytes each and lie end to end.
 */
enum hashlanes_status hashlanes_sha1_equal(const uint8_t *messages,
                                           size_t length,
                                           size_t count,
                                           uint8_t *digests);

/*
 Writes the RIPEMD-160 digest of each message to `digests`, 20 bytes each. Message `i` is the
 `lengths[i]` bytes at `messages[i]`.
 */
enum hashlanes_status hashlanes_ripemd160_many(const uint8_t *const *messages,
                                               const size_t *lengths,
                                               size_t count,
                                               uint8_t *digests);

/*
 Writes the RIPEMD-160 digest of each message to `digests`, 20 bytes each. The messages have
 `length` bytes each and lie end to end.
 */
enum hashlanes_status hashlanes_ripemd160_equal(const uint8_t *messages,
                                                size_t length,
                                                size_t count,
                                                uint8_t *digests);

/*
 Writes the HASH160 (RIPEMD-160 of SHA-256) digest of each message to `digests`, 20 bytes each.
 Message `i` is the `lengths[i]` bytes at `messages[i]`.
 */
enum hashlanes_status hashlanes_hash160_many(const uint8_t *const *messages,
                                             const size_t *lengths,
                                             size_t count,
                                             uint8_t *digests);

/*
 Writes the HASH160 (RIPEMD-160 of SHA-256) digest of each message to `digests`, 20 bytes each.
 The messages have `length` bytes each and lie end to end.
 */
enum hashlanes_status hashlanes_hash160_equal(const uint8_t *messages,
                                              size_t length,
                                              size_t count,
                                              uint8_t *digests);

/*
 Writes the sumhash512 digest of each message to `digests`, 64 bytes each. Message `i` is the
 `lengths[i]` bytes at `messages[i]`.
 */
enum hashlanes_status hashlanes_sumhash512_many(const uint8_t *const *messages,
                                                const size_t *lengths,
                                                size_t count,
                                                uint8_t *digests);

/*
 Writes the sumhash512 digest of each message to `digests`, 64 bytes each. The messages have
 `length` bytes each and lie end to end.
 */
enum hashlanes_status hashlanes_sumhash512_equal(const uint8_t *messages,
                                                 size_t length,
                                                 size_t count,
                                                 uint8_t *digests);

/*
 Writes the SHA-256 digest of each of the `count` 64-byte nodes at `input` to `digests`, which
 may be `input`.
 */
enum hashlanes_status hashlanes_sha256_nodes(const uint8_t *input, size_t count, uint8_t *digests);

/*
 Hashes each of the `count` 64-byte nodes at `input` twice with SHA-256, as in Bitcoin, and
 writes the digests to `digests`, which may be `input`.
 */
enum hashlanes_status hashlanes_sha256_nodes_twice(const uint8_t *input,
                                                   size_t count,
                                                   uint8_t *digests);

/*
 `hashlanes_sha256_nodes` with the kernels of this name: those of `hashlanes_kernel_name`, or a
 set of them such as `avx2+sha` or `portable`.
 */
enum hashlanes_status hashlanes_sha256_nodes_on(const char *kernel,
                                                const uint8_t *input,
                                                size_t count,
                                                uint8_t *digests);

/*
 Hashes message `i` of the `count` messages, which lie end to end, `steps[i]` times with SHA-256,
 each time with the digest in the place of the value. The messages after the last step replace
 them. A message has at most 55 bytes, and a value 32.
 */
enum hashlanes_status hashlanes_sha256_chains(const struct hashlanes_chain_layout *layout,
                                              uint8_t *messages,
                                              const uint32_t *steps,
                                              size_t count);

/*
 Hashes message `i` of the `count` messages, which lie end to end, `steps[i]` times with SHA-512,
 each time with the digest in the place of the value. The messages after the last step replace
 them. A message has at most 111 bytes, and a value 64.
 */
enum hashlanes_status hashlanes_sha512_chains(const struct hashlanes_chain_layout *layout,
                                              uint8_t *messages,
                                              const uint32_t *steps,
                                              size_t count);

/*
 Hashes message `i` of the `count` messages, which lie end to end, `steps[i]` times with
 SHAKE256, each time with the digest in the place of the value. The messages after the last step
 replace them. A message has at most 135 bytes.
 */
enum hashlanes_status hashlanes_shake256_chains(const struct hashlanes_chain_layout *layout,
                                                uint8_t *messages,
                                                const uint32_t *steps,
                                                size_t count);

/*
 Writes the SSZ root of `length` bytes to the 32 bytes at `root`. The last chunk is padded with
 zeros.

 `limit` is the maximum number of 32-byte chunks of a list. If it is 0, the depth of the tree
 follows the number of chunks, as in vectors and containers. The length of a list is not mixed
 in.
 */
enum hashlanes_status hashlanes_ssz_root(const uint8_t *bytes,
                                         size_t length,
                                         uint64_t limit,
                                         uint8_t *root);

/*
 The name of the kernels that this CPU runs, such as `avx512+sha`. It lives as long as the
 process.
 */
const char *hashlanes_backend(void);

/*
 The name of the kernel of this index that the machine can run, the widest first, such as
 `avx2x8`, or null after the last. It lives as long as the process.
 */
const char *hashlanes_kernel_name(size_t index);

/*
 The version of the library that is loaded, such as `0.1.0`; `HASHLANES_VERSION` is that of the
 header. It lives as long as the process.
 */
const char *hashlanes_version(void);

/*
 What a status means, in English. It lives as long as the process. Any number is allowed.
 */
const char *hashlanes_strerror(int32_t status);

#if defined(HASHLANES_HASHTREE)
/*
 Makes `hashtree_hash` call another function, or hashlanes again if that is null. Calling it is
 optional. Returns 1.
 */
int hashtree_init(hashtree_hash_fcn override);
#endif

#if defined(HASHLANES_HASHTREE)
/*
 Writes the SHA-256 digest of each of the `count` 64-byte nodes at `input` to `output`.

 `output` may be `input`. It has no way to report errors: null, sizes that overflow, and an
 output that begins inside the input but not at its first byte abort the process with a message.
 Apart from that, the rules of the other functions hold.
 */
void hashtree_hash(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#if (defined(HASHLANES_HASHTREE) && defined(__x86_64__))
/*
 `hashtree_hash`, one node at a time. Aborts the process if the machine cannot.
 */
void hashtree_sha256_sse_x1(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#if (defined(HASHLANES_HASHTREE) && defined(__x86_64__))
/*
 `hashtree_hash`, one node at a time. Aborts the process if the machine cannot.
 */
void hashtree_sha256_avx_x1(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#if (defined(HASHLANES_HASHTREE) && defined(__x86_64__))
/*
 `hashtree_hash`, four nodes at a time, in registers of 128 bits. Aborts the process if the
 machine cannot.
 */
void hashtree_sha256_avx_x4(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#if (defined(HASHLANES_HASHTREE) && defined(__x86_64__))
/*
 `hashtree_hash`, eight nodes at a time with AVX2. Aborts the process if the machine cannot.
 */
void hashtree_sha256_avx2_x8(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#if (defined(HASHLANES_HASHTREE) && defined(__x86_64__))
/*
 `hashtree_hash`, sixteen nodes at a time with AVX-512. Aborts the process if the machine cannot.
 */
void hashtree_sha256_avx512_x16(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#if (defined(HASHLANES_HASHTREE) && defined(__x86_64__))
/*
 `hashtree_hash`, two nodes at a time with SHA instructions. Aborts the process if the
 machine cannot.
 */
void hashtree_sha256_shani_x2(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#if (defined(HASHLANES_HASHTREE) && defined(__aarch64__))
/*
 `hashtree_hash`, one node at a time. Aborts the process if the machine cannot.
 */
void hashtree_sha256_neon_x1(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#if (defined(HASHLANES_HASHTREE) && defined(__aarch64__))
/*
 `hashtree_hash`, four nodes at a time with NEON. Aborts the process if the machine cannot.
 */
void hashtree_sha256_neon_x4(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#if (defined(HASHLANES_HASHTREE) && defined(__aarch64__))
/*
 `hashtree_hash`, one node at a time with SHA instructions. Aborts the process if the
 machine cannot.
 */
void hashtree_sha256_sha_x1(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#ifdef __cplusplus
}  /* extern "C" */
#endif  /* __cplusplus */

#endif  /* HASHLANES_H */
