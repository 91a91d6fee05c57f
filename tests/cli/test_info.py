"""sinew info: a summary for a reader, JSON for a script."""
import json

from command import TWO_JOINTS, CommandTest, main
from models import TRIANGLE, Builder, rigid


def rich():
    """Scenes, a mesh with morph targets, clips of 0 and 2.5 s, extensions."""
    builder = Builder()
    primitive = builder.primitive(TRIANGLE, indices=[0, 1, 2])
    delta = builder.accessor([[0, 0, 1]] * 3)
    primitive["targets"] = [{"POSITION": delta}, {"POSITION": delta}]
    short = builder.accessor([0])
    long = builder.accessor([0.5, 2.5])
    one = builder.accessor([[0, 0, 0]])
    two = builder.accessor([[0, 0, 0], [1, 0, 0]])

    def clip(name, times, values):
        return {"name": name, "samplers": [{"input": times, "output": values}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}
    return builder.gltf(
        asset={"version": "2.0", "generator": "by hand"}, scene=1,
        scenes=[{"name": "empty"}, {"name": "full", "nodes": [0]}],
        nodes=[{"name": "n", "mesh": 0}], meshes=[{"name": "m", "primitives": [primitive]}],
        materials=[{"name": "glass", "alphaMode": "BLEND", "doubleSided": True}],
        animations=[clip("tpose", short, one), clip("wave", long, two)],
        extensionsUsed=["KHR_texture_transform"])


class Json(CommandTest):
    def test_two_joints(self):
        got = self.json("info", "--json", TWO_JOINTS)
        self.assertEqual(got["clips"], [{"name": "bend", "duration": 1, "channels": 1}])
        self.assertEqual(got["skins"], [{"name": "two joints", "joints": 2,
                                         "joint_names": ["root", "tip"]}])
        self.assertEqual(got["meshes"], [{"name": "triangle", "primitives": 1, "vertices": 3,
                                          "triangles": 1, "influences": 2, "targets": 0}])
        self.assertEqual(got["bounds"], {"min": [3, 0, 0], "max": [4, 2, 0]})
        self.assertEqual(got["file_bytes"], TWO_JOINTS.stat().st_size)
        self.assertEqual(got["nodes"], 4)

    def test_rich(self):
        got = self.json("info", "--json", self.write("rich.gltf", rich()))
        self.assertEqual([(clip["name"], clip["duration"]) for clip in got["clips"]],
                         [("tpose", 0), ("wave", 2.5)])
        self.assertEqual(got["meshes"][0]["targets"], 2)
        self.assertEqual(got["scenes"], [{"name": "empty", "roots": 0}, {"name": "full", "roots": 1}])
        self.assertEqual(got["default_scene"], 1)
        self.assertEqual(got["generator"], "by hand")
        self.assertEqual(got["materials"],
                         [{"name": "glass", "alpha": "BLEND", "double_sided": True, "unlit": False}])
        self.assertEqual(got["extensions_used"], ["KHR_texture_transform"])

    def test_a_line_a_file(self):
        lines = self.output("info", "--json", TWO_JOINTS, TWO_JOINTS).splitlines()
        self.assertEqual(len(lines), 2)
        self.assertEqual(json.loads(lines[0]), json.loads(lines[1]))

    def test_empty_model(self):
        got = self.json("info", "--json", self.write("e.gltf", {"asset": {"version": "2.0"}}))
        self.assertEqual((got["bounds"], got["default_scene"], got["clips"]), (None, None, []))


class Text(CommandTest):
    def test_rich(self):
        text = self.output("info", self.write("rich.gltf", rich()))
        for part in ("made by     by hand\n", '"full"', "the default", '"m"  3 vertices  1 triangle',
                     "2 morph targets", '"tpose"    0.000 s  1 channel\n', '"wave"     2.500 s',
                     '"glass"  blend', "double-sided", "at rest     1 x 1 x 0 m, from (0, 0, 0)"):
            self.assertIn(part, text)

    def test_no_line_ends_in_spaces_or_is_blank(self):
        for path in (TWO_JOINTS, self.write("rich.gltf", rich()), self.write("r.gltf", rigid())):
            for line in self.output("info", path).splitlines():
                self.assertEqual(line, line.rstrip())
                self.assertTrue(line)

    def test_names_cannot_move_the_cursor(self):
        model = rich()
        model["meshes"][0]["name"] = "a\x1b[2J\nsinew: forged"
        model["asset"]["generator"] = "\x9b2J\u202eabc\rx"
        text = self.output("info", self.write("x.gltf", model))
        for odd in "\x1b\x9b\r\u202e":
            self.assertNotIn(odd, text)
        self.assertNotIn("\nsinew: forged", text)

    def test_long_lists_are_cut_short_but_not_clips(self):
        model = rich()
        model["materials"] = [{"name": "m%d" % k} for k in range(100)]
        model["animations"] = model["animations"] * 30
        text = self.output("info", self.write("long.gltf", model))
        self.assertIn("... and 70 more; --json lists them all", text)
        self.assertEqual(text.count('"wave"'), 30)

    def test_nothing_to_see(self):
        self.assertIn("nothing to see", self.output("info", self.write("e.gltf", {
            "asset": {"version": "2.0"}})))


if __name__ == "__main__":
    main()
