"""Help at every level, and wrong use: what is said, where, and the exit status."""
import os

from command import DONE, MACHINE, ON_A_DRIVER, TWO_JOINTS, WRONG_USE, CommandTest, main, sinew

COMMANDS = ["info", "pose", "render"]


class Help(CommandTest):
    def test_overview_names_every_command(self):
        for words in (["--help"], ["-h"], ["help"]):
            text = self.output(*words)
            self.assertTrue(text.startswith("Usage: sinew "))
            for command in COMMANDS:
                self.assertIn("\n  %s " % command, text)

    def test_command_help_is_the_same_both_ways(self):
        for command in COMMANDS:
            text = self.output(command, "--help")
            self.assertEqual(text, self.output("help", command))
            self.assertEqual(text, self.output(command, "-h"))
            self.assertTrue(text.startswith("Usage: sinew %s " % command))
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_help_wins_over_missing_operands(self):
        self.assertIn("Usage: sinew pose", self.output("pose", "--clip", "x", "--help"))

    def test_version(self):
        self.assertRegex(self.output("--version"), r"^sinew \d+\.\d+\.\d+\n$")

    def test_nothing_asked_for_shows_the_overview_as_an_error(self):
        self.assertIn("Usage: sinew ", self.refusal(WRONG_USE))


class WrongUse(CommandTest):
    def says(self, words, *parts, status=WRONG_USE):
        message = self.refusal(status, *words)
        first = message.splitlines()[0]
        self.assertTrue(first.startswith("sinew: "), message)
        for part in parts:
            self.assertIn(part, message)
        return message

    def test_unknown_command(self):
        self.says(["poes", "x.glb"], "'poes'", "did you mean 'pose'?")
        self.says(["inf"], "did you mean 'info'?")
        self.says(["frobnicate"], "'sinew --help'")
        self.says(["help", "frobnicate"], "'frobnicate'")
        self.says([""], "is no command")

    def test_unknown_option(self):
        self.says(["pose", "x.glb", "--tiem", "1"], "--tiem", "did you mean --time?")
        self.says(["pose", "x.glb", "--tiem=1"], "did you mean --time?")
        self.says(["pose", "x.glb", "--out", "a"], "did you mean --output?")
        self.says(["pose", "x.glb", "-z"], "no option -z")
        self.says(["pose", "x.glb", "--zzzzzz"], "'sinew pose --help'")
        self.says(["pose", "x.glb", "--" + "z" * 5000], "there is no option")

    def test_numbers_are_whole_and_finite(self):
        for odd in ("nan", "inf", "-inf", "1e999", "0x10", "1,5", "1s", " 1", "1 ", "", "--", ".",
                    "e5", "1e", "+-1"):
            self.says(["pose", TWO_JOINTS, "--time=" + odd], "--time")
        for odd in ("-1", "1.5", "4294967295", "99999999999999999999", "x", "+1"):
            self.says(["pose", TWO_JOINTS, "--scene", odd], "--scene", odd)
        for good in ("1", "+1", "1.", ".5", "1e-3", "-1", "1E2", "-0"):
            self.check(DONE, "pose", TWO_JOINTS, "--time", good)

    def test_locale_does_not_matter(self):
        for locale in ("de_DE.UTF-8", "C", "fr_FR"):
            got = self.json("pose", TWO_JOINTS, "--clip", "bend", "--time", "0.5",
                            env=dict(os.environ, LC_ALL=locale, LANG=locale))
            self.assertEqual(got["time"], 0.5)

    def test_missing_value(self):
        self.says(["pose", "x.glb", "--clip"], "--clip wants a value", "NAME|INDEX|none")
        self.says(["pose", "x.glb", "--clip", "--time", "1"], "--clip wants a value")
        self.says(["pose", "x.glb", "--output="], "--output wants a value")
        self.says(["pose", "x.glb", "-o"], "--output wants a value")
        self.says(["pose", "x.glb", "--method"], "--method wants a value", "lbs or dqs")
        self.says(["pose", "x.glb", "--strict=yes"], "--strict takes no value")

    def test_choices_are_listed(self):
        self.says(["pose", "x.glb", "--format", "fbx"], "json, obj or glb", "'fbx'")
        self.says(["pose", "x.glb", "--path", "cuda"], "scalar or gpu")

    def test_operands(self):
        self.says(["pose"], "which file?")
        self.says(["pose", "a.glb", "b.glb"], "'b.glb' is one too many")
        self.says(["info"], "which file?")
        self.says(["pose", ""], "empty")

    def test_options_at_odds(self):
        self.says(["pose", TWO_JOINTS, "--storage", "tbo3"], "--path gpu")
        self.says(["pose", TWO_JOINTS, "--skin", "0"], "--joint")
        self.says(["pose", TWO_JOINTS, "--json"], "--joint")
        self.says(["pose", TWO_JOINTS, "--joint", "tip", "--format", "obj"], "--json")
        self.says(["pose", TWO_JOINTS, "--joint", "tip", "--path", "gpu"], "--path")
        self.says(["pose", TWO_JOINTS, "-o", "x.gltf"], "'x.gltf'", "json, obj or glb")
        self.says(["pose", TWO_JOINTS, "-o", "a.obj/x.fbx"], "--format")

    def test_clips_that_do_not_exist(self):
        self.says(["pose", TWO_JOINTS, "--clip", "bned"], "did you mean 'bend'?", '0  "bend"')
        for odd in ("1", "-1", "4294967296", "0.0"):
            self.says(["pose", TWO_JOINTS, "--clip", odd], "no clip '%s'" % odd, '"bend"')

    def test_scenes_and_joints_that_do_not_exist(self):
        self.says(["pose", TWO_JOINTS, "--scene", "1"], "no scene 1")
        self.says(["pose", TWO_JOINTS, "--joint", "tipp"], "did you mean 'tip'?", "root tip")
        self.says(["pose", TWO_JOINTS, "--joint", "body"], "is a node, but no joint")
        self.says(["pose", TWO_JOINTS, "--joint", "3"], "no joint '3'")
        self.says(["pose", TWO_JOINTS, "--joint", "tip", "--skin", "1"], "no skin 1")

    def test_messages_are_one_line_whatever_was_typed(self):
        message = self.says(["pose", TWO_JOINTS, "--format", "a\nsinew: b\x1b[2J"], "a\\x0asinew")
        self.assertEqual(message.count("\n"), 1)
        self.assertNotIn("\x1b", message)

    def test_double_dash_ends_options(self):
        self.assertIn("--help", self.refusal(3, "info", "--", "--help"))


class OptionForms(CommandTest):
    def test_forms_of_a_value(self):
        target = self.folder / "out.json"
        plain = self.output("pose", TWO_JOINTS, "--clip", "bend", "--time", "1")
        for words in (["--clip=bend", "--time=1"], ["--clip", "0", "--time", "1.0"],
                      ["--time", "0", "--time", "1", "--clip=none", "--clip=bend"]):
            self.assertEqual(self.output("pose", *words, TWO_JOINTS), plain)
        for words in (["-o", target], ["-o%s" % target], ["--output=%s" % target]):
            self.output("pose", TWO_JOINTS, "--clip=bend", "--time=1", *words)
            self.assertEqual(target.read_text(), plain)
            target.unlink()

    def test_path_gpu_says_what_is_missing_or_works(self):
        result = sinew("pose", TWO_JOINTS, "--path", "gpu",
                       env=dict(ON_A_DRIVER, LIBGL_DRIVERS_PATH="/nowhere", HOME="/nonexistent"))
        if result.returncode != DONE:
            self.assertEqual(result.returncode, MACHINE)
            self.assertEqual(result.stdout, "")
            self.assertTrue(result.stderr.splitlines()[-1].startswith("sinew: "), result.stderr)


if __name__ == "__main__":
    main()
