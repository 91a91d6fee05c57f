"""What the tests of the command share: running it, and where things are."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get("SINEW_SOURCE_DIR", Path(__file__).resolve().parents[2]))
SINEW = os.environ.get("SINEW", "")
SHARED = Path(os.environ.get("SINEW_SHARED", SOURCE.parent / "shared"))
TWO_JOINTS = SOURCE / "docs" / "models" / "two_joints.gltf"
SKIPPED = 77
DONE, WRONG_USE, FILE, MACHINE = 0, 2, 3, 4

# Drivers leak, and are unloaded before the leaks are counted, so that lsan.supp cannot
# name them: what runs on a driver is checked for everything else.
ON_A_DRIVER = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")


def sinew(*words, **options):
    """Runs the command; stdout and stderr are text unless text=False."""
    options.setdefault("text", True)
    options.setdefault("timeout", 60)
    if options["text"]:
        options.setdefault("encoding", "utf-8")
        options.setdefault("errors", "surrogateescape")
    if "stdout" not in options:
        options.setdefault("stderr", subprocess.PIPE)
        options["stdout"] = subprocess.PIPE
    return subprocess.run([SINEW, *map(str, words)], **options)


class CommandTest(unittest.TestCase):
    """A folder of its own for every test, and checks of what a run did."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sinew-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check(self, status, *words, **options):
        result = sinew(*words, **options)
        self.assertEqual(result.returncode, status,
                         "sinew %s\n%s%s" % (" ".join(map(str, words)), result.stdout or "",
                                             result.stderr or ""))
        return result

    def output(self, *words, **options):
        result = self.check(DONE, *words, **options)
        self.assertEqual(result.stderr, "" if options.get("text", True) else b"")
        return result.stdout

    def json(self, *words, **options):
        return json.loads(self.output(*words, **options))

    def refusal(self, status, *words, **options):
        """The message of a run that must fail: nothing on stdout, no crash."""
        result = self.check(status, *words, **options)
        self.assertEqual(result.stdout, "")
        return result.stderr

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, (dict, list)):
            content = json.dumps(content)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def assertRows(self, got, expected, tolerance=1e-6):
        self.assertEqual(len(got), len(expected))
        for k, (a, b) in enumerate(zip(got, expected)):
            self.assertEqual(len(a), len(b))
            for x, y in zip(a, b):
                self.assertLessEqual(abs(x - y), tolerance * max(1, abs(y)),
                                     "row %d: %s, expected %s" % (k, a, b))


def main(needs_shared=None):
    """Runs the tests of a file; skips (77) without the command or the shared files."""
    if not SINEW:
        print("skipped: SINEW names no command (this build has none)")
        sys.exit(SKIPPED)
    if needs_shared and not (SHARED / needs_shared).exists():
        print("skipped: %s is not there" % (SHARED / needs_shared))
        sys.exit(SKIPPED)
    unittest.main()
