"""Poses in world axes of the bind pose: turning joints, planting feet, aiming the head.

A pose gives every joint a rotation relative to its parent, written in the axes of the world
at bind time: X to the figure's left, Y up, Z ahead. Writing the file turns that into the
joints' own axes.
"""

import math

from .maths import (IDENTITY, Z, add, cross, dot, from_frame, inverse, length, rotate,
                    scale, sub, times, turn, unit)
from .skeleton import JOINTS, other_side

LONGEST_REACH = 0.9985        # of a leg: a knee is never quite straight


class Pose:
    def __init__(self):
        self.rotations = {}
        self.shifts = {}
        self.weights = {}                # mesh -> [weight]

    def turn(self, name, *quaternions):
        """Turn a joint; further turns come on top of earlier ones, in the parent's axes."""
        self.rotations[name] = times(*quaternions, self.rotations.get(name, IDENTITY))

    def shift(self, name, offset):
        self.shifts[name] = add(self.shifts.get(name, (0.0, 0.0, 0.0)), offset)

    def rotation(self, name):
        return self.rotations.get(name, IDENTITY)

    def world(self, name):
        """(place, rotation) of a joint in the scene."""
        joint = JOINTS[name]
        if joint.parent is None:
            return add(joint.place, self.shifts.get(name, (0.0, 0.0, 0.0))), self.rotation(name)
        place, rotation = self.world(joint.parent)
        offset = add(sub(joint.place, JOINTS[joint.parent].place),
                     self.shifts.get(name, (0.0, 0.0, 0.0)))
        return add(place, rotate(rotation, offset)), times(rotation, self.rotation(name))

    def aim(self, name, world_rotation):
        """Turn a joint so that it stands in the scene as asked."""
        _, parent = self.world(JOINTS[name].parent)
        self.rotations[name] = times(inverse(parent), world_rotation)

    def plant(self, side, ankle, foot_rotation, knee_towards=Z):
        """Bend a leg so that its ankle is at a place (two-bone inverse kinematics)."""
        thigh, shin, foot = "thigh" + side, "shin" + side, "foot" + side
        hip, _ = self.world(thigh)
        upper = sub(JOINTS[shin].place, JOINTS[thigh].place)
        lower = sub(JOINTS[foot].place, JOINTS[shin].place)
        knee, ankle = bend(hip, ankle, length(upper), length(lower), knee_towards)
        self.aim(thigh, carry(upper, Z, sub(knee, hip), knee_towards))
        self.aim(shin, carry(lower, Z, sub(ankle, knee), knee_towards))
        self.aim(foot, foot_rotation)


def bend(start, end, first, second, towards):
    """The middle and the end of a two-bone chain that reaches for a place."""
    reach = sub(end, start)
    distance = min(length(reach), (first + second) * LONGEST_REACH)
    direction = unit(reach)
    ahead = (distance * distance + first * first - second * second) / (2.0 * distance)
    aside = math.sqrt(max(0.0, first * first - ahead * ahead))
    side = unit(sub(towards, scale(direction, dot(towards, direction))))
    middle = add(start, add(scale(direction, ahead), scale(side, aside)))
    return middle, add(start, scale(direction, distance))


def carry(old, old_front, new, new_front):
    """The rotation from one bone direction to another that keeps its front to the front."""
    return times(frame(new, new_front), inverse(frame(old, old_front)))


def frame(bone, front):
    ey = unit(bone)
    ex = unit(cross(ey, front))
    return from_frame(ex, ey, cross(ex, ey))


def both(pose, name, left, right):
    """Turn a joint and its twin."""
    pose.turn(name, left)
    pose.turn(other_side(name), right)
