"""Small models for the tests: a dict that json.dump writes as a .gltf, data inside."""
import base64
import struct

FORMATS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
SHAPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
FLOAT, BYTE, SHORT = 5126, 5121, 5123
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


class Builder:
    def __init__(self):
        self.binary, self.views, self.accessors = b"", [], []

    def view(self, data):
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)})
        self.binary += data
        return len(self.views) - 1

    def accessor(self, rows, component=FLOAT, **more):
        rows = [row if isinstance(row, (list, tuple)) else [row] for row in rows]
        data = b"".join(struct.pack("<%d%s" % (len(r), FORMATS[component]), *r) for r in rows)
        self.accessors.append({
            "bufferView": self.view(data), "componentType": component, "count": len(rows),
            "type": SHAPES[len(rows[0])], "min": [min(c) for c in zip(*rows)],
            "max": [max(c) for c in zip(*rows)], **more})
        return len(self.accessors) - 1

    def primitive(self, positions, indices=None, **more):
        """more: normals=, tangents=, texcoords=, colors=, mode=, material=."""
        names = {"normals": "NORMAL", "tangents": "TANGENT", "texcoords": "TEXCOORD_0",
                 "colors": "COLOR_0"}
        made = {"attributes": {"POSITION": self.accessor(positions)}}
        for name, value in more.items():
            if name in names:
                made["attributes"][names[name]] = self.accessor(value)
            else:
                made[name] = value
        if indices is not None:
            made["indices"] = self.accessor(indices, SHORT)
        return made

    def gltf(self, **parts):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.binary).decode()
        made = {"asset": {"version": "2.0"}}
        if self.binary:
            made.update(buffers=[{"byteLength": len(self.binary), "uri": uri}],
                        bufferViews=self.views, accessors=self.accessors)
        made.update(parts)
        return made


def rigid(**more):
    """One node "thing" with one triangle; more goes into its primitive."""
    builder = Builder()
    primitive = builder.primitive(TRIANGLE, **more)
    return builder.gltf(scene=0, scenes=[{"nodes": [0]}], nodes=[{"name": "thing", "mesh": 0}],
                        meshes=[{"primitives": [primitive]}])
