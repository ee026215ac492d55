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
// // Hashes the messages at these places after base. They are integers for Go, which would otherwise
// // look at each pointer.
// static enum hashlanes_status hash_at(many_fn *hash, const uint8_t *base, uintptr_t *places,
//                                 const size_t *lengths, size_t count, uint8_t *digests) {
//     for (size_t i = 0; i < count; i++) places[i] += (uintptr_t)base;
//     return hash((const uint8_t *const *)places, lengths, count, digests);
// }
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// The errors of [Hash] and [HashByteSlice].
var (
	// ErrOddChunks means that the last chunk has no sibling.
	ErrOddChunks = errors.New("hashlanes: odd number of chunks")
	// ErrNotEnoughDigests means that there is no room for all digests.
	ErrNotEnoughDigests = errors.New("hashlanes: not enough digest length")
	// ErrChunksNotMultipleOf64 means that a byte slice cannot be cut into nodes.
	ErrChunksNotMultipleOf64 = errors.New("hashlanes: chunks not multiple of 64 bytes")
	// ErrDigestsNotMultipleOf32 means that a byte slice cannot be cut into digests.
	ErrDigestsNotMultipleOf32 = errors.New("hashlanes: digests not multiple of 32 bytes")
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
	if len(chunks)%2 != 0 {
		return ErrOddChunks
	}
	if len(digests) < len(chunks)/2 {
		return ErrNotEnoughDigests
	}
	HashChunks(digests, chunks)
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
	if len(digests) < len(chunks)/2 {
		return ErrNotEnoughDigests
	}
	hashNodes(unsafe.Pointer(unsafe.SliceData(digests)), unsafe.Pointer(unsafe.SliceData(chunks)), len(chunks)/64)
	return nil
}

// HashChunks is [Hash] for arguments that are known to fit. It panics if they do not.
func HashChunks(digests, chunks [][32]byte) {
	count := len(chunks) / 2
	hashNodes(unsafe.Pointer(unsafe.SliceData(digests[:count])), unsafe.Pointer(unsafe.SliceData(chunks)), count)
}

// hashNodes hashes count nodes of 64 bytes. The C function refuses an output that overlaps the
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
// "avx2+sha" or "portable". The digests must not overlap the chunks.
func HashOn(kernel string, digests, chunks [][32]byte) error {
	if len(chunks)%2 != 0 {
		return ErrOddChunks
	}
	if len(digests) < len(chunks)/2 {
		return ErrNotEnoughDigests
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
