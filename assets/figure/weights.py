"""Skin weights as functions of the place in the bind pose.

Parts that lie on each other get the same weights where they touch, so that they move as one.
Every function returns {joint: weight}; trimmed() makes four of them that sum exactly to 255.
"""

from .body_shapes import SLEEVE, TORSO, hand_coordinates, thumb_nearness
from .maths import add, dot, smooth_step, sub, unit
from .skeleton import ARM, BALL, ELBOW, FOREARM, JOINTS, KNEE, SHOULDER, other_side

UNITS = 255           # weights are stored as normalised unsigned bytes
INFLUENCES = 4


def trimmed(weights):
    """The four largest weights as [(joint, units)], largest first."""
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:INFLUENCES]
    total = sum(weight for _, weight in ranked)
    shares = [(joint, weight / total * UNITS) for joint, weight in ranked]
    units = [[joint, int(share)] for joint, share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda i: (units[i][1] - shares[i][1], i))
    for i in by_remainder[:UNITS - sum(count for _, count in units)]:
        units[i][1] += 1
    units = [(joint, count) for joint, count in units if count > 0]
    return sorted(units, key=lambda item: -item[1])


def spread(result, part, share):
    for joint, weight in part.items():
        if weight * share > 0.0:
            result[joint] = result.get(joint, 0.0) + weight * share


def blended(first, second, t):
    result = {}
    spread(result, first, 1.0 - t)
    spread(result, second, t)
    return result


def on_side(weights, x):
    """Weights found for the left, named for the side that x is on."""
    return weights if x >= 0.0 else {other_side(joint): w for joint, w in weights.items()}


def graded(value, names, borders):
    """Along a chain: names[i + 1] takes over round borders[i] = (place, half width)."""
    reached = [1.0] + [smooth_step(b - h, b + h, value) for b, h in borders] + [0.0]
    for i in range(1, len(reached)):
        reached[i] = min(reached[i], reached[i - 1])
    return {name: reached[i] - reached[i + 1] for i, name in enumerate(names)
            if reached[i] > reached[i + 1]}


# ---------------------------------------------------------------------------

def trunk(y):
    return graded(y, ["hips", "spine_1", "spine_2", "chest"],
                  [(0.890, 0.095), (1.000, 0.100), (1.105, 0.095)])


def leg(p):
    """The leg on the side of p."""
    x, y, z = p
    weights = graded(-y, ["thigh_l", "shin_l", "foot_l"], [(-KNEE[1], 0.065), (-0.120, 0.040)])
    foot = weights.pop("foot_l", 0.0)
    toes = foot * smooth_step(BALL[2] - 0.030, BALL[2] + 0.030, z)
    spread(weights, {"foot_l": foot - toes, "toes_l": toes}, 1.0)
    return on_side(weights, x)


def both_legs(p, softness):
    """Between the legs both count."""
    x, y, z = p
    left = smooth_step(-softness, softness, x)
    return blended(leg((-abs(x) - 1e-6, y, z)), leg((abs(x) + 1e-6, y, z)), left)


def trousers(p):
    share = smooth_step(-0.085, 0.085, 0.775 - p[1])
    return blended(trunk(p[1]), both_legs(p, 0.030), share)


def boots(p):
    return leg(p)


def arm(p):
    """Upper arm to wrist, on the side of p."""
    x, y, z = p
    q = (abs(x), y, z)
    elbow = smooth_step(-0.055, 0.055, dot(sub(q, ELBOW), unit(add(ARM, FOREARM))))
    twist = smooth_step(0.030, 0.185, dot(sub(q, ELBOW), FOREARM))
    lower = {"forearm_l": 1.0 - twist, "forearm_twist_l": twist}
    return on_side(blended({"upper_arm_l": 1.0}, lower, elbow), x)


def shoulders(p):
    """The trunk with its collar bones."""
    x, y, _ = p
    share = 0.85 * smooth_step(0.020, 0.135, abs(x)) * smooth_step(1.080, 1.190, y)
    return blended(trunk(y), on_side({"clavicle_l": 1.0}, x), share)


def jacket(p):
    x, y, z = p
    q = (abs(x), y, z)
    past_shoulder = smooth_step(-0.070, 0.080, dot(sub(q, SHOULDER), ARM))
    nearer_arm = smooth_step(-0.028, 0.050, TORSO(*q) - SLEEVE(*q))
    upper = blended(shoulders(p), arm(p), past_shoulder * nearer_arm)
    skirt = 0.60 * smooth_step(-0.085, 0.060, 0.775 - y) * (1.0 - nearer_arm * past_shoulder)
    return blended(upper, both_legs(p, 0.130), skirt)


def hand(p):
    x, y, z = p
    reach, to_thumb, _ = hand_coordinates((abs(x), y, z))
    index_share = smooth_step(0.022, 0.030, to_thumb)
    knuckles = [(0.078, 0.014), (0.110, 0.013)]
    index = graded(reach, ["hand_l", "index_1_l", "index_2_l"], knuckles)
    others = graded(reach, ["hand_l", "fingers_1_l", "fingers_2_l"], knuckles)
    weights = blended(others, index, index_share)
    thumb = graded(reach, ["hand_l", "thumb_1_l", "thumb_2_l"], [(0.030, 0.014), (0.060, 0.010)])
    weights = blended(weights, thumb, thumb_nearness((abs(x), y, z)))
    weights = blended({"forearm_twist_l": 1.0}, weights, smooth_step(-0.022, 0.018, reach))
    return on_side(weights, x)


def head(p):
    return graded(p[1], ["chest", "neck", "head"], [(1.250, 0.030), (1.318, 0.028)])


def scarf_wrap(p):
    neck = 0.75 * smooth_step(1.245, 1.335, p[1])
    base = blended({"chest": 1.0}, on_side({"clavicle_l": 1.0}, p[0]),
                   0.35 * smooth_step(0.02, 0.14, abs(p[0])))
    return blended(base, {"neck": 1.0}, neck)


def scarf_tail(names):
    """Along a hanging chain, by height; its upper end is held by the chest."""
    borders = [(-JOINTS[names[0]].place[1] - 0.004, 0.030)]
    borders += [(-JOINTS[name].place[1], 0.048) for name in names[1:]]
    return lambda p: graded(-p[1], ["chest"] + names, borders)
