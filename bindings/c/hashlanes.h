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
 * Null, overlaps of an output with an input, and sizes that overflow are refused with a status. A
 * wrong length of an existing buffer cannot be noticed.
 */

#ifndef HASHLANES_H
#define HASHLANES_H

#include <stddef.h>
#include <stdint.h>

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
} hashlanes_status;

#if defined(HASHLANES_HASHTREE)
/*
 A function that `hashtree_init` can install.
 */
typedef void (*hashtree_hash_fcn)(uint8_t *output, const uint8_t *input, uint64_t count);
#endif

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

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
 Writes the SHA-256 digest of each of the `count` 64-byte nodes at `input` to `digests`.
 */
enum hashlanes_status hashlanes_sha256_nodes(const uint8_t *input, size_t count, uint8_t *digests);

/*
 Hashes each of the `count` 64-byte nodes at `input` twice with SHA-256, as in Bitcoin, and writes
 the digests to `digests`.
 */
enum hashlanes_status hashlanes_sha256_nodes_twice(const uint8_t *input,
                                                   size_t count,
                                                   uint8_t *digests);

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

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HASHLANES_H */
