// Replaces the functions of gohashtree by those of this module, for gohashtree's own tests.

package gohashtree

import "github.com/OWNER/hashlanes/bindings/go"

var (
	Hash          = hashlanes.Hash
	HashChunks    = hashlanes.HashChunks
	HashByteSlice = hashlanes.HashByteSlice
)
