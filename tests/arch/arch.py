"""The rooms and their arrows, and a checker that holds a tree of sources to them.

The arrows are those of CONTRIBUTING.md. `violations(root)` returns sentences. It reads
the C text itself instead of asking a compiler, because a compiler accepts exactly what
is looked for here: an `extern` or a forward declaration in place of an include.
"""
import re
from pathlib import Path

BELOW_GL = ["base", "model", "finding", "gltf", "pose", "clip", "blend", "ik", "palette",
            "skin", "check"]
DRAWN = [room for room in BELOW_GL if room not in ("gltf", "check")]
ARROWS = {
    "base": [],
    "model": [],
    "finding": [],
    "gltf": ["model", "finding"],
    "pose": ["model"],
    "clip": ["model", "pose"],
    "blend": ["pose"],
    "ik": ["pose"],
    "palette": ["model", "pose"],
    "skin": ["model", "palette"],
    "check": ["model", "finding", "pose", "clip", "palette", "skin"],
    "codec": ["gltf"],
    "gl": ["model", "pose", "clip", "palette", "skin"],
    "render": ["gl"] + DRAWN,
    "view": ["render", "gl"] + BELOW_GL,
    "cli": ["view", "render", "gl", "codec"] + BELOW_GL,
}
SILENT = BELOW_GL + ["codec", "gl"]  # these print nothing
GL_ROOMS = ["gl", "render", "view"]  # these may see OpenGL
GL_HEADER = re.compile(r"(GL|GLES\d?|EGL|KHR|glad|GLFW|X11)/")
PRINTING = re.compile(r"\b(printf|vprintf|puts|putchar|perror|stdout|stderr)\b")
NAME = re.compile(r"\bsinewi?_\w+\b")
NOT_A_NAME = {"if", "for", "while", "switch", "return", "sizeof", "_Static_assert",
              "static_assert", "_Alignas", "_Alignof", "defined"}


def may(room, other):
    return other in (room, "base") or other in ARROWS[room]


def room_of(path):
    """The room of a path relative to the root; None for tests, examples and the like."""
    parts = path.parts
    if parts[0] == "cli":
        return "cli"
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "sinew") and path.name != "sinew.h":
        # finding_table.h belongs to finding
        stem = path.stem
        while stem not in ARROWS and "_" in stem:
            stem = stem.rsplit("_", 1)[0]
        return stem
    return None


def is_private(path):
    return path.parts[0] in ("src", "cli")


# ---- reading C text ----

def without_comments(text):
    token = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
    blank = lambda match: match.group() if match.group()[0] in "\"'" else (
        re.sub(r"[^\n]", " ", match.group()))
    return token.sub(blank, text.replace("\\\n", " "))


def without_strings(text):
    return re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', '""', text)


class Source:
    def __init__(self, root, path):
        self.path = path
        self.room = room_of(path)
        text = without_comments((root / path).read_text(encoding="utf-8"))
        self.includes = re.findall(r'^[ \t]*#[ \t]*include[ \t]*(\S+)', text, re.M)
        self.code = without_strings(re.sub(r'^[ \t]*#[ \t]*include.*$', "", text, flags=re.M))
        self.plain = re.sub(r"^[ \t]*#.*$", "", self.code, flags=re.M)
        self.defines = set()     # functions, variables and tags that have their body here
        self.declares = set()    # every name that a reader of this file gets to know
        self.prototypes = set()  # functions declared without a body, not static
        self.forwards = set()    # struct tags declared without a body
        self.locals = set()      # names that are static here
        self.declares |= set(re.findall(r"#[ \t]*define[ \t]+(sinewi?_\w+)", self.code))
        for declaration, has_body in self.top_level():
            self.note(declaration, has_body)

    def top_level(self):
        """(text, has a function body), with the inside of every brace taken out."""
        text = re.sub(r'extern\s*""\s*\{', "", self.plain)
        text = re.sub(r"__attribute__\s*\(\(.*?\)\)|\bSINEW_API\b|\bextern\s+\"\"", "", text)
        depth, out = 0, ""
        for part in re.split(r"([{};])", text):
            if part == "{":
                depth += 1
                out += "{" if depth == 1 else ""
            elif part == "}":
                if depth == 1:
                    out += "}"
                    # A closed parenthesis before the brace: a function. Otherwise a
                    # struct, enum or initialiser, which goes on to its semicolon.
                    if re.search(r"\)\s*\{\}$", out):
                        yield out, True
                        out = ""
                depth = max(0, depth - 1)  # that of extern "C" is not counted
            elif depth == 0:
                if part == ";":
                    yield out, False
                    out = ""
                else:
                    out += part

    def note(self, text, has_body):
        text = " ".join(text.split())
        static = re.match(r"(static|inline)\b", text) is not None
        for tag, body in re.findall(r"\b(?:struct|union|enum) (\w+)( ?\{)?", text):
            if body:
                self.defines.add(tag)
                self.declares.add(tag)
            elif re.fullmatch(r"(struct|union|enum) \w+|typedef (struct|union) \w+ \w+", text):
                self.forwards.add(tag)
                self.declares.add(tag)
                if not text.startswith("typedef"):
                    return
        if text.startswith("typedef"):
            pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", text)
            names = pointer.groups() if pointer else re.findall(r"(\w+)(?:\s*\[.*\])?$", text)
            self.declares.update(names)
            return
        function = re.search(r"\b(\w+)\s*\((?!\s*\*)", text.split("=")[0])
        if function and function.group(1) not in NOT_A_NAME and "{}" not in text[:function.start()]:
            name = function.group(1)
            # A call of a macro alone on its line has no return type before it.
            if has_body or text[:function.start()].strip():
                self.declares.add(name)
                (self.locals if static else self.defines if has_body else self.prototypes).add(name)
            return
        variable = re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*(=.*)?$", text)
        if variable and len(text.split()) > 1:
            name = variable.group(1)
            self.declares.add(name)
            if static:
                self.locals.add(name)
            elif not text.startswith("extern"):
                self.defines.add(name)


# ---- the tree ----

class Tree:
    def __init__(self, root):
        self.root = Path(root)
        self.sources = {}
        for folder in ("include", "src", "cli", "examples"):
            for file in sorted((self.root / folder).rglob("*.[ch]")):
                path = file.relative_to(self.root)
                self.sources[path] = Source(self.root, path)
        self.owners = self.find_owners()

    def find_owners(self):
        """name -> rooms. Where the body is decides; without a body, the header's room.
        Several rooms may give their own struct the same internal name."""
        owners, declared = {}, {}
        for source in self.sources.values():
            if source.room:
                for name in source.defines:
                    owners.setdefault(name, set()).add(source.room)
                if source.path.suffix == ".h":
                    for name in source.declares:
                        declared.setdefault(name, []).append(source.room)
        for name, rooms in declared.items():
            if name not in owners:
                named = [room for room in rooms if re.match(rf"sinewi?_{room}(_|$)", name)]
                owners[name] = {(named or rooms)[0]}
        return {name: rooms for name, rooms in owners.items() if NAME.fullmatch(name)}

    def owner(self, name, room):
        """Whose name it is, seen from a room: its own if it has it; None: nobody's."""
        rooms = self.owners.get(name, set())
        return room if room in rooms else min(rooms, default=None)

    def resolve(self, source, include):
        """The file of this tree that an include means, or None."""
        name = include[1:-1]
        places = [Path("src"), Path("include")]
        if include[0] == '"':
            places.insert(0, source.path.parent)
        for place in places:
            path = (self.root / place / name).resolve()
            if path.is_file() and path.is_relative_to(self.root.resolve()):
                return path.relative_to(self.root.resolve())
        return None

    def seen_from(self, source):
        """Every name declared by the headers that a file includes, at any depth."""
        names, todo, done = set(), [source], set()
        while todo:
            one = todo.pop()
            for include in one.includes:
                path = self.resolve(one, include) if include[0] in "\"<" else None
                if path in self.sources and path not in done:
                    done.add(path)
                    todo.append(self.sources[path])
                    names |= self.sources[path].declares
        return names


def check_includes(tree, source):
    for include in source.includes:
        if include[0] not in "\"<":
            yield f"includes by the macro {include}, which nobody can follow"
            continue
        name = include[1:-1]
        path = tree.resolve(source, include)
        if path is None:
            yield from check_outside_include(source, include, name)
        elif path == Path("include/sinew/sinew.h"):
            if source.room != "cli" and source.path.parts[0] != "examples":
                yield "includes sinew.h, which brings every room in"
        else:
            other = room_of(path)
            if source.room is None:
                if is_private(path) and path.parts[0] != source.path.parts[0]:
                    yield f"includes {path}, which is private"
            elif not may(source.room, other):
                yield f"includes {path}: no arrow leads from {source.room} to {other}"
            elif is_private(path) and other not in (source.room, "base"):
                yield f"includes {path}, which is private to {other}"
            elif is_private(path) and not is_private(source.path):
                yield f"is public and includes {path}, which is not"


def check_outside_include(source, include, name):
    if source.room is None:
        return
    if include[0] == '"' and name != f"{source.room}_shaders.h":  # the generated ones
        yield f"includes {include}, which is no file of this project"
    if GL_HEADER.match(name) and (source.room not in GL_ROOMS or not is_private(source.path)):
        yield f"includes {include}: OpenGL is for the insides of {', '.join(GL_ROOMS)}"
    if name.startswith("cglm/") and not is_private(source.path):
        yield "is public and includes cglm"


def check_names(tree, source):
    """Uses of other rooms' names, however they were declared."""
    seen = tree.seen_from(source)
    own = source.locals | source.defines
    for name in sorted(set(NAME.findall(source.code)) - own):
        other = tree.owner(name, source.room)
        if other is None or other == source.room:
            continue
        if not may(source.room, other):
            yield f"names {name}: no arrow leads from {source.room} to {other}"
        elif name not in seen:
            yield f"names {name} without including a header that declares it"


def check_declarations(tree, source):
    for name in sorted(source.forwards):
        if tree.owner(name, source.room) not in (None, source.room):
            yield f"forward declares {name}, which belongs to {tree.owner(name, source.room)}"
    for name in sorted(source.prototypes):
        if source.path.suffix == ".c":
            yield f"declares the function {name}: that is for a header"
        elif tree.owner(name, source.room) not in (None, source.room):
            yield f"declares {name}, which belongs to {tree.owner(name, source.room)}"
    if source.path.suffix == ".c" and re.search(r"\bextern\b", source.plain):
        yield "says extern: that is for a header"
    # A prototype inside a function: a type, then the name, at the start of a statement.
    inner = re.compile(r"[;{}]\s*(?!return\b|else\b|case\b|goto\b)(?:const\s+)?(?:struct\s+)?"
                       r"\w+[\s*]+(sinewi?_\w+)\s*\([^;{}]*\)\s*;")
    if source.path.suffix == ".c":
        bodies = re.sub(r"^.*?\{", "{", source.plain, count=1, flags=re.S)
        for name in inner.findall(bodies):
            if name not in source.prototypes and name not in source.locals:
                yield f"declares the function {name} inside another"


def check_rooms(tree):
    """A room is a public header, a folder and a test."""
    rooms = {source.room for source in tree.sources.values() if source.room}
    for room in sorted(rooms):
        if room not in ARROWS:
            yield f"{room}: there is no such room in the plan"
        elif room != "cli":
            if not (tree.root / f"include/sinew/{room}.h").is_file():
                yield f"{room}: its header include/sinew/{room}.h is missing"
            if not list((tree.root / "src" / room).glob("*.c")):
                yield f"{room}: its folder src/{room} has no code"
            if not list((tree.root / "tests/unit").glob(f"test_{room}*.c")):
                yield f"{room}: its test tests/unit/test_{room}.c is missing"
        elif not list((tree.root / "tests/cli").glob("test_*.py")):
            yield "cli: it has no test in tests/cli"


def check_copies(tree):
    for name, rooms in sorted(tree.owners.items()):
        if len(rooms) > 1 and name.startswith("sinew_"):
            yield f"{name} is defined by {' and by '.join(sorted(rooms))}"


def violations(root):
    tree = Tree(root)
    found = list(check_rooms(tree)) + list(check_copies(tree))
    for source in tree.sources.values():
        if source.room is not None and source.room not in ARROWS:
            continue
        said = list(check_includes(tree, source))
        if source.room:
            said += check_names(tree, source)
            said += check_declarations(tree, source)
            printing = PRINTING.search(source.plain)
            if source.room in SILENT and printing:
                said.append(f"prints ({printing.group()}): the libraries are silent")
        found += [f"{source.path}: {sentence}" for sentence in said]
    return found
