"""Every model there is through `sinew info` and `sinew pose`: an answer within a bounded
time, no signal, and in a build with sanitizers no report.

A sample of each set by default; all of it with SINEW_SWEEP=all, as `ctest --preset sweep`
does with a build under sanitizers. Without ../shared only the models of tests/data run.
"""
import collections
import os
import subprocess
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(os.environ.get("SINEW_SOURCE_DIR", Path(__file__).resolve().parents[2]))
SINEW = os.environ.get("SINEW", "")
SHARED = Path(os.environ.get("SINEW_SHARED", SOURCE.parent / "shared"))
SECONDS = 10 if os.environ.get("SINEW_SANITIZE") else 2
ALL = os.environ.get("SINEW_SWEEP") == "all"
SAMPLE = 12  # of each set
MODELS = (".gltf", ".glb", ".vrm", ".vrma")
SETS = [SOURCE / "tests" / "data", SHARED / "gauntlet", SHARED / "gauntlet" / "bad",
        SHARED / "corpus" / "models", SHARED / "corpus" / "variants", SHARED / "corpus" / "bad"]
ANSWERS = (0, 3)  # done; the file cannot be read
COMMANDS = (("info", "--json"), ("pose",), ("pose", "--time", "0.3", "--format", "glb"))


def files_of(folder):
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in MODELS
                   and not any(other != folder and folder in other.parents
                               and other in path.parents for other in SETS))
    step = 1 if ALL else max(1, len(files) // SAMPLE)
    return files[::step]


def run(job):
    words, path = job
    begun = time.process_time(), time.monotonic()
    try:
        result = subprocess.run([SINEW, words[0], str(path), *words[1:]], timeout=10 * SECONDS,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired:
        return "no answer after %d s" % (10 * SECONDS)
    seconds = time.monotonic() - begun[1]
    said = result.stderr.decode("utf-8", "replace")
    if result.returncode not in ANSWERS:
        return "exit %d\n%s" % (result.returncode, said[-3000:])
    if "runtime error" in said or "Sanitizer" in said:
        return said[-3000:]
    if seconds > SECONDS:
        return "%.1f s" % seconds
    return None


class Sweep(unittest.TestCase):
    def test_every_file_has_an_answer(self):
        if not SINEW:
            self.skipTest("no sinew command")
        jobs = [(words, path) for folder in SETS for path in files_of(folder)
                for words in COMMANDS]
        count = collections.Counter()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for (words, path), fault in zip(jobs, pool.map(run, jobs)):
                count["runs"] += 1
                with self.subTest(command=" ".join(words), path=str(path)):
                    self.assertIsNone(fault, fault)
        print("%d runs" % count["runs"])
        self.assertGreater(count["runs"], 0)


if __name__ == "__main__":
    unittest.main()
