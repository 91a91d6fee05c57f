"""Clothes, boots and hands: the meshes below the head."""

import math

from . import weights
from .body_shapes import (BOOTS, BOOT_LEFT, BOOT_TOP, CUFF, FOOT, HAND, HEM, JACKET, LEG, SOLE,
                          TORSO, TROUSERS)
from .maths import X, Y, Z, along, scale, unit
from .mesh import without_hidden
from .shapes import chain, cone, cut, ellipsoid, grow, half_space, hit
from .skeleton import ELBOW, FOREARM, KNEE, SHOULDER, WRIST
from .surface import band, grid_mesh, isosurface, patch, sweep


def build():
    """Everything below the head, by material."""
    parts = {}
    jacket_parts(parts)
    leg_parts(parts)
    both(parts, "skin", hand_mesh(), weights.hand)
    return parts


def put(parts, material, mesh, weigh):
    mesh.weights = [weigh(p) for p in mesh.positions]
    parts.setdefault(material, []).append(mesh)


def both(parts, material, mesh, weigh):
    put(parts, material, mesh, weigh)
    put(parts, material, mesh.mirrored(), weigh)


def bending(joint):
    """More vertices where the sleeve or the trouser leg bends round a joint."""
    def detail(place):
        away = math.dist((abs(place[0]), place[1], place[2]), joint) / 0.085
        return 1.0 + 7.0 * math.exp(-away * away)
    return detail


def jacket_parts(parts):
    jacket = isosurface(JACKET, (-0.52, 0.70, -0.20), (0.52, 1.30, 0.20), 0.0220, 800,
                        softness=0.006, detail=bending(ELBOW))
    neck = ellipsoid((0.0, 1.275, -0.008), (0.085, 0.055, 0.085))
    legs = grow(TROUSERS, -0.012)
    put(parts, "jacket", without_hidden(jacket, 0.0, neck, legs), weights.jacket)
    put(parts, "trim", hem_band(), weights.jacket)
    put(parts, "leather", belt(), weights.jacket)
    put(parts, "brass", buckle(), weights.jacket)
    put(parts, "trim", placket(), weights.jacket)
    for height in (1.135, 1.055, 0.985, 0.860):
        put(parts, "brass", button(height), weights.jacket)
    both(parts, "trim", cuff(), weights.arm)
    both(parts, "jacket", pocket(), weights.jacket)


def hem_band():
    profile = rounded_profile(-0.004, 0.034, 0.008)
    return band(TORSO, (0.0, HEM, 0.0), Y, X, profile, 26)


def rounded_profile(start, width, height, sink=0.006):
    """A band that rises from below the surface, runs flat and sinks again."""
    return [(start - 0.001, -sink), (start + width * 0.08, height * 0.85),
            (start + width * 0.5, height), (start + width * 0.92, height * 0.85),
            (start + width + 0.001, -sink)]


def belt():
    return band(TORSO, (0.0, 0.905, 0.0), Y, X, rounded_profile(0.0, 0.040, 0.010), 26)


def buckle():
    """A rounded square frame on the belt, at the front."""
    size, bar = 0.027, 0.0055
    count = 20
    centres, sides, ups = [], [], []
    for i in range(count + 1):
        angle = 2.0 * math.pi * i / count
        c, s = math.cos(angle), math.sin(angle)
        power = 0.45
        x = math.copysign(abs(c) ** power, c) * size
        y = math.copysign(abs(s) ** power, s) * size * 0.92
        outward = unit((c, s, 0.0))
        surface_point = hit(grow(TORSO, 0.011), (x, 0.925 + y, 0.3), (0.0, 0.0, -1.0), 0.4)
        centres.append(surface_point)
        sides.append(outward)
        ups.append(Z)
    ring = [(math.cos(a), math.sin(a)) for a in (math.pi * 0.4 * k for k in range(5))]
    section = [(bar * c, bar * s) for c, s in ring]
    return sweep(centres, sides, ups, lambda i: section[::-1])


def placket():
    """The strip down the front that carries the buttons."""
    columns = [(-0.024, -0.006), (-0.0225, 0.003), (-0.016, 0.005), (0.016, 0.005),
               (0.0225, 0.003), (0.024, -0.006)]
    heights = [HEM + 0.004 + i * (1.235 - HEM) / 9 for i in range(10)]
    points = [[(x, y, 0.0) for x, _ in columns] for y in heights]
    raised = [[h for _, h in columns] for _ in heights]
    return patch(TORSO, points, raised, (0.0, 0.0, -1.0), 0.3)


def button(height):
    return dome(TORSO, (0.0, height, 0.0), (0.0, 0.0, -1.0), X, Y, 0.0105, 0.0045, 0.009)


def dome(shape, centre, direction, side, up, radius, base, rise):
    """A little round cap on a shape."""
    steps = 8
    rings = [(1.0, base - 0.003), (0.9, base + rise * 0.6), (0.5, base + rise * 0.92),
             (0.0, base + rise)]
    points, heights = [], []
    for size, height in rings:
        row = []
        for i in range(steps + 1):
            a = 2.0 * math.pi * (i % steps) / steps
            row.append(along(along(centre, side, radius * size * math.cos(a)),
                             up, radius * size * math.sin(a)))
        points.append(row)
        heights.append([height] * (steps + 1))
    return patch(shape, points, heights, direction, 0.3, closed=True)


def cuff():
    sleeve = chain([SHOULDER, ELBOW, along(WRIST, FOREARM, 0.05)], [0.066, 0.054, 0.0525])
    profile = [(-0.046, -0.005), (-0.042, 0.007), (-0.024, 0.0105), (-0.003, 0.009),
               (0.004, 0.000), (-0.008, -0.020)]
    return band(sleeve, CUFF, FOREARM, Z, profile, 15, 0.12)


def pocket():
    """A slanted flap on the skirt of the jacket."""
    columns = [(-0.036, -0.005), (-0.034, 0.004), (-0.022, 0.006), (0.0, 0.0065), (0.022, 0.006),
               (0.034, 0.004), (0.036, -0.005)]
    rows = [(0.0, -0.005), (0.002, 0.7), (0.012, 1.0), (0.028, 1.0), (0.036, 0.8), (0.038, -0.005)]
    points, heights = [], []
    for down, factor in rows[::-1]:
        points.append([(0.098 + x + down * 0.1, 0.868 - down - x * 0.25, 0.0) for x, _ in columns])
        heights.append([h if h < 0.0 else factor if factor < 0.0 else h * factor
                        for _, h in columns])
    return patch(TORSO, points, heights, (0.0, 0.0, -1.0), 0.3)


def leg_parts(parts):
    trousers = isosurface(TROUSERS, (-0.24, 0.20, -0.16), (0.24, 0.93, 0.16), 0.0240, 450,
                          softness=0.012, detail=bending(KNEE))
    inner_jacket = grow(JACKET, -0.020)
    boots = grow(BOOTS, -0.004)
    put(parts, "trousers", without_hidden(trousers, 0.0, inner_jacket, boots), weights.trousers)
    boot = isosurface(BOOT_LEFT, (0.0, 0.0, -0.14), (0.22, 0.33, 0.22), 0.0180, 235, softness=0.004)
    boot = without_hidden(boot, 0.004, LEG, half_space((0.0, SOLE, 0.0), Y))
    both(parts, "leather", boot, weights.boots)
    both(parts, "trim", boot_cuff(), weights.boots)
    both(parts, "sole", sole(), weights.boots)
    both(parts, "belt", boot_strap(), weights.boots)


def boot_cuff():
    profile = [(-0.040, -0.004), (-0.036, 0.009), (-0.018, 0.0145), (0.002, 0.011),
               (0.008, 0.001), (0.002, -0.014)]
    shaft = cone((0.099, 0.100, -0.024), (0.0965, 0.36, 0.002), 0.058, 0.072)
    return band(shaft, (0.097, BOOT_TOP, -0.004), Y, X, profile, 17, 0.15)


def boot_strap():
    axis = unit((0.0, 1.0, -0.35))
    profile = rounded_profile(-0.009, 0.020, 0.005)
    return band(BOOT_LEFT, (0.100, 0.118, -0.010), axis, X, profile, 14, 0.16)


def sole_outline(count):
    """The edge of the sole, seen from above, as (x, z) round a middle line."""
    outline = cut(0.004, grow(FOOT, 0.004), half_space((0.0, 0.12, 0.0), Y))
    points = []
    for i in range(count):
        angle = 2.0 * math.pi * i / count
        out = (math.cos(angle) * 0.62, 0.0, -math.sin(angle))
        out = unit(out)
        middle = (0.105, 0.045, 0.030)
        p = hit(outline, along(middle, out, 0.25), scale(out, -1.0), 0.25)
        points.append((p[0], p[2]))
    return points


def sole():
    """A thick sole that follows the edge of the boot, turned up a little at the toe."""
    edge = sole_outline(22)
    middle = (0.105, 0.030)
    rings = [(0.0, 0.0), (0.92, 0.0), (1.0, 0.006), (1.02, 0.016), (1.0, 0.031), (0.55, 0.035)]
    rows = []
    for size, height in rings:
        row = []
        for i in range(len(edge) + 1):
            x, z = edge[i % len(edge)]
            x, z = middle[0] + (x - middle[0]) * size, middle[1] + (z - middle[1]) * size
            spring = 0.014 * max(0.0, (z - 0.085) / 0.09) ** 2
            row.append((x, height + spring, z))
        rows.append(row)
    return grid_mesh(rows, close_columns=True)


def hand_mesh():
    low = [0.40, 0.68, -0.075]
    high = [0.64, 0.94, 0.11]
    hand = isosurface(HAND, low, high, 0.0050, 370)
    return without_hidden(hand, 0.004, half_space(along(WRIST, FOREARM, -0.018), FOREARM))
