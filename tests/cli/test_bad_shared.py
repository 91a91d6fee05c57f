"""Malformed files of ../shared: an answer in a bounded time, and one that leads to the fault."""
import json
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor

from command import DONE, FILE, SHARED, CommandTest, main, sinew

SECONDS = 2 * (5 if os.environ.get("SINEW_SANITIZE") else 1)
MODELS = (".gltf", ".glb", ".vrm", ".vrma")


def models_below(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in MODELS)


class Bad(CommandTest):
    def run_all(self, paths):
        """[(path, result)] of info and of pose; checks what holds for every file."""
        def run(job):
            begun = time.monotonic()
            result = sinew(*job, timeout=30)
            return job, result, time.monotonic() - begun
        jobs = [(command, path) for path in paths for command in ("info", "pose")]
        with ThreadPoolExecutor(2) as pool:
            for (command, path), result, seconds in pool.map(run, jobs):
                with self.subTest(command=command, path=str(path)):
                    self.judge(path, result, seconds)
                    if result.returncode == DONE and command == "pose":
                        json.loads(result.stdout, parse_constant=self.fail)
                yield path, result

    def judge(self, path, result, seconds):
        self.assertIn(result.returncode, (DONE, FILE), result.stderr[-2000:])
        self.assertLess(seconds, SECONDS)
        if result.returncode == FILE:
            self.assertEqual(result.stdout, "")
            last = result.stderr.splitlines()[-1]
            self.assertTrue(last.startswith("sinew: "), last)
            self.assertIn(str(path), last)
            said = last[last.index(str(path)) + len(str(path)):]
            self.assertGreater(len(said), 10, "no fault is named: " + last)

    def test_gauntlet(self):
        folder = SHARED / "gauntlet" / "bad"
        expected = json.loads((folder / "expected.json").read_text())
        expected = expected.get("files", expected)
        for path, result in self.run_all(models_below(folder)):
            if result.returncode == FILE and path.suffix == ".gltf" and path.name in expected:
                with self.subTest(path=path.name):
                    self.assertRegex(result.stderr.splitlines()[-1],
                                     r"\.gltf: (/\S+: |.*(JSON|glTF|byte))")

    def test_corpus(self):
        for _ in self.run_all(models_below(SHARED / "corpus" / "bad")):
            pass


class JsonFiles(CommandTest):
    def test_grammar(self):
        files = sorted((SHARED / "corpus" / "json").glob("*.json"))
        self.assertGreater(len(files), 100)
        for path in files:
            with self.subTest(path=path.name):
                result = sinew("info", path)
                self.assertEqual(result.returncode, FILE)
                last = result.stderr.splitlines()[-1]
                self.assertIn(str(path), last)
                refused_as_json = re.search(r"\bbyte \d+", last)
                if path.name.startswith("n_"):
                    self.assertTrue(refused_as_json, last)
                elif path.name.startswith("y_"):  # sound JSON, but no glTF
                    self.assertFalse(refused_as_json, last)
                    self.assertIn("glTF", last)


if __name__ == "__main__":
    main(needs_shared="gauntlet")
