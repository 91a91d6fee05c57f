"""The examples of hosts with renderers of their own: what is in the pictures that they save."""
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
XVFB = shutil.which("xvfb-run")
ON_XVFB = [XVFB, "-a", "-s", "-screen 0 1280x1024x24"]
HOST, CROWD = EXAMPLES / "05_host_window", EXAMPLES / "07_instances_window"


def run(*words, display=True):
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("DISPLAY", "WAYLAND_DISPLAY", "HOME")}
    environment.update(MESA_SHADER_CACHE_DISABLE="true", LIBGL_ALWAYS_SOFTWARE="true")
    return subprocess.run([*(ON_XVFB if display else []), *map(str, words)], env=environment,
                          capture_output=True, text=True, timeout=120)


class Hosts(unittest.TestCase):
    def picture(self, program, frames):
        """Pixels of the last of so many frames, rows from the top."""
        with tempfile.TemporaryDirectory(prefix="sinew-host-") as folder:
            path = Path(folder) / "last.ppm"
            done = run(program, FIGURE, "walk", frames, path)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            head, pixels = path.read_bytes().split(b"\n", 1)
        self.assertEqual(head, b"P6 640 480 255")
        self.assertEqual(len(pixels), 640 * 480 * 3)
        return [tuple(pixels[i:i + 3]) for i in range(0, len(pixels), 3)]

    def test_a_figure_and_its_shadow(self):
        first, later = self.picture(HOST, 1), self.picture(HOST, 5)
        for pixels in first, later:
            figure = sum(red > blue + 15 for red, _, blue in pixels)
            shade = sum(blue >= red and blue < 100 for red, _, blue in pixels)
            self.assertGreater(figure, 8000)
            self.assertLess(figure, 60000)
            self.assertGreater(shade, 500)
        moved = sum((a[0] > a[2] + 15) != (b[0] > b[2] + 15) for a, b in zip(first, later))
        self.assertGreater(moved, 1000)

    def test_a_crowd_knows_where_it_was_before(self):
        still, moving = self.picture(CROWD, 1), self.picture(CROWD, 3)
        for pixels, least, most in (still, 0, 0), (moving, 500, 20000):
            figures = sum(red < 225 or blue < 225 for red, _, blue in pixels)
            fast = sum(red > blue + 60 for red, _, blue in pixels)
            self.assertGreater(figures, 20000)
            self.assertLess(figures, 100000)
            self.assertGreaterEqual(fast, least)
            self.assertLessEqual(fast, most)

    def test_they_say_what_is_wrong(self):
        for program in HOST, CROWD:
            done = run(program, display=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("MODEL CLIP [FRAMES FILE.ppm]", done.stderr)
            self.assertIn("missing.glb", run(program, "missing.glb", "walk", display=False).stderr)
            self.assertIn("no such clip", run(program, FIGURE, "fly", display=False).stderr)
            self.assertIn("no window", run(program, FIGURE, "walk", display=False).stderr)


if __name__ == "__main__":
    if not XVFB or not HOST.exists():
        print("skipped:", "xvfb-run is missing" if not XVFB else "the example was not built")
        sys.exit(77)
    unittest.main()
