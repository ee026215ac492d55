//go:build !hashlanes_system

package hashlanes

// #cgo CFLAGS: -I${SRCDIR}/lib
// #cgo LDFLAGS: ${SRCDIR}/lib/libhashlanes.a -lm
// #cgo linux LDFLAGS: -ldl -lpthread
import "C"
