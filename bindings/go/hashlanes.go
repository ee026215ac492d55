// Package hashlanes hashes many messages at once, one per SIMD lane of the CPU.
//
// It calls the C library of hashlanes through cgo. [Hash], [HashByteSlice] and [HashChunks] are
// those of gohashtree; the other functions take messages of any length.
//
// All functions may be called from any number of goroutines. A call uses one thread.
package hashlanes

// #include "hashlanes.h"
//
// typedef hashlanes_status many_fn(const uint8_t *const *, const size_t *, size_t, uint8_t *);
//
// // Hashes the messages at these places after base. They are integers for Go, which would
// // otherwise look at each pointer.
// static enum hashlanes_status hash_at(many_fn *hash, const uint8_t *base, uintptr_t *places,
//                                 const size_t *lengths, size_t count, uint8_t *digests) {
//     for (size_t i = 0; i < count; i++) places[i] += (uintptr_t)base;
//     return hash((const uint8_t *const *)places, lengths, count, digests);
// }
//
// typedef hashlanes_status chains_fn(const hashlanes_chain_layout *, uint8_t *, const uint32_t *,
//                                    size_t);
//
// // Go cannot call a function that C points to.
// static enum hashlanes_status advance(chains_fn *chains, hashlanes_chain_layout layout,
//                                      uint8_t *messages, const uint32_t *steps, size_t count) {
//     return chains(&layout, messages, steps, count);
// }
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// The errors of [Hash] and [HashByteSlice], for [errors.Is]. The texts are those of gohashtree.
var (
	// ErrOddChunks means that the last chunk has no sibling.
	ErrOddChunks = errors.New("odd number of chunks")
	// ErrNotEnoughDigests means that there is no room for all digests.
	ErrNotEnoughDigests = errors.New("not enough digest length")
	// ErrChunksNotMultipleOf64 means that a byte slice cannot be cut into nodes.
	ErrChunksNotMultipleOf64 = errors.New("chunks not multiple of 64 bytes")
	// ErrDigestsNotMultipleOf32 means that a byte slice cannot be cut into digests.
	ErrDigestsNotMultipleOf32 = errors.New("digests not multiple of 32 bytes")
)

// Version returns the version of the C library, such as "0.1.0".
func Version() string {
	return C.GoString(C.hashlanes_version())
}

// Backend returns the name of the kernels that this CPU runs, such as "avx512+sha".
func Backend() string {
	return C.GoString(C.hashlanes_backend())
}

// Hash writes the SHA-256 digest of each two chunks to digests. The digests may be the beginning of
// the chunks.
func Hash(digests, chunks [][32]byte) error {
	if err := checkLengths(digests, chunks); err != nil {
		return err
	}
	HashChunks(digests, chunks)
	return nil
}

// checkLengths returns an error unless there is a digest for each two chunks.
func checkLengths(digests, chunks [][32]byte) error {
	if len(chunks)%2 != 0 {
		return ErrOddChunks
	}
	return checkRoom(len(digests), len(chunks)/2)
}

// checkRoom returns an error if the digests are shorter than needed.
func checkRoom(length, needed int) error {
	if length < needed {
		return fmt.Errorf("%w, need at least %d, got %d", ErrNotEnoughDigests, needed, length)
	}
	return nil
}

// HashByteSlice writes the SHA-256 digest of each 64 bytes of chunks to digests. The digests may be
// the beginning of the chunks.
func HashByteSlice(digests, chunks []byte) error {
	if len(chunks)%64 != 0 {
		return ErrChunksNotMultipleOf64
	}
	if len(digests)%32 != 0 {
		return ErrDigestsNotMultipleOf32
	}
	if err := checkRoom(len(digests), len(chunks)/2); err != nil {
		return err
	}
	output, input := unsafe.SliceData(digests), unsafe.SliceData(chunks)
	hashNodes(unsafe.Pointer(output), unsafe.Pointer(input), len(chunks)/64)
	return nil
}

// HashChunks is [Hash] for arguments that are known to fit. It panics if they do not.
func HashChunks(digests, chunks [][32]byte) {
	count := len(chunks) / 2
	output, input := unsafe.SliceData(digests[:count]), unsafe.SliceData(chunks)
	hashNodes(unsafe.Pointer(output), unsafe.Pointer(input), count)
}

// hashNodes hashes count nodes of 64 bytes. The C function refuses an output that begins inside the
// input; those are hashed by way of a copy.
func hashNodes(digests, nodes unsafe.Pointer, count int) {
	if count == 0 {
		return
	}
	status := C.hashlanes_sha256_nodes((*C.uint8_t)(nodes), C.size_t(count), (*C.uint8_t)(digests))
	if status == C.HASHLANES_OVERLAP {
		output := make([]byte, 32*count)
		status = C.hashlanes_sha256_nodes(
			(*C.uint8_t)(nodes), C.size_t(count), (*C.uint8_t)(unsafe.SliceData(output)))
		copy(unsafe.Slice((*byte)(digests), 32*count), output)
	}
	check(status)
}

// HashOn is [Hash] with the kernels of this name: one of [Kernels], or a set of them such as
// "avx2+sha" or "portable". The digests may be the beginning of the chunks, and must not begin
// inside of them.
func HashOn(kernel string, digests, chunks [][32]byte) error {
	if err := checkLengths(digests, chunks); err != nil {
		return err
	}
	if strings.IndexByte(kernel, 0) >= 0 {
		return failure(C.HASHLANES_KERNEL)
	}
	name := append([]byte(kernel), 0)
	return failure(C.hashlanes_sha256_nodes_on(
		(*C.char)(unsafe.Pointer(unsafe.SliceData(name))),
		(*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(chunks))),
		C.size_t(len(chunks)/2),
		(*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(digests)))))
}

// Kernels returns the names of the kernels that this machine can run, the widest first.
func Kernels() []string {
	var names []string
	for {
		name := C.hashlanes_kernel_name(C.size_t(len(names)))
		if name == nil {
			return names
		}
		names = append(names, C.GoString(name))
	}
}

// SHA256 returns the SHA-256 digest of each message.
func SHA256(messages [][]byte) [][32]byte {
	return many[[32]byte](messages, (*C.many_fn)(C.hashlanes_sha256_many))
}

// SHA512 returns the SHA-512 digest of each message.
func SHA512(messages [][]byte) [][64]byte {
	return many[[64]byte](messages, (*C.many_fn)(C.hashlanes_sha512_many))
}

// Keccak256 returns the Keccak-256 digest of each message. Keccak-256 is Ethereum's hash, and not
// SHA3-256.
func Keccak256(messages [][]byte) [][32]byte {
	return many[[32]byte](messages, (*C.many_fn)(C.hashlanes_keccak256_many))
}

// SHA3_256 returns the SHA3-256 digest of each message.
func SHA3_256(messages [][]byte) [][32]byte {
	return many[[32]byte](messages, (*C.many_fn)(C.hashlanes_sha3_256_many))
}

// SHA1 returns the SHA-1 digest of each message.
func SHA1(messages [][]byte) [][20]byte {
	return many[[20]byte](messages, (*C.many_fn)(C.hashlanes_sha1_many))
}

// RIPEMD160 returns the RIPEMD-160 digest of each message.
func RIPEMD160(messages [][]byte) [][20]byte {
	return many[[20]byte](messages, (*C.many_fn)(C.hashlanes_ripemd160_many))
}

// HASH160 returns RIPEMD-160 of SHA-256 of each message, such as a public key of Bitcoin.
func HASH160(messages [][]byte) [][20]byte {
	return many[[20]byte](messages, (*C.many_fn)(C.hashlanes_hash160_many))
}

// Sumhash512 returns the digest of each message by Algorand's sumhash512.
func Sumhash512(messages [][]byte) [][64]byte {
	return many[[64]byte](messages, (*C.many_fn)(C.hashlanes_sumhash512_many))
}

// pinned is the average length from which messages are hashed in place. Pinning takes longer than
// copying a short message, so shorter ones are copied to one buffer.
const pinned = 1024

// many hashes messages of any lengths.
func many[D [20]byte | [32]byte | [64]byte](messages [][]byte, hash *C.many_fn) []D {
	if len(messages) == 0 {
		return nil
	}
	places := make([]C.uintptr_t, len(messages))
	lengths := make([]C.size_t, len(messages))
	total := 0
	for i, message := range messages {
		places[i] = C.uintptr_t(total)
		lengths[i] = C.size_t(len(message))
		total += len(message)
	}
	var base []byte
	var pinner runtime.Pinner
	defer pinner.Unpin()
	if total/len(messages) < pinned {
		base = make([]byte, total)
		for i, message := range messages {
			copy(base[places[i]:], message)
		}
	} else {
		for i, message := range messages {
			places[i] = 0
			if len(message) > 0 {
				first := unsafe.SliceData(message)
				pinner.Pin(first)
				places[i] = C.uintptr_t(uintptr(unsafe.Pointer(first)))
			}
		}
	}
	digests := make([]D, len(messages))
	check(C.hash_at(
		hash,
		(*C.uint8_t)(unsafe.SliceData(base)),
		unsafe.SliceData(places),
		unsafe.SliceData(lengths),
		C.size_t(len(messages)),
		(*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(digests)))))
	return digests
}

// ChainLayout is where the messages of chains have what changes from step to step.
type ChainLayout struct {
	// Length is the number of bytes of a message.
	Length int
	// Value is the first byte of what becomes the beginning of the digest, and the byte after its
	// last. If both are 0, it is the whole message.
	Value [2]int
	// Counter is the first byte of a number of at most four bytes to which each step adds one, the
	// most significant byte first, and the byte after its last. If both are 0, there is none.
	Counter [2]int
}

// SHA256Chains hashes message i, of those that lie end to end in messages, steps[i] times with
// SHA-256, each time with the digest in the place of the value, as in hash-based signatures. The
// messages after the last step replace them. A message has at most 55 bytes, and a value 32.
func SHA256Chains(layout ChainLayout, messages []byte, steps []uint32) error {
	return chains((*C.chains_fn)(C.hashlanes_sha256_chains), layout, messages, steps)
}

// SHA512Chains is [SHA256Chains] with SHA-512. A message has at most 111 bytes, and a value 64.
func SHA512Chains(layout ChainLayout, messages []byte, steps []uint32) error {
	return chains((*C.chains_fn)(C.hashlanes_sha512_chains), layout, messages, steps)
}

// SHAKE256Chains is [SHA256Chains] with SHAKE256. A message has at most 135 bytes. A value may be
// as long as the message: it takes as much output.
func SHAKE256Chains(layout ChainLayout, messages []byte, steps []uint32) error {
	return chains((*C.chains_fn)(C.hashlanes_shake256_chains), layout, messages, steps)
}

func chains(hash *C.chains_fn, layout ChainLayout, messages []byte, steps []uint32) error {
	length := layout.Length
	if length > 0 && (len(messages)%length != 0 || len(messages)/length != len(steps)) {
		return fmt.Errorf(
			"hashlanes: %d chains have messages of %d bytes each, not %d", len(steps), length, len(messages))
	}
	value, counter := layout.Value, layout.Counter
	if value == [2]int{} {
		value[1] = length
	}
	if length < 1 || value[0] < 0 || value[1] < value[0] || counter[0] < 0 || counter[1] < counter[0] {
		return failure(C.HASHLANES_LAYOUT)
	}
	return failure(C.advance(
		hash,
		C.hashlanes_chain_layout{
			message_length: C.size_t(length),
			value_start:    C.size_t(value[0]),
			value_length:   C.size_t(value[1] - value[0]),
			counter_start:  C.size_t(counter[0]),
			counter_length: C.size_t(counter[1] - counter[0]),
		},
		(*C.uint8_t)(unsafe.SliceData(messages)),
		(*C.uint32_t)(unsafe.SliceData(steps)),
		C.size_t(len(steps))))
}

// SSZRoot returns the root of an SSZ value of these bytes, whose last chunk is padded with zeros.
// limit is the maximum number of 32-byte chunks of a list; without one, 0, the depth of the tree
// follows the number of chunks, as in vectors and containers. The length of a list is not mixed in.
func SSZRoot(bytes []byte, limit uint64) (root [32]byte, err error) {
	err = failure(C.hashlanes_ssz_root(
		(*C.uint8_t)(unsafe.SliceData(bytes)),
		C.size_t(len(bytes)),
		C.uint64_t(limit),
		(*C.uint8_t)(unsafe.Pointer(&root))))
	return root, err
}

// failure is the error of a status.
func failure(status uint32) error {
	if status == C.HASHLANES_OK {
		return nil
	}
	return fmt.Errorf("hashlanes: %s", C.GoString(C.hashlanes_strerror(C.int32_t(status))))
}

// check panics for a status that arguments of the right lengths cannot give.
func check(status uint32) {
	if err := failure(status); err != nil {
		panic(err)
	}
}
