"""Pictures of small models whose every pixel is known, and of the figure."""
import math
import tempfile
import unittest
from pathlib import Path

from cli import command
from cli.command import DONE, SOURCE, CommandTest, sinew
from pictures import Picture, differing, png
from quads import Quads, cube_of

FIGURE = SOURCE / "assets" / "figure.glb"
FRONT = ("--camera-azimuth", "0", "--camera-elevation", "0")
SMALL = ("--size", "160x120")
CLEAR = ("--background", "transparent", "--no-shadow")
RED, GREEN, BLUE, WHITE = (200, 30, 40, 255), (20, 180, 60, 255), (30, 60, 220, 255), (255,) * 4
# 2 x 2 pixels, red, green, blue, white, by libwebp 1.2.4 without loss.
WEBP = bytes.fromhex("5249464636000000574542505650384c290000002f014000001f201020ca6c0a"
                     "3462432040a418526a929080386196ffcd16f31f7f4849817588e87f0400")
# The part of half a picture that stays empty on the side that the subject fills.
MARGIN = 0.08


def srgb(linear):
    value = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
    return round(255 * value)


class PictureTest(CommandTest):
    def render(self, model, *options, quiet=True):
        if not isinstance(model, Path):
            model = self.write("model.gltf", model)
        result = self.check(DONE, "render", model, "-o", "-", *options, text=False)
        if quiet:
            self.assertEqual(result.stderr, b"")
        return Picture(result.stdout)

    def assertNear(self, got, expected, tolerance=0):
        self.assertTrue(all(abs(a - b) <= tolerance for a, b in zip(got, expected)),
                        "%s, expected %s" % (got, expected))


class Colours(PictureTest):
    def test_an_unlit_texture_keeps_its_colour_exactly(self):
        quads = Quads()
        texture = quads.texture(png([[RED] * 4] * 4))
        quads.square(quads.material(pbrMetallicRoughness={"baseColorTexture": {"index": texture}}))
        for background in ("transparent", "#102030"):
            picture = self.render(quads.gltf(), *FRONT, *SMALL, "--background", background)
            self.assertEqual(picture.pixel(80, 60), RED)
            self.assertIn(b"sRGB", picture.kinds)

    def test_an_unlit_factor_is_linear(self):
        quads = Quads()
        quads.square(quads.color(0.5, 0.02, 1.0, 1.0))
        picture = self.render(quads.gltf(), *FRONT, *SMALL)
        # Drivers may encode a little coarsely; texels come back exactly all the same.
        self.assertNear(picture.pixel(80, 60), (srgb(0.5), srgb(0.02), 255, 255), 1)

    def test_vertex_colours_are_multiplied_in(self):
        quads = Quads()
        quads.square(quads.color(1, 1, 0.5, 1), colors=[[0.25, 0.5, 1, 1]] * 4)
        picture = self.render(quads.gltf(), *FRONT, *SMALL)
        self.assertNear(picture.pixel(80, 60), (srgb(0.25), srgb(0.5), srgb(0.5), 255), 1)

    def test_a_matt_red_in_the_light_is_that_red(self):
        quads = Quads()
        quads.square(quads.material(unlit=False, pbrMetallicRoughness={
            "baseColorFactor": [0.5, 0.05, 0.05, 1], "metallicFactor": 0}))
        r, g, b, _ = self.render(quads.gltf(), *FRONT, *SMALL, *CLEAR).pixel(80, 60)
        self.assertNear((r, g, b), (srgb(0.5), srgb(0.05), srgb(0.05)), 30)
        self.assertGreater(r, 2 * max(g, b))

    def test_emission_is_added(self):
        quads = Quads()
        quads.square(quads.material(unlit=False, emissiveFactor=[0, 0.4, 0], pbrMetallicRoughness={
            "baseColorFactor": [0, 0, 0, 1], "metallicFactor": 0}))
        self.assertGreater(self.render(quads.gltf(), *FRONT, *SMALL).pixel(80, 60)[1], srgb(0.35))

    def test_metal_is_not_black(self):
        quads = Quads()
        positions, normals, triangles = cube_of()
        metal = quads.material(unlit=False, pbrMetallicRoughness={"roughnessFactor": 0.1})
        quads.mesh(positions, triangles, normals=normals, material=metal)
        for azimuth in range(0, 360, 45):
            picture = self.render(quads.gltf(), *SMALL, *CLEAR, "--camera-azimuth", str(azimuth))
            self.assertGreater(min(sum(p[:3]) for p in picture.pixels() if p[3] == 255), 150)


class Textures(PictureTest):
    CORNERS = png([[RED, GREEN], [BLUE, WHITE]])

    def corners(self, **transform):
        quads = Quads()
        use = {"index": quads.texture(self.CORNERS)}
        if transform:
            use["extensions"] = {"KHR_texture_transform": transform}
        quads.square(quads.material(pbrMetallicRoughness={"baseColorTexture": use}))
        picture = self.render(quads.gltf(extensionsUsed=["KHR_texture_transform"]), *FRONT,
                              "--size", "120x120")
        return [picture.pixel(x, y) for y in (40, 80) for x in (40, 80)]

    def test_a_texture_stands_upright(self):
        self.assertEqual(self.corners(), [RED, GREEN, BLUE, WHITE])

    def test_texture_transforms(self):
        self.assertEqual(self.corners(offset=[0.5, 0]), [GREEN, RED, WHITE, BLUE])
        self.assertEqual(self.corners(scale=[0.5, 0.5]), [RED] * 4)
        self.assertEqual(self.corners(scale=[1, 0.5], offset=[0, 0.5]), [BLUE, WHITE] * 2)

    def test_texture_transforms_turn_as_the_examples_of_the_extension(self):
        """Its GLSL turns the other way (KhronosGroup/glTF, issue 1563); its sentences, its
        example and the programs that write such files agree on this one."""
        # Coordinates turned counter-clockwise, so the picture turns clockwise.
        self.assertEqual(self.corners(rotation=math.pi / 2), [BLUE, RED, WHITE, GREEN])
        # "Only the lower left quadrant of the source image, rotated clockwise 90 degrees."
        quads = Quads()
        rows = [[WHITE] * 4] * 2 + [[RED, GREEN, WHITE, WHITE], [BLUE, (9, 9, 9, 255), WHITE, WHITE]]
        use = {"index": quads.texture(png(rows)), "extensions": {"KHR_texture_transform": {
            "offset": [0, 1], "rotation": 1.57079632679, "scale": [0.5, 0.5]}}}
        quads.square(quads.material(pbrMetallicRoughness={"baseColorTexture": use}))
        picture = self.render(quads.gltf(), *FRONT, "--size", "120x120")
        self.assertEqual([picture.pixel(x, y) for y in (40, 80) for x in (40, 80)],
                         [BLUE, RED, (9, 9, 9, 255), GREEN])

    def test_a_texture_is_scaled_before_it_is_turned(self):
        # (u, v) becomes (2 v, -u).
        self.assertEqual(self.corners(rotation=math.pi / 2, scale=[1, 2]),
                         [WHITE, GREEN, BLUE, RED])

    def test_webp(self):
        quads = Quads()
        texture = quads.texture(WEBP, mime="image/webp")
        quads.textures[texture]["extensions"] = {
            "EXT_texture_webp": {"source": quads.textures[texture].pop("source")}}
        quads.square(quads.material(pbrMetallicRoughness={"baseColorTexture": {"index": texture}}))
        model = quads.gltf(extensionsUsed=["EXT_texture_webp"])
        path = self.write("webp.gltf", model)
        told = self.check(DONE, "render", path, "-o", "-", *SMALL, text=False).stderr
        if b"libwebp" in told:
            self.skipTest("built without libwebp")
        picture = self.render(path, *FRONT, "--size", "120x120")
        self.assertEqual([picture.pixel(x, y) for y in (40, 80) for x in (40, 80)],
                         [RED, GREEN, BLUE, WHITE])

    def test_the_diffuse_texture_of_specular_glossiness(self):
        quads = Quads()
        texture = quads.texture(self.CORNERS)
        glossy = {"KHR_materials_pbrSpecularGlossiness": {"diffuseTexture": {"index": texture}}}
        quads.square(quads.material(extensions=glossy))
        picture = self.render(quads.gltf(), *FRONT, "--size", "120x120")
        self.assertEqual([picture.pixel(x, y) for y in (40, 80) for x in (40, 80)],
                         [RED, GREEN, BLUE, WHITE])

    def test_second_texture_coordinates(self):
        quads = Quads()
        texture = {"index": quads.texture(self.CORNERS), "texCoord": 1}
        quads.square(quads.material(pbrMetallicRoughness={"baseColorTexture": texture}))
        attributes = quads.meshes[0]["primitives"][0]["attributes"]
        attributes["TEXCOORD_1"] = quads.builder.accessor([[0.25, 0.75]] * 4)
        self.assertEqual(self.render(quads.gltf(), *FRONT, *SMALL).pixel(80, 60), BLUE)

    def test_a_broken_picture_is_told_and_left_out(self):
        quads = Quads()
        texture = quads.texture(self.CORNERS[:40])
        quads.square(quads.material(pbrMetallicRoughness={
            "baseColorTexture": {"index": texture}, "baseColorFactor": [1, 0, 0, 1]}))
        model = self.write("model.gltf", quads.gltf())
        result = self.check(DONE, "render", model, "-o", "-", *FRONT, *SMALL, text=False)
        self.assertIn(b"/images/0", result.stderr)
        self.assertIn(b"PNG is broken", result.stderr)
        self.assertEqual(Picture(result.stdout).pixel(80, 60), (255, 0, 0, 255))

    def bump(self, up, tangents):
        """Brightness of a square whose normal map leans up or down the map."""
        quads = Quads()
        lean = (128, 128 + (80 if up else -80), 220, 255)
        texture = quads.texture(png([[lean] * 2] * 2))
        material = quads.material(unlit=False, normalTexture={"index": texture},
                                  pbrMetallicRoughness={"metallicFactor": 0,
                                                        "baseColorFactor": [0.4, 0.4, 0.4, 1]})
        more = {"tangents": [[1, 0, 0, 1]] * 4} if tangents else {}
        quads.square(material, **more)
        return self.render(quads.gltf(), *FRONT, *SMALL, *CLEAR).pixel(80, 60)

    def test_normal_maps_lean_the_right_way_with_and_without_tangents(self):
        up, down = self.bump(True, True), self.bump(False, True)
        self.assertGreater(up[0], down[0] + 20)  # the light is above
        self.assertNear(self.bump(True, False), up, 2)
        self.assertNear(self.bump(False, False), down, 2)


class Alpha(PictureTest):
    HALF = png([[RED, RED[:3] + (100,)]])

    def half(self, **more):
        quads = Quads()
        texture = quads.texture(self.HALF)
        quads.square(quads.material(pbrMetallicRoughness={"baseColorTexture": {"index": texture}},
                                    **more))
        picture = self.render(quads.gltf(), *FRONT, *CLEAR, "--size", "120x120")
        return picture.pixel(40, 60), picture.pixel(80, 60)

    def test_opaque_ignores_alpha(self):
        self.assertEqual(self.half(), (RED, RED))

    def test_mask_cuts_at_the_cutoff(self):
        self.assertEqual(self.half(alphaMode="MASK"), (RED, (0, 0, 0, 0)))
        self.assertEqual(self.half(alphaMode="MASK", alphaCutoff=0.3), (RED, RED))

    def test_blend_lets_through(self):
        solid, half = self.half(alphaMode="BLEND")
        self.assertEqual(solid, RED)
        self.assertNear(half, RED[:3] + (100,), 2)

    def test_what_blends_is_drawn_from_the_back(self):
        for order in (1, -1):
            quads = Quads()
            squares = [((1, 0, 0, 0.5), 0.2), ((0, 0, 1, 0.5), -0.2)][::order]
            for color, z in squares:
                quads.square(quads.color(*color, alphaMode="BLEND"),
                             node={"translation": [0, 0, z]})
            r, _, b, _ = self.render(quads.gltf(), *FRONT, *CLEAR, *SMALL).pixel(80, 60)
            self.assertGreater(r, b + 30, "the red one is in front")

    def test_what_blends_is_behind_what_is_solid_before_it(self):
        quads = Quads()
        quads.square(quads.color(0, 1, 0, 0.5, alphaMode="BLEND"),
                     node={"translation": [0, 0, -0.2]})
        quads.square(quads.color(1, 0, 0, 1), node={"translation": [0, 0, 0.2]})
        self.assertEqual(self.render(quads.gltf(), *FRONT, *CLEAR, *SMALL).pixel(80, 60),
                         (255, 0, 0, 255))


class Faces(PictureTest):
    LIT = {"unlit": False, "pbrMetallicRoughness": {"metallicFactor": 0}}
    MIRROR = {"matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}

    def square(self, azimuth=0, node=None, **more):
        quads = Quads()
        quads.square(quads.material(**self.LIT, **more), node)
        picture = self.render(quads.gltf(), *SMALL, *CLEAR, "--camera-elevation", "0",
                              "--camera-azimuth", str(azimuth))
        return picture.pixel(80, 60)

    def test_the_back_is_seen_only_of_what_has_two_sides(self):
        self.assertEqual(self.square(180)[3], 0)
        self.assertNear(self.square(180, doubleSided=True), self.square(0), 2)

    def test_a_mirrored_mesh_is_not_inside_out(self):
        plain = self.square()
        self.assertGreater(plain[0], 150)
        self.assertNear(self.square(node=self.MIRROR), plain, 2)
        self.assertNear(self.square(node={"scale": [-1, 1, 1]}), plain, 2)
        self.assertEqual(self.square(180, node=self.MIRROR)[3], 0)
        self.assertNear(self.square(180, node=self.MIRROR, doubleSided=True), plain, 2)

    def test_without_normals_faces_are_flat_and_lit(self):
        quads = Quads()
        quads.square(quads.material(**self.LIT), normals=False)
        picture = self.render(quads.gltf(), *SMALL, *CLEAR, *FRONT)
        self.assertNear(picture.pixel(80, 60), self.square(), 2)

    def test_points_and_lines_are_drawn(self):
        for mode in (0, 1, 2, 3):
            quads = Quads()
            quads.mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], mode=mode,
                       material=quads.color(1, 0, 0, 1))
            picture = self.render(quads.gltf(), *FRONT, *CLEAR, *SMALL)
            seen = [p for p in picture.pixels() if p[3]]
            self.assertGreater(len(seen), 10, "mode %d" % mode)
            for pixel in seen:  # those of little alpha are rounded
                self.assertNear(pixel[:3], (255, 0, 0), 4)


class Frame(PictureTest):
    def assertFilled(self, picture, name):
        """Everything in the picture, to the margin in one direction, else in the middle."""
        left, top, right, bottom = picture.box()
        gaps = [(left, picture.width - right, picture.width),
                (top, picture.height - bottom, picture.height)]
        for before, after, side in gaps:
            self.assertLessEqual(abs(before - after), 4, name)
            self.assertGreaterEqual(before, MARGIN / 2 * side - 2, name)
        self.assertTrue(any(before <= MARGIN / 2 * side + 4 for before, _, side in gaps), name)

    def cube(self, scale, translation=(0, 0, 0)):
        quads = Quads()
        positions, normals, triangles = cube_of()
        material = quads.material(unlit=False, pbrMetallicRoughness={
            "baseColorFactor": [0.6, 0.3, 0.1, 1], "metallicFactor": 0})
        quads.mesh(positions, triangles, normals=normals, material=material,
                   node={"scale": [scale] * 3, "translation": list(translation)})
        return quads.gltf()

    def test_the_subject_fills_the_picture(self):
        for size, azimuth, elevation in (("160x120", 0, 0), ("120x160", 30, 10),
                                         ("300x60", 130, -40), ("60x300", 250, 80),
                                         ("128x128", 10, 90), ("160x120", 77, -90)):
            options = ("--size", size, "--camera-azimuth", str(azimuth),
                       "--camera-elevation", str(elevation))
            self.assertFilled(self.render(self.cube(1), *CLEAR, *options), options)

    def test_size_and_place_of_the_model_do_not_matter(self):
        like = self.render(self.cube(1), *SMALL)
        for scale, place in ((1e-6, (0, 0, 0)), (1e6, (0, 0, 0)), (1, (1e4, 50, -1e4)),
                             (1, (3e7, 0, 0)), (1e-3, (0, 10, 0)), (1e12, (0, 0, 0)),
                             (1e-12, (0, 0, 0))):
            got = self.render(self.cube(scale, place), *SMALL)
            self.assertLess(differing(got, like, 8), 60, "scale %g at %s" % (scale, place))

    def test_a_single_vertex_and_no_vertex(self):
        quads = Quads()
        quads.mesh([[3, 4, 5]], mode=0)
        self.assertIsNotNone(self.render(quads.gltf(), *SMALL, *CLEAR).box())
        quads = Quads()
        quads.mesh([[3, 4, 5]] * 3, [0, 1, 2])
        self.render(quads.gltf(), *SMALL)
        empty = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{}]}
        result = self.check(DONE, "render", self.write("empty.gltf", empty), "-o", "-", *SMALL,
                            text=False)
        self.assertIn(b"no mesh", result.stderr)
        self.assertGreater(min(map(min, Picture(result.stdout).pixels())), 150)

    def test_unused_vertices_do_not_count(self):
        quads = Quads()
        positions, _, triangles = cube_of()
        quads.mesh(positions + [[1e5, 0, 0]], triangles)
        self.assertFilled(self.render(quads.gltf(), *SMALL, *CLEAR), "a vertex far away")

    def test_zoom(self):
        like = self.render(self.cube(1), *CLEAR, *SMALL, "--zoom", "0.5").box()
        whole = self.render(self.cube(1), *CLEAR, *SMALL).box()
        for k in (0, 1):
            self.assertAlmostEqual(2 * (like[k + 2] - like[k]), whole[k + 2] - whole[k], delta=4)


class Scene(PictureTest):
    def test_a_shadow_falls_on_the_ground(self):
        quads = Quads()
        positions, normals, triangles = cube_of(at=(0, 0.5, 0))
        quads.mesh(positions, triangles, normals=normals)
        model = quads.gltf()
        options = (*SMALL, "--background", "#e0e0e0", "--zoom", "0.6")
        lit, bare = self.render(model, *options), self.render(model, *options, "--no-shadow")
        ground = [(p, q) for p, q in zip(lit.pixels(), bare.pixels()) if q == (224, 224, 224, 255)]
        darker = [p for p, q in ground if p[1] < q[1] - 8]
        self.assertGreater(len(darker), 200)
        self.assertFalse(any(p[1] > q[1] for p, q in ground))
        self.assertGreater(len(ground) - len(darker), 5000)
        self.assertEqual(lit.pixel(0, 0), bare.pixel(0, 0))

    PLATE = {"rotation": [-math.sqrt(0.5), 0, 0, math.sqrt(0.5)], "scale": [4, 4, 4]}

    def test_the_ground_around_something_flat_is_not_dark(self):
        quads = Quads()
        quads.square(quads.color(1, 0, 0, 1), node=self.PLATE)
        picture = self.render(quads.gltf(), *SMALL, "--background", "#e0e0e0", "--zoom", "0.5",
                              "--camera-elevation", "60")
        dark = [p for p in picture.pixels() if p[0] < 216 and p[0] == p[1]]
        self.assertLess(len(dark), 600)  # a narrow rim

    def test_a_model_shades_itself(self):
        quads = Quads()
        matt = quads.material(unlit=False, pbrMetallicRoughness={"metallicFactor": 0})
        positions, normals, triangles = cube_of(at=(0, 1.5, 0))
        quads.mesh(positions, triangles, normals=normals, material=matt)
        quads.square(matt, node=self.PLATE)
        options = (*SMALL, "--background", "transparent", "--camera-elevation", "30")
        shaded, lit = (self.render(quads.gltf(), *options, *more) for more in
                       ((), ("--no-shadow",)))
        pairs = [(p, q) for p, q in zip(shaded.pixels(), lit.pixels()) if q[3] == 255]
        darker = sum(p[1] < q[1] - 20 for p, q in pairs)
        self.assertGreater(darker, 0.04 * len(pairs))
        self.assertLess(darker, 0.5 * len(pairs))  # no stripes all over

    def test_a_shadow_is_alpha_before_nothing(self):
        quads = Quads()
        positions, normals, triangles = cube_of(at=(0, 0.5, 0))
        quads.mesh(positions, triangles, normals=normals)
        picture = self.render(quads.gltf(), *SMALL, "--background", "transparent", "--zoom", "0.6")
        soft = [p for p in picture.pixels() if 8 < p[3] < 200]
        self.assertGreater(len(soft), 200)
        self.assertEqual(picture.pixel(0, 0), (0, 0, 0, 0))

    def test_backgrounds(self):
        quads = Quads()
        quads.square(quads.color(1, 0, 0, 1))
        model = quads.gltf()
        self.assertEqual(self.render(model, *SMALL, "--background", "#123456").pixel(0, 0),
                         (0x12, 0x34, 0x56, 255))
        for word in ("transparent", "none"):
            self.assertEqual(self.render(model, *SMALL, "--background", word).pixel(0, 0),
                             (0, 0, 0, 0))
        light = self.render(model, *SMALL).pixel(0, 0)
        self.assertGreater(min(light), 200)

    def test_scene_chooses(self):
        quads = Quads()
        quads.square(quads.color(1, 0, 0, 1))
        quads.square(quads.color(0, 0, 1, 1))
        model = quads.gltf()
        model["scenes"] = [{"nodes": [0]}, {"nodes": [1]}]
        for scene, color in ((0, (255, 0, 0, 255)), (1, (0, 0, 255, 255))):
            picture = self.render(model, *SMALL, *FRONT, "--scene", str(scene))
            self.assertEqual(picture.pixel(80, 60), color)


@unittest.skipUnless(FIGURE.exists(), "assets/figure.glb is not made yet")
class Figure(PictureTest):
    def test_it_is_whole_and_nothing_of_it_is_black(self):
        for clip, time in (("idle", 0), ("walk", 0.3), ("wave", 0.9)):
            picture = self.render(FIGURE, *CLEAR, *SMALL, "--clip", clip, "--time", str(time))
            left, top, right, bottom = picture.box()
            self.assertGreaterEqual(min(left, picture.width - right), 5)
            self.assertTrue(3 <= top <= 7 and 3 <= picture.height - bottom <= 7, (top, bottom))
            seen = [p for p in picture.pixels() if p[3] == 255]
            self.assertGreater(len(seen), 1000)
            self.assertLess(sum(max(p[:3]) < 6 for p in seen), len(seen) / 200)

    def test_it_moves(self):
        pictures = [self.render(FIGURE, *SMALL, "--clip", "walk", "--time", t)
                    for t in ("0", "0.25")]
        self.assertGreater(differing(*pictures, 16), 100)

    def test_every_storage_gives_the_same_picture(self):
        pictures = [self.render(FIGURE, "--size", "320x240", "--clip", "walk", "--time", "0.25",
                                "--storage", storage)
                    for storage in ("tbo3", "tbo4", "uniform", "ubo", "ssbo", "texture")]
        for picture in pictures[1:]:
            self.assertLessEqual(differing(pictures[0], picture, 2), 320 * 240 // 10000)


def has_context():
    """Whether this machine draws at all; the message of one that cannot."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "m.gltf"
        model.write_text('{"asset": {"version": "2.0"}}')
        result = sinew("render", model, "-o", "-", "--size", "8x8", text=False)
    return result.returncode != command.MACHINE, result.stderr.decode()


if __name__ == "__main__":
    if command.SINEW:
        able, words = has_context()
        if not able:
            print("skipped: " + words)
            raise SystemExit(command.SKIPPED)
    command.main()
