"""--clips: a clip of another file, bound to the model by the names of its nodes."""
import json

from command import DONE, FILE, TWO_JOINTS, WRONG_USE, CommandTest, main
from models import IDENTITY, TRIANGLE, Builder, rigid

# Places that a clip of ours goes to.
GOES = [[0, 0, 0], [4, 2, 0]]


def model(nodes=None, targets=0):
    """A triangle "thing" under "root"; root stands at 1 0 0."""
    builder = Builder()
    primitive = builder.primitive(TRIANGLE)
    if targets:
        primitive["targets"] = [{"POSITION": primitive["attributes"]["POSITION"]}] * targets
    nodes = nodes or [{"name": "root", "translation": [1, 0, 0], "children": [1]},
                      {"name": "thing", "mesh": 0}]
    return builder.gltf(scene=0, scenes=[{"nodes": [0]}], nodes=nodes,
                        meshes=[{"primitives": [primitive]}])


def clips(nodes, animations):
    """animations: {name: [(node, path, rows)]}, keys at 0 and 1 s; no mesh."""
    builder, made = Builder(), []
    times = builder.accessor([0, 1])
    for name, moves in animations.items():
        made.append({
            "name": name,
            "samplers": [{"input": times, "output": builder.accessor(rows)}
                         for _, _, rows in moves],
            "channels": [{"sampler": k, "target": {"node": node, "path": path}}
                         for k, (node, path, _) in enumerate(moves)]})
    return builder.gltf(nodes=[{"name": name} if name else {} for name in nodes], animations=made)


class Clips(CommandTest):
    def setUp(self):
        super().setUp()
        self.model = self.write("model.gltf", model())
        self.clips = self.write("clips.gltf", clips(["hand", "root"], {
            "stay": [(1, "translation", [[9, 9, 9]] * 2)],
            "go": [(1, "translation", GOES)]}))

    def first(self, *words, file=None, **more):
        posed = self.json("pose", file or self.model, *words, **more)
        return posed["instances"][0]["primitives"][0]["positions"][0]

    def test_a_clip_moves_the_node_of_its_name(self):
        for name in ("go", "1"):
            place = self.first("--clips", self.clips, "--clip", name, "--time", "0.5")
            self.assertEqual(place, [2, 1, 0])

    def test_the_first_clip_is_meant_without_a_name(self):
        self.assertEqual(self.first("--clips", self.clips), [9, 9, 9])

    def test_none_is_the_rest_pose(self):
        self.assertEqual(self.first("--clips", self.clips, "--clip", "none"), [1, 0, 0])

    def test_clips_of_the_model_itself_are_not_in_the_way(self):
        got = self.json("pose", TWO_JOINTS, "--clips", TWO_JOINTS, "--clip", "bend", "--time", "1")
        want = self.json("pose", TWO_JOINTS, "--clip", "bend", "--time", "1")
        self.assertEqual(got, want)
        self.assertEqual(self.json("pose", TWO_JOINTS, "--clips", TWO_JOINTS)["animation"], 0)

    def test_clips_from_standard_input(self):
        with open(self.clips, encoding="utf-8") as stream:
            self.assertEqual(self.first("--clips", "-", stdin=stream), [9, 9, 9])

    def test_a_matrix_gives_way(self):
        turned = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 1]
        file = self.write("turned.gltf", model([{"name": "root", "mesh": 0, "matrix": turned}]))
        half = self.write("half.gltf", clips(["root"], {
            "turn": [(0, "rotation", [[0, 0, 1, 0]] * 2)]}))
        posed = self.json("pose", file, "--clips", half)
        rows = posed["instances"][0]["primitives"][0]["positions"]
        self.assertRows(rows, [[1, 0, 0], [-1, 0, 0], [1, -2, 0]])


class Lost(CommandTest):
    """What a clip drives and the model does not have is told, in a line."""

    def told(self, nodes, moves, base=None, *words):
        file = self.write("model.gltf", base or model())
        other = self.write("clips.gltf", clips(nodes, {"go": moves}))
        message = self.check(DONE, "pose", file, "--clips", other, *words).stderr
        self.assertEqual(message.count("\n"), 1 if message else 0)
        self.assertTrue(not message or message.startswith("%s: warning: " % other), message)
        return message.rpartition(": ")[2].strip()

    def test_a_node_that_is_not_there(self):
        moves = [(0, "translation", GOES), (1, "translation", GOES)]
        self.assertEqual(self.told(["root", "tail"], moves),
                         '1 of the 2 channels of the clip move nothing, the model lacks "tail"')
        self.assertEqual(self.told(["root", "tail"], moves, None, "--quiet"), "")
        self.assertEqual(self.told(["root", "thing"], moves), "")

    def test_each_node_once_and_not_too_many(self):
        nodes = ["root"] + ["n%d" % k for k in range(9)]
        moves = [(k, path, GOES) for path in ("translation", "scale") for k in range(10)]
        self.assertEqual(self.told(nodes, moves),
                         '18 of the 20 channels of the clip move nothing, the model lacks "n0", '
                         '"n1", "n2", "n3", "n4" and 4 more')

    def test_nothing_in_common(self):
        self.assertEqual(self.told(["", "bone\x1b"], [(0, "translation", GOES),
                                                      (1, "scale", GOES)]),
                         "nothing in the model moves by this clip, it lacks node 0 (without a "
                         'name), "bone\\x1b"')

    def test_other_morph_targets(self):
        file = self.write("one.gltf", model(targets=1))
        other = model(targets=2)
        builder = Builder()
        times, weights = builder.accessor([0, 1]), builder.accessor([0, 0, 1, 1])
        first, count = len(other["accessors"]), len(other["bufferViews"])
        other["buffers"].append(builder.gltf()["buffers"][0])
        other["bufferViews"] += [dict(view, buffer=1) for view in builder.views]
        other["accessors"] += [dict(a, bufferView=a["bufferView"] + count)
                               for a in builder.accessors]
        other["animations"] = [{"samplers": [{"input": first + times, "output": first + weights}],
                                "channels": [{"sampler": 0,
                                              "target": {"node": 1, "path": "weights"}}]}]
        message = self.check(DONE, "pose", file, "--clips", self.write("two.gltf", other)).stderr
        self.assertIn('it lacks "thing" (with as many morph targets)', message)

    def test_a_matrix_that_is_no_turn_and_scale(self):
        sheared = [1, 0, 0, 0, 1, 1, 0, 0] + IDENTITY[8:]
        base = model([{"name": "root", "mesh": 0, "matrix": sheared}])
        moves = [(0, "translation", GOES), (0, "rotation", [[0, 0, 0, 1]] * 2)]
        self.assertIn('lacks "root" (without a sheared matrix)', self.told(["root"], moves, base))


class WrongFiles(CommandTest):
    def test_a_file_that_is_not_there(self):
        message = self.refusal(FILE, "pose", TWO_JOINTS, "--clips", self.folder / "no.glb")
        self.assertIn("no.glb", message)

    def test_a_file_without_clips(self):
        still = self.write("still.gltf", rigid())
        message = self.refusal(WRONG_USE, "pose", TWO_JOINTS, "--clips", still)
        self.assertIn("%s: there is no clip '0': the file has no animations" % still, message)

    def test_a_clip_that_the_file_does_not_have(self):
        other = self.write("clips.gltf", clips(["root"], {"jump": [(0, "translation", GOES)]}))
        message = self.refusal(WRONG_USE, "pose", TWO_JOINTS, "--clips", other, "--clip", "jmp")
        self.assertIn("%s: there is no clip 'jmp'; did you mean 'jump'?" % other, message)


class WithoutAMesh(CommandTest):
    """Files that hold clips and nothing to see."""

    def setUp(self):
        super().setUp()
        self.clips = self.write("clips.gltf", clips(["root"], {"go": [(0, "translation", GOES)]}))

    def test_info(self):
        text = self.output("info", self.clips)
        self.assertIn("nothing to see", text)
        self.assertIn('"go"', text)
        got = self.json("info", "--json", self.clips)
        self.assertEqual(got["clips"], [{"name": "go", "duration": 1, "channels": 1}])
        self.assertIsNone(got["bounds"])

    def test_pose(self):
        got = self.json("pose", self.clips, "--clip", "go", "--time", "1")
        self.assertEqual((got["instances"], got["aabb"]), ([], None))


class Joint(CommandTest):
    def setUp(self):
        super().setUp()
        self.clips = self.write("clips.gltf", clips(["tip"], {
            "one": [(0, "translation", GOES)], "two": [(0, "translation", GOES[::-1])]}))
        self.words = ("pose", TWO_JOINTS, "--joint", "tip", "--clips", self.clips, "--clip", "two")

    def test_text(self):
        text = self.output(*self.words, "--time", "0.25")
        self.assertIn("clip 1 of %s at 0.25 s\n" % self.clips, text)
        self.assertIn("translation     3.000000    1.500000    0.000000\n", text)

    def test_json(self):
        got = self.json(*self.words, "--json")
        self.assertEqual((got["clip"], got["translation"]), (1, [4, 2, 0]))

    def test_a_matrix(self):
        file = self.write("matrix.gltf", self.with_matrix())
        still = self.output("pose", file, "--joint", "tip")
        self.assertIn("the file gives this node a matrix", still)
        self.assertNotIn("translation", self.json("pose", file, "--joint", "tip", "--json"))
        turn = self.write("turn.gltf", clips(["tip"], {
            "turn": [(0, "rotation", [[0, 0, 1, 0]] * 2)]}))
        got = self.json("pose", file, "--joint", "tip", "--json", "--clips", turn)
        self.assertRows([got["rotation"], got["local"]],
                        [[0, 0, 1, 0], [-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]])

    @staticmethod
    def with_matrix():
        made = json.loads(TWO_JOINTS.read_text())
        tip = next(node for node in made["nodes"] if node.get("name") == "tip")
        x, y, z = tip.pop("translation")
        tip["matrix"] = IDENTITY[:12] + [x, y, z, 1]
        del made["animations"]
        return made


if __name__ == "__main__":
    main()
