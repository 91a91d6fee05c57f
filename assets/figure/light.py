"""Vertex colours: soft shadows in the folds of the bind pose, and a little blush."""

import math

from . import body_shapes as body, head
from .maths import clamp, mix, smooth_step
from .shapes import ellipsoid, union

REACHES = (0.012, 0.030, 0.060, 0.110)   # metres along the normal
STRENGTH = 0.85
DARKEST = 0.42
BLUSH = ((0.084, 1.428, 0.118), 0.046, (1.0, 0.60, 0.56))


def shaded(parts):
    """Fill in the colours of every mesh."""
    occluders = scene()
    for materials in parts.values():
        for material, meshes in materials.items():
            for mesh in meshes:
                plain = material == "features"
                mesh.colours = [colour(material, p, 1.0 if plain else openness(occluders, p, n))
                                for p, n in zip(mesh.positions, mesh.normals)]


def scene():
    """(lowest, highest, shape) of everything that can cast a shadow."""
    scarf = union(ellipsoid((0.0, 1.262, -0.010), (0.150, 0.036, 0.142)),
                  ellipsoid((0.0, 1.302, -0.010), (0.130, 0.030, 0.126)))
    return [(body.HEM, 1.28, body.JACKET), (0.20, 0.92, body.TROUSERS), (0.0, 0.31, body.BOOTS),
            (0.68, 0.92, body.HANDS), (1.24, 1.70, head.HEAD), (1.33, 1.76, head.HAIR),
            (1.21, 1.34, scarf)]


def openness(occluders, p, n):
    """1 in the open, less where something is near in front of the surface."""
    hidden = 0.0
    for i, reach in enumerate(REACHES):
        x, y, z = (p[k] + n[k] * reach for k in range(3))
        nearest = reach
        for low, high, shape in occluders:
            if low - reach < y < high + reach:
                nearest = min(nearest, shape(x, y, z))
        hidden += max(0.0, reach - nearest) / reach * 0.5 ** i
    return clamp(1.0 - STRENGTH * hidden * 0.62, DARKEST, 1.0)


def colour(material, p, light):
    red = green = blue = light
    if material == "skin":
        light = mix(1.0, light, 0.55)
        shade = 1.0 - light
        red = light
        green, blue = light - 0.18 * shade, light - 0.25 * shade     # shadows of skin are warm
        centre, size, tint = BLUSH
        d = math.dist((abs(p[0]), p[1], p[2]), centre)
        amount = 0.75 * (1.0 - smooth_step(0.0, size, d))
        green, blue = green * mix(1.0, tint[1], amount), blue * mix(1.0, tint[2], amount)
    return tuple(int(clamp(c) * 255.0 + 0.5) for c in (red, green, blue)) + (255,)
