"""The shapes below the head: jacket, trousers, boots, hands."""

from .maths import Y, along, dot, smooth_step, sub
from .shapes import (blend, chain, cone, cut, ellipsoid, half_space, soft_symmetric, symmetric)
from .skeleton import (ELBOW, FOREARM, HIP, KNEE, PALM, SHOULDER, THUMB_SIDE, WRIST, in_hand)

HEM = 0.735                  # height of the lower edge of the jacket
CUFF = along(WRIST, FOREARM, -0.012)
BOOT_TOP = 0.300
SOLE = 0.024                 # the underside of the boot; the sole covers it

TORSO = blend(
    0.06,
    ellipsoid((0.0, 1.120, -0.006), (0.160, 0.150, 0.112)),
    ellipsoid((0.0, 0.980, 0.002), (0.136, 0.150, 0.108)),
    ellipsoid((0.0, 0.780, 0.000), (0.181, 0.185, 0.146)),
    cone((-0.07, 1.205, -0.012), (0.07, 1.205, -0.012), 0.070, 0.070))
SLEEVE = chain([(0.110, 1.203, -0.010), SHOULDER, ELBOW, CUFF],
               [0.066, 0.066, 0.054, 0.053])
SLEEVES = symmetric(cut(0.012, SLEEVE, half_space(CUFF, FOREARM)))
JACKET = cut(0.016, blend(0.05, TORSO, SLEEVES), half_space((0.0, HEM, 0.0), (0.0, -1.0, 0.0)))

LEG = chain([HIP, (0.090, 0.600, 0.012), KNEE, (0.096, 0.340, 0.004), (0.098, 0.240, -0.006)],
            [0.086, 0.078, 0.066, 0.070, 0.056])
TROUSERS = blend(0.05, soft_symmetric(LEG, 0.006),
                 ellipsoid((0.0, 0.82, 0.0), (0.140, 0.09, 0.105)))

FOOT = blend(0.035,
             cone((0.100, 0.062, -0.038), (0.108, 0.050, 0.080), 0.056, 0.050),
             cone((0.107, 0.052, 0.070), (0.111, 0.058, 0.118), 0.050, 0.050),
             cone((0.099, 0.100, -0.024), (0.097, BOOT_TOP, -0.004), 0.058, 0.069))
BOOT_LEFT = cut(0.010, cut(0.012, FOOT, half_space((0.0, BOOT_TOP, 0.0), Y)),
                half_space((0.0, 0.016, 0.0), (0.0, -1.0, 0.0)))
BOOTS = symmetric(BOOT_LEFT)


def hand_shape():
    """The left hand: a palm, four fingers and a thumb."""
    palm = blend(0.02,
                 cone(in_hand(-0.03, 0.0, 0.0), in_hand(0.02, 0.0, 0.0), 0.028, 0.027),
                 cone(in_hand(0.030, 0.014, 0.002), in_hand(0.068, 0.027, 0.0), 0.020, 0.0150),
                 cone(in_hand(0.030, -0.014, 0.002), in_hand(0.064, -0.027, 0.0), 0.020, 0.0142),
                 cone(in_hand(0.030, 0.0, 0.002), in_hand(0.068, 0.0, 0.0), 0.020, 0.0152))
    fingers = [finger(0.0390, 0.072, 0.066, 0.0110, 0.11),
               finger(0.0128, 0.076, 0.074, 0.0112, 0.03),
               finger(-0.0134, 0.074, 0.068, 0.0109, -0.05),
               finger(-0.0388, 0.066, 0.052, 0.0102, -0.14)]
    thumb = chain([in_hand(0.022, 0.016, 0.010), in_hand(0.056, 0.048, 0.012),
                   in_hand(0.086, 0.062, 0.012)], [0.019, 0.0150, 0.0132])
    return blend(0.005, blend(0.022, palm, thumb), *fingers)


def finger(side, start, size, radius, spread):
    base = in_hand(start - 0.012, side * 0.86, 0.0)
    knuckle = in_hand(start + size * 0.5, side + spread * size * 0.5, 0.000)
    tip = in_hand(start + size, side + spread * size, 0.006)
    return chain([base, knuckle, tip], [radius * 1.08, radius, radius * 0.92])


HAND = hand_shape()
HANDS = symmetric(HAND)


def hand_coordinates(p):
    """Inverse of in_hand, for the left hand."""
    q = sub(p, WRIST)
    return dot(q, FOREARM), dot(q, THUMB_SIDE), dot(q, PALM)


THUMB = chain([in_hand(0.034, 0.028, 0.010), in_hand(0.056, 0.048, 0.012),
               in_hand(0.086, 0.062, 0.012)], [0.014, 0.0150, 0.0132])
PALM_BONES = chain([in_hand(0.0, 0.0, 0.0), in_hand(0.066, 0.014, 0.0),
                    in_hand(0.110, 0.034, 0.0)], [0.024, 0.020, 0.0125])


def thumb_nearness(p):
    """How far a place of the left hand belongs to the thumb, 0 to 1."""
    return smooth_step(-0.006, 0.010, PALM_BONES(*p) - THUMB(*p))
