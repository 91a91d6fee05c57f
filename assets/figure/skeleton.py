"""The joints: names, parents, places and axes in the bind pose (an A-pose)."""

from .maths import (Y, Z, IDENTITY, add, along, frame_along, inverse, mirrored, rotate, scale,
                    sub, times, unit)

# Places in metres. Names that end in _l get a mirrored twin that ends in _r.
SHOULDER = (0.146, 1.203, -0.010)
ELBOW = (0.314, 1.035, -0.018)
WRIST = (0.461, 0.888, 0.006)
ARM = unit(sub(ELBOW, SHOULDER))
FOREARM = unit(sub(WRIST, ELBOW))
PALM = unit((-0.70, -0.70, 0.0))         # the way the left palm faces
THUMB_SIDE = Z                           # the way the left thumb points

HIP = (0.084, 0.780, 0.000)
KNEE = (0.094, 0.430, 0.014)
ANKLE = (0.100, 0.095, -0.022)
BALL = (0.107, 0.032, 0.082)
TOE_TIP = (0.110, 0.032, 0.170)


def in_hand(reach, to_thumb, to_palm):
    """A place in the left hand: along the fingers, towards the thumb, out of the palm."""
    place = along(WRIST, FOREARM, reach)
    return add(add(place, scale(THUMB_SIDE, to_thumb)), scale(PALM, to_palm))


# (name, parent, place, what the joint points at: a joint, or a direction)
TABLE = [
    ("root", None, (0.0, 0.0, 0.0), Y),
    ("hips", "root", (0.0, 0.820, 0.000), "spine_1"),
    ("spine_1", "hips", (0.0, 0.905, -0.004), "spine_2"),
    ("spine_2", "spine_1", (0.0, 1.010, -0.008), "chest"),
    ("chest", "spine_2", (0.0, 1.115, -0.010), "neck"),
    ("neck", "chest", (0.0, 1.255, -0.012), "head"),
    ("head", "neck", (0.0, 1.330, 0.000), Y),
    ("clavicle_l", "chest", (0.030, 1.205, 0.000), "upper_arm_l"),
    ("upper_arm_l", "clavicle_l", SHOULDER, "forearm_l"),
    ("forearm_l", "upper_arm_l", ELBOW, FOREARM),
    ("forearm_twist_l", "forearm_l", along(ELBOW, FOREARM, 0.105), FOREARM),
    ("hand_l", "forearm_twist_l", WRIST, FOREARM),
    ("thumb_1_l", "hand_l", in_hand(0.026, 0.022, 0.008), "thumb_2_l"),
    ("thumb_2_l", "thumb_1_l", in_hand(0.058, 0.050, 0.012), FOREARM),
    ("index_1_l", "hand_l", in_hand(0.078, 0.036, 0.0), "index_2_l"),
    ("index_2_l", "index_1_l", in_hand(0.108, 0.040, 0.002), FOREARM),
    ("fingers_1_l", "hand_l", in_hand(0.078, -0.013, 0.0), "fingers_2_l"),
    ("fingers_2_l", "fingers_1_l", in_hand(0.110, -0.014, 0.002), FOREARM),
    ("thigh_l", "hips", HIP, "shin_l"),
    ("shin_l", "thigh_l", KNEE, "foot_l"),
    ("foot_l", "shin_l", ANKLE, "toes_l"),
    ("toes_l", "foot_l", BALL, Z),
    ("scarf_1", "chest", (0.052, 1.262, -0.128), "scarf_2"),
    ("scarf_2", "scarf_1", (0.060, 1.160, -0.176), "scarf_3"),
    ("scarf_3", "scarf_2", (0.067, 1.050, -0.204), "scarf_4"),
    ("scarf_4", "scarf_3", (0.072, 0.940, -0.222), (0.03, -1.0, -0.12)),
    ("scarf_short_1", "chest", (-0.012, 1.258, -0.132), "scarf_short_2"),
    ("scarf_short_2", "scarf_short_1", (-0.034, 1.155, -0.178), (-0.15, -1.0, -0.25)),
]


class Joint:
    def __init__(self, name, parent, place, aim):
        self.name, self.parent, self.place, self.aim = name, parent, place, aim
        self.axes = IDENTITY             # world rotation in the bind pose


def other_side(name):
    return name[:-2] + "_r" if isinstance(name, str) and name.endswith("_l") else name


def both_sides(rows):
    """The left rows followed by their twins on the right."""
    left = list(rows)
    right = [(other_side(name), other_side(parent), mirrored(place),
              other_side(aim) if isinstance(aim, str) else mirrored(aim))
             for name, parent, place, aim in left]
    return left + right


def all_rows():
    """Every joint, parents before children, one limb after the other."""
    limb = []
    for row in TABLE:
        if row[0].endswith("_l"):
            limb.append(row)
            continue
        yield from both_sides(limb)
        limb = []
        yield row
    yield from both_sides(limb)


def build():
    """All joints by name, in the order of the file; Y runs along each of them."""
    joints = {row[0]: Joint(*row) for row in all_rows()}
    for joint in joints.values():
        aim = joint.aim
        direction = sub(joints[aim].place, joint.place) if isinstance(aim, str) else aim
        reference = Z if abs(unit(direction)[2]) < 0.8 else Y
        joint.axes = IDENTITY if joint.name == "root" else frame_along(direction, reference)
    return joints


JOINTS = build()
NAMES = list(JOINTS)
INDEX = {name: i for i, name in enumerate(NAMES)}


def rest_translation(name):
    joint = JOINTS[name]
    if joint.parent is None:
        return joint.place
    parent = JOINTS[joint.parent]
    return rotate(inverse(parent.axes), sub(joint.place, parent.place))


def local_rotation(name, rotation=IDENTITY):
    """What the file holds for a rotation given in world axes of the bind pose."""
    joint = JOINTS[name]
    if joint.parent is None:
        return times(rotation, joint.axes)
    return times(inverse(JOINTS[joint.parent].axes), rotation, joint.axes)


def inverse_bind_matrix(name):
    """Column-major: from the bind pose into the joint's own space."""
    joint = JOINTS[name]
    back = inverse(joint.axes)
    columns = [rotate(back, axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    shift = rotate(back, scale(joint.place, -1.0))
    return [*columns[0], 0.0, *columns[1], 0.0, *columns[2], 0.0, *shift, 1.0]
