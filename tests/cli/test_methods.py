"""Linear blend and dual quaternion skinning: --method, and --verify with both."""
import math

from command import (DONE, MACHINE, ON_A_DRIVER, SOURCE, TWO_JOINTS, WRONG_USE, CommandTest, main,
                     sinew)

WRAPPER = SOURCE / "docs" / "models" / "candy_wrapper.gltf"
RADIUS = 0.25
TWISTED = ("--clip", "twist", "--time", "1")
STORAGES = ["tbo3", "tbo4", "uniform", "ubo", "ssbo", "texture"]


def radii(posed):
    """By x, to the millimetre: the distances of the vertices from the axis."""
    found = {}
    for x, y, z in posed["instances"][0]["primitives"][0]["positions"]:
        found.setdefault(round(x, 3) + 0.0, []).append(math.hypot(y, z))
    return found


def has_gpu():
    return sinew("pose", TWO_JOINTS, "--path", "gpu", env=ON_A_DRIVER).returncode != MACHINE


class CandyWrapper(CommandTest):
    def check_paths(self, method, check):
        on_gpu = [("--path", "gpu"), ("--path", "gpu", "--storage", "ubo")] if has_gpu() else []
        for path in [(), *on_gpu]:
            with self.subTest(method=method, path=path):
                posed = self.json("pose", WRAPPER, *TWISTED, "--method", method, *path,
                                  env=ON_A_DRIVER)
                found = radii(posed)
                self.assertEqual(len(found), 25)
                self.assertTrue(all(abs(r - RADIUS) < 1e-6 for r in found[1.0]))
                check(found[0.0])

    def test_dual_quaternions_keep_the_radius(self):
        self.check_paths("dqs", lambda middle: self.assertLess(
            max(abs(r - RADIUS) for r in middle), 0.01 * RADIUS))

    def test_linear_blend_collapses(self):
        self.check_paths("lbs", lambda middle: self.assertLess(max(middle), 1e-6))

    def test_linear_blend_is_the_default(self):
        self.assertEqual(self.output("pose", WRAPPER, *TWISTED),
                         self.output("pose", WRAPPER, *TWISTED, "--method", "lbs"))

    def test_the_method_is_told(self):
        self.assertEqual(self.json("pose", WRAPPER, "--method", "dqs")["method"], "dqs")
        self.assertNotIn("method", self.json("pose", WRAPPER))


class Verify(CommandTest):
    def setUp(self):
        super().setUp()
        if "options" not in self.id() and not has_gpu():
            self.skipTest("no GPU path")

    def test_every_storage_is_compared(self):
        for method in "lbs", "dqs":
            got = self.json("pose", WRAPPER, *TWISTED, "--method", method, "--verify", "--json",
                            env=ON_A_DRIVER)
            self.assertEqual([row["storage"] for row in got["storages"]], STORAGES)
            self.assertAlmostEqual(got["extent"], 2, delta=1e-5)
            compared = [row for row in got["storages"] if "lacks" not in row]
            self.assertGreaterEqual(len(compared), 5)
            for row in compared:
                self.assertLess(row["positions"], 1e-6)
                self.assertLess(row["relative"], 1e-6)
                self.assertLess(row["normals"], 2e-5)

    def test_text(self):
        lines = self.output("pose", TWO_JOINTS, "--clip", "bend", "--time", "1", "--verify",
                            env=ON_A_DRIVER).splitlines()
        self.assertRegex(lines[0], r"^Largest differences to the scalar path, on .*Extent: 1\.5 m")
        self.assertEqual(lines[1].split(), ["storage", "positions", "m", "relative", "normals",
                                            "tangents"])
        self.assertEqual([line.split()[0] for line in lines[2:]], STORAGES)

    def test_options_that_do_not_go_together(self):
        for words, says in ((("--verify", "--format", "obj"), "--format"),
                            (("--verify", "--joint", "tip"), "--joint"),
                            (("--verify", "--storage", "ubo"), "--storage"),
                            (("--method", "dqs", "--joint", "tip"), "--method"),
                            (("--context", "gles"), "--path gpu and --verify"),
                            (("--context", "es"), "gl or gles"),
                            (("--method", "dlb"), "lbs")):
            self.assertIn(says, self.refusal(WRONG_USE, "pose", TWO_JOINTS, *words))

    def test_on_es(self):
        env = dict(ON_A_DRIVER, MESA_GLES_VERSION_OVERRIDE="3.0")
        got = self.json("pose", WRAPPER, *TWISTED, "--verify", "--json", "--context", "gles",
                        env=env)
        compared = [row for row in got["storages"] if "lacks" not in row]
        self.assertEqual([row["storage"] for row in compared], ["uniform", "ubo", "texture"])
        self.assertTrue(all(row["positions"] < 1e-6 for row in compared))
        posed = self.json("pose", WRAPPER, *TWISTED, "--path", "gpu", "--context", "gles", env=env)
        self.assertEqual(len(radii(posed)), 25)

    def test_a_storage_that_the_machine_lacks_is_told(self):
        env = dict(ON_A_DRIVER, MESA_GL_VERSION_OVERRIDE="3.3", MESA_GLSL_VERSION_OVERRIDE="330",
                   MESA_EXTENSION_OVERRIDE="-GL_ARB_shader_storage_buffer_object")
        result = self.check(DONE, "pose", TWO_JOINTS, "--verify", env=env)
        [ssbo] = [line for line in result.stdout.splitlines() if line.startswith("ssbo")]
        self.assertIn("not", ssbo)


if __name__ == "__main__":
    main()
