"""sinew pose --joint: four matrices that multiply up."""
import json
import math
import re

from command import TWO_JOINTS, CommandTest, main
from models import IDENTITY, TRIANGLE, Builder

HALF = math.sqrt(0.5)


def multiply(a, b):
    """a * b, column-major."""
    return [sum(a[4 * k + row] * b[4 * column + k] for k in range(4))
            for column in range(4) for row in range(4)]


def chain():
    """A skeleton under a turned node, a node between its joints that is none, two skins."""
    builder = Builder()
    primitive = builder.primitive(TRIANGLE)
    primitive["attributes"]["JOINTS_0"] = builder.accessor([[0, 1, 0, 0]] * 3, 5121)
    primitive["attributes"]["WEIGHTS_0"] = builder.accessor([[0.5, 0.5, 0, 0]] * 3)
    binds = builder.accessor([IDENTITY, IDENTITY[:12] + [0, -1, 0, 1]])
    return builder.gltf(
        scene=0, scenes=[{"nodes": [0, 4, 5]}],
        nodes=[{"name": "zup", "rotation": [-HALF, 0, 0, HALF], "children": [1]},
               {"name": "root", "children": [2]},
               {"name": "spacer", "translation": [0, 0.5, 0], "scale": [2, 1, 1], "children": [3]},
               {"name": "tip", "translation": [0, 0.5, 0], "rotation": [0, 0, HALF, HALF],
                "scale": [1, 3, 0.5]},
               {"mesh": 0, "skin": 0}, {"mesh": 0, "skin": 1}],
        meshes=[{"primitives": [primitive]}],
        skins=[{"joints": [1, 3], "inverseBindMatrices": binds}, {"joints": [3, 1]}])


class Joint(CommandTest):
    def look(self, path, *words):
        return self.json("pose", path, "--json", "--joint", *words)

    def test_worked_example(self):
        tip = self.look(TWO_JOINTS, "tip", "--clip", "bend", "--time", "1")
        self.assertEqual((tip["joint"], tip["node"], tip["skin"], tip["slot"], tip["parent"]),
                         ("tip", 2, 0, 1, 1))
        self.assertEqual((tip["clip"], tip["time"]), (0, 1))
        rows = [tip["joint_matrix"][row::4] for row in range(4)]
        self.assertRows(rows, [[0, -1, 0, 4], [1, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]])
        self.assertRows([tip["translation"], tip["scale"]], [[0, 1, 0], [1, 1, 1]])
        self.assertRows([tip["rotation"]], [[0, 0, HALF, HALF]])

    def test_they_multiply_up(self):
        path = self.write("chain.gltf", chain())
        for skin, name in ((0, "root"), (0, "tip"), (1, "tip"), (1, "root")):
            got = self.look(path, name, "--skin", skin)
            self.assertEqual(got["skin"], skin)
            self.assertRows([got["world"]], [multiply(got["parent_world"], got["local"])])
            self.assertRows([got["joint_matrix"]], [multiply(got["world"], got["inverse_bind"])])
            palette = self.json("pose", path)["instances"][skin]["palette"]
            self.assertRows([palette[got["slot"]]], [got["joint_matrix"]])

    def test_every_node_above_counts(self):
        tip = self.look(self.write("chain.gltf", chain()), "tip")
        self.assertRows([tip["world"][12:]], [[0, 0, -1, 1]])

    def test_absent_inverse_bind_is_identity(self):
        tip = self.look(self.write("chain.gltf", chain()), "tip", "--skin", "1")
        self.assertRows([tip["inverse_bind"]], [IDENTITY])
        self.assertEqual(tip["slot"], 0)

    def test_by_number_of_the_node(self):
        path = self.write("chain.gltf", chain())
        self.assertEqual(self.look(path, "3"), self.look(path, "tip"))

    def test_matrix_node(self):
        model = chain()
        model["nodes"][3] = {"name": "tip", "matrix": [2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 1, 2, 3, 1]}
        path = self.write("matrix.gltf", model)
        tip = self.look(path, "tip")
        self.assertEqual(tip["local"], model["nodes"][3]["matrix"])
        self.assertNotIn("translation", tip)
        self.assertIn("gives this node a matrix", self.output("pose", path, "--joint", "tip"))

    def test_text_says_the_same(self):
        words = (TWO_JOINTS, "--clip", "bend", "--time", "1", "--joint", "tip")
        text = self.output("pose", *words)
        got = self.json("pose", *words, "--json")
        blocks = re.findall(r"^(\S.*?)  +(\S+ -> \S+)\n((?:  .*\n){4})", text, re.M)
        self.assertEqual([spaces for _, spaces, _ in blocks],
                         ["joint -> parent", "parent -> world", "joint -> world", "bind -> joint",
                          "bind -> world"])
        names = ["local", "parent_world", "world", "inverse_bind", "joint_matrix"]
        for name, (_, _, block) in zip(names, blocks):
            rows = [[float(x) for x in line.split()] for line in block.splitlines()]
            self.assertRows(rows, [got[name][row::4] for row in range(4)])
        self.assertNotIn("-0.000000", text)
        self.assertIn('joint "tip"  node 2, slot 1 of skin 0 "two joints", below "root"', text)
        self.assertIn('clip 0 "bend" at 1 s', text)

    def test_rest_pose_without_a_clip(self):
        text = self.output("pose", TWO_JOINTS, "--joint", "root")
        self.assertIn("at rest\n", text)
        self.assertIsNone(self.look(TWO_JOINTS, "root")["clip"])

    def test_tiny_and_large_numbers_are_shown(self):
        model = chain()
        model["nodes"][3]["scale"] = [1e-6, 1e-6, 1e-6]
        model["nodes"][3]["translation"] = [1234567, 0, 0]
        text = self.output("pose", self.write("tiny.gltf", model), "--joint", "tip")
        self.assertIn("1e-06", text)
        self.assertIn("1.23457e+06", text)

    def test_unnamed_joints_are_listed_by_number(self):
        model = chain()
        del model["nodes"][3]["name"]
        message = self.refusal(2, "pose", self.write("u.gltf", model), "--joint", "elbow")
        self.assertIn("root", message)
        self.assertIn("3", message.splitlines()[-1])

    def test_no_skin(self):
        model = {"asset": {"version": "2.0"}, "nodes": [{"name": "a"}]}
        message = self.refusal(2, "pose", self.write("n.gltf", model), "--joint", "a")
        self.assertIn("the file has no skin", message)

    def test_to_a_file(self):
        target = self.folder / "tip.txt"
        self.output("pose", TWO_JOINTS, "--joint", "tip", "-o", target)
        self.assertEqual(target.read_text(), self.output("pose", TWO_JOINTS, "--joint", "tip"))


if __name__ == "__main__":
    main()
