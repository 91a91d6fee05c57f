#!/usr/bin/env python3
"""make_seeds.py OUT: a folder of seeds for each fuzz target, from tests/data and, when it is
there, ../shared (SINEW_SHARED names another place)."""
import base64, hashlib, json, os, struct, sys, urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get("SINEW_SHARED", os.path.join(os.path.dirname(ROOT), "shared"))
MOST_BYTES = 16 << 10  # larger seeds only slow the fuzzer down
MOST_PACKED = 24 << 10


def put(out, target, data):
    folder = os.path.join(out, target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, hashlib.sha1(data).hexdigest()[:16]), "wb") as file:
        file.write(data)


def files_below(*folders):
    for folder in folders:
        for base, folders_here, names in os.walk(folder):
            folders_here.sort()
            yield from (os.path.join(base, name) for name in sorted(names))


def read(path):
    with open(path, "rb") as file:
        return file.read()


# ---- models ----

def split_glb(data):
    """JSON and BIN of a GLB, as they lie there."""
    text, binary, at = b"", b"", 12
    while at + 8 <= len(data):
        size, kind = struct.unpack_from("<II", data, at)
        chunk = data[at + 8:at + 8 + size]
        if kind == 0x4E4F534A:
            text = chunk
        elif kind == 0x004E4942 and not binary:
            binary = chunk
        at += 8 + size
    return text, binary


def join_glb(text, binary):
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    size = 12 + 8 + len(text) + 8 + len(binary)
    return (struct.pack("<4sIIII", b"glTF", 2, size, len(text), 0x4E4F534A) + text +
            struct.pack("<II", len(binary), 0x004E4942) + binary)


def buffer_bytes(path, buffer, binary):
    uri = buffer.get("uri")
    if uri is None:
        return binary
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition(",")[2] + "==")
    return read(os.path.join(os.path.dirname(path), urllib.parse.unquote(uri)))


def load(path):
    """The JSON of a model and the bytes of its buffers; None for what is not sound enough."""
    try:
        data = read(path)
        text, binary = split_glb(data) if data[:4] == b"glTF" else (data, b"")
        model = json.loads(text.decode("utf-8-sig"))
        return model, [buffer_bytes(path, b, binary) for b in model.get("buffers", [])]
    except (ValueError, OSError, KeyError, AttributeError, TypeError, RecursionError,
            struct.error):
        return None


def whole_models(out, path):
    """A file as it is, and once more with its buffer inside, as the skinner needs it."""
    data = read(path)
    kind = "glb" if data[:4] == b"glTF" else "gltf"
    if len(data) <= MOST_BYTES:
        put(out, kind, data)
        put(out, "skin", data)
        if kind == "gltf" and len(data) <= MOST_BYTES // 2:
            put(out, "json", data)
    loaded = load(path)
    if kind == "gltf" and loaded and len(loaded[1]) == 1 and len(loaded[1][0]) <= MOST_BYTES:
        model, buffers = loaded
        model["buffers"][0].pop("uri", None)
        glb = join_glb(json.dumps(model, separators=(",", ":")).encode(), buffers[0])
        if len(glb) <= MOST_BYTES:
            put(out, "glb", glb)
            put(out, "skin", glb)


# ---- packed data ----

MODES = ["ATTRIBUTES", "TRIANGLES", "INDICES"]
FILTERS = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"]


def packed_views(out, model, buffers):
    for view in model.get("bufferViews", []):
        extensions = view.get("extensions", {})
        at = extensions.get("EXT_meshopt_compression") or extensions.get("KHR_meshopt_compression")
        if not at or at["count"] > 0x3FFF or at["byteLength"] > MOST_PACKED:
            continue
        start = at.get("byteOffset", 0)
        kind = MODES.index(at["mode"]) | FILTERS.index(at.get("filter", "NONE")) << 2
        put(out, "meshopt", struct.pack("<BBH", kind | 64, at["byteStride"] & 255, at["count"]) +
            buffers[at["buffer"]][start:start + at["byteLength"]])


def packed_primitives(out, model, buffers):
    for mesh in model.get("meshes", []):
        for primitive in mesh["primitives"]:
            at = primitive.get("extensions", {}).get("KHR_draco_mesh_compression")
            if not at:
                continue
            view = model["bufferViews"][at["bufferView"]]
            accessors = model["accessors"]
            vertices = accessors[primitive["attributes"]["POSITION"]]["count"]
            triangles = accessors[primitive["indices"]]["count"] // 3
            if view["byteLength"] > MOST_PACKED or max(vertices, triangles) > 0xFFFF:
                continue
            ids, names = 0, ["POSITION", "NORMAL", "JOINTS_0", "WEIGHTS_0"]
            for i, name in enumerate(names):
                ids |= (at["attributes"].get(name, 0) & 3) << 2 * i
            start = view.get("byteOffset", 0)
            put(out, "draco", struct.pack("<HHBB", vertices, triangles, ids, 0) +
                buffers[view["buffer"]][start:start + view["byteLength"]])


# ---- made here ----

def uris(out):
    for head in ("data:application/octet-stream;base64,", "data:;base64,"):
        for size in range(5):
            put(out, "uri", struct.pack("<BH", 2, size) + head.encode() +
                base64.b64encode(bytes(range(250, 250 + size))))
    for path in (b"a.bin", b"sub/a%20%C3%A9.bin", b"../a.bin", b"%2e%2e/a", b"a/./b//c", b"C:\\a",
                 b"http%3A//a", b"/etc/passwd", b"a\\..\\b", b"%00", b"a?b#c"):
        put(out, "uri", struct.pack("<BH", 2, 4) + path + b"\0file")
        put(out, "uri", struct.pack("<BH", 3, 4) + path.replace(b"\\", b"\\\\") + b"\0file")


def accessors(out):
    sound = bytearray(1 + 8 * 10 + 1024)
    put(out, "sparse", bytes(sound[:1]))
    floats = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 2, 1)
    sound[0] = 2  # three vertices
    buffer = 1 + 8 * 10
    sound[buffer:buffer + 36] = floats
    sound[buffer + 36:buffer + 72] = floats
    sound[buffer + 72:buffer + 84] = bytes([0, 1, 0, 0] * 3)
    sound[buffer + 84:buffer + 132] = struct.pack("<12f", *[0.5, 0.5, 0, 0] * 3)
    sound[buffer + 132:buffer + 144] = bytes([0, 1, 2] * 4)
    for joint in range(2):
        at = buffer + 144 + 64 * joint
        sound[at:at + 64] = struct.pack("<16f", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -joint, 0, 1)
    sound[buffer + 272:buffer + 308] = floats
    sound[buffer + 308:buffer + 320] = struct.pack("<3f", 0, 0.5, 1)
    sound[buffer + 320:buffer + 368] = struct.pack("<12f", *[0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0])
    sound[buffer + 368:buffer + 380] = struct.pack("<3f", 0, 1, 0.5)
    put(out, "sparse", bytes(sound))
    for accessor in range(10):  # two sparse elements each, indices in bytes of zero and one
        changed = bytearray(sound)
        at = 1 + 8 * accessor
        changed[at:at + 8] = bytes([16, 0, 0, 0, 0, 2, 2, 1 | 1 << 3])
        changed[buffer + 960:buffer + 962] = bytes([0, 1])
        put(out, "sparse", bytes(changed))
        changed[at] = 16 | 32
        put(out, "sparse", bytes(changed))


def varint(n):
    return bytes([n & 127 | 128]) + varint(n >> 7) if n > 127 else bytes([n])


def bare_draco(out):
    """Draco 2.2 without compression: method sequential, indices and values as they are."""
    indices, points = [0, 1, 2, 2, 1, 3], 4
    packed = b"DRACO" + bytes([2, 2, 1, 0, 0, 0]) + varint(len(indices) // 3) + varint(points)
    packed += bytes([1]) + bytes(indices)
    values = [(0, 9, 3, struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0)),
              (1, 9, 3, struct.pack("<12f", *[0, 0, 1] * points)),
              (4, 2, 4, bytes([0, 1, 0, 0] * points)),
              (4, 9, 4, struct.pack("<16f", *[0.5, 0.5, 0, 0] * points))]
    packed += bytes([1]) + varint(len(values))  # one decoder for all attributes
    for number, (kind, data_type, width, _) in enumerate(values):
        packed += bytes([kind, data_type, width, 0]) + varint(number)
    packed += bytes(len(values))  # each stored generically
    packed += b"".join(value for _, _, _, value in values)
    put(out, "draco", struct.pack("<HHBB", points, len(indices) // 3, 0b11100100, 1) + packed)


def bare_meshopt(out):
    """The three codecs of meshopt with their simplest codes."""
    def seed(kind, stride, count, packed):
        put(out, "meshopt", struct.pack("<BBH", kind | 64, stride, count) + packed)
    for filter_number, stride in ((0, 12), (0, 16), (1, 4), (1, 8), (2, 8), (3, 12), (4, 4)):
        count = 16
        planes = b"".join(bytes([3]) + bytes((5 * i + k) % 9 for i in range(count))
                          for k in range(stride))  # deltas of each byte, 8 bits each
        tail = bytes(max(32 - stride, 0)) + bytes(stride)
        seed(0 | filter_number << 2, stride, count, b"\xa0" + planes + tail)
        zeros = bytes(stride)  # no bits at all
        seed(0 | filter_number << 2, stride, count, b"\xa0" + zeros + tail)
    for stride in (2, 4):
        seed(2, stride, 6, b"\xd1" + varint(0) + varint(2 << 1) + varint(2 << 1) +
             varint(0) + varint(2 << 1) + varint(2 << 1) + bytes(4))
        seed(1, stride, 6, b"\xe1" + bytes([0xF0, 0]) + bytes(16))


def main(out):
    data = os.path.join(ROOT, "tests", "data")
    places = [data, os.path.join(SHARED, "gauntlet"), os.path.join(SHARED, "corpus", "models"),
              os.path.join(SHARED, "corpus", "variants"), os.path.join(SHARED, "corpus", "bad")]
    for path in files_below(*places):
        if not path.endswith((".gltf", ".glb", ".vrm", ".vrma")) or os.path.getsize(path) > 4 << 20:
            continue
        whole_models(out, path)
        loaded = load(path)
        if loaded:
            try:
                packed_views(out, *loaded)
                packed_primitives(out, *loaded)
            except (KeyError, IndexError, ValueError, TypeError, AttributeError, struct.error):
                pass
    for path in files_below(os.path.join(SHARED, "corpus", "json")):
        if path.endswith(".json") and os.path.getsize(path) <= 4096:
            put(out, "json", read(path))
    uris(out)
    accessors(out)
    bare_draco(out)
    bare_meshopt(out)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
