"""The clips: idle, walk and wave. Each is a function from seconds to a Pose."""

import math

from .maths import (X, Y, Z, add, clamp, cross, mirrored, mix, rotate, scale,
                    smooth_step, sub, times, turn, unit)
from .posing import Pose
from .skeleton import ANKLE, ARM, BALL, FOREARM, JOINTS, PALM

SIDES = (("_l", 1.0), ("_r", -1.0))
ELBOW_AXIS = unit(cross(ARM, Z))         # left elbow: bends the forearm to the front
CURL_AXIS = unit(cross(FOREARM, PALM))   # left fingers: bends them to the palm


class Clip:
    """pose_at(seconds); modes: {(joint or mesh, path): (mode, key times)}."""

    def __init__(self, name, duration, rate, pose_at, modes=None):
        self.name, self.duration, self.rate, self.pose_at = name, duration, rate, pose_at
        self.modes = modes or {}


def sided(axis, degrees, sign):
    """A turn given for the left, or its mirror image for the right."""
    if sign > 0.0:
        return turn(axis, degrees)
    return turn(mirrored(axis), -degrees)


def wave_of(turns, phase=0.0):
    """A sine of a phase counted in turns."""
    return math.sin(2.0 * math.pi * (turns - phase))


def swing_of(turns, phase=0.0):
    return math.cos(2.0 * math.pi * (turns - phase))


# ---------------------------------------------------------------------------
# Pieces that several clips use

def hang_arm(pose, suffix, sign, out=11.0, forward=0.0, elbow=18.0, inward=0.0):
    """An arm that hangs: degrees out from the body, forward, of the elbow, turned inward."""
    lower = sided(Z, -(45.0 - out), sign)
    pose.turn("upper_arm" + suffix, times(turn(X, -forward), sided(Y, -inward, sign), lower))
    pose.turn("forearm" + suffix, sided(ELBOW_AXIS, elbow, sign))


def curl_fingers(pose, suffix, sign, amount, thumb=8.0):
    for finger, more in (("index", 0.75), ("fingers", 1.0)):
        pose.turn("%s_1%s" % (finger, suffix), sided(CURL_AXIS, amount * more, sign))
        pose.turn("%s_2%s" % (finger, suffix), sided(CURL_AXIS, amount * more * 1.15, sign))
    pose.turn("thumb_1" + suffix, sided(FOREARM, -thumb, sign))
    pose.turn("thumb_2" + suffix, sided(CURL_AXIS, thumb * 1.5, sign))


def bend_spine(pose, rotation):
    """The same turn in each of the three joints of the spine."""
    for name in ("spine_1", "spine_2", "chest"):
        pose.turn(name, rotation)


def trail(pose, names, lift, ripple, sway, turns, delay):
    """A tail of the scarf: lifted to the back, with a ripple that runs down it."""
    for i, name in enumerate(names):
        grown = 0.6 + 0.4 * i
        pose.turn(name, times(turn(Z, sway * grown * wave_of(turns, delay * i + 0.1)),
                              turn(X, lift[i] + ripple * grown * wave_of(turns, delay * i))))


LONG_TAIL = ["scarf_1", "scarf_2", "scarf_3", "scarf_4"]
SHORT_TAIL = ["scarf_short_1", "scarf_short_2"]

# ---------------------------------------------------------------------------
# Walk

WALK_SECONDS = 1.0
SPEED = 1.14                 # metres a second that the ground moves back
STANCE = 0.60                # of the cycle a foot is down
STRIKE_AHEAD = 0.302         # ankle before the hips when the heel comes down
LEFT_STRIKE = 0.25           # of the cycle; the right foot follows half a cycle later
TRACK = 0.078                # half the distance between the feet
TOE_OUT = 5.0                # degrees
HIP_YAW, CHEST_YAW = 7.0, 7.5        # degrees to either side, against each other


def walk(seconds):
    u = seconds / WALK_SECONDS
    pose = Pose()
    walk_hips(pose, u)
    walk_upper_body(pose, u)
    for suffix, sign in SIDES:
        phase = u - LEFT_STRIKE - (0.0 if sign > 0.0 else 0.5)
        walk_leg(pose, suffix, sign, phase % 1.0)
        walk_arm(pose, suffix, sign, u)
    trail(pose, LONG_TAIL, (20.0, 10.0, 8.0, 6.0), 8.0, 4.0, u * 2.0 + 0.2, 0.21)
    trail(pose, SHORT_TAIL, (27.0, 12.0), 7.0, -5.0, u * 2.0, 0.19)
    pose.weights = {"face": [0.35, 0.0], "eyes": [0.0, 0.0]}
    return pose


def walk_hips(pose, u):
    left_stance = LEFT_STRIKE + STANCE * 0.5
    bob = 0.013 * swing_of(2.0 * u, 2.0 * left_stance - 0.05)
    pose.shift("hips", (0.016 * swing_of(u, left_stance), bob - 0.022, 0.004))
    pose.turn("hips", times(turn(Y, -HIP_YAW * swing_of(u, LEFT_STRIKE)),
                            turn(Z, 3.0 * swing_of(u, left_stance)), turn(X, 3.0)))


def walk_upper_body(pose, u):
    yaw = (HIP_YAW + CHEST_YAW) * swing_of(u, LEFT_STRIKE + 0.02) / 3.0
    roll = -4.2 * swing_of(u, LEFT_STRIKE + STANCE * 0.5) / 3.0
    nod = 0.8 * swing_of(2.0 * u, 2.0 * LEFT_STRIKE + 0.1)
    bend_spine(pose, times(turn(Y, yaw), turn(Z, roll), turn(X, 0.4 + nod)))
    for suffix, sign in SIDES:
        pose.turn("clavicle" + suffix, times(
            turn(Y, 4.0 * swing_of(u, LEFT_STRIKE)),
            sided(Z, -1.5 + 1.2 * swing_of(2.0 * u, 2.0 * LEFT_STRIKE), sign)))
    steady = times(turn(Y, 1.5 * swing_of(u, LEFT_STRIKE)), turn(Z, 0.8 * wave_of(u, LEFT_STRIKE)),
                   turn(X, -1.0 + 1.2 * swing_of(2.0 * u, 2.0 * LEFT_STRIKE + 0.2)))
    pose.turn("neck", turn(X, 2.0))
    pose.aim("head", steady)


def walk_arm(pose, suffix, sign, u):
    ahead = -sign * swing_of(u, LEFT_STRIKE + 0.015)        # 1: this arm is in front
    later = -sign * swing_of(u, LEFT_STRIKE + 0.06)
    hang_arm(pose, suffix, sign, out=12.5 - 1.5 * ahead, forward=1.0 + 27.0 * ahead,
             elbow=27.0 + 15.0 * later, inward=-1.0 + 3.0 * ahead)
    pose.turn("hand" + suffix, sided(CURL_AXIS, 4.0 - 7.0 * later, sign))
    pose.turn("forearm_twist" + suffix, sided(FOREARM, 8.0, sign))
    curl_fingers(pose, suffix, sign, 27.0 + 3.0 * later, 10.0)


def walk_leg(pose, suffix, sign, phase):
    """phase 0: the heel comes down; STANCE: the toes leave the ground."""
    ankle, pitch, toes = foot_state(phase)
    out = turn(Y, TOE_OUT * sign)
    foot = times(out, turn(X, -pitch))
    pose.plant(suffix, add((sign * TRACK, 0.0, 0.0), ankle), foot,
               rotate(turn(Y, 0.7 * TOE_OUT * sign), Z))
    pose.turn("toes" + suffix, turn(X, -toes))


def foot_state(phase):
    """(ankle, pitch of the foot, pitch of the toes against it); degrees, toes up positive."""
    pitch, toes = pitch_at(phase), toes_at(phase)
    if phase < STANCE:
        ankle = stance_ankle(phase)
    else:
        ankle = swing_ankle(phase)
    lowest = min(height for height in sole_heights(ankle[1], pitch, toes))
    return (ankle[0], ankle[1] + max(0.0, clearance(phase) - lowest), ankle[2]), pitch, toes


def stance_ankle(phase):
    """The foot rolls over its heel, stands, and rolls over its ball on the moving ground."""
    ground = STRIKE_AHEAD - SPEED * WALK_SECONDS * phase
    pitch = pitch_at(phase)
    pivot = HEEL if pitch > 0.0 else BALL_BELOW
    from_pivot = rotate(turn(X, -pitch), sub(ANKLE_CENTRE, pivot))
    return add((0.0, 0.0, ground - ANKLE[2]), add(pivot, from_pivot))


ANKLE_CENTRE = (0.0, ANKLE[1], ANKLE[2])
HEEL = (0.0, 0.0, -0.086)
BALL_BELOW = (0.0, BALL[1], BALL[2])
SOLE_BACK = [(0.0, 0.004, -0.098), (0.0, 0.0, -0.088), (0.0, 0.0, 0.02), (0.0, 0.0, BALL[2])]
SOLE_FRONT = [(0.0, 0.002, 0.110), (0.0, 0.013, 0.172)]


def sole_heights(ankle_height, pitch, toes):
    turned = turn(X, -pitch)
    for point in SOLE_BACK:
        yield ankle_height + rotate(turned, sub(point, ANKLE_CENTRE))[1]
    ball = rotate(turned, sub(BALL_BELOW, ANKLE_CENTRE))
    for point in SOLE_FRONT:
        yield ankle_height + ball[1] + rotate(turn(X, -pitch - toes), sub(point, BALL_BELOW))[1]


def pitch_at(phase):
    return through(phase, [(0.0, 21.0), (0.10, 0.0), (0.27, 0.0), (0.46, -17.0), (STANCE, -52.0),
                           (0.66, -56.0), (0.84, -6.0), (0.95, 22.0), (1.0, 21.0)])


def toes_at(phase):
    """In stance the toes stay flat on the ground; in the air they straighten."""
    if phase < STANCE:
        return max(0.0, -pitch_at(phase)) * (1.0 - 0.45 * smooth_step(0.50, STANCE, phase))
    return 0.55 * 52.0 * (1.0 - smooth_step(STANCE - 0.02, 0.76, phase)) + 4.0 * smooth_step(
        0.7, 0.9, phase) * (1.0 - smooth_step(0.9, 1.0, phase))


def clearance(phase):
    """How high the sole is above the ground at least."""
    return 0.030 * math.sin(math.pi * clamp((phase - STANCE) / (1.0 - STANCE))) ** 1.5


def swing_ankle(phase):
    """A smooth path from where the toes left to where the heel comes down."""
    span, step = 1.0 - STANCE, 1e-3
    start, end = stance_ankle(STANCE - 1e-9), stance_ankle(0.0)
    leave = scale(sub(start, stance_ankle(STANCE - step)), span / step)
    arrive = scale(sub(stance_ankle(step), end), span / step)
    t = (phase - STANCE) / span
    h1, h2 = t * t * (3.0 - 2.0 * t), t * (1.0 - t) * (1.0 - t)
    h3 = t * t * (t - 1.0)
    return tuple(start[i] * (1.0 - h1) + end[i] * h1 + leave[i] * h2 + arrive[i] * h3
                 for i in range(3))


def through(value, points):
    """A smooth curve through (place, height) points, without overshoot (monotone cubic)."""
    for i in range(len(points) - 1):
        (x0, y0), (x1, y1) = points[i], points[i + 1]
        if value <= x1:
            break
    m0, m1 = slope_at(points, i), slope_at(points, i + 1)
    width = x1 - x0
    t = clamp((value - x0) / width)
    return ((2 * t ** 3 - 3 * t ** 2 + 1) * y0 + (t ** 3 - 2 * t ** 2 + t) * width * m0
            + (3 * t ** 2 - 2 * t ** 3) * y1 + (t ** 3 - t ** 2) * width * m1)


def slope_at(points, i):
    if i in (0, len(points) - 1):
        return 0.0
    (xa, ya), (xb, yb), (xc, yc) = points[i - 1:i + 2]
    before, after = (yb - ya) / (xb - xa), (yc - yb) / (xc - xb)
    if before * after <= 0.0:
        return 0.0
    return 2.0 * before * after / (before + after)


# ---------------------------------------------------------------------------
# Idle

IDLE_SECONDS = 4.0
BLINKS = [(0.9, 1.03), (3.0, 3.13)]


def idle(seconds):
    u = seconds / IDLE_SECONDS
    pose = Pose()
    stand(pose, wave_of(u, 0.25), wave_of(u), wave_of(u, 0.10))
    pose.weights = {"face": [0.04 + 0.04 * wave_of(u, 0.2), 0.06 + 0.06 * wave_of(u)],
                    "eyes": [1.0 if any(a <= seconds < b for a, b in BLINKS) else 0.0, 0.0]}
    return pose


def stand(pose, breath, sway, gaze):
    """At ease, the weight on the right leg; breath, sway and gaze go from -1 to 1."""
    pose.shift("hips", (-0.020 + 0.004 * sway, -0.014 + 0.0015 * breath, 0.004))
    pose.turn("hips", times(turn(Y, 4.0 + 0.6 * sway), turn(Z, -2.6 - 0.4 * sway)))
    bend_spine(pose, times(turn(Y, -1.4), turn(Z, 1.5 + 0.35 * sway),
                           turn(X, -0.9 - 0.55 * breath)))
    for suffix, sign in SIDES:
        pose.shift("clavicle" + suffix, (0.0, 0.0025 * breath, 0.0))
        pose.turn("clavicle" + suffix, sided(Z, -1.0 + 1.2 * breath, sign))
        hang_arm(pose, suffix, sign, out=12.5 + 0.8 * breath, forward=-1.0 + breath + 3.0 * sign,
                 elbow=17.0 + 2.0 * breath - 3.0 * sign, inward=10.0)
        pose.turn("forearm_twist" + suffix, sided(FOREARM, 6.0, sign))
        pose.turn("hand" + suffix, sided(CURL_AXIS, 5.0 + 1.0 * sway * sign, sign))
        curl_fingers(pose, suffix, sign, 21.0 + 1.5 * breath, 8.0)
    pose.turn("neck", turn(X, 1.5))
    pose.aim("head", times(turn(Y, 3.0 + 4.0 * gaze), turn(Z, -1.5 + 1.0 * sway),
                           turn(X, 0.5 - 0.8 * breath)))
    pose.plant("_l", (0.132, ANKLE[1], 0.030), turn(Y, 16.0), rotate(turn(Y, 14.0), Z))
    pose.plant("_r", (-0.098, ANKLE[1], -0.030), turn(Y, -9.0), rotate(turn(Y, -7.0), Z))
    trail(pose, LONG_TAIL, (-4.0, 2.0, 3.0, 2.0), 1.5, 1.2, 0.0, 0.0)
    for i, name in enumerate(LONG_TAIL):
        pose.turn(name, turn(Z, 1.2 * (i + 1) * sway), turn(X, 0.6 * (i + 1) * breath))
    for i, name in enumerate(SHORT_TAIL):
        pose.turn(name, turn(Z, 1.5 * sway), turn(X, -2.0 + 1.0 * breath))


# ---------------------------------------------------------------------------
# Wave

WAVE_SECONDS = 3.2


def wave(seconds):
    pose = Pose()
    raised = between(seconds, 0.15, 0.75, 2.45, 3.10)
    early = between(seconds, 0.05, 0.60, 2.60, 3.15)
    # begins and ends as idle does
    stand(pose, mix(wave_of(0.0, 0.25), 0.6, early), 0.0, mix(wave_of(0.0, 0.10), 0.0, early))
    greet(pose, raised, early, seconds)
    glad = between(seconds, 0.10, 0.50, 2.60, 3.05)
    happy = between(seconds, 0.80, 1.00, 2.15, 2.35)
    smile, brows = idle(0.0).weights["face"]
    pose.weights = {"face": [mix(smile, 1.0, glad), mix(brows, 0.7, glad)], "eyes": [0.0, happy]}
    return pose


def between(seconds, start, full, fading, end):
    """Rises from 0 to 1, stays, and falls again."""
    return smooth_step(start, full, seconds) * (1.0 - smooth_step(fading, end, seconds))


def greet(pose, raised, early, seconds):
    beat = (seconds - 0.62) / 0.56
    shake = wave_of(beat) * between(seconds, 0.55, 0.85, 2.35, 2.70)
    late = wave_of(beat, 0.13) * between(seconds, 0.60, 0.90, 2.35, 2.70)
    bend_spine(pose, times(turn(Z, 1.6 * early), turn(Y, 1.0 * early)))
    pose.turn("clavicle_r", turn(Z, -13.0 * raised))
    target = Pose()
    target.turn("upper_arm_r", times(turn(Y, 22.0), turn(Z, -27.0 - 3.0 * shake),
                                     turn(mirrored(ARM), 2.0)))
    target.turn("forearm_r", turn(Z, -100.0 + 17.0 * shake))
    target.turn("forearm_twist_r", turn(mirrored(FOREARM), 76.0))
    target.turn("hand_r", turn(Z, 13.0 * late))
    target.turn("thumb_1_r", sided(PALM, 10.0, -1.0))
    for finger in ("index", "fingers"):
        target.turn(finger + "_1_r", sided(CURL_AXIS, 3.0, -1.0))
        target.turn(finger + "_2_r", sided(CURL_AXIS, 6.0, -1.0))
    for name, rotation in target.rotations.items():
        pose.rotations[name] = towards(pose.rotation(name), rotation, raised)
    at_ease = pose.rotation("head")
    pose.aim("head", times(turn(Z, 6.0), turn(Y, -5.0), turn(X, -1.0)))
    pose.rotations["head"] = towards(at_ease, pose.rotation("head"), early)


def towards(a, b, t):
    """Shortest-path spherical interpolation."""
    d = sum(x * y for x, y in zip(a, b))
    if d < 0.0:
        b, d = tuple(-c for c in b), -d
    if d > 0.99999:
        q = tuple(mix(x, y, t) for x, y in zip(a, b))
    else:
        angle = math.acos(min(d, 1.0))
        p, r = math.sin((1.0 - t) * angle), math.sin(t * angle)
        q = tuple(p * x + r * y for x, y in zip(a, b))
    size = math.sqrt(sum(c * c for c in q))
    return tuple(c / size for c in q)


def all_clips():
    breathing = ("CUBICSPLINE", [IDLE_SECONDS * i / 6 for i in range(7)])
    soft = ["spine_1", "spine_2", "chest", "neck", "head"]
    soft += [n for n in JOINTS if n.startswith(("clavicle", "upper_arm", "forearm", "hand", "index",
                                                "fingers", "thumb", "scarf"))]
    modes = {(name, path): breathing for name in soft for path in ("rotation", "translation")}
    modes["face", "weights"] = breathing
    lids = [0.0] + [t for blink in BLINKS for t in blink] + [IDLE_SECONDS]
    modes["eyes", "weights"] = ("STEP", lids)
    return [Clip("idle", IDLE_SECONDS, 6, idle, modes), Clip("walk", WALK_SECONDS, 24, walk),
            Clip("wave", WAVE_SECONDS, 20, wave)]
