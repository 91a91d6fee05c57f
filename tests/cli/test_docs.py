"""The pages say what the code does.

    ```console blocks: `$ command` lines are run in the root of the project, and what
                       follows each of them is what they print
    ```c blocks after <!-- FILE -->: what stands in FILE between its README.md marks
    ```c blocks of docs/guide.md: compile
    links: lead to files

`test_docs.py --write` brings the pages up to date; a person then reads the difference.
"""
import os
import re
import subprocess
import sys

from command import SINEW, SOURCE, CommandTest, main

PAGES = sorted([SOURCE / "README.md", *(SOURCE / "docs").glob("*.md")])
BLOCK = re.compile(r"^(?:<!-- (\S+) -->\n)?```(\w+)\n(.*?)^```$", re.M | re.S)
MARK = re.compile(r"^ */\* README\.md \{ \*/\n(.*?)^ */\* } \*/$", re.M | re.S)


def run(command):
    folder = os.path.dirname(os.path.abspath(SINEW))
    name = os.path.basename(SINEW)
    line = command if name == "sinew" else command.replace("sinew ", name + " ")
    environment = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"])
    result = subprocess.run(["sh", "-c", line], cwd=SOURCE, env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return result.stdout


def console(text):
    """The block as it should be."""
    commands = re.findall(r"^\$ (.*)$", text, re.M)
    return "".join("$ %s\n%s" % (command, run(command)) for command in commands)


def dedent(text):
    lines = text.splitlines()
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[margin:].rstrip() for line in lines).strip("\n")


def excerpt(file):
    """What is between the marks of an example, its parts one after the other."""
    text = (SOURCE / file).read_text()
    return "\n\n".join(dedent(part) for part in MARK.findall(text)) + "\n"


def right(file, language, text):
    """What a block should hold; itself where nothing is demanded."""
    if file:
        return excerpt(file)
    return console(text) if language == "console" else text


def steady(text):
    """Without what depends on the machine and the build."""
    return re.sub(r"\d\S* \w+ in memory", "N in memory", text)


def brought_up_to_date(page):
    def block(match):
        start = "<!-- %s -->\n" % match[1] if match[1] else ""
        return "%s```%s\n%s```" % (start, match[2], right(*match.groups()))
    return BLOCK.sub(block, page.read_text())


class Docs(CommandTest):
    def test_blocks_are_true(self):
        count = 0
        for page in PAGES:
            for file, language, text in BLOCK.findall(page.read_text()):
                with self.subTest(page=page.name, block=text[:60]):
                    self.maxDiff = None
                    self.assertEqual(steady(text), steady(right(file, language, text)),
                                     "python3 tests/cli/test_docs.py --write mends it")
                    count += bool(file) or language == "console"
        self.assertGreater(count, 8)

    def test_guide_compiles(self):
        guide = (SOURCE / "docs" / "guide.md").read_text()
        pieces = [text for _, language, text in BLOCK.findall(guide) if language == "c"]
        self.assertGreater(len(pieces), 5)
        program = self.write("guide.c", "#include <sinew/codec.h>\n#include <sinew/gl_palettes.h>\n"
                                        "#include <sinew/sinew.h>\n"
                                        "#include <stdio.h>\n" + "\n".join(pieces))
        compiler = os.environ.get("CC", "cc").split()
        result = subprocess.run(
            [*compiler, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
             "-Wno-unused-function", "-fsyntax-only", "-I%s" % (SOURCE / "include"), str(program)],
            capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
                if "://" not in target:
                    self.assertTrue((page.parent / target).exists(), "%s: %s" % (page.name, target))

    def test_manual_page_has_every_option(self):
        manual = (SOURCE / "docs" / "sinew.1").read_text().replace("\\-", "-")
        for command in re.findall(r"^  (\w+) ", self.output("--help"), re.M):
            if command == "sinew":
                continue
            self.assertIn("\n.B %s\n" % command, manual)
            for option in re.findall(r"^ {2,6}(?:-\w, )?(--[a-z-]+)", self.output(command, "--help"),
                                     re.M):
                self.assertIn(option, manual)
        version = self.output("--version").split()[1]
        self.assertIn("Sinew " + version, manual.splitlines()[0])

    def test_two_joints_is_what_its_program_writes(self):
        folder = SOURCE / "docs" / "models"
        made = subprocess.run([sys.executable, str(folder / "make_two_joints.py")],
                              capture_output=True, text=True, check=True).stdout
        self.assertEqual(made, (folder / "two_joints.gltf").read_text())

    def test_the_table_of_commands_is_complete(self):
        table = (SOURCE / "README.md").read_text()
        for command in re.findall(r"^  (\w+) {2,}", self.output("--help"), re.M):
            if command != "sinew":
                self.assertIn("| `sinew %s " % command, table)


if __name__ == "__main__":
    if "--write" in sys.argv:
        for path in PAGES:
            path.write_text(brought_up_to_date(path))
        sys.exit()
    main()
