#!/usr/bin/env python3
"""Writes candy_wrapper.gltf: a cylinder on two joints, whose clip turns its far end by 180
degrees about its axis. Linear blending collapses the middle; dual quaternions do not.

    python3 make_candy_wrapper.py > candy_wrapper.gltf
"""
import base64
import json
import math
import struct
import sys

RINGS, SIDES, LENGTH, RADIUS = 25, 24, 2.0, 0.25
FLOAT, BYTE, SHORT = ("f", 5126), ("B", 5121), ("H", 5123)
STRIPES = ((0.85, 0.28, 0.2, 1), (0.95, 0.9, 0.82, 1))


def vertices():
    """(position, normal, share of the far joint, colour); the seam is there twice."""
    for ring in range(RINGS):
        share = ring / (RINGS - 1)
        for side in range(SIDES + 1):
            angle = 2 * math.pi * side / SIDES
            normal = (0.0, math.cos(angle), math.sin(angle))
            yield ((LENGTH * (share - 0.5), RADIUS * normal[1], RADIUS * normal[2]), normal, share,
                   STRIPES[side // 3 % 2])


def triangles():
    for ring in range(RINGS - 1):
        for side in range(SIDES):
            a = ring * (SIDES + 1) + side
            b = a + SIDES + 1
            yield from (a, a + 1, b, b, a + 1, b + 1)


rows = list(vertices())
half = LENGTH / 2
# name: (component, type, rows, more)
data = {
    "positions": (FLOAT, "VEC3", [row[0] for row in rows], {}),
    "normals": (FLOAT, "VEC3", [row[1] for row in rows], {}),
    "colours": (BYTE, "VEC4", [[round(255 * c) for c in row[3]] for row in rows],
                {"normalized": True}),
    "joints": (BYTE, "VEC4", [(0, 1, 0, 0)] * len(rows), {}),
    "weights": (FLOAT, "VEC4", [(1 - row[2], row[2], 0, 0) for row in rows], {}),
    "triangles": (SHORT, "SCALAR", [(i,) for i in triangles()], {}),
    "inverse binds": (FLOAT, "MAT4", [
        (1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 1, 0,  half, 0, 0, 1),
        (1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 1, 0,  -half, 0, 0, 1)], {}),
    "times": (FLOAT, "SCALAR", [(0,), (0.5,), (1,)], {}),
    "rotations": (FLOAT, "VEC4", [(0, 0, 0, 1), (math.sqrt(0.5), 0, 0, math.sqrt(0.5)),
                                  (1, 0, 0, 0)], {}),
}
names = list(data)


def build():
    binary, views, accessors = b"", [], []
    for name, ((letter, component), kind, values, more) in data.items():
        packed = b"".join(struct.pack("<%d%s" % (len(row), letter), *row) for row in values)
        accessor = {"name": name, "bufferView": len(views), "componentType": component,
                    "count": len(values), "type": kind, **more}
        if name in ("positions", "times"):
            columns = list(zip(*(struct.unpack("<%df" % len(r), struct.pack("<%df" % len(r), *r))
                                 for r in values)))
            accessor["min"] = [min(column) for column in columns]
            accessor["max"] = [max(column) for column in columns]
        view = {"buffer": 0, "byteOffset": len(binary), "byteLength": len(packed)}
        if name in ("positions", "normals", "colours", "joints", "weights", "triangles"):
            view["target"] = 34963 if name == "triangles" else 34962
        views.append(view)
        accessors.append(accessor)
        binary += packed + b"\0" * (-len(packed) % 4)
    uri = "data:application/octet-stream;base64," + base64.b64encode(binary).decode()
    at = names.index
    return {
        "asset": {"version": "2.0", "generator": "Sinew docs/models/make_candy_wrapper.py"},
        "scene": 0,
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [{"name": "near", "translation": [-half, 0, 0], "children": [1]},
                  {"name": "far", "translation": [LENGTH, 0, 0]},
                  {"name": "wrapper", "mesh": 0, "skin": 0}],
        "skins": [{"name": "wrapper", "joints": [0, 1], "inverseBindMatrices": at("inverse binds")}],
        "materials": [{"name": "paper", "doubleSided": True,
                       "pbrMetallicRoughness": {"metallicFactor": 0, "roughnessFactor": 0.6}}],
        "meshes": [{"name": "wrapper", "primitives": [{
            "attributes": {"POSITION": at("positions"), "NORMAL": at("normals"),
                           "COLOR_0": at("colours"), "JOINTS_0": at("joints"),
                           "WEIGHTS_0": at("weights")},
            "indices": at("triangles"), "material": 0}]}],
        "animations": [{"name": "twist",
                        "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
                        "samplers": [{"input": at("times"), "output": at("rotations"),
                                      "interpolation": "LINEAR"}]}],
        "buffers": [{"byteLength": len(binary), "uri": uri}],
        "bufferViews": views,
        "accessors": accessors}


json.dump(build(), sys.stdout, indent=1)
print()
