"""Files: those that cannot be read, where a model may lead, and how output is written."""
import json
import os
import resource
import signal
import stat
import subprocess
import tempfile
import time
from pathlib import Path

from command import DONE, FILE, SINEW, TWO_JOINTS, CommandTest, main, sinew
from models import TRIANGLE, Builder, rigid


class Unreadable(CommandTest):
    def refused(self, path, *parts, command="info"):
        message = self.refusal(FILE, command, path)
        last = message.splitlines()[-1]
        self.assertTrue(last.startswith("sinew: "), message)
        self.assertIn(str(path), last)
        for part in parts:
            self.assertIn(part, message)

    def test_missing(self):
        for command in ("info", "pose"):
            self.refused(self.folder / "nothing.glb", "No such file", command=command)

    def test_folder(self):
        self.refused(self.folder, "directory")

    def test_empty(self):
        self.refused(self.write("empty.glb", b""))

    def test_text_and_noise(self):
        self.refused(self.write("a.gltf", "hello"), "byte 0")
        self.refused(self.write("b.gltf", '{"asset": {"version": "2.0"},}'), "not JSON", "byte 29")
        self.refused(self.write("c.glb", bytes(range(256)) * 40))
        self.refused(self.write("d.gltf", {"asset": {"version": "1.0"}}), "/asset")

    def test_pointer_leads_to_the_fault(self):
        model = rigid()
        model["accessors"][0]["count"] = 1000
        self.refused(self.write("long.gltf", model), ": /accessors/0: ")

    def test_findings_name_file_pointer_severity_and_code(self):
        model = json.loads(TWO_JOINTS.read_text())
        model["nodes"][0]["rotation"] = [0, 0, 0, 0]
        path = self.write("zero.gltf", model)
        message = self.check(DONE, "info", path).stderr
        self.assertRegex(message, r"^%s: /nodes/0/rotation: error: .* \[quaternion-zero\]\n$" % path)
        self.assertEqual(self.check(DONE, "info", path, "--quiet").stderr, "")
        self.refused_strictly(path)

    def refused_strictly(self, path):
        message = self.refusal(FILE, "pose", path, "--strict")
        self.assertIn("/nodes/0/rotation: ", message)

    def test_many_findings_are_cut_short(self):
        model = rigid()
        model["nodes"] += [{"rotation": [0, 0, 0, 0]} for _ in range(50)]
        message = self.check(DONE, "info", self.write("many.gltf", model)).stderr
        self.assertEqual(message.count("[quaternion-zero]"), 20)
        self.assertIn("... and 30 more", message)

    def test_a_small_file_may_ask_for_much(self):
        builder = Builder()
        primitive = builder.primitive([[0, 0, 0]] * 60000)
        nodes = [{"mesh": 0} for _ in range(1000)]
        path = self.write("much.gltf", builder.gltf(meshes=[{"primitives": [primitive]}],
                                                    nodes=nodes))
        message = self.refusal(FILE, "pose", path)
        self.assertIn("60001000", message)  # and a primitive a node
        self.assertIn("limit, 50000000", message)
        self.assertIn("not measured", self.output("info", path))

    def test_unreadable(self):
        path = self.write("closed.gltf", rigid())
        path.chmod(0)
        options = {}
        if os.geteuid() == 0:  # root reads everything: ask as another user
            copy = self.folder / "sinew"
            copy.write_bytes(Path(SINEW).read_bytes())
            copy.chmod(0o755)
            self.folder.chmod(0o755)
            options = {"user": 65534, "group": 65534, "extra_groups": []}
        else:
            copy = SINEW
        result = subprocess.run([str(copy), "info", str(path)], capture_output=True, text=True,
                                **options)
        self.assertEqual(result.returncode, FILE, result.stderr)
        self.assertIn("Permission denied", result.stderr)

    def test_one_of_many(self):
        good = self.write("good.gltf", rigid())
        result = self.check(FILE, "info", good, self.folder / "none.glb", good)
        self.assertEqual(result.stdout.count("good.gltf\n"), 2)
        self.assertIn("none.glb", result.stderr)
        lines = self.check(FILE, "info", "--json", good, self.folder / "none.glb", good).stdout
        self.assertEqual([json.loads(line)["file"] for line in lines.splitlines()], [str(good)] * 2)

    def test_odd_files_answer_at_once(self):
        fifo = self.folder / "pipe.glb"
        os.mkfifo(fifo)
        writer = subprocess.Popen(["sh", "-c", 'cat "$1" > "$2"', "sh", str(TWO_JOINTS), str(fifo)])
        result = sinew("info", fifo, timeout=20)
        writer.terminate()
        writer.wait()
        self.assertIn(result.returncode, (DONE, FILE))
        if os.path.exists("/dev/zero"):
            begun = time.monotonic()
            self.assertEqual(sinew("info", "/dev/zero", timeout=60).returncode, FILE)
            self.assertLess(time.monotonic() - begun, 10)

    def test_names(self):
        for name in ("ø → ü.gltf", "with space.gltf", "-dash.gltf", "quote'\".gltf", "100%.gltf"):
            path = self.write(name, rigid())
            self.assertEqual(self.json("info", "--json", path)["file"], str(path))
        result = self.check(DONE, "info", "--", "-dash.gltf", cwd=self.folder)
        self.assertTrue(result.stdout.startswith("-dash.gltf\n"))

    def test_name_that_is_not_utf8(self):
        path = os.fsencode(str(self.folder)) + b"/\xff\x1b[2J.gltf"
        with open(path, "wb") as file:
            file.write(TWO_JOINTS.read_bytes())
        result = subprocess.run([SINEW, "info", "--json", path], capture_output=True)
        self.assertEqual(result.returncode, DONE)
        self.assertTrue(json.loads(result.stdout.decode("utf-8"))["file"].endswith("\x1b[2J.gltf"))
        shown = subprocess.run([SINEW, "info", path], capture_output=True).stdout
        self.assertNotIn(b"\x1b", shown)


class Stdin(CommandTest):
    def test_same_as_the_file(self):
        text = TWO_JOINTS.read_text()
        self.assertEqual(self.output("pose", "-", input=text), self.output("pose", TWO_JOINTS))
        self.assertIn("stdin", self.check(DONE, "info", "-", input=text).stdout)

    def test_nothing_and_noise(self):
        self.assertIn("stdin: ", self.refusal(FILE, "info", "-", input=""))
        self.assertIn("stdin: ", self.refusal(FILE, "info", "-", input="["))

    def test_names_no_other_file(self):
        self.write("data.bin", bytes(36))
        model = rigid()
        model["buffers"][0]["uri"] = "data.bin"
        self.refusal(FILE, "info", "-", input=json.dumps(model), cwd=self.folder)


class Outside(CommandTest):
    """No file outside the model's folder is opened, whatever the model says."""

    def setUp(self):
        super().setUp()
        self.secret = self.folder / "secret.bin"
        self.secret.write_bytes(b"".join(
            __import__("struct").pack("<3f", *row) for row in TRIANGLE))
        self.inner = self.folder / "inner"
        self.inner.mkdir()
        (self.inner / "link.bin").symlink_to(self.secret)
        (self.inner / "up").symlink_to(self.folder)

    def model(self, uri):
        model = rigid()
        model["buffers"][0]["uri"] = uri
        return self.write("inner/model.gltf", model)

    def test_the_file_would_do_inside(self):
        (self.inner / "data.bin").write_bytes(self.secret.read_bytes())
        self.check(DONE, "info", self.model("data.bin"))
        self.check(DONE, "info", self.model("./data.bin"))

    def test_ways_out(self):
        absolute = str(self.secret)
        for uri in ("../secret.bin", "..%2fsecret.bin", "%2e%2e/secret.bin", "%2E%2E%2Fsecret.bin",
                    "x/../../secret.bin", "./../secret.bin", absolute, "/" + absolute,
                    "file://" + absolute, "file:" + absolute, "..\\secret.bin",
                    "..%5csecret.bin", "link.bin", "up/secret.bin", "http://127.0.0.1:9/secret.bin",
                    "//127.0.0.1/secret.bin", "../secret.bin%00.bin", "data.bin%00", ""):
            message = self.refusal(FILE, "info", self.model(uri))
            self.assertIn("/buffers/0", message, uri)

    def test_pictures_do_not_leak_either(self):
        model = rigid(material=0)
        model.update(materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
                     textures=[{"source": 0}], images=[{"uri": "../secret.bin"}])
        path = self.write("inner/model.gltf", model)
        self.secret.write_bytes(b"\x89PNG\r\n\x1a\n" + b"secret")
        target = self.folder / "out.glb"
        sinew("pose", path, "-o", target)
        if target.exists():
            self.assertNotIn(b"secret", target.read_bytes())


class Output(CommandTest):
    def test_permissions_and_leftovers(self):
        target = self.folder / "out.json"
        self.output("pose", TWO_JOINTS, "-o", target)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out.json"])
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o666 & ~mask)
        target.chmod(0o600)
        self.output("pose", TWO_JOINTS, "-o", target)
        self.assertEqual(stat.S_IMODE(target.stat().st_mode), 0o600)

    def test_failure_leaves_the_old_file(self):
        target = self.write("out.json", "old")
        self.check(FILE, "pose", self.folder / "none.glb", "-o", target)
        self.check(2, "pose", TWO_JOINTS, "--clip", "none such", "-o", target)
        self.check(2, "pose", TWO_JOINTS, "--joint", "none such", "-o", target)
        self.assertEqual(target.read_text(), "old")
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    def test_links_stay_links(self):
        (self.folder / "link.json").symlink_to("real.json")
        self.write("real.json", "old")
        self.output("pose", TWO_JOINTS, "-o", self.folder / "link.json")
        self.assertTrue((self.folder / "link.json").is_symlink())
        json.loads((self.folder / "real.json").read_text())

    def test_where_nothing_can_be_written(self):
        for target in (self.folder, self.folder / "no" / "such.json", "/proc/nothing.json"):
            self.assertIn("cannot be written", self.refusal(FILE, "pose", TWO_JOINTS, "-o", target))

    def test_full_disk(self):
        """A limit on the size of files stands for it: never -o into /dev as root."""
        def limited():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        for name in ("out.json", "out.obj", "out.glb"):
            target = self.write(name, "old")
            message = self.refusal(FILE, "pose", TWO_JOINTS, "-o", target, preexec_fn=limited)
            self.assertIn("%s: cannot be written" % target, message)
            self.assertEqual(target.read_text(), "old")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["out.glb", "out.json", "out.obj"])

    def test_full_standard_output(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for words in (["pose", TWO_JOINTS], ["info", TWO_JOINTS], ["--help"], ["--version"]):
            with open("/dev/full", "w") as full:
                result = sinew(*words, stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(result.returncode, FILE, words)
            self.assertIn("No space left", result.stderr)

    def test_what_is_no_file_is_written_in_place(self):
        want = self.output("pose", TWO_JOINTS)
        for name in ("-", "/dev/stdout"):  # here a pipe
            self.assertEqual(self.output("pose", TWO_JOINTS, "-o", name), want)
        fifo = self.folder / "pipe.json"
        os.mkfifo(fifo)
        reader = subprocess.Popen(["cat", str(fifo)], stdout=subprocess.PIPE, text=True)
        self.output("pose", TWO_JOINTS, "-o", fifo)
        self.assertEqual(reader.communicate(timeout=20)[0], want)
        self.assertTrue(stat.S_ISFIFO(fifo.stat().st_mode))

    def test_reader_that_goes_away(self):
        model = rigid()
        model["nodes"] = [{"mesh": 0, "name": "n%d" % k} for k in range(3000)]
        model["scenes"] = [{"nodes": list(range(3000))}]
        path = self.write("large.gltf", model)
        # Also where somebody has told all below him to ignore SIGPIPE.
        for before in ("", "trap '' PIPE; "):
            line = '%s{ "%s" pose "%s"; echo $? >&2; } | head -c 10' % (before, SINEW, path)
            result = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
            self.assertEqual(len(result.stdout), 10)
            self.assertIn(result.stderr, ("0\n", "141\n"))
        closed = subprocess.run(["sh", "-c", '"%s" pose "%s" >&-' % (SINEW, path)],
                                capture_output=True, text=True)
        self.assertEqual(closed.returncode, FILE)


if __name__ == "__main__":
    tempfile.tempdir = os.path.realpath(tempfile.gettempdir())
    main()
