package hashlanes

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// bytesOf returns bytes that repeat with a prime period.
func bytesOf(length int) []byte {
	message := make([]byte, length)
	for i := range message {
		message[i] = byte(i % 251)
	}
	return message
}

func chunksOf(count int) [][32]byte {
	chunks := make([][32]byte, count)
	message := bytesOf(32 * count)
	for i := range chunks {
		copy(chunks[i][:], message[32*i:])
	}
	return chunks
}

// parents returns the level above, by crypto/sha256.
func parents(chunks [][32]byte) [][32]byte {
	digests := make([][32]byte, len(chunks)/2)
	for i := range digests {
		digests[i] = sha256.Sum256(append(chunks[2*i][:], chunks[2*i+1][:]...))
	}
	return digests
}

func equal(t *testing.T, got, expected [][32]byte) {
	t.Helper()
	if len(got) != len(expected) {
		t.Fatalf("%d digests, not %d", len(got), len(expected))
	}
	for i := range got {
		if got[i] != expected[i] {
			t.Fatalf("digest %d of %d is %x, not %x", i, len(got), got[i], expected[i])
		}
	}
}

func TestHashAgreesWithCryptoSHA256(t *testing.T) {
	for count := 0; count <= 70; count++ {
		chunks := chunksOf(2 * count)
		expected := parents(chunks)
		digests := make([][32]byte, count+1)
		if err := Hash(digests, chunks); err != nil {
			t.Fatal(err)
		}
		equal(t, digests[:count], expected)
		if digests[count] != [32]byte{} {
			t.Fatal("a digest after the last is written")
		}
		digests = make([][32]byte, count)
		HashChunks(digests, chunks)
		equal(t, digests, expected)
		input, output := bytesOf(64*count), make([]byte, 32*count)
		if err := HashByteSlice(output, input); err != nil {
			t.Fatal(err)
		}
		for i := range expected {
			if !bytes.Equal(output[32*i:32*i+32], expected[i][:]) {
				t.Fatalf("node %d of %d", i, count)
			}
		}
		// In place.
		if err := Hash(chunks, chunks); err != nil {
			t.Fatal(err)
		}
		equal(t, chunks[:count], expected)
	}
}

func TestEveryKernelHasTheSameDigests(t *testing.T) {
	kernels := Kernels()
	for _, kernel := range append(kernels, "portable", Backend()) {
		chunks := chunksOf(134)
		digests := make([][32]byte, 67)
		if err := HashOn(kernel, digests, chunks); err != nil {
			t.Fatalf("%s: %v", kernel, err)
		}
		equal(t, digests, parents(chunks))
	}
	chunks := chunksOf(4)
	for _, kernel := range []string{"", "avx9", "portable\x00"} {
		err := HashOn(kernel, make([][32]byte, 2), chunks)
		if err == nil || !strings.Contains(err.Error(), "no kernel of that name") {
			t.Fatalf("%q: %v", kernel, err)
		}
	}
	if err := HashOn("portable", chunks[1:], chunks); err == nil {
		t.Fatal("an overlap is accepted")
	}
	expected := parents(chunks)
	if err := HashOn("portable", chunks, chunks); err != nil {
		t.Fatal(err)
	}
	equal(t, chunks[:2], expected)
	if err := HashOn("portable", chunks, chunks[:3]); !errors.Is(err, ErrOddChunks) {
		t.Fatal(err)
	}
}

func TestWrongLengthsAreRefused(t *testing.T) {
	for _, test := range []struct {
		err      error
		expected error
	}{
		{Hash(make([][32]byte, 2), make([][32]byte, 3)), ErrOddChunks},
		{Hash(make([][32]byte, 1), make([][32]byte, 4)), ErrNotEnoughDigests},
		{HashByteSlice(make([]byte, 64), make([]byte, 65)), ErrChunksNotMultipleOf64},
		{HashByteSlice(make([]byte, 33), make([]byte, 64)), ErrDigestsNotMultipleOf32},
		{HashByteSlice(make([]byte, 32), make([]byte, 128)), ErrNotEnoughDigests},
		{Hash(nil, nil), nil},
		{HashByteSlice(nil, nil), nil},
	} {
		if !errors.Is(test.err, test.expected) {
			t.Errorf("%v, not %v", test.err, test.expected)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("HashChunks accepts too few digests")
		}
	}()
	HashChunks(make([][32]byte, 1), make([][32]byte, 4))
}

// flat returns a hash as a function to byte slices.
func flat[D [20]byte | [32]byte | [64]byte](hash func([][]byte) []D) func([][]byte) [][]byte {
	return func(messages [][]byte) [][]byte {
		var digests [][]byte
		for _, digest := range hash(messages) {
			switch digest := any(digest).(type) {
			case [20]byte:
				digests = append(digests, digest[:])
			case [32]byte:
				digests = append(digests, digest[:])
			case [64]byte:
				digests = append(digests, digest[:])
			}
		}
		return digests
	}
}

func TestMessagesOfAllLengthsAgreeWithTheStandardLibrary(t *testing.T) {
	var messages [][]byte
	for length := 0; length < 300; length++ {
		messages = append(messages, bytesOf(length))
	}
	messages = append(messages, nil, bytesOf(100_000))
	// The first messages are copied, and all of them are pinned.
	long := append(append([][]byte{}, messages...), bytesOf(1<<20))
	for name, test := range map[string]struct {
		hash   func([][]byte) [][]byte
		oracle func([]byte) []byte
	}{
		"SHA256": {flat(SHA256), func(m []byte) []byte { d := sha256.Sum256(m); return d[:] }},
		"SHA512": {flat(SHA512), func(m []byte) []byte { d := sha512.Sum512(m); return d[:] }},
		"SHA1":   {flat(SHA1), func(m []byte) []byte { d := sha1.Sum(m); return d[:] }},
	} {
		for _, count := range []int{0, 1, 2, 17, len(messages), len(long)} {
			digests := test.hash(long[:count])
			if len(digests) != count {
				t.Fatalf("%s: %d digests of %d messages", name, len(digests), count)
			}
			for i, digest := range digests {
				if !bytes.Equal(digest, test.oracle(long[i])) {
					t.Fatalf("%s of message %d", name, i)
				}
			}
		}
	}
}

// vectors reads the vectors of the C library's tests, messages and digests by the hash.
func vectors(t *testing.T) map[string][][2][]byte {
	code, err := os.ReadFile("../c/tests/vectors.h")
	if err != nil {
		t.Skip("the vectors are in the repository only")
	}
	joined := regexp.MustCompile(`"\s*"`).ReplaceAllString(string(code), "")
	all := make(map[string][][2][]byte)
	array := regexp.MustCompile(`(?s)(\w+)_vectors\[\] = \{(.*?)\n\};`)
	pair := regexp.MustCompile(`\{"([0-9a-f]*)",\s*"([0-9a-f]+)"\}`)
	for _, found := range array.FindAllStringSubmatch(joined, -1) {
		for _, texts := range pair.FindAllStringSubmatch(found[2], -1) {
			message, err := hex.DecodeString(texts[1])
			digest, other := hex.DecodeString(texts[2])
			if err != nil || other != nil {
				t.Fatal(found[1], err, other)
			}
			all[found[1]] = append(all[found[1]], [2][]byte{message, digest})
		}
	}
	return all
}

func TestPublishedVectors(t *testing.T) {
	all := vectors(t)
	for name, hash := range map[string]func([][]byte) [][]byte{
		"sha256": flat(SHA256), "sha512": flat(SHA512), "keccak256": flat(Keccak256),
		"sha3_256": flat(SHA3_256), "sha1": flat(SHA1), "ripemd160": flat(RIPEMD160),
		"hash160": flat(HASH160), "sumhash512": flat(Sumhash512),
	} {
		var messages [][]byte
		for _, vector := range all[name] {
			messages = append(messages, vector[0])
		}
		if len(messages) < 4 {
			t.Fatalf("%s has %d vectors", name, len(messages))
		}
		for i, digest := range hash(messages) {
			if !bytes.Equal(digest, all[name][i][1]) {
				t.Errorf("%s: vector %d", name, i)
			}
		}
	}
}

// advanced returns the messages after their steps, one hash a step.
func advanced(hash func([]byte) []byte, layout ChainLayout, messages []byte, steps []uint32) []byte {
	messages = bytes.Clone(messages)
	for i, steps := range steps {
		message := messages[i*layout.Length:][:layout.Length]
		for ; steps > 0; steps-- {
			digest := hash(message)
			copy(message[layout.Value[0]:layout.Value[1]], digest)
			for at := layout.Counter[1] - 1; at >= layout.Counter[0]; at-- {
				message[at]++
				if message[at] != 0 {
					break
				}
			}
		}
	}
	return messages
}

func TestChainsAgreeWithTheStandardLibrary(t *testing.T) {
	for _, test := range []struct {
		name    string
		chains  func(ChainLayout, []byte, []uint32) error
		oracle  func([]byte) []byte
		longest int
	}{
		{"SHA256", SHA256Chains, func(m []byte) []byte { d := sha256.Sum256(m); return d[:] }, 55},
		{"SHA512", SHA512Chains, func(m []byte) []byte { d := sha512.Sum512(m); return d[:] }, 111},
	} {
		for _, layout := range []ChainLayout{
			{Length: 32, Value: [2]int{0, 32}},
			{Length: 38, Value: [2]int{22, 38}, Counter: [2]int{18, 22}},
			{Length: test.longest, Value: [2]int{5, 25}, Counter: [2]int{0, 1}},
		} {
			for count := 0; count <= 40; count += 5 {
				messages, steps := bytesOf(count*layout.Length), make([]uint32, count)
				for i := range steps {
					steps[i] = uint32(i * 37 % 300)
				}
				expected := advanced(test.oracle, layout, messages, steps)
				if err := test.chains(layout, messages, steps); err != nil {
					t.Fatal(test.name, layout, err)
				}
				if !bytes.Equal(messages, expected) {
					t.Fatal(test.name, layout, count)
				}
			}
		}
		// The value is the whole message unless it is given.
		messages := bytesOf(20)
		expected := test.oracle(messages)[:20]
		if err := test.chains(ChainLayout{Length: 20}, messages, []uint32{1}); err != nil {
			t.Fatal(test.name, err)
		}
		if !bytes.Equal(messages, expected) {
			t.Fatal(test.name, "without a value")
		}
	}
}

func TestChainsOfSHAKE256(t *testing.T) {
	// From Python: hashlib.shake_256(bytes(32)).digest(32), and its hash in turn.
	expected := "f5977c8283546a63723bc31d2619124f11db4658643336741df81757d5ad3062" +
		"b64bc1b2dcc382de5163bac48b2c895e1b1e32c2eaf7ee7b8aa0cd50055eddc8"
	messages := make([]byte, 64)
	if err := SHAKE256Chains(ChainLayout{Length: 32}, messages, []uint32{1, 2}); err != nil {
		t.Fatal(err)
	}
	if hex.EncodeToString(messages) != expected {
		t.Fatalf("%x", messages)
	}
}

func TestWrongChainsAreRefused(t *testing.T) {
	for _, test := range []struct {
		layout ChainLayout
		length int
		text   string
	}{
		{ChainLayout{Length: 32}, 65, "2 chains have messages of 32 bytes each, not 65"},
		{ChainLayout{Length: 32}, 32, "2 chains have messages of 32 bytes each, not 32"},
		{ChainLayout{}, 64, "does not fit"},
		{ChainLayout{Length: -32}, 64, "does not fit"},
		{ChainLayout{Length: 32, Value: [2]int{0, 33}}, 64, "does not fit"},
		{ChainLayout{Length: 32, Value: [2]int{-1, 8}}, 64, "does not fit"},
		{ChainLayout{Length: 32, Value: [2]int{8, 7}}, 64, "does not fit"},
		{ChainLayout{Length: 32, Value: [2]int{8, 8}}, 64, "does not fit"},
		{ChainLayout{Length: 32, Value: [2]int{0, 8}, Counter: [2]int{8, 13}}, 64, "does not fit"},
		{ChainLayout{Length: 32, Value: [2]int{0, 8}, Counter: [2]int{-4, 0}}, 64, "does not fit"},
		{ChainLayout{Length: 32, Value: [2]int{0, 8}, Counter: [2]int{7, 9}}, 64, "does not fit"},
		{ChainLayout{Length: 32, Value: [2]int{0, 8}, Counter: [2]int{30, 33}}, 64, "does not fit"},
		{ChainLayout{Length: 136, Value: [2]int{0, 8}}, 272, "does not fit"},
	} {
		for _, chains := range []func(ChainLayout, []byte, []uint32) error{
			SHA256Chains, SHA512Chains, SHAKE256Chains,
		} {
			messages := make([]byte, test.length)
			err := chains(test.layout, messages, []uint32{1, 1})
			if err == nil || !strings.Contains(err.Error(), test.text) {
				t.Errorf("%v: %v", test.layout, err)
			}
			if !bytes.Equal(messages, make([]byte, test.length)) {
				t.Errorf("%v: the messages are written to", test.layout)
			}
		}
	}
}

func TestSSZRoots(t *testing.T) {
	chunks := chunksOf(4)
	expected := parents(parents(chunks))[0]
	for _, limit := range []uint64{0, 4} {
		root, err := SSZRoot(bytesOf(128), limit)
		if err != nil || root != expected {
			t.Fatalf("limit %d: %x, %v", limit, root, err)
		}
	}
	if root, err := SSZRoot(nil, 2); err != nil || root != sha256.Sum256(make([]byte, 64)) {
		t.Fatalf("%x, %v", root, err)
	}
	if _, err := SSZRoot(bytesOf(97), 3); err == nil {
		t.Fatal("more chunks than the limit are accepted")
	}
}

func TestGoroutinesHashSideBySide(t *testing.T) {
	messages := make([][]byte, 1000)
	for i := range messages {
		messages[i] = bytesOf(i)
	}
	expected := SHA256(messages)
	var group sync.WaitGroup
	for worker := 0; worker < 8; worker++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for round := 0; round < 20; round++ {
				for i, digest := range SHA256(messages) {
					if digest != expected[i] {
						t.Errorf("message %d", i)
						return
					}
				}
			}
		}()
	}
	group.Wait()
}

func TestTheLibraryHasAVersion(t *testing.T) {
	if !regexp.MustCompile(`^\d+\.\d+\.\d+`).MatchString(Version()) {
		t.Fatal(Version())
	}
}

func ExampleSHA256() {
	digests := SHA256([][]byte{[]byte("abc"), []byte("another")})
	fmt.Printf("%x\n", digests[0])
	// Output: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
}

func BenchmarkHash(b *testing.B) {
	chunks, digests := chunksOf(8192), make([][32]byte, 4096)
	b.SetBytes(int64(32 * len(chunks)))
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if err := Hash(digests, chunks); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHashInPlace(b *testing.B) {
	for _, count := range []int{1, 4, 16, 1024} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			chunks := chunksOf(2 * count)
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; i < b.N; i++ {
				HashChunks(chunks, chunks)
			}
		})
	}
}

func BenchmarkCryptoSHA256(b *testing.B) {
	chunks := chunksOf(8192)
	b.SetBytes(int64(32 * len(chunks)))
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		parents(chunks)
	}
}

func BenchmarkSHA256Messages(b *testing.B) {
	messages := make([][]byte, 10_000)
	for i := range messages {
		messages[i] = bytesOf(32)
	}
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		SHA256(messages)
	}
}

func BenchmarkCryptoSHA256Messages(b *testing.B) {
	messages := make([][]byte, 10_000)
	for i := range messages {
		messages[i] = bytesOf(32)
	}
	digests := make([][32]byte, len(messages))
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		for k, message := range messages {
			digests[k] = sha256.Sum256(message)
		}
	}
}
