"""Picking without OpenGL: held to all triangles of the mesh that the command poses."""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SINEW_SOURCE_DIR"])
EXAMPLES = Path(os.environ.get("SINEW_EXAMPLES_DIR",
                               Path(os.environ["SINEW_BUILD_DIR"]) / "examples"))
FIGURE = SOURCE / "assets" / "figure.glb"
PROGRAM = EXAMPLES / "06_picking"
SINEW = os.environ.get("SINEW", "")
sys.path.insert(0, str(SOURCE / "tests" / "cli"))
from models import IDENTITY, SHORT, TRIANGLE, Builder, rigid  # noqa: E402

NUMBERS = r"(-?[\d.]+) (-?[\d.]+) (-?[\d.]+)"
SAYS = re.compile(
    r'node (\d+) "(.*)", primitive (\d+), vertex (\d+) at %s\n'
    r'(joint .*)\nray from %s meets it at %s\n' % (NUMBERS, NUMBERS, NUMBERS))


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    return [x / math.sqrt(dot(a, a)) for x in a]


def distance(eye, ray, a, b, c):
    """By Cramer's rule, in double: eye + t * ray = a + u * (b - a) + v * (c - a)."""
    e, f, g = minus(b, a), minus(c, a), minus(eye, a)
    below = dot(ray, cross(f, e))
    if below == 0:
        return None
    u, v, t = (dot(ray, cross(f, g)) / below, dot(ray, cross(g, e)) / below,
               dot(g, cross(e, f)) / below)
    return t if u >= 0 and v >= 0 and u + v <= 1 and t > 0 else None


class Picked:
    def __init__(self, text):
        found = SAYS.fullmatch(text)
        assert found, text
        self.node, self.primitive, self.vertex = (int(found[k]) for k in (1, 3, 4))
        self.name, self.joint = found[2], found[8]
        self.position, self.eye, self.met = ([float(found[k + i]) for i in range(3)]
                                             for k in (5, 9, 12))
        self.ray = unit(minus(self.met, self.eye))


class Picking(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sinew-pick-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, *words):
        return subprocess.run([str(PROGRAM), *map(str, words)], capture_output=True, text=True,
                              timeout=60)

    def pick(self, *words):
        done = self.run_program(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return None if done.stdout == "nothing there\n" else Picked(done.stdout)

    def test_it_is_the_nearest_of_all_triangles(self):
        if not SINEW:
            self.skipTest("the command is not in this build")
        posed = json.loads(subprocess.run(
            [SINEW, "pose", str(FIGURE), "--clip", "walk", "--time", "0.25"], check=True,
            capture_output=True, text=True).stdout)
        triangles = [(i["node"], k, t, [p["positions"][v] for v in t])
                     for i in posed["instances"] for k, p in enumerate(i["primitives"])
                     for t in p["triangles"]]
        axis = self.pick(FIGURE, "walk", 0.25)
        eye, away = axis.eye, [-x for x in axis.ray]
        right = unit(cross([0, 1, 0], away))
        up, slope, hits, nodes = cross(away, right), math.tan(math.radians(20)), 0, set()
        for x, y in [(320, 240), (318, 124), (330, 110), (300, 260), (330, 330), (345, 370),
                     (312, 200), (290, 300), (0, 0), (639, 479), (450, 240), (320, 140)]:
            with self.subTest(at=(x, y)):
                far, high = slope * (2 * x + 1 - 640) / 480, slope * (479 - 2 * y) / 480
                ray = unit([far * r + high * u - a for r, u, a in zip(right, up, away)])
                met = [(t, node, k, corners, at) for node, k, corners, at in triangles
                       for t in [distance(eye, ray, *at)] if t is not None]
                got = self.pick(FIGURE, "walk", 0.25, "--at", x, y)
                if not met:
                    self.assertIsNone(got)
                    continue
                self.assertIsNotNone(got)
                hits += 1
                nodes.add(got.node)
                t, node, k, corners, at = min(met)
                point = [e + t * r for e, r in zip(eye, ray)]
                self.assertLess(math.dist(got.met, point), 1e-4)
                self.assertLess(math.dist(got.ray, ray), 1e-4)
                self.assertEqual((got.node, got.primitive), (node, k))
                nearest = min(range(3), key=lambda c: math.dist(at[c], point))
                self.assertEqual(got.vertex, corners[nearest])
                self.assertLess(math.dist(got.position, at[nearest]), 1e-5)
        self.assertGreaterEqual(hits, 6)
        self.assertGreaterEqual(len(nodes), 2) # the body, and the face before it

    def test_the_middle_of_the_figure_is_its_trunk(self):
        got = self.pick(FIGURE)
        self.assertEqual(got.name, "body")
        self.assertRegex(got.joint, r'joint \d+ "(hips|spine_1|spine_2)", weight 0\.[5-9]')
        self.assertLess(math.dist(got.position, got.met), 0.05)
        along = dot(minus(got.position, got.eye), got.ray)
        near = [e + along * r for e, r in zip(got.eye, got.ray)]
        self.assertLess(math.dist(near, got.position), 0.05)

    def test_corners_and_the_size_of_the_view(self):
        for x, y in (0, 0), (639, 0), (0, 479), (639, 479):
            self.assertIsNone(self.pick(FIGURE, "--at", x, y))
        small = self.pick(FIGURE, "walk", "--at", 50, 50, "--size", 101, 101)
        self.assertEqual(small.met, self.pick(FIGURE, "walk").met)

    def test_the_joint_of_the_largest_weight(self):
        b = Builder()
        primitive = b.primitive([[-1, -1, 0], [1, -1, 0], [0, 1, 0]])
        primitive["attributes"].update(
            JOINTS_0=b.accessor([[2, 0, 1, 0]] * 3, SHORT),
            WEIGHTS_0=b.accessor([[0.25, 0.125, 0.625, 0]] * 3))
        skin = {"joints": [1, 2, 3], "inverseBindMatrices": b.accessor([IDENTITY] * 3)}
        path = self.folder / "three.gltf"
        path.write_text(json.dumps(b.gltf(
            scene=0, scenes=[{"nodes": [0, 1, 2, 3]}], skins=[skin],
            nodes=[{"name": "sail", "mesh": 0, "skin": 0}, {"name": "mast"}, {"name": "boom"},
                   {"name": "gaff"}], meshes=[{"primitives": [primitive]}])))
        got = self.pick(path)
        self.assertEqual((got.name, got.joint), ("sail", 'joint 1 "boom", weight 0.625'))

    def test_without_a_skin(self):
        path = self.folder / "rigid.gltf"
        path.write_text(json.dumps(rigid()))
        got = self.pick(path, "--at", 310, 250)
        self.assertEqual((got.node, got.joint), (0, "joint none: it follows its node"))
        self.assertIn(got.position, TRIANGLE)
        self.assertAlmostEqual(got.met[2], 0, places=5)

    def test_says_what_is_wrong(self):
        for words, says in (((), "usage: 06_picking MODEL"), ((FIGURE, "--at", 3), "usage"),
                            ((FIGURE, "walk", 0, 1), "usage"), ((FIGURE, "--fly"), "usage"),
                            ((FIGURE, "--at", "x", 3), "x: is not a number"),
                            ((FIGURE, "walk", "soon"), "soon: is not a number"),
                            ((FIGURE, "--at", 640, 3), "outside the view"),
                            ((FIGURE, "--at", 3, -1), "outside the view"),
                            ((FIGURE, "--size", 0, 9), "--size"),
                            ((FIGURE, "fly"), "no such clip"),
                            (("missing.glb",), "missing.glb")):
            with self.subTest(words):
                done = self.run_program(*words)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertIn(says, done.stderr)


if __name__ == "__main__":
    if not PROGRAM.exists():
        print("skipped: 06_picking was not built")
        sys.exit(77)
    unittest.main()
