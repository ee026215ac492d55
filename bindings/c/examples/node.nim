## Hashes a level of a Merkle tree:
## nim c --passL:-lhashlanes node.nim
import std/strutils

type
  Status {.importc: "enum hashlanes_status", header: "hashlanes.h".} = cint
  ## A string that the library owns.
  Text {.importc: "const char *", nodecl.} = cstring
  Node = array[64, uint8]
  Digest = array[32, uint8]

let ok {.importc: "HASHLANES_OK", header: "hashlanes.h".}: Status

proc sha256Nodes(input: ptr uint8, count: csize_t, digests: ptr uint8): Status
  {.importc: "hashlanes_sha256_nodes", header: "hashlanes.h".}
proc backend(): Text {.importc: "hashlanes_backend", header: "hashlanes.h".}
proc strerror(status: int32): Text {.importc: "hashlanes_strerror", header: "hashlanes.h".}

proc hashed(nodes: openArray[Node]): seq[Digest] =
  ## The digest of each node. An array of arrays has no gaps, so C can read it.
  if nodes.len == 0:
    return
  result = newSeq[Digest](nodes.len)
  let status = sha256Nodes(unsafeAddr nodes[0][0], csize_t(nodes.len), addr result[0][0])
  if status != ok:
    raise newException(ValueError, $strerror(int32(status)))

var nodes: array[4, Node]
for i, node in nodes.mpairs:
  for b in node.mitems:
    b = uint8(i)
let parents = hashed(nodes)
echo "kernels: ", backend()
for b in parents[0]:
  stdout.write(toHex(b).toLowerAscii)
echo ""
