#!/usr/bin/env python3
"""Draws the tree of each family over five leaves from the rule of the family.

    merkle/docs/shapes.py            writes the pictures next to shapes.md
    merkle/docs/shapes.py --check    checks that the existing pictures are up to date
"""

import sys
from pathlib import Path
from xml.sax.saxutils import escape

LEAVES = 5

# Pixels.
COLUMN = 92
ROW = 78
BOX = (80, 34)
LEFT = 104
RIGHT = 24
TOP = 108
BOTTOM = 30

STYLE = """
  .paper { fill: #ffffff; stroke: #d0d7de }
  text { fill: #1f2328; font: 13px sans-serif; text-anchor: middle }
  .title { font-size: 17px; font-weight: bold; text-anchor: start }
  .says { text-anchor: start }
  .level { fill: #57606a; text-anchor: start }
  .beside { text-anchor: start }
  .small { fill: #57606a; font-size: 11px }
  line { stroke: #57606a; stroke-width: 1.5 }
  .moves { stroke: #bc4c00; stroke-width: 2; stroke-dasharray: 5 3 }
  rect { stroke-width: 1.5 }
  .leaf { fill: #ddf4ff; stroke: #0969da }
  .node { fill: #f6f8fa; stroke: #57606a }
  .root { fill: #f6f8fa; stroke: #1f2328; stroke-width: 3 }
  .stand-in { fill: #fff1e5; stroke: #bc4c00; stroke-dasharray: 5 3 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; stroke: #30363d }
    text { fill: #e6edf3 }
    .level, .small { fill: #9198a1 }
    line { stroke: #9198a1 }
    .moves { stroke: #f0883e }
    .leaf { fill: #0c2d57; stroke: #58a6ff }
    .node { fill: #161b22; stroke: #9198a1 }
    .root { fill: #161b22; stroke: #e6edf3 }
    .stand-in { fill: #3d1e08; stroke: #f0883e }
  }
"""


class Node:
    """A box: its position, and the boxes below it that it is hashed from or promoted from."""

    def __init__(self, kind, label, level, index, covers=(), below=(), moved=False, note=""):
        self.kind, self.label, self.level, self.index = kind, label, level, index
        self.covers, self.below, self.moved, self.note = tuple(covers), below, moved, note

    @property
    def x(self):
        """The column from the left: the middle of all leaf positions below it."""
        return (self.index + 0.5) * 2**self.level - 0.5


def leaves():
    return [Node("leaf", f"leaf {i}", 0, i, [i]) for i in range(LEAVES)]


def padded(missing):
    """A node without a sibling is hashed with `missing(level)`."""

    def odd(node):
        stand_in = Node("stand-in", missing(node.level), node.level, node.index + 1)
        return stand_in, parent(node, stand_in)

    return odd


def duplicated(node):
    """A node without a sibling is hashed with itself."""
    copy = Node("stand-in", node.label, node.level, node.index + 1, node.covers, note="again")
    return copy, parent(node, copy)


def promoted(node):
    """A node without a sibling is promoted."""
    index = node.index // 2
    return None, Node(
        "stand-in", node.label, node.level + 1, index, node.covers, (node,), moved=True
    )


def parent(left, right):
    """The parent of two nodes, named after the leaves below it."""
    covers = sorted({*left.covers, *right.covers})
    if not covers:
        kind, label = "stand-in", "of zeros"
    elif len(covers) == 1:
        kind, label = "node", f"node {covers[0]}"
    else:
        kind, label = "node", f"node {covers[0]}–{covers[-1]}"
    return Node(kind, label, left.level + 1, left.index // 2, covers, (left, right))


def grow(nodes, odd, depth):
    """All boxes of the tree above these nodes, level by level."""
    boxes = list(nodes)
    for _ in range(depth):
        above = [parent(*pair) for pair in zip(nodes[::2], nodes[1::2])]
        if len(nodes) % 2:
            stand_in, last = odd(nodes[-1])
            boxes += [stand_in] if stand_in else []
            above.append(last)
        boxes += above
        nodes = above
    nodes[0].kind, nodes[0].label = "root", "root"
    return boxes


def subscript(number):
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))


def zero_subtree(level):
    return f"Z{subscript(level)}"


def ssz():
    return grow(leaves(), padded(zero_subtree), 3)


def ssz_limit():
    return grow(leaves(), padded(zero_subtree), 4)


def bitcoin():
    return grow(leaves(), duplicated, 3)


def rfc6962():
    return grow(leaves(), promoted, 3)


def bep52():
    zeros = [Node("stand-in", "zeros", 0, i) for i in range(LEAVES, 8)]
    return grow(leaves() + zeros, None, 3)


def algorand_tree():
    return grow(leaves(), padded(lambda level: "zeros"), 3)


def algorand_vector():
    boxes = []
    for position in range(8):
        bits = f"{position:03b}"
        element = int(bits[::-1], 2)
        is_leaf = element < LEAVES
        kind, label = ("leaf", f"leaf {element}") if is_leaf else ("stand-in", "bottom")
        covers = [element] if is_leaf else []
        boxes.append(Node(kind, label, 0, position, covers, note=f"position {bits}"))
    boxes = grow(boxes, None, 3)
    for box in boxes:
        if box.kind == "node":
            box.label = "node " + ",".join(map(str, box.covers))
    return boxes


def open_zeppelin():
    """A complete tree in an array, whose last nodes are the leaves, from the end backwards."""
    last = 2 * LEAVES - 2
    depth = (last + 1).bit_length() - 1
    boxes = {}
    for i in range(last, -1, -1):
        if 2 * i + 1 > last:
            at = (i + 1).bit_length() - 1
            position = (depth - at, i + 1 - 2**at)
            boxes[i] = Node("leaf", f"leaf {last - i}", *position, [last - i], note=f"nodes[{i}]")
        else:
            boxes[i] = parent(boxes[2 * i + 1], boxes[2 * i + 2])
            boxes[i].label = "node " + ",".join(map(str, boxes[i].covers))
    boxes[0].kind, boxes[0].label = "root", "root"
    return list(boxes.values())


# File, title, description, boxes.
FAMILIES = [
    (
        "ssz",
        "SSZ (Ethereum), a vector of 5 chunks",
        [
            "An odd node is hashed with the root of a subtree of zero chunks:",
            "Z₀ is a chunk of zeros, Z₁ = H(Z₀ Z₀), and so on.",
        ],
        ssz(),
    ),
    (
        "ssz-limit",
        "SSZ (Ethereum), a list of 5 chunks with a limit of 16",
        [
            "The limit determines the depth of the tree. Zero subtrees replace missing nodes.",
            "The length of the list is mixed in above this root.",
        ],
        ssz_limit(),
    ),
    (
        "bitcoin",
        "Bitcoin, 5 transactions",
        [
            "An odd node is hashed with itself, on every level that has one.",
            "Leaves and nodes are hashed with double SHA-256.",
        ],
        bitcoin(),
    ),
    (
        "rfc6962",
        "RFC 6962 and 9162 (Certificate Transparency), 5 entries",
        [
            "An odd node is promoted unchanged until it has a sibling.",
            "The prefix of a leaf is 0x00, that of a node is 0x01.",
        ],
        rfc6962(),
    ),
    (
        "bep52",
        "BEP 52 (BitTorrent v2), a file of 5 blocks",
        [
            "Leaves of 32 zero bytes pad the lowest level to a power of two.",
            "A leaf is the SHA-256 of a 16 KiB block. The last block may be shorter.",
        ],
        bep52(),
    ),
    (
        "algorand-tree",
        "Algorand, a tree of 5 elements",
        [
            "An odd node is hashed with zero bytes on every level,",
            "not with the root of zero leaves. The prefix of a node is “MA”.",
        ],
        algorand_tree(),
    ),
    (
        "algorand-vector",
        "Algorand, a vector commitment to 5 elements",
        [
            "Element i is at the position with the bits of i reversed.",
            "Positions without an element have the bottom leaf, H(“MB”).",
        ],
        algorand_vector(),
    ),
    (
        "open-zeppelin",
        "OpenZeppelin, a tree of 5 sorted leaves",
        [
            "The children of nodes[i] are nodes[2i + 1] and nodes[2i + 2].",
            "A node hashes the smaller of its children first.",
        ],
        open_zeppelin(),
    ),
]


def text(x, y, says, kind=None):
    """Text centred vertically at this height."""
    kind = f' class="{kind}"' if kind else ""
    return f'<text{kind} x="{x:g}" y="{y:g}" dy="0.35em">{escape(says)}</text>'


def draw(title, says, boxes):
    top_level = max(box.level for box in boxes)
    columns = 1 + max(max(box.x for box in boxes), 6)
    width = round(LEFT + columns * COLUMN + RIGHT)
    height = TOP + top_level * ROW + BOX[1] + BOTTOM

    def centre(box):
        return LEFT + (box.x + 0.5) * COLUMN, TOP + (top_level - box.level) * ROW + BOX[1] / 2

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(' '.join(says))}</desc>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        text(20, 28, title, "title"),
    ]
    for line, y in zip(says, (54, 74)):
        out.append(text(20, y, line, "says"))
    for level in range(top_level + 1):
        y = TOP + (top_level - level) * ROW + BOX[1] / 2
        out.append(text(20, y, f"level {level}", "level"))
    for box in boxes:
        x, y = centre(box)
        for below in box.below:
            to_x, to_y = centre(below)
            kind = ' class="moves"' if box.moved else ""
            start = f'x1="{x:g}" y1="{y + BOX[1] / 2:g}"'
            end = f'x2="{to_x:g}" y2="{to_y - BOX[1] / 2:g}"'
            out.append(f"<line{kind} {start} {end}/>")
    for box in boxes:
        x, y = centre(box)
        corner = f'x="{x - BOX[0] / 2:g}" y="{y - BOX[1] / 2:g}"'
        out.append(f'<rect class="{box.kind}" {corner} width="{BOX[0]}" height="{BOX[1]}" rx="6"/>')
        out.append(text(x, y, box.label))
        if box.note:
            out.append(text(x, y + BOX[1] / 2 + 10, box.note, "small"))
        if box.moved:
            to_x, to_y = centre(box.below[0])
            at_x, at_y = (x + to_x) / 2, (y + to_y) / 2
            out.append(text(at_x + 10, at_y + 6, "promoted", "small beside"))
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    folder = Path(__file__).resolve().parent
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    stale = []
    for name, title, says, boxes in FAMILIES:
        path = folder / f"{name}.svg"
        picture = draw(title, says, boxes)
        if not check:
            path.write_text(picture, encoding="utf-8", newline="\n")
        elif not path.exists() or path.read_text(encoding="utf-8") != picture:
            stale.append(path.name)
    if stale:
        sys.exit(f"out of date, run merkle/docs/shapes.py: {', '.join(stale)}")


main()
