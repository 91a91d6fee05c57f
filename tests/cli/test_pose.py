"""sinew pose: the JSON of the format, and obj and glb that hold the same mesh."""
import base64
import json
import math

from command import DONE, ON_A_DRIVER, TWO_JOINTS, CommandTest, main, sinew
from models import IDENTITY, TRIANGLE, Builder, rigid

BENT = [[3, 0, 0], [3.5, 1.5, 0], [2, 1, 0]]  # docs/spaces.md works it out
PNG = (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9cc\xf8"
       b"\xff\xff?\0\5\xfe\2\xfe\r\xefF\xb8\0\0\0\0IEND\xaeB`\x82")


def textured(**more):
    """Two primitives of one material each, texture, colours, tangents, under a node."""
    builder = Builder()
    view = builder.view(PNG)
    first = builder.primitive(TRIANGLE, indices=[0, 1, 2], normals=[[0, 0, 1]] * 3, material=0,
                              tangents=[[1, 0, 0, 1]] * 3, texcoords=[[0, 0], [1, 0], [0, 1]])
    second = builder.primitive([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], material=1, mode=6,
                               colors=[[1, 0, 0, 1]] * 4)
    return builder.gltf(
        scene=0, scenes=[{"nodes": [0]}],
        nodes=[{"name": "a thing", "mesh": 0, **more}],
        meshes=[{"primitives": [first, second]}],
        materials=[{"name": "skin", "pbrMetallicRoughness": {
                        "baseColorFactor": [0.5, 0.25, 1, 1], "baseColorTexture": {"index": 0}}},
                   {"name": "skin", "alphaMode": "BLEND", "doubleSided": True,
                    "extensions": {"KHR_materials_unlit": {}}}],
        extensionsUsed=["KHR_materials_unlit"],
        textures=[{"source": 0}], images=[{"bufferView": view, "mimeType": "image/png"}])


def read_obj(text):
    """positions, texcoords, normals, faces [[(v, vt, vn) from 0 on]], and other lines."""
    rows, faces, others = {"v": [], "vt": [], "vn": []}, [], []
    for line in text.splitlines():
        keyword, _, rest = line.partition(" ")
        if keyword in rows:
            rows[keyword].append([float(x) for x in rest.split()])
        elif keyword == "f":
            faces.append([tuple(int(x) - 1 if x else None for x in (corner + "//").split("/")[:3])
                          for corner in rest.split()])
        elif line and keyword != "#":
            others.append(line)
    return rows["v"], rows["vt"], rows["vn"], faces, others


class Json(CommandTest):
    def test_fields(self):
        got = self.json("pose", TWO_JOINTS, "--clip", "bend", "--time", "1")
        self.assertEqual((got["animation"], got["time"], got["scene"]), (0, 1, None))
        self.assertEqual([sorted(got["aabb"])], [["max", "min"]])
        self.assertRows([got["aabb"]["min"], got["aabb"]["max"]], [[2, 0, 0], [3.5, 1.5, 0]])
        [body] = got["instances"]
        self.assertEqual((body["node"], body["mesh"], body["skin"], body["name"]), (3, 0, 0, "body"))
        self.assertRows(body["palette"], [IDENTITY[:12] + [3, 0, 0, 1],
                                          [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 4, 1, 0, 1]])
        self.assertRows([body["world_matrix"]], [IDENTITY[:12] + [0, 7, 0, 1]])
        [primitive] = body["primitives"]
        self.assertRows(primitive["positions"], BENT)
        self.assertRows(primitive["normals"], [[0, 0, 1]] * 3)
        self.assertEqual(primitive["triangles"], [[0, 1, 2]])
        self.assertNotIn("tangents", primitive)
        self.assertNotIn("method", got)

    def test_rest_and_none_are_the_same(self):
        rest = self.output("pose", TWO_JOINTS)
        self.assertEqual(rest, self.output("pose", TWO_JOINTS, "--clip", "none", "--time", "0"))
        self.assertIsNone(json.loads(rest)["animation"])

    def test_time_is_not_looped(self):
        end = self.json("pose", TWO_JOINTS, "--clip", "0", "--time", "1")["instances"]
        self.assertEqual(self.json("pose", TWO_JOINTS, "--clip", "0", "--time", "7")["instances"], end)
        begin = self.json("pose", TWO_JOINTS, "--clip", "0")["instances"]
        for early in ("-5", "-1e300"):
            got = self.json("pose", TWO_JOINTS, "--clip", "0", "--time", early)
            self.assertEqual(got["instances"], begin)

    def test_clip_by_name_before_index(self):
        model = json.loads(TWO_JOINTS.read_text())
        model["animations"] = [model["animations"][0], dict(model["animations"][0])]
        model["animations"][1]["name"] = "0"
        path = self.write("named.gltf", model)
        self.assertEqual(self.json("pose", path, "--clip", "0")["animation"], 1)
        self.assertEqual(self.json("pose", path, "--clip", "1")["animation"], 1)

    def test_directions_as_the_file_has_them(self):
        first, second = self.json("pose", self.write("t.gltf", textured()))["instances"][0]["primitives"]
        self.assertIn("tangents", first)
        self.assertNotIn("normals", second)
        self.assertEqual(second["triangles"], [[1, 2, 0], [2, 3, 0]])
        lonely = rigid(tangents=[[1, 0, 0, 1]] * 3)
        [primitive] = self.json("pose", self.write("l.gltf", lonely))["instances"][0]["primitives"]
        self.assertNotIn("tangents", primitive)

    def test_scenes(self):
        model = rigid()
        model["nodes"].append({"mesh": 0, "translation": [5, 0, 0]})
        model["scenes"] = [{"nodes": [0]}, {"nodes": [1]}, {"nodes": []}]
        path = self.write("s.gltf", model)
        nodes = lambda *words: [i["node"] for i in self.json("pose", path, *words)["instances"]]
        self.assertEqual(nodes(), [0])
        self.assertEqual(nodes("--scene", "1"), [1])
        self.assertEqual(nodes("--scene", "2"), [])
        self.assertIsNone(self.json("pose", path, "--scene", "2")["aabb"])
        del model["scenes"], model["scene"]
        self.assertEqual([i["node"] for i in self.json("pose", self.write("n.gltf", model))["instances"]],
                         [0, 1])

    def test_nothing_to_see(self):
        got = self.json("pose", self.write("e.gltf", {"asset": {"version": "2.0"}}))
        self.assertEqual((got["instances"], got["aabb"]), ([], None))

    def test_points_and_lines_have_no_triangles(self):
        for mode in (0, 1, 2, 3):
            got = self.json("pose", self.write("p.gltf", rigid(mode=mode, indices=[0, 1, 2, 0])))
            self.assertEqual(got["instances"][0]["primitives"][0]["triangles"], [])

    def test_no_number_is_ever_nan(self):
        model = rigid(normals=[[0, 0, 1]] * 3)
        for scale in ([0, 0, 0], [1e-30, 1e-30, 1e-30], [3e38, 3e38, 3e38], [-1, 0, 1]):
            model["nodes"] = [{"scale": scale, "children": [1]}, {"mesh": 0, "scale": scale}]
            path = self.write("n.gltf", model)
            result = self.check(DONE, "pose", path)
            refuse = lambda word: self.fail("%s is printed at scale %s" % (word, scale))
            got = json.loads(result.stdout, parse_constant=refuse)
            for row in got["instances"][0]["primitives"][0]["positions"]:
                self.assertTrue(all(math.isfinite(x) for x in row))

    def test_floats_are_exact(self):
        rows = [[1e-30, -1e-5, 0.1], [1 / 3, 12345.678, 1e9], [-0.0, 16777215, 3e38]]
        builder = Builder()
        builder.accessor(rows)
        model = rigid()
        model["accessors"][0] = builder.accessors[0]
        model["buffers"] = builder.gltf()["buffers"]
        import struct
        want = [list(struct.unpack("<3f", struct.pack("<3f", *row))) for row in rows]
        got = self.json("pose", self.write("f.gltf", model))["instances"][0]["primitives"][0]["positions"]
        for row, other in zip(got, want):
            self.assertEqual([struct.pack("<f", x) for x in row],
                             [struct.pack("<f", x + 0.0) for x in other])

    def test_names_are_escaped(self):
        model = rigid()
        model["nodes"][0]["name"] = 'a"b\\c\n\u0001 ü \u2028 \U0001f9b4'
        path = self.write("q.gltf", model)
        self.assertEqual(self.json("pose", path)["instances"][0]["name"], model["nodes"][0]["name"])


class Obj(CommandTest):
    def test_numbering_goes_on(self):
        model = textured()
        model["nodes"].append({"name": "b", "mesh": 0})
        model["scenes"] = [{"nodes": [0, 1]}]
        faces = read_obj(self.output("pose", self.write("t.gltf", model), "--format", "obj"))[3]
        self.assertEqual(faces[3], [(7, 3, 3), (8, 4, 4), (9, 5, 5)])


    def test_same_mesh(self):
        rows, _, normals, faces, others = read_obj(
            self.output("pose", TWO_JOINTS, "--clip", "bend", "--time", "1", "--format", "obj"))
        self.assertRows(rows, BENT)
        self.assertRows(normals, [[0, 0, 1]] * 3)
        self.assertEqual(faces, [[(0, None, 0), (1, None, 1), (2, None, 2)]])
        self.assertEqual(others, ["o body", "usemtl default"])

    def test_materials_and_pictures_beside(self):
        path = self.write("t.gltf", textured())
        self.output("pose", path, "-o", self.folder / "out dir.obj")
        names = sorted(file.name for file in self.folder.iterdir())
        self.assertEqual(names, ["out dir.mtl", "out dir.obj", "out dir_image0.png", "t.gltf"])
        self.assertEqual((self.folder / "out dir_image0.png").read_bytes(), PNG)
        rows, texcoords, normals, faces, others = read_obj((self.folder / "out dir.obj").read_text())
        self.assertEqual(others, ["mtllib out dir.mtl", "o a_thing", "g a_thing_0", "usemtl skin",
                                  "g a_thing_1", "usemtl skin_1"])
        self.assertEqual(texcoords, [[0, 1], [1, 1], [0, 0]])
        self.assertEqual(faces, [[(0, 0, 0), (1, 1, 1), (2, 2, 2)],
                                 [(4, None, None), (5, None, None), (3, None, None)],
                                 [(5, None, None), (6, None, None), (3, None, None)]])
        library = (self.folder / "out dir.mtl").read_text()
        self.assertIn("newmtl skin\nKd 0.5 0.25 1\n", library)
        self.assertIn("map_Kd out dir_image0.png\n", library)
        self.assertIn("newmtl skin_1\n", library)

    def test_no_files_beside_a_stream(self):
        path = self.write("t.gltf", textured())
        text = self.output("pose", path, "--format", "obj", cwd=self.folder)
        self.assertNotIn("mtllib", text)
        piped = self.output("pose", path, "--format", "obj", "-o", "/dev/stdout", cwd=self.folder)
        self.assertEqual(piped, text)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["t.gltf"])

    def test_mirrored_faces_are_turned(self):
        path = self.write("m.gltf", textured(scale=[-1, 1, 1]))
        faces = read_obj(self.output("pose", path, "--format", "obj"))[3]
        self.assertEqual([corner[0] for corner in faces[0]], [0, 2, 1])

    def test_points_and_lines(self):
        for mode, lines in ((0, ["p 1", "p 2", "p 3"]), (1, ["l 1 2"]), (2, ["l 1 2 3 1"]),
                            (3, ["l 1 2 3"])):
            path = self.write("p.gltf", rigid(mode=mode))
            text = self.output("pose", path, "--format", "obj", "--quiet")
            self.assertEqual([line for line in text.splitlines() if line[:2] in ("p ", "l ")], lines)


class Glb(CommandTest):
    def again(self, *words):
        """The mesh that the command reads back from the glb that it writes."""
        target = self.folder / "again.glb"
        self.output("pose", *words, "-o", target)
        self.output("info", target)
        return self.json("pose", target, "--strict"), target

    def test_same_mesh(self):
        words = (TWO_JOINTS, "--clip", "bend", "--time", "1")
        want = self.json("pose", *words)
        got, _ = self.again(*words)
        self.assertEqual(got["aabb"], want["aabb"])
        [instance] = got["instances"]
        self.assertIsNone(instance["skin"])
        self.assertEqual(instance["name"], "body")
        self.assertEqual(instance["primitives"], want["instances"][0]["primitives"])

    def test_pictures_of_webp_travel(self):
        model = textured()
        webp = b"RIFF\x10\0\0\0WEBPVP8 not read"
        model["images"] = [{"uri": "data:image/webp;base64," + base64.b64encode(webp).decode()}]
        for texture in model["textures"]:
            texture["extensions"] = {"EXT_texture_webp": {"source": texture.pop("source")}}
        model["extensionsUsed"] = ["EXT_texture_webp"]
        _, target = self.again(self.write("w.gltf", model))
        after = self.json("info", "--json", target)
        self.assertEqual(after["images"][0]["type"], "image/webp")
        self.assertEqual(after["images"][0]["bytes"], len(webp))
        self.assertEqual(after["extensions_required"], ["EXT_texture_webp"])
        self.assertIn("EXT_texture_webp", after["extensions_used"])
        self.output("pose", self.folder / "w.gltf", "-o", self.folder / "w.obj")
        self.assertEqual((self.folder / "w_image0.webp").read_bytes(), webp)

    def test_materials_travel(self):
        path = self.write("t.gltf", textured())
        _, target = self.again(path)
        before, after = self.json("info", "--json", path), self.json("info", "--json", target)
        self.assertEqual(after["materials"], before["materials"])
        self.assertEqual(after["images"], before["images"])
        self.assertEqual(after["extensions_used"], ["KHR_materials_unlit"])
        again = self.folder / "second.glb"
        self.output("pose", target, "-o", again)
        self.assertEqual(again.read_bytes(), target.read_bytes())

    def test_mirror(self):
        path = self.write("m.gltf", textured(scale=[-1, 1, 1]))
        want = self.json("pose", path)["instances"][0]["primitives"][0]
        got = self.again(path)[0]["instances"][0]["primitives"][0]
        self.assertEqual(got["positions"], want["positions"])
        self.assertEqual(got["normals"], want["normals"])
        self.assertEqual(got["triangles"], [[0, 2, 1]])
        self.assertEqual([row[3] for row in got["tangents"]], [-1, -1, -1])

    def test_other_topologies(self):
        for mode in (0, 1, 2, 3):
            model = rigid(mode=mode, indices=[0, 1, 2, 0])
            got, _ = self.again(self.write("p.gltf", model))
            self.assertEqual(len(got["instances"][0]["primitives"][0]["positions"]), 3)

    def test_half_a_line_is_left_out(self):
        for more in ({}, {"indices": [0, 1, 2]}):
            path = self.write("l.gltf", rigid(mode=1, **more))
            self.check(DONE, "pose", path, "-o", self.folder / "l.glb")
            self.output("info", self.folder / "l.glb")

    def test_flat_joints_leave_a_sound_file(self):
        model = textured(scale=[0, 0, 0])
        got, _ = self.again(self.write("z.gltf", model))
        for row in got["instances"][0]["primitives"][0]["normals"]:
            self.assertAlmostEqual(sum(x * x for x in row), 1, 5)

    def test_nothing_to_see(self):
        got, _ = self.again(self.write("e.gltf", {"asset": {"version": "2.0"}}))
        self.assertEqual(got["instances"], [])


class Gpu(CommandTest):
    def test_no_number_is_ever_nan(self):
        model = rigid(normals=[[0, 0, 1]] * 3)
        model["nodes"] = [{"scale": [3e38] * 3, "children": [1]},
                          {"mesh": 0, "scale": [3e38] * 3, "translation": [1e38] * 3}]
        path = self.write("n.gltf", model)
        result = sinew("pose", path, "--path", "gpu", env=ON_A_DRIVER)
        if result.returncode == 4:
            self.skipTest(result.stderr)
        json.loads(result.stdout, parse_constant=lambda word: self.fail(word + " is printed"))

    def test_same_vertices(self):
        words = ("pose", TWO_JOINTS, "--clip", "bend", "--time", "0.7")
        first = sinew(*words, "--path", "gpu", env=ON_A_DRIVER)
        if first.returncode == 4:
            self.skipTest(first.stderr)
        want = self.json(*words)["instances"][0]
        for storage in ("auto", "tbo3", "tbo4", "uniform", "ubo", "ssbo", "texture"):
            result = self.check(DONE, *words, "--path", "gpu", "--storage", storage,
                                env=ON_A_DRIVER)
            got = json.loads(result.stdout)["instances"][0]
            self.assertEqual(sorted(got), sorted(want))
            for name in ("positions", "normals"):
                self.assertRows(got["primitives"][0][name], want["primitives"][0][name], 2e-6)


if __name__ == "__main__":
    main()
