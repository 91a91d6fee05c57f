#!/usr/bin/env python3
"""Writes oracle/exporter_*: what exporters of the real world do, each in a small model.

    make_exporters.py      writes every pair again, always the same bytes

All joints only move, so that every expected place is a sum; nothing of Sinew is used.
"""
import base64
import json
import struct
from pathlib import Path

ORACLE = Path(__file__).resolve().parent / "oracle"
TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
FORMATS = {5121: "B", 5123: "H", 5126: "f"}
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


def moved(x, y, z):
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]


def laid_out(value, depth=0):
    """JSON with the parts of lists and objects down to the second level on lines of their own."""
    if depth > 1 or not isinstance(value, (dict, list)) or not value:
        return json.dumps(value)
    inner = ",\n".join(" " * (depth + 1) + (json.dumps(k) + ": " if isinstance(value, dict) else "") +
                       laid_out(value[k] if isinstance(value, dict) else k, depth + 1)
                       for k in value)
    ends = "{}" if isinstance(value, dict) else "[]"
    return ends[0] + "\n" + inner + "\n" + " " * depth + ends[1]


class Model:
    """Accessors with their numbers readable beside the base64."""

    def __init__(self, about):
        self.json = {"asset": {"version": "2.0", "extras": {"about": about}}}
        self.blob, self.views, self.accessors = b"", [], []

    def view(self, name, packed, values, **more):
        self.blob += b"\0" * (-len(self.blob) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(packed),
                           "name": name, **more, "extras": {"values": values}})
        self.blob += packed
        return len(self.views) - 1

    def accessor(self, view, rows, component=5126, offset=0, bounds=False):
        made = {"bufferView": view, "byteOffset": offset, "componentType": component,
                "count": len(rows), "type": TYPES[len(rows[0])]}
        if bounds:
            made.update(min=[min(c) for c in zip(*rows)], max=[max(c) for c in zip(*rows)])
        self.accessors.append(made)
        return len(self.accessors) - 1

    def array(self, name, rows, component=5126, pad=0, bounds=False):
        """rows of numbers; pad: bytes of 0xFF behind each, so with a byteStride."""
        rows = [row if isinstance(row, list) else [row] for row in rows]
        packed = b"".join(struct.pack("<%d%s" % (len(r), FORMATS[component]), *r) + b"\xff" * pad
                          for r in rows)
        more = {"byteStride": len(packed) // len(rows)} if pad else {}
        view = self.view(name, packed, sum(rows, []), **more)
        return self.accessor(view, rows, component, bounds=bounds)

    def mesh(self, joints, weights, **more):
        """One triangle."""
        count = len(TRIANGLE)
        attributes = {"POSITION": self.array("positions", TRIANGLE, bounds=True),
                      "JOINTS_0": self.array("joints", joints * (count // len(joints)), 5121),
                      "WEIGHTS_0": self.array("weights", weights * (count // len(weights)))}
        attributes.update(more)
        return {"primitives": [{"attributes": attributes}]}

    def write(self, name, rule, cases, **parts):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.blob).decode()
        self.json.update(parts, accessors=self.accessors, bufferViews=self.views,
                         buffers=[{"byteLength": len(self.blob), "uri": uri}])
        name = "exporter_" + name
        (ORACLE / (name + ".gltf")).write_text(laid_out(self.json) + "\n")
        for case in cases:
            case.update(file=name + ".gltf", tolerance=1e-6)
        expected = {"rule": rule, "cases": cases}
        (ORACLE / (name + ".expected.json")).write_text(laid_out(expected) + "\n")


def at(node, *by, primitive=0):
    """The triangle of a node, moved."""
    return [{"node": node, "primitive": primitive, "index": i,
             "position": [a + b for a, b in zip(place, by)]} for i, place in enumerate(TRIANGLE)]


def case(vertices, animation=None, time=0, **more):
    return {"animation": animation, "time": time, "vertices": vertices, **more}


def body(**more):
    return {"name": "body", "mesh": 0, "skin": 0, **more}


def strides():
    model = Model("Sampler inputs and outputs in one view with a byteStride, and inverse binds with "
                  "one: 3ds Max, Maya and assimp write such files.")
    mesh = model.mesh([[0, 1, 0, 0]], [[0.5, 0.5, 0, 0]])
    binds = model.array("inverse binds", [moved(-1, 0, 0), moved(0, -2, 0)], pad=16)
    times, places = [[0.0], [1.0], [3.0]], [[0, 2, 0], [0, 4, 8], [6, 4, 8]]
    rows = [t + p for t, p in zip(times, places)]
    packed = b"".join(struct.pack("<4f", *row) + b"\xff" * 8 for row in rows)
    view = model.view("times and places", packed, sum(rows, []), byteStride=24)
    sampler = {"input": model.accessor(view, times, bounds=True),
               "output": model.accessor(view, places, offset=4)}
    model.write(
        "strides",
        "Joint 0 at (1, 0, 0) and joint 1 at (0, 2, 0) undo their inverse binds; the vertices hang "
        "half on each, so they go half as far as joint 1 from (0, 2, 0).",
        [case(at(2, 0, 0, 0)), case(at(2, 0, 1, 4), 0, 1), case(at(2, 1.5, 1, 4), 0, 2)],
        scenes=[{"nodes": [0, 1, 2]}], meshes=[mesh],
        nodes=[{"translation": [1, 0, 0]}, {"translation": [0, 2, 0]}, body()],
        skins=[{"joints": [0, 1], "inverseBindMatrices": binds}],
        animations=[{"samplers": [sampler],
                     "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}]}])


def unused_slots():
    model = Model("Unused influences point at joint 2 of 2, and at 255, with weight 0: the "
                  "Babylon.js exporters for 3ds Max and Maya write so.")
    mesh = model.mesh([[0, 2, 2, 2], [1, 2, 255, 2], [2, 1, 0, 2]],
                      [[1, 0, 0, 0], [1, 0, 0, 0], [0, 0.25, 0.75, 0]])
    places = [{"node": 2, "primitive": 0, "index": i, "position": place} for i, place in
              enumerate([[0, 1, 0], [5, 0, 0], [1, 1.75, 0]])]
    model.write("unused_slots", "An influence of weight 0 counts for nothing, whatever joint it "
                "names: joint 0 moves by (0, 1, 0), joint 1 by (4, 0, 0).", [case(places)],
                scenes=[{"nodes": [0, 1, 2]}], meshes=[mesh], skins=[{"joints": [0, 1]}],
                nodes=[{"translation": [0, 1, 0]}, {"translation": [4, 0, 0]}, body()])


def short_clips():
    model = Model("A clip of a single key, one whose only key is not at 0, one of two keys at one "
                  "time, and one whose times fall back and repeat.")
    mesh = model.mesh([[0, 0, 0, 0]], [[1, 0, 0, 0]])
    names = ["one key", "late key", "no length", "times that fall back"]
    keys = [[(0, 1)], [(2, 2)], [(0, 3), (0, 9)],
            [(0, 0), (1, 10), (1, 99), (2, 20), (1.5, 99), (4, 40)]]
    animations = []
    for name, pairs in zip(names, keys):
        sampler = {"input": model.array(name + ": times", [t for t, _ in pairs], bounds=True),
                   "output": model.array(name + ": places", [[x, 0, 0] for _, x in pairs])}
        animations.append({"name": name, "samplers": [sampler], "channels": [
            {"sampler": 0, "target": {"node": 0, "path": "translation"}}]})
    moments = [(None, 0, 7), (0, 5, 1), (1, 0, 2), (1, 3, 2), (2, 0, 3), (2, 1, 3)]
    moments += [(3, t, 10 * t) for t in (0.5, 1, 1.25, 3)] + [(3, 9, 40)]
    model.write("short_clips", "Before the first key and after the last one the value of that key "
                "stands. Of keys that do not increase those are kept that are later than all kept "
                "before: x = 10 t.",
                [case(at(1, x, 0, 0), clip, time) for clip, time, x in moments],
                scenes=[{"nodes": [0, 1]}], meshes=[mesh], skins=[{"joints": [0]}],
                nodes=[{"translation": [7, 0, 0]}, body()], animations=animations)


def shared():
    model = Model("One mesh on nodes with two skins and with none, one skin on two meshes. No node "
                  "has a name.")
    first = model.mesh([[0, 1, 0, 0]], [[0.5, 0.5, 0, 0]])
    second = model.mesh([[1, 0, 0, 0]], [[1, 0, 0, 0]])
    binds = model.array("inverse binds", [moved(0, 0, -1), moved(0, 0, -1)])
    nodes = [{"translation": [2, 0, 0]}, {"translation": [0, 4, 0]}, {"mesh": 0, "skin": 0},
             {"mesh": 0, "skin": 1}, {"mesh": 0, "translation": [0, 0, 9]}, {"mesh": 1, "skin": 0}]
    model.write("shared", "Skin 0 lists the joints at (2, 0, 0) and (0, 4, 0), skin 1 lists them the "
                "other way round, behind inverse binds of (0, 0, -1). Mesh 0 hangs half on each, mesh "
                "1 on the second. Without a skin the node places the mesh.",
                [case(at(2, 1, 2, 0) + at(3, 1, 2, -1) + at(4, 0, 0, 9) + at(5, 0, 4, 0))],
                scenes=[{"nodes": list(range(6))}], meshes=[first, second], nodes=nodes,
                skins=[{"joints": [0, 1]}, {"joints": [1, 0], "inverseBindMatrices": binds}])


def scenes():
    model = Model("Three scenes, the second of them the default; a joint that is in no scene, and "
                  "nodes of the same name.")
    mesh = model.mesh([[0, 1, 0, 0]], [[0.5, 0.5, 0, 0]])
    bounds = {"min": [1, 3, 0], "max": [2, 4, 0]}
    nodes = [{"name": "joint", "translation": [2, 0, 0]},
             {"name": "joint", "translation": [0, 6, 0]}, body(),
             {"name": "body", "mesh": 1, "translation": [0, 0, 5]}]
    plain = {"primitives": [{"attributes": {
        "POSITION": mesh["primitives"][0]["attributes"]["POSITION"]}}]}
    model.write("scenes", "Only what the scene reaches is shown; joints stand where their nodes are, "
                "in the scene or not.",
                [case(at(2, 1, 3, 0), bounds=bounds),
                 case(at(3, 0, 0, 5), scene=0, bounds={"min": [0, 0, 5], "max": [1, 1, 5]}),
                 case(at(2, 1, 3, 0), scene=1, bounds=bounds),
                 case(at(2, 1, 3, 0) + at(3, 0, 0, 5), scene=2,
                      bounds={"min": [0, 0, 0], "max": [2, 4, 5]})],
                scene=1, scenes=[{"nodes": [3]}, {"nodes": [0, 2]}, {"nodes": [2, 3]}],
                meshes=[mesh, plain], skins=[{"joints": [0, 1]}], nodes=nodes)


def many_skins():
    count = 84
    model = Model("84 skins on one mesh, as characters of many parts have them.")
    mesh = model.mesh([[0, 0, 0, 0]], [[1, 0, 0, 0]])
    nodes = [{"translation": [k, 2 * k, 0]} for k in range(count)]
    nodes += [{"mesh": 0, "skin": k} for k in range(count)]
    vertices = sum((at(count + k, k, 2 * k, 0) for k in range(count)), [])
    model.write("many_skins", "Skin k follows the joint at (k, 2 k, 0).",
                [case(vertices, bounds={"min": [0, 0, 0], "max": [count, 2 * count - 1, 0]})],
                scenes=[{"nodes": list(range(2 * count))}], meshes=[mesh], nodes=nodes,
                skins=[{"joints": [k]} for k in range(count)])


if __name__ == "__main__":
    for write in (strides, unused_slots, short_clips, shared, scenes, many_skins):
        write()
