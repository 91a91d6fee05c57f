"""Signed distance functions: f(x, y, z) is negative inside, in metres.

They need not be exact distances; near the surface they are close to it.
"""

import math

from .maths import along


def ellipsoid(centre, radii):
    cx, cy, cz = centre
    rx, ry, rz = radii
    ix, iy, iz = 1.0 / rx, 1.0 / ry, 1.0 / rz
    smallest = min(radii)
    sqrt = math.sqrt

    def distance(x, y, z):
        x, y, z = (x - cx) * ix, (y - cy) * iy, (z - cz) * iz
        k0 = sqrt(x * x + y * y + z * z)
        if k0 < 0.2:
            return (k0 - 1.0) * smallest
        x, y, z = x * ix, y * iy, z * iz
        return k0 * (k0 - 1.0) / sqrt(x * x + y * y + z * z)
    return distance


def cone(a, b, ra, rb):
    """A capsule whose radius goes from ra to rb."""
    ax, ay, az = a
    bx, by, bz = b[0] - ax, b[1] - ay, b[2] - az
    scale = 1.0 / (bx * bx + by * by + bz * bz)
    dr = rb - ra
    sqrt = math.sqrt

    def distance(x, y, z):
        x, y, z = x - ax, y - ay, z - az
        t = (x * bx + y * by + z * bz) * scale
        t = 0.0 if t < 0.0 else 1.0 if t > 1.0 else t
        x, y, z = x - t * bx, y - t * by, z - t * bz
        return sqrt(x * x + y * y + z * z) - ra - t * dr
    return distance


def chain(points, radii):
    """Cones one after the other, each joined to the next at equal radius."""
    links = [cone(a, b, ra, rb)
             for a, b, ra, rb in zip(points, points[1:], radii, radii[1:])]
    return lambda x, y, z: min([link(x, y, z) for link in links])


def half_space(point, outward):
    """What lies behind a plane."""
    nx, ny, nz = outward
    offset = point[0] * nx + point[1] * ny + point[2] * nz
    return lambda x, y, z: x * nx + y * ny + z * nz - offset


def soft_minimum(a, b, k):
    h = k - abs(a - b)
    if h <= 0.0:
        return a if a < b else b
    return (a if a < b else b) - h * h * 0.25 / k


def blend(k, *shapes):
    """Union with fillets of about the size k."""
    first, rest = shapes[0], shapes[1:]

    def distance(x, y, z):
        d = first(x, y, z)
        for shape in rest:
            e = shape(x, y, z)
            h = k - abs(d - e)
            if e < d:
                d = e
            if h > 0.0:
                d -= h * h * 0.25 / k
        return d
    return distance


def union(*shapes):
    return lambda x, y, z: min([shape(x, y, z) for shape in shapes])


def cut(k, shape, other):
    """Intersection with a rounded edge."""
    return lambda x, y, z: -soft_minimum(-shape(x, y, z), -other(x, y, z), k)


def carve(k, shape, tool):
    """A shape less a tool, with a rounded edge."""
    return lambda x, y, z: -soft_minimum(-shape(x, y, z), tool(x, y, z), k)


def grow(shape, amount):
    return lambda x, y, z: shape(x, y, z) - amount


def symmetric(shape):
    """The +X half of a shape, on both sides."""
    return lambda x, y, z: shape(abs(x), y, z)


def soft_symmetric(shape, softness):
    """As symmetric, but smooth where the two sides meet."""
    s = softness * softness
    sqrt = math.sqrt
    return lambda x, y, z: shape(sqrt(x * x + s), y, z)


def gradient(shape, p, step=1e-3):
    """The unit normal of the level surface through p."""
    x, y, z = p
    gx = shape(x + step, y, z) - shape(x - step, y, z)
    gy = shape(x, y + step, z) - shape(x, y - step, z)
    gz = shape(x, y, z + step) - shape(x, y, z - step)
    size = math.sqrt(gx * gx + gy * gy + gz * gz) or 1.0
    return (gx / size, gy / size, gz / size)


def hit(shape, origin, direction, reach):
    """The first point of the surface on a ray, or the end of the ray."""
    x, y, z = origin
    dx, dy, dz = direction
    t = 0.0
    for _ in range(200):
        d = shape(x + dx * t, y + dy * t, z + dz * t)
        if abs(d) < 1e-6 or t > reach:
            break
        t += d * 0.7
    t = min(t, reach)
    return (x + dx * t, y + dy * t, z + dz * t)


def project(shape, p, steps=3):
    for _ in range(steps):
        p = along(p, gradient(shape, p), -shape(*p))
    return p
