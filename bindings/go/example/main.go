// Hashes a level of a Merkle tree and a list of messages.
package main

import (
	"fmt"

	"github.com/OWNER/hashlanes/bindings/go"
)

func main() {
	chunks := make([][32]byte, 4)
	digests := make([][32]byte, 2)
	if err := hashlanes.Hash(digests, chunks); err != nil {
		panic(err)
	}
	fmt.Printf("kernels: %s\n", hashlanes.Backend())
	// The first of Ethereum's zero hashes.
	fmt.Printf("%x\n", digests[0])
	for _, digest := range hashlanes.Keccak256([][]byte{[]byte("one"), []byte("two")}) {
		fmt.Printf("%x\n", digest)
	}
}
