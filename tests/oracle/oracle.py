#!/usr/bin/env python3
"""Holds what `sinew pose` prints against values from other sources.

    oracle.py SUITE... [--path scalar|gpu] [--storage tbo3|tbo4] [--environment NAME]
              [--corpus FOLDER] [--sample N] [--only NAME...] [--verbose]

    own       tests/data/oracle: small models and values that follow by closed formulas
    dqs       ../shared/gauntlet/expected_dqs: the same by dual quaternions
    storages  gauntlet, reports and dqs, each storage beside the scalar path (pose --verify)
    gauntlet  ../shared/gauntlet/expected, computed in double by ../shared/oracle/reference.py
    reports   ../shared/gauntlet/reports: what users of such libraries reported
    real      Fox, CesiumMan, robot, greenman: each clip at start, middle and end, computed
              here by reference.py; and ../shared/oracle/real_expected
    corpus    ../shared/corpus/expected: some 240 files by others; corpus_notes.json names
              those that may be refused, and what may differ and why

The command is $SINEW, the shared folder $SINEW_SHARED. Exit 0: the same; 1: something
differs; 77: all was skipped, because the command, the shared files or the GPU are not there.
"""
import argparse
import concurrent.futures
import functools
import gzip
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # the shared folder is not ours to write to

SOURCE = Path(os.environ.get("SINEW_SOURCE_DIR", Path(__file__).resolve().parents[2]))
SHARED = Path(os.environ.get("SINEW_SHARED", SOURCE.parent / "shared"))
SINEW = os.environ.get("SINEW", "")
DONE, REFUSED, MACHINE, SKIPPED = 0, 3, 4, 77

# Whom a driver is made to look like (../shared/gl-notes.md).
ENVIRONMENTS = {
    "softpipe": {"GALLIUM_DRIVER": "softpipe"},
    "gl33": {"MESA_GL_VERSION_OVERRIDE": "3.3", "MESA_GLSL_VERSION_OVERRIDE": "330",
             "MESA_EXTENSION_OVERRIDE": "-GL_ARB_shader_storage_buffer_object "
                                        "-GL_ARB_buffer_storage -GL_ARB_texture_buffer_range"},
    "gles": {},
    "gles30": {"MESA_GLES_VERSION_OVERRIDE": "3.0"}}  # no texture buffers, no shader storage
ON_ES = ("gles", "gles30")

LIMIT = 2e-5          # FORMAT.md; what compare.py demands of the gauntlet
NORMAL_LIMIT = 5e-5   # FORMAT.md; normals and tangents of files by others
REAL_LIMIT = 5e-6     # places on the four real models, of the model's extent


class Skip(Exception):
    """What the suite needs is not there."""


class Refused(Exception):
    """sinew gave an exit status other than 0."""

    def __init__(self, status, message):
        super().__init__("exit %d: %s" % (status, message.strip() or "(silent)"))
        self.status = status


# ---- the command ----

def no_constant(text):
    raise ValueError("%s is not a number of JSON" % text)


def pose(file, case, setup, form=("--format", "json")):
    """What sinew prints for a case (animation, time, scene)."""
    clip = case.get("animation")
    words = [SINEW, "pose", str(file), "--quiet", *form,
             "--clip", "none" if clip is None else str(clip),
             "--time", repr(case.get("time") or 0)]
    if case.get("scene") is not None:
        words += ["--scene", str(case["scene"])]
    if "method" in case:
        words += ["--method", case["method"]]
    environment = dict(os.environ, MESA_SHADER_CACHE_DIR=setup["cache"],
                       **ENVIRONMENTS.get(setup["environment"], {}))
    run = subprocess.run(words + setup["words"], stdin=subprocess.DEVNULL, capture_output=True,
                         env=environment, timeout=250)
    if run.returncode != DONE:
        message = run.stderr.decode(errors="replace")
        if run.stdout:
            message += " (and yet it printed something)"
        raise Refused(run.returncode, message)
    return json.loads(run.stdout.decode("utf-8"), parse_constant=no_constant)


def shared_module(name):
    folder = str(SHARED / "oracle")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return __import__(name)


def needs_shared(path):
    if not (SHARED / path).exists():
        raise Skip("%s is not there" % (SHARED / path))
    return SHARED / path


def read(path):
    if path.suffix == ".gz":
        return json.loads(gzip.decompress(path.read_bytes()))
    return json.loads(path.read_text(encoding="utf-8"))


# ---- results: (name, verdict, {quantity: (difference, limit, where)}, message) ----

SAME, DIFFERS, ALLOWED, LACKS = "same", "DIFFERS", "refused, as it may be", "without a decoder"

# What a build without a codec says (src/gltf).
NO_DECODER = "this build has no decoder"


def result(name, worst, message=""):
    same = all(value <= limit for value, limit, _ in worst.values())
    return name, SAME if same else DIFFERS, worst, message


def keep_worst(worst, name, value, limit, where):
    if name not in worst or not value / limit <= worst[name][0] / worst[name][1]:
        worst[name] = (value, limit, where)


def with_refusals(name, work, may_refuse=None):
    """may_refuse: a part of the message of a refusal that is as good as the values; None:
    there is none."""
    try:
        return work()
    except Refused as problem:
        message = str(problem)
        if problem.status == REFUSED and NO_DECODER in message:
            return name, LACKS, {}, message
        allowed = may_refuse is not None and problem.status == REFUSED and may_refuse in message
        return name, ALLOWED if allowed else DIFFERS, {}, message
    except ValueError as problem:
        return name, DIFFERS, {}, "JSON: %s" % problem


# ---- gauntlet and corpus: complete instances, compared by compare.py ----

def compare_cases(name, file, cases, setup, limits):
    compare, worst = shared_module("compare"), {}
    for case in cases:
        where = "clip %s at %s s" % (case.get("animation"), case.get("time"))
        have = pose(file, case, setup)
        for quantity, (value, at) in compare.compare_case(case, have).items():
            keep_worst(worst, quantity, value, limits.get(quantity, LIMIT), where + ", " + at)
    return result(name, worst)


def gauntlet_job(entry, setup):
    folder = SHARED / "gauntlet"
    cases = read(folder / "expected" / (entry["name"] + ".json"))["cases"]
    return with_refusals(
        entry["name"], may_refuse="" if entry["lenient"] else None,
        work=lambda: compare_cases(entry["name"], folder / entry["file"], cases, setup, {}))


def gauntlet(options):
    manifest = read(needs_shared("gauntlet/manifest.json"))
    return [(gauntlet_job, entry) for entry in manifest if wanted(options, entry["name"])]


def dqs_job(path, setup):
    expected = read(path)
    limits = {}
    if path.name.startswith("real_"):
        limits = {"normals": NORMAL_LIMIT, "tangents": NORMAL_LIMIT}
    file = (SHARED / "gauntlet" / expected["file"]).resolve()
    cases = [dict(case, method="dqs") for case in expected["cases"]]
    return with_refusals(expected["name"],
                         lambda: compare_cases(expected["name"], file, cases, setup, limits))


def dqs(options):
    folder = needs_shared("gauntlet/expected_dqs")
    return [(dqs_job, path) for path in sorted(folder.glob("*.json"))
            if wanted(options, path.name)]


# ---- every storage of the GPU, beside the scalar path, which the other suites hold ----

def has_no_direction(case):
    return any(primitive.get(name) for instance in case.get("instances", [])
               for primitive in instance["primitives"]
               for name in ("singular", "normals_undefined"))


def storages_job(item, setup):
    name, file, cases, may_refuse = item
    setup = dict(setup, words=setup["context"])

    def work():
        worst, held = {}, 0
        for case in cases:
            where = "clip %s at %s s" % (case.get("animation"), case.get("time"))
            for row in pose(file, case, setup, ("--verify", "--json"))["storages"]:
                if "lacks" in row:
                    continue
                held += 1
                for quantity, key in (("positions", "relative"), ("normals", "normals"),
                                      ("tangents", "tangents")):
                    if quantity == "positions" or not has_no_direction(case):
                        keep_worst(worst, quantity, row[key], LIMIT,
                                   where + ", " + row["storage"])
        if not held:
            return name, DIFFERS, {}, "no storage held it"
        return result(name, worst)
    return with_refusals(name, work, may_refuse)


def storages(options):
    folder = needs_shared("gauntlet")
    jobs = []
    for entry in read(folder / "manifest.json"):
        cases = read(folder / "expected" / (entry["name"] + ".json"))["cases"]
        jobs.append((entry["name"], folder / entry["file"], cases,
                     "" if entry["lenient"] else None))
    for path in sorted((folder / "reports").glob("*.expected.json")):
        for case in read(path)["cases"]:
            may_refuse = None if asks(case) else ""
            jobs.append((path.name, path.parent / case["file"], [case], may_refuse))
    for path in sorted((folder / "expected_dqs").glob("*.json")):
        expected = read(path)
        cases = [dict(case, method="dqs") for case in expected["cases"]]
        jobs.append(("dqs " + expected["name"], (folder / expected["file"]).resolve(), cases, None))
    return [(storages_job, job) for job in jobs if wanted(options, job[0])]


def set_last_rows(cases):
    for case in cases:
        for instance in case["instances"]:
            for matrix in instance["palette"] or []:
                matrix[3::4] = [0, 0, 0, 1]


def moving(cases):
    """Of the moments of a file one from the middle of a clip, or rest where it has none."""
    found = [case for case in cases if case.get("time")]
    return (found or cases)[len(found) // 3:][:1]


def corpus_job(item, setup):
    root, name, sampled = item
    expected = read(root / "expected" / (name + ".json.gz"))
    notes = read(Path(__file__).with_name("corpus_notes.json"))
    limits = {"normals": NORMAL_LIMIT, "tangents": NORMAL_LIMIT}
    if name in notes["palette"]["files"]:
        limits["palette"] = notes["palette"]["limit"]
    if name in notes["last_row"]["files"]:
        set_last_rows(expected["cases"])

    def work():
        for cases in (expected["cases"], expected.get("decoded_cases")):
            if cases is not None:
                chosen_cases = moving(cases) if sampled else cases
                done = compare_cases(name, root / name, chosen_cases, setup, limits)
                if done[1] == SAME:
                    break
        return done
    may_be_refused = name in notes["refused"]["files"]
    done = with_refusals(name, work, notes["refused"]["message"] if may_be_refused else None)
    if may_be_refused and done[1] == SAME:
        return done[:3] + ("is read: take it off the list of corpus_notes.json",)
    return done


def corpus(options):
    root = options.corpus or needs_shared("corpus")
    if not (root / "expected").is_dir():
        raise Skip("%s is not there" % (root / "expected"))
    names = sorted(str(path.relative_to(root / "expected"))[:-len(".json.gz")]
                   for path in (root / "expected").rglob("*.gz"))
    return [(corpus_job, (root, name, options.sample > 1))
            for name in names[::options.sample] if wanted(options, name)]


# ---- own cases and reports: chosen vertices, bounds, joint matrices ----

def difference(want, have):
    """Per component, absolute up to 1 and relative above."""
    if len(want) != len(have):
        return math.inf
    return max(abs(a - b) / max(1.0, abs(a)) for a, b in zip(want, have))


def compare_chosen(case, have, worst):
    limit = case.get("tolerance", 1e-4)
    instances = {instance["node"]: instance for instance in have["instances"]}

    def note(quantity, want, got, where):
        keep_worst(worst, quantity, difference(want, got), limit,
                   "clip %s at %s s, %s: %s, expected %s"
                   % (case.get("animation"), case.get("time"), where, got, want))

    for want in case.get("vertices", []):
        primitive = instances[want["node"]]["primitives"][want.get("primitive", 0)]
        where = "node %d vertex %d" % (want["node"], want["index"])
        for name in ("position", "normal", "tangent"):
            if name in want:
                note(name + "s", want[name], primitive[name + "s"][want["index"]], where)
    for side in case.get("bounds", {}):
        note("aabb", case["bounds"][side], have["aabb"][side], side)
    for want in case.get("joint_matrix", []):
        skinned = next(i for i in have["instances"] if i["skin"] == want["skin"])
        matrix = skinned["palette"][want["joint"]]
        for row in range(4):
            note("palette", want["rows"][row], matrix[row::4],
                 "joint %d row %d" % (want["joint"], row))


def asks(case):
    """Whether values are asked for; else it only has to be survived."""
    return any(case.get(name) for name in ("vertices", "bounds", "joint_matrix"))


def chosen_job(path, setup):
    """One NAME.expected.json, whose models stand beside it."""
    name, expected = path.name[:-len(".expected.json")], read(path)

    def work():
        worst = {}
        for case in expected["cases"]:
            try:
                have = pose(path.parent / case["file"], case, setup)
            except Refused as problem:
                if asks(case) or problem.status != REFUSED:
                    raise
                continue  # nothing is asked but that it does not crash
            compare_chosen(case, have, worst)
        return result(name, worst)
    return with_refusals(name, work)


def chosen(folder, options):
    paths = sorted(folder.glob("*.expected.json"))
    return [(chosen_job, path) for path in paths if wanted(options, path.name)]


def reports(options):
    return chosen(needs_shared("gauntlet/reports"), options)


def own(options):
    return chosen(SOURCE / "tests" / "data" / "oracle", options)


# ---- real models, computed here ----

REAL = ("bevy/Fox.glb", "three-fork/CesiumMan.gltf", "raylib/robot.glb", "raylib/greenman.glb")
EVERY = 4  # the rest pose is compared whole, other moments a quarter each, in turn


def vertex_accessors(document):
    found = set()
    for mesh in document.list("meshes"):
        for primitive in mesh["primitives"]:
            for attributes in [primitive["attributes"], *primitive.get("targets", [])]:
                found.update(int(index) for index in attributes.values())
    return found


@functools.lru_cache(maxsize=None)
def thinned_document(path, every, offset):
    """The model with only every N-th vertex, for reference.py is not written to be fast."""
    reference = shared_module("reference")
    document = reference.Document(str(path))
    of_vertices, whole = vertex_accessors(document), document.accessor

    def accessor(index, pointer, any_float=False):
        values = whole(index, pointer, any_float)
        return values[offset::every] if int(index) in of_vertices else values
    if every > 1:
        document.accessor = accessor
        for mesh in document.list("meshes"):
            for primitive in mesh["primitives"]:
                primitive.pop("indices", None)
    return document


def expected_of(path, clip, time, every, offset):
    document = thinned_document(path, every, offset)
    want = shared_module("reference").evaluate(document, clip, time)
    if every > 1:
        del want["aabb"]
        for instance in want["instances"]:
            for primitive in instance["primitives"]:
                del primitive["triangles"], primitive["vertex_count"]
    return want


def name_rows(want, have, every, offset):
    """Tells compare.py which rows of `have` the expected ones are."""
    by_node = {instance["node"]: instance for instance in have["instances"]}
    for instance in want["instances"]:
        for p, q in zip(instance["primitives"], by_node[instance["node"]]["primitives"]):
            p["vertex_count"] = len(q["positions"])
            p["vertices"] = list(range(offset, p["vertex_count"], every))
            for name in ("singular", "normals_undefined"):
                p[name] = [offset + every * i for i in p.get(name, [])]


def place_gap(want, have, size):
    """Largest difference of a coordinate, in parts of size: stricter than compare.py, which
    divides large coordinates by themselves."""
    by_node = {instance["node"]: instance for instance in have["instances"]}
    return max(abs(a - b) for i in want["instances"]
               for p, q in zip(i["primitives"], by_node[i["node"]]["primitives"])
               for k, row in zip(p["vertices"], p["positions"])
               for a, b in zip(row, q["positions"][k])) / size


def real_job(item, setup):
    model, clip, moment, time = item
    path = SHARED / "corpus" / "models" / model
    name = "%s, clip %s at %s s" % (model, clip, time)
    every = 1 if clip is None else EVERY
    offset = 0 if clip is None else (clip + moment) % every

    def work():
        worst, want = {}, expected_of(path, clip, time, every, offset)
        have = pose(path, want, setup)
        name_rows(want, have, every, offset)
        box = have["aabb"]
        want["size"] = max(b - a for a, b in zip(box["min"], box["max"]))
        for quantity, (value, at) in shared_module("compare").compare_case(want, have).items():
            keep_worst(worst, quantity, value, LIMIT, at)
        keep_worst(worst, "places", place_gap(want, have, want["size"]), REAL_LIMIT, "of extent")
        return result(name, worst)
    return with_refusals(name, work)


def moments_of(document):
    """(clip, which, seconds): rest, then start, middle and end of each clip."""
    found = [(None, 0, 0.0)]
    for clip, animation in enumerate(document.list("animations")):
        length = max(document.accessor(s["input"], "")[-1][0] for s in animation["samplers"])
        found += [(clip, 0, 0.0), (clip, 1, length / 2.0), (clip, 2, length)]
    return found


def real_expected_job(path, setup):
    expected, name = read(path), "real_expected/" + path.name
    for model in REAL:
        file = SHARED / "corpus" / "models" / model
        if hashlib.sha256(file.read_bytes()).hexdigest() == expected["sha256"]:
            break
    else:
        return name, ALLOWED, {}, "its model (%s) is not in the corpus" % expected["file"]
    for case in expected["cases"]:
        case["size"] = max(abs(x) for side in case["aabb"].values() for x in side)
    limits = {"normals": NORMAL_LIMIT, "tangents": NORMAL_LIMIT}
    return with_refusals(name, lambda: compare_cases(name, file, expected["cases"], setup, limits))


def real(options):
    root, jobs = needs_shared("corpus/models"), []
    for model in REAL:
        document = shared_module("reference").Document(str(root / model))
        jobs += [(real_job, (model, *moment)) for moment in moments_of(document)
                 if wanted(options, model)]
    return jobs + [(real_expected_job, path)
                   for path in sorted((SHARED / "oracle" / "real_expected").glob("*.json"))
                   if wanted(options, path.name)]


# ---- running ----

SUITES = {"own": own, "gauntlet": gauntlet, "dqs": dqs, "storages": storages, "reports": reports, "real": real, "corpus": corpus}


def wanted(options, name):
    return not options.only or any(only in name for only in options.only)


def show(value):
    return "absent" if math.isinf(value) else "%.2g" % value


def tell(done, verbose):
    name, verdict, worst, message = done
    if verdict != SAME or message or verbose:
        print("%-8s %s %s" % (verdict, name, message))
    for quantity, (value, limit, where) in worst.items():
        if not value <= limit:
            print("         %s differ by %s, limit %g: %s" % (quantity, show(value), limit, where))
        elif verbose and value:
            print("         %s %s: %s" % (quantity, show(value), where))


def summary(title, results):
    worst = {}
    for _, verdict, quantities, _ in results:
        for quantity, (value, limit, where) in quantities.items():
            if verdict == SAME and value:
                keep_worst(worst, quantity, value, limit, where)
    counts = ["%d %s" % (sum(r[1] == verdict for r in results), verdict)
              for verdict in (SAME, DIFFERS, ALLOWED, LACKS)
              if any(r[1] == verdict for r in results)]
    print("%s: %s; largest differences: %s" % (
        title, ", ".join(counts),
        ", ".join("%s %s" % (q, show(w[0])) for q, w in sorted(worst.items())) or "none"))
    sys.stdout.flush()


def setup_of(options, cache):
    """How the command is to be run. cache: a folder for compiled shaders, ours alone."""
    context = ["--context", "gles"] if options.environment in ON_ES else []
    words = ["--path", options.path] + (context if options.path == "gpu" else [])
    if options.storage:
        words += ["--storage", options.storage]
    return {"words": words, "context": context, "environment": options.environment, "cache": cache}


def run_suite(suite, options, setup, pool):
    """True when nothing differs."""
    jobs = SUITES[suite](options)
    if not jobs:
        raise Skip("%s has no case%s" % (suite, " of that name" if options.only else ""))
    waiting = [pool.submit(job, item, setup) for job, item in jobs]
    results = [future.result() for future in waiting]
    for done in results:
        tell(done, options.verbose)
    title = " ".join(filter(None, (suite, options.path, options.storage, options.environment)))
    summary(title, results)
    return all(r[1] != DIFFERS for r in results)


def check_machine(options, setup):
    if not SINEW:
        raise Skip("SINEW names no command (this build has none)")
    if options.path == "gpu":
        model = next((SOURCE / "tests" / "data" / "oracle").glob("*.gltf"))
        try:
            pose(model, {}, setup)
        except Refused as problem:
            if problem.status in (MACHINE, 2):
                raise Skip("no GPU path: %s" % problem) from None


def attempt(suite, options, setup, pool):
    try:
        return 0 if run_suite(suite, options, setup, pool) else 1
    except Skip as reason:
        print("skipped: %s" % reason)
        return SKIPPED


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("suites", nargs="+", choices=SUITES, metavar="SUITE")
    parser.add_argument("--path", default="scalar", choices=("scalar", "gpu"))
    parser.add_argument("--storage")
    parser.add_argument("--environment", choices=ENVIRONMENTS)
    parser.add_argument("--corpus", type=Path, metavar="FOLDER",
                        help="a corpus with its folder of expected values")
    parser.add_argument("--sample", type=int, default=1, metavar="N",
                        help="of the corpus every N-th file, one moment of each")
    parser.add_argument("--only", nargs="+", help="cases whose name contains one of these")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args(words)
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="sinew-oracle-") as cache:
        setup = setup_of(options, cache)
        try:
            check_machine(options, setup)
            with concurrent.futures.ProcessPoolExecutor(os.cpu_count() or 1) as pool:
                for suite in options.suites:
                    outcomes.append(attempt(suite, options, setup, pool))
        except Skip as reason:
            print("skipped: %s" % reason)
    ran = [outcome for outcome in outcomes if outcome != SKIPPED]
    return max(ran, default=SKIPPED)


if __name__ == "__main__":
    sys.exit(main())
