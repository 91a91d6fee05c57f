"""Each public header compiles alone, first and twice, as C11 and as C++17, without a
warning."""
import os
import subprocess
import unittest
from pathlib import Path

ROOT = Path(os.environ["SINEW_SOURCE_DIR"]) / "include"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wundef", "-Werror"]
LANGUAGES = {
    "C11": (os.environ.get("CC", "cc"), ["-x", "c", "-std=c11", "-Wstrict-prototypes",
                                         "-Wc++-compat"]),
    "C++17": (os.environ.get("CXX"), ["-x", "c++", "-std=c++17", "-Wold-style-cast"]),
}


class Headers(unittest.TestCase):
    def compile(self, language):
        compiler, flags = LANGUAGES[language]
        if not compiler:
            self.skipTest("no C++ compiler was found")
        headers = sorted(ROOT.glob("sinew/*.h"))
        self.assertTrue(headers)
        for header in headers:
            name = header.relative_to(ROOT).as_posix()
            with self.subTest(name):
                done = subprocess.run(
                    [compiler, *flags, *WARNINGS, "-fsyntax-only", "-I", str(ROOT), "-"],
                    input=f"#include <{name}>\n#include <{name}>\nint sinew_unused;\n",
                    capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_c(self):
        self.compile("C11")

    def test_cpp(self):
        self.compile("C++17")


if __name__ == "__main__":
    unittest.main()
