"""The report cases of ../shared: skinned places, bounds, joint matrices, listings of clips."""
import json

from command import SHARED, CommandTest, main
from test_joint import multiply

FOLDER = SHARED / "gauntlet" / "reports"


class Reports(CommandTest):
    def cases(self):
        for path in sorted(FOLDER.glob("*.expected.json")):
            for case in json.loads(path.read_text())["cases"]:
                with self.subTest(case=path.name, file=case["file"], time=case.get("time")):
                    yield case

    def words(self, case):
        clip = case.get("animation")
        return (FOLDER / case["file"], "--quiet", "--time", case.get("time") or 0,
                "--clip", "none" if clip is None else clip)

    def near(self, got, want, tolerance):
        self.assertEqual(len(got), len(want))
        for a, b in zip(got, want):
            self.assertLessEqual(abs(a - b), tolerance * max(1, abs(b)), (got, want))

    def test_vertices_and_bounds(self):
        for case in self.cases():
            got = self.json("pose", *self.words(case))
            tolerance = case.get("tolerance", 1e-4)
            instances = {instance["node"]: instance for instance in got["instances"]}
            for want in case.get("vertices", []):
                primitive = instances[want["node"]]["primitives"][want.get("primitive", 0)]
                vertex = want["index"]
                self.near(primitive["positions"][vertex], want["position"], tolerance)
                for name in ("normal", "tangent"):
                    if name in want:
                        self.near(primitive[name + "s"][vertex], want[name], tolerance)
            if case.get("bounds"):
                for side in ("min", "max"):
                    self.near(got["aabb"][side], case["bounds"][side], tolerance)

    def test_joint_matrices_multiply_up(self):
        for case in self.cases():
            for want in case.get("joint_matrix", []):
                skins = self.json("info", "--quiet", "--json", FOLDER / case["file"])["skins"]
                name = skins[want["skin"]]["joint_names"][want["joint"]]
                got = self.json("pose", *self.words(case), "--json", "--joint", name)
                rows = [got["joint_matrix"][row::4] for row in range(4)]
                for a, b in zip(rows, want["rows"]):
                    self.near(a, b, 1e-4)
                self.near(got["world"], multiply(got["parent_world"], got["local"]), 1e-5)
                self.near(got["joint_matrix"], multiply(got["world"], got["inverse_bind"]), 1e-5)

    def test_listing_of_clips(self):
        for case in self.cases():
            if case.get("clips"):
                got = self.json("info", "--quiet", "--json", FOLDER / case["file"])["clips"]
                self.assertEqual([clip["name"] for clip in got],
                                 [clip["name"] for clip in case["clips"]])
                for clip, want in zip(got, case["clips"]):
                    self.assertAlmostEqual(clip["duration"], want["duration"], 6)

    def test_transposed_inverse_bind_is_told(self):
        name = FOLDER / "R19-inverse-bind-transposed.gltf"
        message = self.check(0, "pose", name).stderr
        self.assertIn("[inverse-bind-last-row]", message)
        self.check(3, "pose", name, "--strict")


if __name__ == "__main__":
    main(needs_shared="gauntlet/reports")
