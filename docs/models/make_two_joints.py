#!/usr/bin/env python3
"""Writes two_joints.gltf, the model of docs/spaces.md: two joints, one triangle.

    python3 make_two_joints.py > two_joints.gltf

The numbers of the model are all here; in the file, those of `data` stand as base64.
"""
import base64
import json
import struct
import sys

FLOAT, BYTE, SHORT = ("f", 5126), ("B", 5121), ("H", 5123)
HALF_TURN = 0.7071067811865476  # sine and cosine of 45 degrees

# name: (component, type, rows)
data = {
    "positions": (FLOAT, "VEC3", [(0, 0, 0), (1, 1, 0), (0, 2, 0)]),
    "normals": (FLOAT, "VEC3", [(0, 0, 1), (0, 0, 1), (0, 0, 1)]),
    "joints": (BYTE, "VEC4", [(0, 0, 0, 0), (0, 1, 0, 0), (1, 0, 0, 0)]),
    "weights": (FLOAT, "VEC4", [(1, 0, 0, 0), (0.5, 0.5, 0, 0), (1, 0, 0, 0)]),
    "inverse binds": (FLOAT, "MAT4", [
        (1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 1, 0,  0, 0, 0, 1),    # root: where the bind space is
        (1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 1, 0,  0, -1, 0, 1)]), # tip: one metre above it
    "times": (FLOAT, "SCALAR", [(0,), (1,)]),
    "rotations": (FLOAT, "VEC4", [(0, 0, 0, 1), (0, 0, HALF_TURN, HALF_TURN)]),
}
names = list(data)


def index(name):
    return names.index(name)


def build():
    binary, views, accessors = b"", [], []
    for name, ((letter, component), kind, rows) in data.items():
        packed = b"".join(struct.pack("<%d%s" % (len(row), letter), *row) for row in rows)
        accessor = {"name": name, "bufferView": len(views), "componentType": component,
                    "count": len(rows), "type": kind}
        if name in ("positions", "times"):
            accessor["min"] = [min(column) for column in zip(*rows)]
            accessor["max"] = [max(column) for column in zip(*rows)]
        view = {"buffer": 0, "byteOffset": len(binary), "byteLength": len(packed)}
        if name in ("positions", "normals", "joints", "weights"):
            view["target"] = 34962
        views.append(view)
        accessors.append(accessor)
        binary += packed
    uri = "data:application/octet-stream;base64," + base64.b64encode(binary).decode()
    return {
        "asset": {"version": "2.0", "generator": "Sinew docs/models/make_two_joints.py"},
        "scene": 0,
        "scenes": [{"nodes": [0, 3]}],
        "nodes": [
            {"name": "armature", "translation": [3, 0, 0], "children": [1]},
            {"name": "root", "children": [2]},
            {"name": "tip", "translation": [0, 1, 0]},
            {"name": "body", "translation": [0, 7, 0], "mesh": 0, "skin": 0}],
        "skins": [{"name": "two joints", "joints": [1, 2],
                   "inverseBindMatrices": index("inverse binds")}],
        "meshes": [{"name": "triangle", "primitives": [{"attributes": {
            "POSITION": index("positions"), "NORMAL": index("normals"),
            "JOINTS_0": index("joints"), "WEIGHTS_0": index("weights")}}]}],
        "animations": [{"name": "bend",
                        "samplers": [{"input": index("times"), "output": index("rotations")}],
                        "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(binary), "uri": uri}]}


if __name__ == "__main__":
    json.dump(build(), sys.stdout, indent=1)
    print()
