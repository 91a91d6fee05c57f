"""Small vector and quaternion algebra.

Vectors are tuples, quaternions (x, y, z, w), angles of public functions degrees.
Right-handed, +Y up; the figure faces +Z and its left hand is on the +X side.
"""

import math

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
IDENTITY = (0.0, 0.0, 0.0, 1.0)


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def along(a, direction, s):
    """The point s further from a in a direction."""
    return (a[0] + direction[0] * s, a[1] + direction[1] * s, a[2] + direction[2] * s)


def lerp(a, b, t):
    return (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a):
    return math.sqrt(dot(a, a))


def unit(a):
    size = length(a)
    return scale(a, 1.0 / size) if size > 0.0 else Y


def mirrored(a):
    """The same place on the other side of the body."""
    return (-a[0], a[1], a[2])


def clamp(value, low=0.0, high=1.0):
    return low if value < low else high if value > high else value


def smooth_step(low, high, value):
    t = clamp((value - low) / (high - low))
    return t * t * (3.0 - 2.0 * t)


def mix(a, b, t):
    return a + (b - a) * t


# ---------------------------------------------------------------------------
# Quaternions

def turn(axis, degrees):
    half = math.radians(degrees) * 0.5
    s = math.sin(half)
    return (axis[0] * s, axis[1] * s, axis[2] * s, math.cos(half))


def times(*quaternions):
    """Product; the last one is applied first."""
    x, y, z, w = quaternions[0]
    for bx, by, bz, bw in quaternions[1:]:
        x, y, z, w = (w * bx + x * bw + y * bz - z * by,
                      w * by - x * bz + y * bw + z * bx,
                      w * bz + x * by - y * bx + z * bw,
                      w * bw - x * bx - y * by - z * bz)
    return (x, y, z, w)


def inverse(q):
    return (-q[0], -q[1], -q[2], q[3])


def unit_quaternion(q):
    size = math.sqrt(sum(c * c for c in q))
    return tuple(c / size for c in q)


def rotate(q, v):
    axis = q[:3]
    t = scale(cross(axis, v), 2.0)
    return add(add(v, scale(t, q[3])), cross(axis, t))


def from_frame(ex, ey, ez):
    """The rotation that takes the axes X, Y, Z to three orthonormal vectors."""
    trace = ex[0] + ey[1] + ez[2]
    if trace > 0.0:
        s = 2.0 * math.sqrt(trace + 1.0)
        q = ((ey[2] - ez[1]) / s, (ez[0] - ex[2]) / s, (ex[1] - ey[0]) / s, 0.25 * s)
    elif ex[0] > ey[1] and ex[0] > ez[2]:
        s = 2.0 * math.sqrt(1.0 + ex[0] - ey[1] - ez[2])
        q = (0.25 * s, (ey[0] + ex[1]) / s, (ez[0] + ex[2]) / s, (ey[2] - ez[1]) / s)
    elif ey[1] > ez[2]:
        s = 2.0 * math.sqrt(1.0 + ey[1] - ex[0] - ez[2])
        q = ((ey[0] + ex[1]) / s, 0.25 * s, (ez[1] + ey[2]) / s, (ez[0] - ex[2]) / s)
    else:
        s = 2.0 * math.sqrt(1.0 + ez[2] - ex[0] - ey[1])
        q = ((ez[0] + ex[2]) / s, (ez[1] + ey[2]) / s, 0.25 * s, (ex[1] - ey[0]) / s)
    return unit_quaternion(q)


def frame_along(direction, reference):
    """A rotation whose Y lies along a direction and whose Z leans to a reference."""
    ey = unit(direction)
    ex = unit(cross(ey, reference))
    return from_frame(ex, ey, cross(ex, ey))
