"""A writer for binary glTF: views, accessors and the container."""

import json
import struct

FLOAT, UBYTE, USHORT = 5126, 5121, 5123
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963
LETTER = {FLOAT: "f", UBYTE: "B", USHORT: "H"}
SIZE = {FLOAT: 4, UBYTE: 1, USHORT: 2}
KIND = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


def float32(value):
    """The float32 nearest to a number, without negative zero."""
    return struct.unpack("<f", struct.pack("<f", value))[0] + 0.0


class Writer:
    """Collects the binary chunk; views and accessors are listed for the JSON."""

    def __init__(self):
        self.data = bytearray()
        self.views = []
        self.accessors = []

    def view(self, data, **more):
        self.data += bytes(-len(self.data) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data),
                           **more})
        self.data += data
        return len(self.views) - 1

    def accessor(self, view, offset, component, rows, bounds=False, normalized=False):
        """Describe rows (tuples) that lie, or will lie, in a view."""
        entry = {"bufferView": view, "byteOffset": offset, "componentType": component,
                 "count": len(rows), "type": KIND[len(rows[0])]}
        if offset == 0:
            del entry["byteOffset"]
        if normalized:
            entry["normalized"] = True
        if bounds:
            entry.update(bounds_of(rows))
        self.accessors.append(entry)
        return len(self.accessors) - 1

    def interleaved(self, attributes):
        """One view for the attributes of a primitive.

        attributes: {semantic: (component, rows, normalized)}; returns {semantic: accessor}.
        """
        offsets, stride = {}, 0
        for name, (component, rows, _) in attributes.items():
            offsets[name] = stride
            stride += SIZE[component] * len(rows[0])
            stride += -stride % 4
        count = len(next(iter(attributes.values()))[1])
        data = bytearray(stride * count)
        for name, (component, rows, _) in attributes.items():
            form = struct.Struct("<%d%s" % (len(rows[0]), LETTER[component]))
            for i, row in enumerate(rows):
                form.pack_into(data, i * stride + offsets[name], *row)
        view = self.view(bytes(data), byteStride=stride, target=ARRAY_BUFFER)
        return {name: self.accessor(view, offsets[name], component, rows, name == "POSITION", flag)
                for name, (component, rows, flag) in attributes.items()}

    def packed(self, lists, component, bounds=False, **more):
        """One view that holds several lists of rows, one after the other."""
        view = len(self.views)
        data, found = bytearray(), []
        for rows in lists:
            data += bytes(-len(data) % SIZE[component])
            found.append(self.accessor(view, len(data), component, rows, bounds))
            data += flat(rows, component)
        self.view(bytes(data), **more)
        return found

    def sparse(self, lists):
        """Rows of three floats that are mostly zero, as sparse accessors."""
        indices, values, found = bytearray(), bytearray(), []
        index_view, value_view = len(self.views), len(self.views) + 1
        for rows in lists:
            changed = [i for i, row in enumerate(rows) if any(row)]
            entry = {"componentType": FLOAT, "count": len(rows), "type": "VEC3", **bounds_of(rows)}
            if changed:
                entry["sparse"] = {
                    "count": len(changed),
                    "indices": {"bufferView": index_view, "byteOffset": len(indices),
                                "componentType": USHORT},
                    "values": {"bufferView": value_view, "byteOffset": len(values)}}
                indices += struct.pack("<%dH" % len(changed), *changed)
                values += flat([rows[i] for i in changed], FLOAT)
            self.accessors.append(entry)
            found.append(len(self.accessors) - 1)
        self.view(bytes(indices))
        self.view(bytes(values))
        return found

    def container(self, document):
        """The whole file."""
        document = {**document, "accessors": self.accessors, "bufferViews": self.views,
                    "buffers": [{"byteLength": len(self.data)}]}
        text = json.dumps(document, separators=(",", ":")).encode("ascii")
        text += b" " * (-len(text) % 4)
        binary = bytes(self.data) + bytes(-len(self.data) % 4)
        total = 12 + 8 + len(text) + 8 + len(binary)
        return (struct.pack("<4sII", b"glTF", 2, total)
                + struct.pack("<I4s", len(text), b"JSON") + text
                + struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def flat(rows, component):
    values = [value for row in rows for value in row]
    return struct.pack("<%d%s" % (len(values), LETTER[component]), *values)


def bounds_of(rows):
    columns = list(zip(*rows))
    return {"min": [min(column) for column in columns], "max": [max(column) for column in columns]}
