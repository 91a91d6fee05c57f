"""The installed library is found and used by an outside program: through CMake and
through pkg-config, from C11 and from C++17, after the installed tree was moved."""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SINEW_SOURCE_DIR"])
BUILD = Path(os.environ["SINEW_BUILD_DIR"])
CMAKE = os.environ.get("CMAKE", "cmake")
CONSUMER = SOURCE / "tests/install/consumer"
FIGURE = SOURCE / "assets/figure.glb"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wno-sign-conversion", "-Werror"]


def run(*command, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(done.args)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        root = Path(cls.temporary.name)
        run(CMAKE, "--install", BUILD, "--prefix", root / "first")
        cls.prefix = (root / "first").rename(root / "moved here")
        cls.work = root
        # Wherever this system puts libraries: lib, lib64, lib/x86_64-linux-gnu.
        cls.pc = next(cls.prefix.rglob("sinew.pc")).parent
        cls.libraries = cls.pc.parent
        cls.has_gl = (cls.pc / "sinew-gl.pc").is_file()

    def run_program(self, path, *arguments):
        return run(path, *arguments, LD_LIBRARY_PATH=str(self.libraries))

    def check_consumer(self, path):
        said = self.run_program(path, FIGURE)
        for clip in ("idle", "walk", "wave"):
            self.assertIn(f"clip {clip}\n", said)
        self.assertIn("vertex ", said)
        return said

    def test_cmake_package(self):
        build = self.work / "build"
        run(CMAKE, "-S", CONSUMER, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run(CMAKE, "--build", build)
        self.assertEqual(self.check_consumer(build / "consumer-c"),
                         self.check_consumer(build / "consumer-cpp"))
        self.assertEqual((build / "host-gl").is_file(), self.has_gl)
        if self.has_gl:
            self.run_program(build / "host-gl")

    def build_with_pkg_config(self, package, out, *command):
        flags = run("pkg-config", "--cflags", "--libs", package, PKG_CONFIG_PATH=str(self.pc))
        run(*command, *shlex.split(flags), "-o", self.work / out)
        return self.work / out

    def test_pkg_config_from_c(self):
        program = self.build_with_pkg_config("sinew", "pc-c", os.environ["CC"], "-std=c11", *STRICT,
                                             CONSUMER / "consumer.c")
        self.check_consumer(program)

    def test_pkg_config_from_cpp(self):
        program = self.build_with_pkg_config("sinew", "pc-cpp", os.environ["CXX"], "-std=c++17",
                                             *STRICT, CONSUMER / "consumer.cpp")
        self.check_consumer(program)

    def test_host_with_a_glad_of_its_own(self):
        if not self.has_gl:
            self.skipTest("built without libsinew-gl")
        program = self.build_with_pkg_config("sinew-gl", "pc-gl", os.environ["CC"], "-std=c11", *STRICT,
                                             CONSUMER / "host_gl.c")
        self.run_program(program)

    def test_libraries_export_only_our_names(self):
        """Any other global name could clash with one of the host."""
        for library in self.libraries.glob("libsinew*"):
            dynamic = ["-D"] if ".so" in library.name else []
            names = [line.split()[-1] for line in
                     run("nm", *dynamic, "-g", "--defined-only", library).splitlines()
                     if len(line.split()) == 3]
            self.assertTrue(names)
            self.assertEqual([name for name in names if not name.startswith("sinew")], [], library)

    def test_installed_headers(self):
        headers = {path.name for path in (self.prefix / "include/sinew").iterdir()}
        self.assertIn("sinew.h", headers)
        self.assertEqual("gl.h" in headers, self.has_gl)
        self.assertFalse(headers & {"render.h", "view.h"}, "these belong to the command")

    def test_installed_command(self):
        command = self.prefix / "bin/sinew"
        if "SINEW" not in os.environ:
            self.skipTest("built without the command")
        self.assertIn(".", run(command, "--version"))


if __name__ == "__main__":
    if os.environ.get("SINEW_SANITIZE"):
        print("skipped: an outside program would need the sanitizers' run-time as well")
        sys.exit(77)
    if not shutil.which("pkg-config"):
        print("skipped: there is no pkg-config")
        sys.exit(77)
    unittest.main()
