"""What the tests of pictures share: PNG files as rows of pixels, and back."""
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    assert data[:8] == SIGNATURE, "not a PNG"
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        crc = struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0]
        assert zlib.crc32(kind + body) == crc, "wrong checksum in %s" % kind
        yield kind, body
        at += 12 + size


def unfilter(kind, line, above, step):
    if kind == 1:
        for k in range(step, len(line)):
            line[k] = (line[k] + line[k - step]) & 255
    elif kind == 2:
        for k, b in enumerate(above):
            line[k] = (line[k] + b) & 255
    elif kind == 3:
        for k in range(len(line)):
            left = line[k - step] if k >= step else 0
            line[k] = (line[k] + (left + above[k]) // 2) & 255
    elif kind == 4:
        for k in range(len(line)):
            a, b = (line[k - step] if k >= step else 0), above[k]
            c = above[k - step] if k >= step else 0
            p, q, r = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            line[k] = (line[k] + (a if p <= q and p <= r else b if q <= r else c)) & 255
    return line


class Picture:
    """pixel(x, y) is (r, g, b, a), 0 0 at the upper left."""

    def __init__(self, data):
        body, self.kinds = b"", []
        for kind, part in chunks(data):
            self.kinds.append(kind)
            if kind == b"IHDR":
                self.width, self.height, depth, color = struct.unpack(">IIBB", part[:10])
                assert depth == 8 and color in (2, 6)
                self.step = 3 if color == 2 else 4
            elif kind == b"IDAT":
                body += part
        raw, stride = zlib.decompress(body), self.width * self.step
        self.rows, above = [], bytearray(stride)
        for y in range(self.height):
            at = y * (stride + 1)
            above = unfilter(raw[at], bytearray(raw[at + 1:at + 1 + stride]), above, self.step)
            self.rows.append(above)

    def pixel(self, x, y):
        at = self.step * x
        found = tuple(self.rows[y][at:at + self.step])
        return found if self.step == 4 else found + (255,)

    def pixels(self):
        for y in range(self.height):
            for x in range(self.width):
                yield self.pixel(x, y)

    def box(self):
        """Left, top, right, bottom (exclusive) of what is not clear; None: nothing is."""
        assert self.step == 4, "the picture has no alpha"
        seen = [(x, y) for y in range(self.height) for x in range(self.width)
                if self.rows[y][4 * x + 3]]
        if not seen:
            return None
        xs, ys = [p[0] for p in seen], [p[1] for p in seen]
        return min(xs), min(ys), max(xs) + 1, max(ys) + 1

    def mean(self):
        """Red, green and blue, averaged over what is wholly opaque."""
        seen = [p for p in self.pixels() if p[3] == 255]
        return [sum(p[k] for p in seen) / max(len(seen), 1) for k in range(3)]


def differing(a, b, tolerance):
    """How many pixels differ by more than tolerance in a channel."""
    assert (a.width, a.height) == (b.width, b.height)
    return sum(any(abs(x - y) > tolerance for x, y in zip(p, q))
               for p, q in zip(a.pixels(), b.pixels()))


def png(rows):
    """A PNG of rows of (r, g, b, a)."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    raw = b"".join(b"\0" + bytes(sum(map(list, row), [])) for row in rows)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")
