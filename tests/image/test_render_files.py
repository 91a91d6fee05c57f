"""Pictures are written whole or not at all, and failures say what is right."""
import os
import unittest
from pathlib import Path

from cli.command import DONE, FILE, MACHINE, SINEW, WRONG_USE, CommandTest, main, sinew
from pictures import Picture
from quads import Quads
from test_render_pictures import SMALL, has_context

ABLE = bool(SINEW) and has_context()[0]
# Where there are several drivers, the one that the variables of Mesa speak to.
MESA = {"__EGL_VENDOR_LIBRARY_FILENAMES": "/usr/share/glvnd/egl_vendor.d/50_mesa.json"}
MESA = {name: path for name, path in MESA.items() if Path(path).exists()}
BARE = {"PATH": "/usr/bin:/bin"}


class SquareTest(CommandTest):
    def setUp(self):
        super().setUp()
        quads = Quads()
        quads.square(quads.color(1, 0, 0, 1))
        self.model = self.write("square.gltf", quads.gltf())


class Refused(SquareTest):
    def test_a_picture_must_be_told_where_to_go(self):
        words = self.refusal(WRONG_USE, "render", self.model)
        self.assertIn("-o square.png", words)

    def test_wrong_values_say_what_is_right(self):
        wrong = [("--size", "0x5", "1280x720"), ("--size", "5", "1280x720"),
                 ("--size", "17000x5", "16384"), ("--size", "4x4x4", "1280x720"),
                 ("--background", "blueish", "#"), ("--background", "#12345", "#"),
                 ("--background", "#12345g", "#"), ("--zoom", "0", "0.01"),
                 ("--camera-elevation", "91", "90"), ("--storage", "disk", "tbo3"),
                 ("--clip", "nothing", "clip"), ("--scene", "7", "scene")]
        for option, value, right in wrong:
            words = self.refusal(WRONG_USE, "render", self.model, "-o", self.folder / "x.png",
                                 option, value)
            self.assertIn(right, words, option)
        self.assertFalse((self.folder / "x.png").exists())

    def test_a_model_that_cannot_be_read_leaves_no_picture(self):
        broken = self.write("broken.gltf", '{"asset": ')
        target = self.folder / "out.png"
        self.refusal(FILE, "render", broken, "-o", target)
        self.refusal(FILE, "render", self.folder / "missing.glb", "-o", target)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         ["broken.gltf", "square.gltf"])

    def no_context(self, **environment):
        target = self.folder / "out.png"
        words = self.refusal(MACHINE, "render", self.model, "-o", target,
                             env={**os.environ, **MESA, **environment})
        self.assertIn("apt install libegl1 libgl1-mesa-dri", words)
        self.assertFalse(target.exists())
        return words

    def test_a_driver_that_is_too_old_says_what_to_install(self):
        self.assertIn("OpenGL 3.3", self.no_context(MESA_GL_VERSION_OVERRIDE="3.0"))

    def test_a_machine_without_a_driver_says_what_to_install(self):
        self.assertIn("no driver", self.no_context(LIBGL_DRIVERS_PATH="/nowhere"))

    def test_a_machine_without_egl_says_what_to_install(self):
        self.write("libEGL.so.1", "")
        words = self.no_context(LD_LIBRARY_PATH=str(self.folder))
        self.assertIn("libEGL.so.1 is not there", words)


@unittest.skipUnless(ABLE, "no OpenGL on this machine")
class Written(SquareTest):
    def test_it_is_written_and_nothing_else(self):
        target = self.folder / "out.png"
        target.write_bytes(b"old")
        self.assertEqual(self.output("render", self.model, "-o", target, *SMALL), "")
        picture = Picture(target.read_bytes())
        self.assertEqual((picture.width, picture.height), (160, 120))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         ["out.png", "square.gltf"])

    def test_a_folder_that_is_not_there(self):
        self.refusal(FILE, "render", self.model, "-o", self.folder / "no" / "out.png", *SMALL)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_that_may_not_be_written(self):
        folder = self.folder / "locked"
        folder.mkdir(mode=0o555)
        self.refusal(FILE, "render", self.model, "-o", folder / "out.png", *SMALL)
        self.assertEqual(list(folder.iterdir()), [])

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "wb") as full:
            result = sinew("render", self.model, "-o", "-", *SMALL, stdout=full)
        self.assertEqual(result.returncode, FILE)

    def test_without_display_home_or_cache(self):
        result = self.check(DONE, "render", self.model, "-o", "-", *SMALL, text=False, env=BARE)
        self.assertEqual(result.stderr, b"")
        Picture(result.stdout)

    def test_small_and_odd_sizes(self):
        for size in ("1x1", "3x2", "1x200", "200x1", "37x41"):
            result = self.check(DONE, "render", self.model, "-o", "-", "--size", size, text=False)
            picture = Picture(result.stdout)
            self.assertEqual("%dx%d" % (picture.width, picture.height), size)

    def test_a_model_from_standard_input(self):
        result = self.check(DONE, "render", "-", "-o", "-", *SMALL, text=False,
                            input=self.model.read_bytes())
        Picture(result.stdout)


if __name__ == "__main__":
    main()
