"""The benchmarks run, and what they print is what bench/README.md says."""
import json
import os
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SINEW_SOURCE_DIR"])
BENCH = Path(os.environ["SINEW_BUILD_DIR"]) / "bench"
LOAD, VERTEX_COST = BENCH / "bench-load", BENCH / "bench-vertex_cost"
SKIPPED = 77
FIGURE = SOURCE / "assets" / "figure.glb"


def run(*arguments):
    return subprocess.run([str(LOAD), "--repeat", "2", *map(str, arguments)], capture_output=True,
                          text=True)


class Load(unittest.TestCase):
    def test_json(self):
        done = run("--json", FIGURE, FIGURE)
        self.assertEqual(done.returncode, 0, done.stderr)
        files = json.loads(done.stdout)["files"]
        self.assertEqual([file["file"] for file in files], [str(FIGURE)] * 2)
        for file in files:
            self.assertEqual(file["file_bytes"], FIGURE.stat().st_size)
            self.assertLess(0, file["json_bytes"])
            self.assertLess(file["json_bytes"], file["file_bytes"])
            self.assertLess(file["model_bytes"], file["held_bytes"])
            self.assertLessEqual(file["held_bytes"], file["peak_bytes"])
            for name in ("read_ms", "mapped_ms", "json_ms", "json_mb_per_s"):
                self.assertLess(0, file[name], name)

    def test_memory_is_bounded(self):
        """At the peak at most two and a half times what is held in the end."""
        file = json.loads(run("--json", FIGURE).stdout)["files"][0]
        self.assertLess(file["peak_bytes"], 2.5 * file["held_bytes"])

    def test_table(self):
        done = run(FIGURE)
        self.assertEqual(len(done.stdout.splitlines()), 2)
        self.assertTrue(done.stdout.splitlines()[1].startswith("figure.glb"))

    def test_wrong_use_and_files(self):
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("--speed", FIGURE).returncode, 2)
        self.assertEqual(run("no-such-file.glb").returncode, 3)


@unittest.skipUnless(VERTEX_COST.exists(), "it was built without rendering")
class VertexCost(unittest.TestCase):
    """It ends with 1 when Sinew's vertices and those of the program by hand differ."""

    def run_it(self, *words):
        done = subprocess.run([str(VERTEX_COST), "--rounds", "1", "--draws", "1", *words],
                              capture_output=True, text=True)
        if done.returncode == SKIPPED:
            self.skipTest(done.stderr)
        return done

    def test_json(self):
        done = self.run_it("--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = json.loads(done.stdout)["rows"]
        kinds = {(row["storage"], row["method"], row["normals"]) for row in rows}
        self.assertEqual(len(kinds), len(rows))
        for storage in "tbo3", "tbo4", "uniform", "ubo", "texture":
            self.assertIn((storage, "lbs", "exact"), kinds)
        self.assertIn(("tbo3", "dqs", "exact"), kinds)
        for row in rows:
            for subject in "sinew", "hand", "unskinned":
                self.assertLess(0, row[subject + "_ns"])
                self.assertLessEqual(row[subject + "_ns"], row[subject + "_median_ns"])

    def test_table(self):
        done = self.run_it("--storage", "tbo3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()],
                         ["ns"] + ["tbo3"] * 4)

    def test_wrong_use(self):
        for words in ("--rounds", "0"), ("--speed",), ("--storage",):
            self.assertEqual(self.run_it(*words).returncode, 2)


if __name__ == "__main__":
    unittest.main()
