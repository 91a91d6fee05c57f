"""The examples with the shaders of the tutorials: what is in the pictures that they save, and
that both ways to feed a shader put the figure in the same place."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SINEW_SOURCE_DIR"])
EXAMPLES = Path(os.environ.get("SINEW_EXAMPLES_DIR",
                               Path(os.environ["SINEW_BUILD_DIR"]) / "examples"))
FIGURE = SOURCE / "assets" / "figure.glb"
sys.path.insert(0, str(SOURCE / "tests" / "cli"))
from models import FLOAT, IDENTITY, SHORT, TRIANGLE, Builder  # noqa: E402

XVFB = shutil.which("xvfb-run")
ON_XVFB = [XVFB, "-a", "-s", "-screen 0 1280x1024x24"]
UNIFORM, BUFFER = EXAMPLES / "03_bones_uniform", EXAMPLES / "04_bones_texture_buffer"
WIDTH, HEIGHT = 640, 480


def run(*words, display=True):
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("DISPLAY", "WAYLAND_DISPLAY", "HOME")}
    environment.update(MESA_SHADER_CACHE_DISABLE="true", LIBGL_ALWAYS_SOFTWARE="true")
    return subprocess.run([*(ON_XVFB if display else []), *map(str, words)], env=environment,
                          capture_output=True, text=True, timeout=120)


def bounds(covered):
    rows, columns = {i // WIDTH for i in covered}, {i % WIDTH for i in covered}
    return min(columns), min(rows), max(columns), max(rows)


def strip(joints, per_vertex=4, rise=0, beside=False):
    """Triangles beside each other, 0.02 wide, each moved by a joint of its own; the first of them
    rises by so much in a second. Beside them, when asked for, a mesh without a skin.
    More than 4 a vertex: the first joint has half of the weight, all others share the rest."""
    b = Builder()
    where, slots, weights = [], [], []
    for k in range(joints):
        x = 0.02 * (k - joints / 2)
        where += [[x, 0.5, 0], [x + 0.02, 0.5, 0], [x, 1.5, 0]]
        row = [k] + [0] * (per_vertex - 1)
        share = [1.0] + [0.0] * (per_vertex - 1)
        if per_vertex > 4:
            row = [(k + j) % joints for j in range(per_vertex)]
            share = [0.5] + [0.5 / (per_vertex - 1)] * (per_vertex - 1)
        slots += [row] * 3
        weights += [share] * 3
    primitive = b.primitive(where)
    for n in range(per_vertex // 4):
        of = slice(4 * n, 4 * n + 4)
        primitive["attributes"]["JOINTS_%d" % n] = b.accessor([r[of] for r in slots], SHORT)
        primitive["attributes"]["WEIGHTS_%d" % n] = b.accessor([r[of] for r in weights], FLOAT)
    skin = {"joints": list(range(1, joints + 1)),
            "inverseBindMatrices": b.accessor([IDENTITY] * joints)}
    clip = {"name": "still", "samplers": [{"input": b.accessor([0.0, 1.0]),
                                           "output": b.accessor([[0, 0, 0], [0, rise, 0]])}],
            "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}]}
    nodes = [{"mesh": 0, "skin": 0}] + [{"name": "j%d" % k} for k in range(joints)]
    meshes = [{"name": "strip", "primitives": [primitive]}]
    if beside:
        nodes.append({"mesh": 1, "translation": [0.3, 0.5, 0]})
        meshes.append({"primitives": [b.primitive(TRIANGLE)]})
    return b.gltf(scene=0, scenes=[{"nodes": list(range(len(nodes)))}], nodes=nodes,
                  meshes=meshes, skins=[skin], animations=[clip])


def moved_triangle():
    """Without a skin, 0.5 up by its node's clip."""
    b = Builder()
    return b.gltf(scene=0, scenes=[{"nodes": [0]}], nodes=[{"name": "thing", "mesh": 0}],
                  meshes=[{"primitives": [b.primitive(TRIANGLE)]}],
                  animations=[{"name": "still", "channels": [
                      {"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                      "samplers": [{"input": b.accessor([0.0, 1.0]),
                                    "output": b.accessor([[0, 0.5, 0], [0, 0.5, 0]])}]}])


class Bones(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sinew-bones-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def covered(self, program, model, clip, frames, *more, says=""):
        """The places of the pixels that are not the white ground."""
        path = self.folder / "last.ppm"
        done = run(program, model, clip, frames, path, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        if says:
            self.assertEqual(done.stderr.count(says), 1, done.stderr)
        else:
            self.assertEqual(done.stderr, "")
        head, pixels = path.read_bytes().split(b"\n", 1)
        self.assertEqual((head, len(pixels)), (b"P6 640 480 255", 3 * WIDTH * HEIGHT))
        white = b"\xff\xff\xff"
        return {i for i in range(WIDTH * HEIGHT) if pixels[3 * i:3 * i + 3] != white}

    def model(self, made):
        path = self.folder / "made.gltf"
        path.write_text(json.dumps(made))
        return path

    def test_the_figure_walks(self):
        first, later = (self.covered(UNIFORM, FIGURE, "walk", n) for n in (1, 4))
        for pixels in first, later:
            self.assertGreater(len(pixels), 0.025 * WIDTH * HEIGHT)
            self.assertLess(len(pixels), 0.15 * WIDTH * HEIGHT)
            left, top, right, bottom = bounds(pixels)
            self.assertTrue(100 < top < 160 and 380 < bottom < 430, (top, bottom))
            self.assertTrue(220 < left < 310 and 330 < right < 420, (left, right))
        self.assertNotEqual(bounds(first), bounds(later))
        self.assertGreater(len(first ^ later), 1000)

    def test_both_ways_put_it_in_the_same_place(self):
        for clip, frames in ("walk", 3), ("wave", 12):
            a = self.covered(UNIFORM, FIGURE, clip, frames)
            b = self.covered(BUFFER, FIGURE, clip, frames, 1)
            self.assertLess(len(a ^ b), 0.005 * WIDTH * HEIGHT)
            self.assertLess(len(a ^ b), 0.01 * len(a))

    def test_a_crowd_at_times_of_its_own(self):
        crowd = self.covered(BUFFER, FIGURE, "walk", 1)
        self.assertGreater(len(crowd), 0.05 * WIDTH * HEIGHT)
        self.assertLess(len(crowd), 0.3 * WIDTH * HEIGHT)
        left, _, right, _ = bounds(crowd)
        self.assertGreater(right - left, WIDTH // 2)
        self.assertGreater(len(crowd ^ self.covered(BUFFER, FIGURE, "walk", 4)), 1000)

    def test_the_second_of_two_is_037_seconds_ahead(self):
        pixels = self.covered(BUFFER, self.model(strip(1, rise=1)), "still", 2, 2)
        left = {i for i in pixels if i % WIDTH < 320}
        feet = bounds(left)[3], bounds(pixels - left)[3]
        # From 3.4 + 1.3 away; the lower edge of the triangle is 0.5 high, and has risen 0.1.
        for foot, height in zip(feet, (0.6, 0.97)):
            self.assertAlmostEqual(foot, 240 - 240 * 2.3 / 4.7 * (height - 1), delta=2)

    def test_palettes_beside_each_other(self):
        """A skin's and a node's in every character, so that each begins at a joint of its own."""
        model = self.model(strip(4, rise=1, beside=True))
        a = self.covered(UNIFORM, model, "still", 3)
        b = self.covered(BUFFER, model, "still", 3, 1)
        self.assertGreater(bounds(a)[2] - bounds(a)[0], 150)
        self.assertLess(len(a ^ b), 20)
        # One triangle of the mesh without a skin covers half of 1 x 1 at 4.7 away, twice.
        two = self.covered(BUFFER, model, "still", 3, 2)
        self.assertGreater(len(two), 2 * 0.5 * (320 * 1.7 / 4.7) * (240 * 2.3 / 4.7) * 0.98)

    def test_without_a_skin_it_follows_its_node(self):
        model = self.model(moved_triangle())
        for program, more in (UNIFORM, ()), (BUFFER, (1,)):
            left, top, right, bottom = bounds(self.covered(program, model, "still", 1, *more))
            # x 0 to 1, y 0.5 to 1.5, seen from (0, 1, 3.4).
            for got, wanted in ((left, 320), (right, 320 + 320 * 1.7 / 3.4),
                                (top, 240 - 240 * 2.3 * 0.5 / 3.4),
                                (bottom, 240 + 240 * 2.3 * 0.5 / 3.4)):
                self.assertAlmostEqual(got, wanted, delta=2)

    def test_32_joints_fit_and_33_do_not(self):
        fits = self.covered(UNIFORM, self.model(strip(32)), "still", 1)
        left, _, right, _ = bounds(fits)
        self.assertAlmostEqual(left, 320 - 160 * 0.32, delta=2)
        self.assertAlmostEqual(right, 320 + 160 * 0.32, delta=2)
        done = run(UNIFORM, self.model(strip(33)), "still", 1, self.folder / "none.ppm")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a primitive uses more than 32 joints", done.stderr)
        self.assertFalse((self.folder / "none.ppm").exists())

    def test_more_than_four_influences(self):
        """All joints stand still, so that weights which do not add up to 1 would shrink it."""
        model = self.model(strip(16, 8))
        a = self.covered(UNIFORM, model, "still", 1, says="the 4 largest count")
        b = self.covered(BUFFER, model, "still", 1, 1)
        self.assertGreater(len(a), 500)
        self.assertLess(len(a ^ b), 20)

    def test_they_say_what_is_wrong(self):
        for program in UNIFORM, BUFFER:
            done = run(program, display=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("MODEL CLIP [FRAMES FILE.ppm", done.stderr)
            for words, says in ((("missing.glb", "walk"), "missing.glb"),
                                ((FIGURE, "fly"), "no such clip"),
                                ((FIGURE, "walk"), "no window")):
                done = run(program, *words, display=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn(says, done.stderr)
        done = run(BUFFER, FIGURE, "walk", 1, self.folder / "a.ppm", 0)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no characters", done.stderr)


if __name__ == "__main__":
    if not XVFB or not UNIFORM.exists():
        print("skipped:", "xvfb-run is missing" if not XVFB else "the example was not built")
        sys.exit(77)
    unittest.main()
