// Replaces the assembly of gohashtree by the drop-in for hashtree, for gohashtree's own tests.

package gohashtree

// #include <stdint.h>
// void hashtree_hash(unsigned char *output, const unsigned char *input, uint64_t count);
import "C"
import "unsafe"

var supportedCPU = true

func _hash(digests *byte, chunks [][32]byte, count uint32) {
	output := (*C.uchar)(unsafe.Pointer(digests))
	input := (*C.uchar)(unsafe.Pointer(&chunks[0]))
	C.hashtree_hash(output, input, C.uint64_t(count))
}
