"""The programs of README.md and the example without a window run and say what the command says."""
import os
import shutil
import subprocess
from pathlib import Path

from command import DONE, ON_A_DRIVER, TWO_JOINTS, CommandTest, main

PROGRAMS = Path(os.environ.get("SINEW_BUILD_DIR", ".")) / "examples"


class Programs(CommandTest):
    def run_program(self, name, *words, window=False):
        program = PROGRAMS / name
        if not program.exists():
            self.skipTest("%s is not in this build" % name)
        line = [str(program), *map(str, words)]
        if window:
            if not shutil.which("xvfb-run"):
                self.skipTest("no xvfb-run")
            line = ["xvfb-run", "-a", *line]
        return subprocess.run(line, capture_output=True, text=True, timeout=120,
                              env=ON_A_DRIVER if window else None)

    def mesh(self, seconds):
        got = self.json("pose", TWO_JOINTS, "--clip", "bend", "--time", seconds)
        return got["instances"][0]["primitives"][0]["positions"]

    def test_without_a_window(self):
        result = self.run_program("02_cpu_only", TWO_JOINTS, "bend", "0.75")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        rows = [[float(x) for x in line.split(" at ")[1].split()]
                for line in result.stdout.splitlines() if " at " in line]
        self.assertRows(rows, self.mesh(0.75), 1e-4)
        [box] = [line for line in result.stdout.splitlines() if "bounds" in line]
        numbers = [float(x) for x in box.replace("to", "").split()[1:]]
        for row in rows:
            for axis in range(3):
                self.assertLessEqual(numbers[axis], row[axis] + 1e-4)
                self.assertGreaterEqual(numbers[3 + axis], row[axis] - 1e-4)

    def test_without_a_window_says_what_is_wrong(self):
        self.assertEqual(self.run_program("02_cpu_only").returncode, 2)
        result = self.run_program("02_cpu_only", self.folder / "none.glb")
        self.assertEqual(result.returncode, 1)
        self.assertIn("none.glb", result.stderr)

    def test_no_opengl(self):
        result = self.run_program("readme_3_cpu", TWO_JOINTS, "bend")
        self.assertEqual((result.returncode, result.stderr), (DONE, ""))
        self.assertRows([[float(x) for x in result.stdout.split()]], self.mesh(0.5)[:1], 1e-5)

    def test_in_a_window(self):
        for name in ("readme_1_window", "readme_2_window"):
            result = self.run_program(name, TWO_JOINTS, "bend", "--frames", "3", window=True)
            self.assertEqual(result.returncode, DONE, name + result.stderr)


if __name__ == "__main__":
    main()
