//go:build hashlanes_system

package hashlanes

// #cgo pkg-config: hashlanes
import "C"
