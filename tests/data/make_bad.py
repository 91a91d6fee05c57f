#!/usr/bin/env python3
"""Writes bad/NAME/: a small model with one fault, and what the reader shall say of it.

    make_bad.py            writes every case again, always the same bytes

bad/NAME/model.gltf (or .glb) is the input; bad/NAME/expected holds "refused" or "mended"
on its first line, then one "code pointer" a line. tests/unit/test_gltf_findings.c reads
them all: a case of your own needs a folder and no code.
"""

import base64
import copy
import json
import os
import shutil
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = {}


def floats(*values):
    return struct.pack("<%df" % len(values), *values)


def sound():
    """Two joints, one triangle, one morph target, three channels; parts by name."""
    parts = [
        ("position", "VEC3", 5126, 3, floats(0, 0, 0, 1, 1, 0, 0, 2, 0)),
        ("joints", "VEC4", 5121, 3, bytes([0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0])),
        ("weights", "VEC4", 5126, 3, floats(1, 0, 0, 0, .5, .5, 0, 0, 1, 0, 0, 0)),
        ("indices", "SCALAR", 5123, 3, struct.pack("<4H", 0, 1, 2, 0)),
        ("target", "VEC3", 5126, 3, floats(0, 0, 1, 0, 0, 0, 0, 0, 0)),
        ("binds", "MAT4", 5126, 2, floats(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                                          1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1)),
        ("times", "SCALAR", 5126, 2, floats(0, 1)),
        ("turns", "VEC4", 5126, 2, floats(0, 0, 0, 1, 0, 0, 1, 0)),
        ("flow", "SCALAR", 5126, 2, floats(0, 1)),
    ]
    blob, accessors, views, where = b"", [], [], {}
    for name, kind, component, count, data in parts:
        where[name] = len(accessors)
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        accessors.append({"bufferView": len(views) - 1, "componentType": component,
                          "count": count, "type": kind})
        blob += data
    model = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 2]}],
        "nodes": [{"name": "root", "children": [1]},
                  {"name": "tip", "translation": [0, 1, 0]},
                  {"name": "body", "mesh": 0, "skin": 0}],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 3,
            "targets": [{"POSITION": 4}]}]}],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": 5}],
        "animations": [{"name": "move", "channels": [
            {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
            {"sampler": 1, "target": {"node": 2, "path": "weights"}}],
            "samplers": [{"input": 6, "output": 7}, {"input": 6, "output": 8}]}],
        "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(blob)}],
    }
    return model, bytearray(blob), {n: views[a]["byteOffset"] for n, a in where.items()}


def embedded(model, blob):
    uri = "data:application/octet-stream;base64," + base64.b64encode(bytes(blob)).decode()
    model["buffers"][0].setdefault("uri", uri)
    return json.dumps(model, indent=1).encode() + b"\n"


def glb(model, blob):
    text = json.dumps(model, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text
    body += struct.pack("<I4s", len(blob), b"BIN\0") + bytes(blob)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


def case(name, outcome, *findings, form="gltf"):
    """Registers a function that damages (model, blob, offsets), or gives the file whole."""
    def register(damage):
        model, blob, at = copy.deepcopy(sound())
        text = damage(model, blob, at)
        if text is None:
            text = embedded(model, blob) if form == "gltf" else glb(model, blob)
        CASES[name] = (form, text, outcome, findings)
        return damage
    return register


PRIMITIVE = "/meshes/0/primitives/0"
NAN = float("nan")


def primitive(model):
    return model["meshes"][0]["primitives"][0]


def put(blob, at, *values):
    blob[at:at + 4 * len(values)] = floats(*values)


# ---- the file as a whole

case("json", "refused", "json -")(lambda m, b, a: b'{"asset": {"version": "2.0",}}\n')
case("json-empty", "refused", "json -")(lambda m, b, a: b"")
case("json-depth", "refused", "json-depth /extras")(
    lambda m, b, a: b'{"asset":{"version":"2.0"},"extras":' + b"[" * 500 + b"]" * 500 + b"}")
case("glb", "refused", "glb -", form="glb")(lambda m, b, a: glb(m, b)[:-5])
case("glb-version", "refused", "version -", form="glb")(
    lambda m, b, a: b"glTF" + struct.pack("<II", 1, 12))
case("version", "refused", "version /asset/version")(
    lambda m, b, a: m["asset"].update(version="1.0"))
case("no-asset", "refused", "schema /asset")(lambda m, b, a: m.pop("asset") and None)
case("schema", "refused", "schema /nodes/2/mesh")(lambda m, b, a: m["nodes"][2].update(mesh="0"))
case("extension-required", "refused", "extension-required /extensionsRequired/0",
     "extension-unknown /extensionsUsed/0")(
    lambda m, b, a: m.update(extensionsUsed=["ACME_x"], extensionsRequired=["ACME_x"]))
case("extension-unknown", "mended", "extension-unknown /extensionsUsed/0")(
    lambda m, b, a: m.update(extensionsUsed=["ACME_x"]))

# ---- buffers, views, accessors

case("buffer-missing", "refused", "buffer-missing /buffers/0")(
    lambda m, b, a: json.dumps(m).encode())
case("file-missing", "refused", "file-missing /buffers/0/uri")(
    lambda m, b, a: m["buffers"][0].update(uri="not%20here.bin"))
case("uri", "refused", "uri /buffers/0/uri")(
    lambda m, b, a: m["buffers"][0].update(uri="%2e%2e/secret.bin"))
case("uri-http", "refused", "uri /buffers/0/uri")(
    lambda m, b, a: m["buffers"][0].update(uri="http://localhost/a.bin"))
case("base64", "refused", "base64 /buffers/0/uri")(
    lambda m, b, a: m["buffers"][0].update(uri="data:;base64,AA*A"))
case("bounds", "refused", "bounds /accessors/0")(
    lambda m, b, a: m["accessors"][0].update(count=4))
case("bounds-view", "refused", "bounds /bufferViews/8")(
    lambda m, b, a: m["bufferViews"][8].update(byteLength=2 ** 63))
case("stride", "refused", "stride /bufferViews/0/byteStride")(
    lambda m, b, a: m["bufferViews"][0].update(byteStride=8))
case("stride-odd", "mended", "stride-odd /bufferViews/8/byteStride")(
    lambda m, b, a: m["bufferViews"][8].update(byteStride=6, byteOffset=0, byteLength=12))
case("reference", "refused", "reference /nodes/2/mesh")(
    lambda m, b, a: m["nodes"][2].update(mesh=1))


@case("alignment", "mended", "alignment /accessors/7/byteOffset")
def _alignment(model, blob, at):
    turns = bytes(blob[at["turns"]:at["turns"] + 32])
    model["bufferViews"][7].update(byteOffset=len(blob), byteLength=34)
    model["accessors"][7]["byteOffset"] = 2
    blob += b"\0\0" + turns + b"\0\0"
    model["buffers"][0]["byteLength"] = len(blob)


@case("sparse", "refused", "sparse /accessors/4/sparse/indices")
def _sparse(model, blob, at):
    model["bufferViews"] += [
        {"buffer": 0, "byteOffset": len(blob), "byteLength": 4},
        {"buffer": 0, "byteOffset": len(blob) + 4, "byteLength": 24}]
    blob += bytes([2, 1, 0, 0]) + floats(1, 1, 1, 2, 2, 2)
    model["buffers"][0]["byteLength"] = len(blob)
    model["accessors"][4]["sparse"] = {
        "count": 2, "indices": {"bufferView": 9, "componentType": 5121},
        "values": {"bufferView": 10}}


case("nonfinite", "refused", "nonfinite /accessors/0")(
    lambda m, b, a: put(b, a["position"] + 12, NAN))
case("nonfinite-json", "refused", "nonfinite /nodes/1/translation")(
    lambda m, b, a: m["nodes"][1].update(translation=[0, 1e39, 0]))

# ---- meshes

case("type", "refused", "type %s/attributes/POSITION" % PRIMITIVE)(
    lambda m, b, a: primitive(m)["attributes"].update(POSITION=2))
case("count", "refused", "count %s/targets/0/POSITION" % PRIMITIVE)(
    lambda m, b, a: m["accessors"][4].update(count=2))
case("index", "refused", "index /accessors/3")(
    lambda m, b, a: b.__setitem__(slice(a["indices"] + 2, a["indices"] + 4), b"\x03\x00"))
case("triangles", "mended", "triangles %s/indices" % PRIMITIVE)(
    lambda m, b, a: m["accessors"][3].update(count=4))
case("attributes", "refused", "attributes %s/attributes" % PRIMITIVE)(
    lambda m, b, a: primitive(m)["attributes"].pop("WEIGHTS_0") and None)
case("attributes-gap", "refused", "attributes %s/attributes" % PRIMITIVE)(
    lambda m, b, a: primitive(m)["attributes"].update(JOINTS_2=1, WEIGHTS_2=2))


@case("attributes-skin", "mended", "attributes /nodes/2/skin")
def _attributes_skin(model, blob, at):
    del primitive(model)["attributes"]["JOINTS_0"], primitive(model)["attributes"]["WEIGHTS_0"]


# ---- skins and influences

case("skin-joints", "refused", "skin-joints /skins/0/joints")(
    lambda m, b, a: m["skins"][0].update(joints=[]))
case("skin-joints-twice", "refused", "skin-joints /skins/0/joints/1")(
    lambda m, b, a: m["skins"][0].update(joints=[0, 0]))
case("joint-range", "mended", "joint-range /accessors/1")(
    lambda m, b, a: b.__setitem__(a["joints"] + 5, 2))
case("joint-range-unused", "mended", "joint-range-unused /accessors/1")(
    lambda m, b, a: b.__setitem__(a["joints"] + 7, 9))
case("weights-negative", "mended", "weights-negative /accessors/2")(
    lambda m, b, a: put(b, a["weights"] + 16, 1.5, -0.5))
case("weights-nonfinite", "mended", "weights-nonfinite /accessors/2")(
    lambda m, b, a: put(b, a["weights"] + 20, NAN))
case("weights-zero-sum", "mended", "weights-zero-sum /accessors/2")(
    lambda m, b, a: put(b, a["weights"] + 16, 0, 0))
case("weights-sum", "mended", "weights-sum /accessors/2")(
    lambda m, b, a: put(b, a["weights"] + 16, 0.7, 0.7))
case("inverse-bind-last-row", "mended", "inverse-bind-last-row /accessors/5")(
    lambda m, b, a: put(b, a["binds"] + 64, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1))

# ---- nodes and scenes

case("hierarchy", "refused", "hierarchy /nodes/0/children/0")(
    lambda m, b, a: m["nodes"][1].update(children=[0]))
case("hierarchy-parents", "refused", "hierarchy /nodes/2/children/0")(
    lambda m, b, a: m["nodes"][2].update(children=[1]))
case("scene-root", "mended", "scene-root /scenes/0/nodes/1")(
    lambda m, b, a: m["scenes"][0].update(nodes=[0, 1, 2]))
case("matrix-and-trs", "mended", "matrix-and-trs /nodes/2")(
    lambda m, b, a: m["nodes"][2].update(scale=[2, 2, 2], matrix=[
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]))
case("matrix-last-row", "mended", "matrix-last-row /nodes/2/matrix")(
    lambda m, b, a: m["nodes"][2].update(matrix=[
        1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]))
case("quaternion-zero", "mended", "quaternion-zero /nodes/1/rotation")(
    lambda m, b, a: m["nodes"][1].update(rotation=[0, 0, 0, 0]))
case("quaternion-length", "mended", "quaternion-length /nodes/1/rotation")(
    lambda m, b, a: m["nodes"][1].update(rotation=[0, 0, 0, 2]))

# ---- clips

case("keys", "mended", "keys /accessors/6")(lambda m, b, a: put(b, a["times"], 1, 1))
case("quaternion-zero-key", "mended", "quaternion-zero /accessors/7")(
    lambda m, b, a: put(b, a["turns"] + 16, 0, 0, 0, 0))
case("channel", "mended", "channel /animations/0/channels/1/target")(
    lambda m, b, a: m["animations"][0]["channels"][1]["target"].update(node=0))
case("channel-twice", "mended", "channel-twice /animations/0/channels/2/target")(
    lambda m, b, a: m["animations"][0]["channels"].append(
        {"sampler": 0, "target": {"node": 1, "path": "rotation"}}))
case("interpolation", "mended", "interpolation /animations/0/samplers/0/interpolation")(
    lambda m, b, a: m["animations"][0]["samplers"][0].update(interpolation="BEZIER"))
case("clip-empty", "refused", "clip-empty /animations/0/channels")(
    lambda m, b, a: m["animations"][0].update(channels=[]))

# ---- pictures

case("image", "mended", "image /images/0")(lambda m, b, a: m.update(images=[{"name": "skin"}]))


def main():
    folder = os.path.join(HERE, "bad")
    shutil.rmtree(folder, ignore_errors=True)
    for name, (form, text, outcome, findings) in CASES.items():
        os.makedirs(os.path.join(folder, name))
        with open(os.path.join(folder, name, "model." + form), "wb") as out:
            out.write(text)
        with open(os.path.join(folder, name, "expected"), "w", encoding="ascii") as out:
            out.write("\n".join((outcome,) + findings) + "\n")
    model, blob, _ = sound()
    with open(os.path.join(HERE, "sound.gltf"), "wb") as out:
        out.write(embedded(model, blob))
    with open(os.path.join(HERE, "sound.glb"), "wb") as out:
        model, blob, _ = sound()
        out.write(glb(model, blob))


if __name__ == "__main__":
    main()
