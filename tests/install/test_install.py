"""The installed library is found and used by an outside program: through CMake and
through pkg-config, from C11 and from C++17, after the installed tree was moved."""
import json
import os
import shlex
import shutil
import struct
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


def packed_by_meshopt(elements, stride):
    """Up to 16 elements in the simplest stream of the vertex codec (EXT_meshopt_compression,
    appendix A): for each byte of an element a group of 16 differences, none shortened."""
    stream = bytearray([0xA0])
    for byte in range(stride):
        before, group = elements[0][byte], bytearray()
        for element in elements:
            difference = (element[byte] - before + 128) % 256 - 128
            group.append((difference << 1 ^ difference >> 7) & 0xFF)
            before = element[byte]
        stream += bytes([3]) + group.ljust(16, b"\0")
    return bytes(stream + elements[0].rjust(32, b"\0"))


PLACES = [(0, 0, 0), (1.5, 0, -2), (0, 2.25, 0), (7, 8, 9)]


def write_packed(path):
    packed = packed_by_meshopt([struct.pack("<3f", *place) for place in PLACES], 12)
    size = 12 * len(PLACES)
    name = "EXT_meshopt_compression"
    text = json.dumps({
        "asset": {"version": "2.0"}, "extensionsUsed": [name], "extensionsRequired": [name],
        "buffers": [{"byteLength": len(packed)},
                    {"byteLength": size, "extensions": {name: {"fallback": True}}}],
        "bufferViews": [{"buffer": 1, "byteLength": size, "extensions": {name: {
            "buffer": 0, "byteLength": len(packed), "byteStride": 12, "count": len(PLACES),
            "mode": "ATTRIBUTES"}}}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3",
                       "count": len(PLACES)}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 0}]}]}).encode()
    text += b" " * (-len(text) % 4)
    packed += b"\0" * (-len(packed) % 4)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(packed)) +
                     struct.pack("<I4s", len(text), b"JSON") + text +
                     struct.pack("<I4s", len(packed), b"BIN\0") + packed)


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
        cls.has_codec = (cls.pc / "sinew-codec.pc").is_file()
        cls.packed = root / "packed.glb"
        write_packed(cls.packed)

    def run_program(self, path, *arguments):
        return run(path, *arguments, LD_LIBRARY_PATH=str(self.libraries))

    def check_consumer(self, path):
        said = self.run_program(path, FIGURE)
        for clip in ("idle", "walk", "wave"):
            self.assertIn(f"clip {clip}\n", said)
        self.assertIn("vertex ", said)
        return said

    def check_packed(self, path):
        """What a build without meshoptimizer says, or the vertices."""
        codecs = self.run_program(path)
        if "meshoptimizer" not in codecs:
            self.assertIn("Draco", codecs)
            return
        said = self.run_program(path, self.packed)
        for place in PLACES:
            self.assertIn("vertex " + " ".join(f"{x:g}" for x in place) + "\n", said)

    def test_cmake_package(self):
        build = self.work / "build"
        run(CMAKE, "-S", CONSUMER, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run(CMAKE, "--build", build)
        self.assertEqual(self.check_consumer(build / "consumer-c"),
                         self.check_consumer(build / "consumer-cpp"))
        self.assertEqual((build / "host-gl").is_file(), self.has_gl)
        if self.has_gl:
            self.run_program(build / "host-gl")
        self.assertEqual((build / "packed").is_file(), self.has_codec)
        if self.has_codec:
            self.check_packed(build / "packed")

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

    def test_compressed_file_from_c(self):
        if not self.has_codec:
            self.skipTest("built without libsinew-codec")
        program = self.build_with_pkg_config("sinew-codec", "pc-packed", os.environ["CC"], "-std=c11",
                                             *STRICT, CONSUMER / "packed.c")
        self.check_packed(program)

    def test_package_names_no_place_of_this_machine(self):
        for path in [*self.prefix.rglob("*.pc"), *self.prefix.rglob("Sinew/*.cmake")]:
            said = path.read_text()
            self.assertNotIn(str(BUILD), said, path)
            self.assertNotIn("/usr/lib", said, path)

    def test_libraries_export_only_our_names(self):
        """Any other global name could clash with one of the host."""
        for library in self.libraries.glob("libsinew*"):
            dynamic = ["-D"] if ".so" in library.name else []
            symbols = [line.split()[1:] for line in
                       run("nm", *dynamic, "-g", "--defined-only", library).splitlines()
                       if len(line.split()) == 3]
            # Weak: what C++ makes of Draco's templates in an archive, the same everywhere.
            weak = "VWu" if library.suffix == ".a" and "codec" in library.name else ""
            names = [name for kind, name in symbols if kind not in weak]
            self.assertTrue(names)
            self.assertEqual([name for name in names if not name.startswith("sinew")], [], library)

    def test_installed_headers(self):
        headers = {path.name for path in (self.prefix / "include/sinew").iterdir()}
        self.assertIn("sinew.h", headers)
        self.assertEqual("gl.h" in headers, self.has_gl)
        self.assertEqual("codec.h" in headers, self.has_codec)
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
