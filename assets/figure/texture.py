"""Two small pictures, painted by formula and packed as PNG."""

import math
import struct
import zlib

from .maths import clamp, mix, smooth_step


def png(width, height, pixel):
    """An RGB picture; pixel(x, y) gives sRGB values of 0 to 1 for the middle of a pixel."""
    rows = bytearray()
    for y in range(height):
        row = bytearray()
        for x in range(width):
            row += bytes(int(clamp(c) * 255.0 + 0.5) for c in pixel((x + 0.5) / width,
                                                                    (y + 0.5) / height))
        rows.append(1)                     # filter "sub": differences to the left neighbour
        rows += row[:3] + bytes((row[i] - row[i - 3]) & 255 for i in range(3, len(row)))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data
            + struct.pack(">I", zlib.crc32(kind + data)))


def colour(text):
    """'#rrggbb' as three sRGB values."""
    return tuple(int(text[i:i + 2], 16) / 255.0 for i in (1, 3, 5))


def over(under, paint, amount):
    return tuple(mix(a, b, amount) for a, b in zip(under, paint))


# ---------------------------------------------------------------------------

def features():
    """The eye on the left half, white and the inside of the mouth on the right."""
    return png(128, 256, feature_pixel)


def feature_pixel(x, y):
    if x < 0.5:
        return eye_pixel((x - 0.25) / 0.235, (0.5 - y) / 0.485)
    if y < 0.5:
        return (1.0, 1.0, 1.0)
    return mouth_pixel((x - 0.75) / 0.22, (0.95 - y) / 0.40)


def eye_pixel(u, v):
    """u and v run from -1 to 1 over the eye; v upwards."""
    r = math.hypot(u, v)
    paint = over(colour("#a8622a"), colour("#38190c"), smooth_step(-0.75, 0.45, v))
    glow = math.exp(-((u / 0.55) ** 2 + ((v + 0.62) / 0.30) ** 2))
    paint = over(paint, colour("#e8a552"), 0.75 * glow)
    pupil = math.hypot(u / 0.50, (v - 0.04) / 0.52)
    paint = over(paint, colour("#140a08"), 1.0 - smooth_step(0.82, 1.06, pupil))
    paint = over(paint, colour("#1a0d0a"), smooth_step(0.78, 0.93, r))
    return over(paint, colour("#1a0d0a"), smooth_step(0.45, 0.80, v) * 0.9)


def mouth_pixel(u, v):
    """u from -1 to 1 across the mouth, v from 0 (lower lip) to 1."""
    paint = over(colour("#7d2430"), colour("#4d1420"), smooth_step(0.2, 0.8, v))
    tongue = math.hypot(u / 0.62, (v - 0.10) / 0.34)
    paint = over(paint, colour("#d9707c"), 1.0 - smooth_step(0.85, 1.05, tongue))
    teeth = smooth_step(0.62, 0.66, v - 0.06 * u * u) * (1.0 - smooth_step(0.80, 0.88, abs(u)))
    paint = over(paint, colour("#fff7ee"), teeth)
    lip = max(1.0 - smooth_step(0.04, 0.08, v), smooth_step(0.90, 0.94, v))
    return over(paint, colour("#6b2a22"), lip)


def knit():
    """Ribs and stripes of the scarf; repeats in both directions."""
    return png(64, 64, knit_pixel)


def knit_pixel(x, y):
    """y runs along the scarf."""
    stripe = smooth_step(0.60, 0.63, y) - smooth_step(0.83, 0.86, y)
    paint = over(colour("#d9482f"), colour("#f3dfba"), stripe)
    column = x * 6.0
    slant = abs((column % 1.0) - 0.5)                 # stitches are little V shapes
    stitch = ((y * 12.0 + slant * 1.1) % 1.0)
    shade = 0.16 * smooth_step(0.32, 0.5, slant)
    shade += 0.13 * smooth_step(0.55, 0.95, abs(stitch - 0.5) * 2.0)
    return over(paint, (0.20, 0.05, 0.06), shade)
