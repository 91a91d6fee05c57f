"""The examples that open a window, run under Xvfb on the shipped figure, and what they say
when something is wrong."""
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SINEW_SOURCE_DIR"])
EXAMPLES = Path(os.environ.get("SINEW_EXAMPLES_DIR",
                               Path(os.environ["SINEW_BUILD_DIR"]) / "examples"))
FIGURE = str(SOURCE / "assets" / "figure.glb")
PROGRAM = str(EXAMPLES / "01_window")
XVFB = shutil.which("xvfb-run")


def run(*arguments, display=True):
    """With a display or without any; no shader cache, no home."""
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("DISPLAY", "WAYLAND_DISPLAY", "HOME")}
    environment.update(MESA_SHADER_CACHE_DISABLE="true", LIBGL_ALWAYS_SOFTWARE="true")
    xvfb = [XVFB, "-a", "-s", "-screen 0 1280x1024x24"] if display else []
    return subprocess.run([*xvfb, *arguments], env=environment, capture_output=True, text=True,
                          timeout=120)


class Window(unittest.TestCase):
    def test_draws_frames_and_ends(self):
        for clip in ([], ["walk"]):
            done = run(PROGRAM, FIGURE, *clip, "--frames", "3")
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_says_what_is_wrong(self):
        missing = str(SOURCE / "no such model.glb")
        done = run(PROGRAM, missing, "--frames", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn(missing, done.stderr)
        done = run(PROGRAM, FIGURE, "no such clip", "--frames", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no such clip", done.stderr)
        done = run(PROGRAM)
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage: 01_window MODEL", done.stderr)

    def test_without_a_display_it_ends_with_a_message(self):
        done = run(PROGRAM, FIGURE, "--frames", "1", display=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("no window", done.stderr)

    def test_is_short(self):
        for example in (SOURCE / "examples").glob("[0-9]*.c"):
            with self.subTest(example.name):
                self.assertLess(len(example.read_text().splitlines()), 150)


if __name__ == "__main__":
    if not XVFB or not Path(PROGRAM).exists():
        print("skipped:", "xvfb-run is missing" if not XVFB else "01_window was not built")
        sys.exit(77)
    unittest.main()
