//go:build !purego

package memory

import (
	"encoding/binary"
	"unsafe"
)

// Start returns the address of the first byte of b.
func Start(b []byte) Pointer { return Pointer{unsafe.Pointer(unsafe.SliceData(b))} }

// The bytes at p, which need not be aligned, as an integer of this machine's
// byte order.

func (p Pointer) Load16() uint16   { return binary.NativeEndian.Uint16((*[2]byte)(p.p)[:]) }
func (p Pointer) Load32() uint32   { return binary.NativeEndian.Uint32((*[4]byte)(p.p)[:]) }
func (p Pointer) Load64() uint64   { return binary.NativeEndian.Uint64((*[8]byte)(p.p)[:]) }
func (p Pointer) Store16(v uint16) { binary.NativeEndian.PutUint16((*[2]byte)(p.p)[:], v) }
func (p Pointer) Store32(v uint32) { binary.NativeEndian.PutUint32((*[4]byte)(p.p)[:], v) }
func (p Pointer) Store64(v uint64) { binary.NativeEndian.PutUint64((*[8]byte)(p.p)[:], v) }
