"""No room goes round the arrows; and the checker sees each way of doing so."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import arch  # noqa: E402

ROOT = Path(os.environ.get("SINEW_SOURCE_DIR", Path(__file__).parents[2]))

# A small sound tree; each case below adds or replaces files in it.
SOUND = {
    "include/sinew/base.h": """
        #ifdef __cplusplus
        extern "C" {
        #endif
        #define SINEW_API __attribute__((visibility("default")))
        typedef struct sinew_error { int result; } sinew_error;
        SINEW_API const char *sinew_version(void);
        #ifdef __cplusplus
        }
        #endif""",
    "include/sinew/model.h": """
        #include "sinew/base.h"
        typedef struct sinew_model { int n; } sinew_model;
        typedef struct sinew_thing sinew_thing;
        SINEW_API int sinew_model_size(const sinew_model *m);""",
    "include/sinew/finding.h": '#include "sinew/base.h"\nint sinew_findings_count(void);',
    "include/sinew/pose.h": '#include "sinew/model.h"\nvoid sinew_pose_to_world(sinew_model *m);',
    "include/sinew/palette.h": '#include "sinew/pose.h"\nvoid sinew_palette_build(void);',
    "include/sinew/skin.h": '#include "sinew/palette.h"\nvoid sinew_skin_go(void);',
    "include/sinew/gl.h": '#include "sinew/palette.h"\ntypedef struct sinew_gl sinew_gl;',
    "include/sinew/sinew.h": '#include "sinew/base.h"',
    "src/base/base.c": """
        #include "sinew/base.h"
        #include "base/arena.h"
        /* printf("in a comment"); extern int x; */
        static const int table[] = {1, 2};
        static int helper(int x);
        static int helper(int x) { return x + table[0]; }
        const char *sinew_version(void) { return helper(1) ? "puts" : "stderr"; }
        void sinewi_arena_free(struct sinewi_arena *a) { (void)a; }""",
    "src/base/arena.h": """
        typedef struct sinewi_arena { void (*release)(void *); } sinewi_arena;
        void sinewi_arena_free(sinewi_arena *a);""",
    "src/model/model.c": """
        #include "sinew/model.h"
        #include "base/arena.h"
        #include "model_private.h"
        struct sinew_thing { int x; };
        int sinew_model_size(const sinew_model *m) { sinewi_arena a = {0};
            sinewi_arena_free(&a); return sinewi_model_inner(m); }
        int sinewi_model_inner(const sinew_model *m) { return m->n; }""",
    "src/model/model_private.h": '#include "sinew/model.h"\n'
                                 "int sinewi_model_inner(const sinew_model *m);",
    "src/finding/finding.c": '#include "sinew/finding.h"\nint sinew_findings_count(void) { return 0; }',
    "src/pose/pose.c": '#include "sinew/pose.h"\nvoid sinew_pose_to_world(sinew_model *m) { (void)m; }',
    "src/palette/palette.c": '#include "sinew/palette.h"\nvoid sinew_palette_build(void) {}',
    "src/skin/skin.c": '#include "sinew/skin.h"\nvoid sinew_skin_go(void) { sinew_palette_build(); }',
    "src/gl/view.h": "typedef struct sinewi_view { int a; } sinewi_view;",
    "src/pose/view.h": "typedef struct sinewi_view { int b; } sinewi_view;",
    "src/pose/view.c": '#include "view.h"\nint sinewi_pose_size(sinewi_view *v) { return v->b; }',
    "src/gl/gl.c": '#include <glad/gl.h>\n#include "sinew/gl.h"\n#include "gl_shaders.h"\n'
                   "struct sinew_gl { sinew_model *m; };",
    "cli/main.c": '#include <stdio.h>\n#include "sinew/sinew.h"\n'
                  'int main(void) { printf("%s", sinew_version()); }',
    "examples/02_cpu.c": '#include "sinew/sinew.h"\nint main(void) { return 0; }',
    "tests/cli/test_cli.py": "",
}
for _room in ("base", "model", "finding", "pose", "palette", "skin", "gl"):
    SOUND[f"tests/unit/test_{_room}.c"] = ""

# what is done: (files, words that must be in what the checker says)
BROKEN = {
    "include of a room above": ({"src/model/x.c": '#include "sinew/pose.h"'}, "model to pose"),
    "angled include": ({"src/model/x.c": "#include <sinew/pose.h>"}, "model to pose"),
    "relative include": ({"src/model/x.c": '#include "../../include/sinew/pose.h"'}, "model to pose"),
    "include of code": ({"src/model/x.c": '#include "../pose/pose.c"'}, "model to pose"),
    "include by a public header": ({"include/sinew/finding.h": '#include "sinew/model.h"'},
                                   "finding to model"),
    "include that skips an arrow": ({"src/skin/x.c": '#include "sinew/pose.h"'}, "skin to pose"),
    "include of everything": ({"src/model/x.c": '#include "sinew/sinew.h"'}, "every room"),
    "include of a private header": ({"src/pose/x.c": '#include "model/model_private.h"'}, "private"),
    "relative private header": ({"src/pose/x.c": '#include "../model/model_private.h"'}, "private"),
    "private header in a public one": ({"include/sinew/model.h": '#include "base/arena.h"'}, "public"),
    "private header in an example": ({"examples/x.c": '#include "../src/base/arena.h"'}, "private"),
    "include by macro": ({"src/model/x.c": '#define H "sinew/pose.h"\n#include H'}, "macro"),
    "unknown file": ({"src/model/x.c": '#include "helpers.h"'}, "no file of this project"),
    "use through a header's header": (
        {"src/skin/x.c": '#include "sinew/skin.h"\nstatic void f(void) { sinew_pose_to_world(0); }'},
        "skin to pose"),
    "extern function": ({"src/model/x.c": "extern void sinew_pose_to_world(void *m);"}, "model to pose"),
    "extern function by an arrow": (
        {"src/pose/x.c": "extern int sinewi_model_inner(const void *m);"}, "extern"),
    "extern variable": ({"src/pose/x.c": "extern int counter;"}, "extern"),
    "extern in a header": (
        {"src/model/x.h": "extern void sinew_pose_to_world(void *m);"}, "model to pose"),
    "prototype": ({"src/model/x.c": "void sinew_pose_to_world(void *m);"}, "model to pose"),
    "prototype by an arrow": ({"src/pose/x.c": "int sinewi_model_inner(const void *m);"},
                              "sinewi_model_inner"),
    "prototype in a header": (
        {"src/pose/x.h": '#include "sinew/model.h"\nint sinewi_model_inner(const sinew_model *m);'},
        "belongs to model"),
    "prototype without a prefix": ({"src/pose/x.c": "int helper(int x);"}, "helper"),
    "prototype over lines": ({"src/model/x.c": "void\nsinew_pose_to_world\n(\nvoid *m\n)\n;"},
                             "model to pose"),
    "prototype inside a function": (
        {"src/pose/x.c": '#include "sinew/pose.h"\nstatic void f(void) {'
                         " int sinew_model_size(const sinew_model *m); }"}, "inside another"),
    "prototype by a define": (
        {"src/model/x.c": "#define WORLD sinew_pose_to_world\nstatic void f(void) { WORLD(0); }"},
        "model to pose"),
    "forward struct": ({"src/finding/x.c": "struct sinew_model;"}, "finding to model"),
    "forward struct by an arrow": ({"src/pose/x.c": "struct sinew_model;"}, "forward"),
    "forward typedef": ({"include/sinew/finding.h": "typedef struct sinew_model sinew_model;"},
                        "finding to model"),
    "forward opaque type": ({"src/palette/x.c": "typedef struct sinew_gl sinew_gl;"}, "palette to gl"),
    "copy of a struct": ({"src/finding/x.c": "struct sinew_model { int n; };"},
                         "finding and by model"),
    "struct in a prototype": (
        {"src/finding/x.h": "int sinewi_finding_of(const struct sinew_model *m);"},
        "finding to model"),
    "struct without a header": (
        {"src/pose/x.h": "int sinewi_pose_of(const struct sinew_model *m);"}, "without including"),
    "OpenGL below gl": ({"src/skin/x.c": "#include <GL/gl.h>"}, "OpenGL"),
    "EGL below gl": ({"src/base/x.c": "#include <EGL/egl.h>"}, "OpenGL"),
    "OpenGL in a public header": ({"include/sinew/gl.h": "#include <glad/gl.h>"}, "OpenGL"),
    "cglm in a public header": ({"include/sinew/model.h": "#include <cglm/cglm.h>"}, "cglm"),
    "printing": ({"src/pose/x.c": 'static void f(void) { printf("x"); }'}, "silent"),
    "printing to stderr": ({"src/gl/x.c": 'static void f(void) { fprintf(stderr, "x"); }'}, "silent"),
    "room without a test": ({"tests/unit/test_skin.c": None}, "test_skin.c is missing"),
    "room without a header": ({"src/clip/clip.c": "", "tests/unit/test_clip.c": ""}, "clip.h is missing"),
    "room without a folder": ({"include/sinew/clip.h": "", "tests/unit/test_clip.c": ""}, "no code"),
    "command without a test": ({"tests/cli/test_cli.py": None}, "no test in tests/cli"),
    "room that is not planned": ({"src/utils/utils.c": ""}, "no such room"),
}


def write(root, files):
    for name, text in files.items():
        path = Path(root, name)
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


class Arrows(unittest.TestCase):
    def test_this_tree_keeps_to_the_arrows(self):
        found = arch.violations(ROOT)
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_arrows_have_no_circle(self):
        def walk(room, path):
            self.assertNotIn(room, path)
            for other in arch.ARROWS[room]:
                walk(other, path + [room])
        for room in arch.ARROWS:
            walk(room, [])


class Checker(unittest.TestCase):
    def test_sound_tree_passes(self):
        with tempfile.TemporaryDirectory() as root:
            write(root, SOUND)
            self.assertEqual(arch.violations(root), [])

    def test_each_way_round_is_seen(self):
        for what, (files, words) in BROKEN.items():
            with self.subTest(what), tempfile.TemporaryDirectory() as root:
                write(root, SOUND)
                write(root, files)
                found = arch.violations(root)
                self.assertTrue([f for f in found if words in f], f"{words!r} not in {found}")


if __name__ == "__main__":
    unittest.main()
