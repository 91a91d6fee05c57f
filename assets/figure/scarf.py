"""The scarf: two turns round the neck and two tails with joints of their own."""

import math

from . import weights
from .maths import X, Z, along, cross, sub, unit
from .skeleton import JOINTS
from .surface import curve, sweep


LONG_TAIL = ["scarf_1", "scarf_2", "scarf_3", "scarf_4"]
SHORT_TAIL = ["scarf_short_1", "scarf_short_2"]


def build():
    made = [weighed(turn_of_scarf(1.262, 0.112, 0.104, 0.050, 0.034, 0.2, 0.014),
                    weights.scarf_wrap),
            weighed(turn_of_scarf(1.305, 0.098, 0.094, 0.040, 0.030, 2.6, -0.012),
                    weights.scarf_wrap),
            weighed(knot(), weights.scarf_wrap),
            weighed(tail(LONG_TAIL, 0.105, 0.058), weights.scarf_tail(LONG_TAIL)),
            weighed(tail(SHORT_TAIL, 0.11, 0.052), weights.scarf_tail(SHORT_TAIL))]
    return {"scarf": made}


def weighed(mesh, weigh):
    mesh.weights = [weigh(p) for p in mesh.positions]
    return mesh


def turn_of_scarf(height, wide, deep, thick, half_height, phase, tilt):
    """A closed roll of cloth, with soft folds, higher at the back."""
    steps, around = 30, 9
    centres, sides, ups = [], [], []
    for i in range(steps + 1):
        a = 2.0 * math.pi * (i % steps) / steps
        sway = 0.006 * math.sin(3.0 * a + phase) + 0.003 * math.sin(7.0 * a + 2.0 * phase)
        lift = height + tilt * math.cos(a + phase) - 0.012 * math.cos(a) + sway * 0.6
        centres.append((math.sin(a) * (wide + sway), lift, math.cos(a) * (deep + sway) - 0.010))
        sides.append((math.sin(a), 0.0, math.cos(a)))
        ups.append((0.0, -1.0, 0.0))

    def section(i):
        a = 2.0 * math.pi * (i % steps) / steps
        fold = 1.0 + 0.10 * math.sin(5.0 * a + phase) + 0.06 * math.sin(11.0 * a)
        return [(thick * 0.75 * fold * math.cos(t) * (1.0 + 0.10 * math.cos(3.0 * t + 2.0 * a)),
                 half_height * math.sin(t) * (1.0 + 0.10 * math.sin(2.0 * t + 3.0 * a)))
                for t in (2.0 * math.pi * k / around for k in range(around))]
    return sweep(centres, sides, ups, section, [8.0 * i / steps for i in range(steps + 1)])


def knot():
    centre, steps, around = (0.020, 1.268, -0.128), 6, 9
    centres, sides, ups = [], [], []
    for i in range(steps + 1):
        t = 2.0 * i / steps - 1.0
        centres.append(along(centre, X, 0.046 * t))
        sides.append(Z)
        ups.append((0.0, -1.0, 0.0))

    def section(i):
        t = 2.0 * i / steps - 1.0
        size = math.sqrt(max(0.0, 1.0 - t * t)) + 1e-3
        return [(0.034 * size * math.cos(a), 0.038 * size * math.sin(a))
                for a in (2.0 * math.pi * k / around for k in range(around))]
    return sweep(centres, sides, ups, section, [1.5 * i / steps for i in range(steps + 1)])


def tail(names, last_length, half_width):
    """A strip of cloth along a chain of joints, thick enough to be seen edge-on."""
    places = [JOINTS[name].place for name in names]
    aim = JOINTS[names[-1]].aim
    places.append(along(places[-1], unit(aim), last_length))
    per_joint = 3
    line = curve(places, per_joint)
    centres, sides, ups = [], [], []
    for i, p in enumerate(line):
        ahead = unit(sub(line[min(i + 1, len(line) - 1)], line[max(i - 1, 0)]))
        side = unit(cross(ahead, (0.0, 0.25, -1.0)))
        centres.append(p)
        sides.append(side)
        ups.append(cross(ahead, side))
    # round off the end: one more ring, nearly closed
    centres.append(along(centres[-1], unit(sub(line[-1], line[-2])), 0.006))
    sides.append(sides[-1])
    ups.append(ups[-1])
    last = len(centres) - 1

    def section(i):
        t = min(i / (last - 1), 1.0)
        width = half_width * (0.62 + 0.38 * min(1.0, t * 2.2))
        thick = 0.011 if i < last else 0.002
        wave = 0.006 * math.sin(6.0 * t)
        return [(s * width, u * thick + wave * s * s) for s, u in STRIP]
    return sweep(centres, sides, ups, section, [0.55 * i for i in range(last + 1)])


STRIP = [(1.0, 0.0), (0.92, 0.8), (0.5, 1.0), (0.0, 1.0), (-0.5, 1.0), (-0.92, 0.8),
         (-1.0, 0.0), (-0.92, -0.8), (-0.5, -1.0), (0.0, -1.0), (0.5, -1.0), (0.92, -0.8)]
