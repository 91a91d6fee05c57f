"""Puts everything together: meshes, materials, skin, clips, in one glTF document."""

from . import body, clips, head, scarf, texture, weights
from .glb import ELEMENT_ARRAY_BUFFER, FLOAT, UBYTE, USHORT, Writer, float32
from .light import shaded
from .maths import inverse, rotate
from .skeleton import (INDEX, JOINTS, NAMES, inverse_bind_matrix, local_rotation, rest_translation)

MESHES = ["body", "face", "eyes"]
TARGETS = {"body": [], "face": head.FACE_TARGETS, "eyes": head.EYE_TARGETS}

# name: (sRGB colour, metallic, roughness, texture)
MATERIALS = {
    "skin": ("#f6c09a", 0.0, 0.62, None),
    "hair": ("#84421f", 0.0, 0.55, None),
    "jacket": ("#2f7f86", 0.0, 0.85, None),
    "trim": ("#f0e2c4", 0.0, 0.90, None),
    "trousers": ("#474a63", 0.0, 0.90, None),
    "leather": ("#8a5430", 0.0, 0.55, None),
    "belt": ("#5a3521", 0.0, 0.50, None),
    "sole": ("#3a2c26", 0.0, 0.80, None),
    "brass": ("#e3b457", 1.0, 0.35, None),
    "scarf": ("#ffffff", 0.0, 0.95, "knit"),
    "features": ("#ffffff", 0.0, 0.25, "features"),
}
TEXTURES = {"features": texture.features, "knit": texture.knit}


def build_document():
    writer = Writer()
    document = {"asset": {"version": "2.0", "generator": "Sinew make_figure.py",
                          "copyright": "CC0 1.0 (public domain)"},
                "scene": 0, "scenes": [{"name": "figure"}]}
    parts = all_parts()
    used = [name for name in MATERIALS if any(name in mesh for mesh in parts.values())]
    document["meshes"] = [mesh_entry(writer, name, parts[name], used) for name in MESHES]
    document["materials"] = [material_entry(name) for name in used]
    add_textures(writer, document)
    add_nodes(document)
    add_skin(writer, document)
    add_animations(writer, document)
    return writer.container(document)


# ---------------------------------------------------------------------------
# Meshes

def all_parts():
    """{mesh: {material: [Mesh with weights and colours]}}"""
    below = body.build()
    face, eyes = head.build()
    below.update(scarf.build())
    parts = {"body": below, "face": face, "eyes": eyes}
    for meshes in (mesh for part in parts.values() for mesh in part.values()):
        for mesh in meshes:
            if mesh.weights is None:
                raise ValueError("a part has no weights")
    shaded(parts)
    return parts


def mesh_entry(writer, name, parts, materials):
    entry = {"name": name, "primitives": [primitive_entry(writer, parts[material],
                                                          materials.index(material), TARGETS[name])
                                          for material in materials if material in parts]}
    if TARGETS[name]:
        entry["weights"] = [0.0] * len(TARGETS[name])
        entry["extras"] = {"targetNames": TARGETS[name]}
    return entry


def primitive_entry(writer, meshes, material, targets):
    merged = merge(meshes)
    found = writer.interleaved(vertex_attributes(merged))
    indices, = writer.packed([[(i,) for t in merged["triangles"] for i in t]], USHORT,
                             target=ELEMENT_ARRAY_BUFFER)
    entry = {"attributes": found, "indices": indices, "material": material}
    if targets:
        entry["targets"] = target_entries(writer, merged, targets)
    return entry


def merge(meshes):
    """One list of everything, positions as float32 so that differences are exact."""
    merged = {"positions": [], "normals": [], "uvs": [], "colours": [], "weights": [],
              "triangles": [], "targets": {}}
    for mesh in meshes:
        first = len(merged["positions"])
        merged["positions"] += mesh.positions
        merged["normals"] += mesh.normals
        merged["uvs"] += mesh.uvs or []
        merged["colours"] += mesh.colours
        merged["weights"] += mesh.weights
        merged["triangles"] += [tuple(i + first for i in t) for t in mesh.triangles]
        for name, (positions, normals) in mesh.targets.items():
            both = merged["targets"].setdefault(name, ([], []))
            both[0].extend(positions)
            both[1].extend(normals)
    return merged


def rounded(rows):
    return [tuple(float32(value) for value in row) for row in rows]


def vertex_attributes(merged):
    attributes = {"POSITION": (FLOAT, rounded(merged["positions"]), False),
                  "NORMAL": (FLOAT, rounded(merged["normals"]), False)}
    if merged["uvs"]:
        attributes["TEXCOORD_0"] = (FLOAT, rounded(merged["uvs"]), False)
    attributes["COLOR_0"] = (UBYTE, merged["colours"], True)
    rows = [weights.trimmed(row) for row in merged["weights"]]
    pad = lambda values: tuple(values) + (0,) * (weights.INFLUENCES - len(values))
    attributes["JOINTS_0"] = (UBYTE, [pad([INDEX[joint] for joint, _ in row]) for row in rows],
                              False)
    attributes["WEIGHTS_0"] = (UBYTE, [pad([units for _, units in row]) for row in rows], True)
    return attributes


def target_entries(writer, merged, names):
    """Differences to the base, almost all of them zero."""
    lists = []
    for name in names:
        positions, normals = merged["targets"][name]
        lists.append(differences(positions, merged["positions"]))
        lists.append(differences(normals, merged["normals"]))
    found = writer.sparse(lists)
    return [{"POSITION": found[2 * i], "NORMAL": found[2 * i + 1]} for i in range(len(names))]


def differences(rows, base):
    result = []
    for row, old in zip(rows, base):
        moved = tuple(a - b for a, b in zip(row, old))
        small = all(abs(c) < 1e-5 for c in moved)
        result.append((0.0, 0.0, 0.0) if small else tuple(float32(c) for c in moved))
    return result


# ---------------------------------------------------------------------------
# Materials

def linear(text):
    """An sRGB colour as the linear factors that the file holds."""
    return [round(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4, 4)
            for c in texture.colour(text)]


def material_entry(name):
    colour, metallic, roughness, picture = MATERIALS[name]
    surface = {"baseColorFactor": linear(colour) + [1.0], "metallicFactor": metallic,
               "roughnessFactor": roughness}
    if picture:
        surface["baseColorTexture"] = {"index": list(TEXTURES).index(picture)}
    return {"name": name, "pbrMetallicRoughness": surface}


def add_textures(writer, document):
    views = [writer.view(paint()) for paint in TEXTURES.values()]
    document["images"] = [{"name": name, "bufferView": view, "mimeType": "image/png"}
                          for name, view in zip(TEXTURES, views)]
    document["samplers"] = [{"magFilter": 9729, "minFilter": 9987}]
    document["textures"] = [{"name": name, "sampler": 0, "source": i}
                            for i, name in enumerate(TEXTURES)]


# ---------------------------------------------------------------------------
# Nodes and skin: the joints first, in the order of the skin, then the meshes

def tidy(values, digits=7):
    return [round(value, digits) + 0.0 for value in values]


def add_nodes(document):
    nodes = [joint_node(name) for name in NAMES]
    for i, name in enumerate(MESHES):
        nodes.append({"name": name, "mesh": i, "skin": 0})
    document["nodes"] = nodes
    document["scenes"][0]["nodes"] = [0] + list(range(len(NAMES), len(nodes)))


def joint_node(name):
    node = {"name": name}
    translation, rotation = tidy(rest_translation(name)), tidy(local_rotation(name), 9)
    if any(translation):
        node["translation"] = translation
    if rotation != [0.0, 0.0, 0.0, 1.0]:
        node["rotation"] = rotation
    children = [INDEX[child] for child in NAMES if JOINTS[child].parent == name]
    if children:
        node["children"] = children
    return node


def add_skin(writer, document):
    matrices = rounded([inverse_bind_matrix(name) for name in NAMES])
    accessor, = writer.packed([matrices], FLOAT)
    document["skins"] = [{"name": "figure", "joints": list(range(len(NAMES))), "skeleton": 0,
                          "inverseBindMatrices": accessor}]


# ---------------------------------------------------------------------------
# Animations

TANGENT_STEP = 1e-4          # seconds, for the slope of a CUBICSPLINE key
STILL = 2e-6                 # a channel that moves less has two keys


class Track:
    def __init__(self, target, path, mode, times, rows):
        self.target, self.path, self.mode, self.times, self.rows = target, path, mode, times, rows


def add_animations(writer, document):
    made = [(clip, tracks_of(clip)) for clip in clips.all_clips()]
    inputs = {}
    for clip, tracks in made:
        for track in tracks:
            inputs.setdefault(tuple(track.times), len(inputs))
    time_accessors = writer.packed([[(t,) for t in times] for times in inputs], FLOAT, True)
    outputs = {}                           # equal rows are written once
    for _, tracks in made:
        for track in tracks:
            outputs.setdefault(tuple(track.rows), len(outputs))
    value_accessors = writer.packed([list(rows) for rows in outputs], FLOAT)
    document["animations"] = []
    for clip, tracks in made:
        samplers = [{"input": time_accessors[inputs[tuple(track.times)]],
                     "output": value_accessors[outputs[tuple(track.rows)]],
                     "interpolation": track.mode} for track in tracks]
        channels = [{"sampler": i, "target": {"node": track.target, "path": track.path}}
                    for i, track in enumerate(tracks)]
        document["animations"].append({"name": clip.name, "samplers": samplers,
                                       "channels": channels})


def tracks_of(clip):
    """Every joint's rotation, the translations that move, the weights of the meshes."""
    poses = {}

    def pose(t):
        t = t % clip.duration if t < 0.0 or t > clip.duration else t
        if t not in poses:
            poses[t] = clip.pose_at(t)
        return poses[t]

    tracks = []
    shifted = sorted({name for t in even_times(clip) for name in pose(t).shifts}, key=INDEX.get)
    for name in NAMES[1:]:
        value = lambda t, name=name: local_rotation(name, pose(t).rotation(name))
        tracks.append(track_of(clip, name, INDEX[name], "rotation", value))
    for name in shifted:
        value = lambda t, name=name: shifted_translation(name, pose(t).shifts[name])
        tracks.append(track_of(clip, name, INDEX[name], "translation", value))
    for i, name in enumerate(MESHES):
        if TARGETS[name]:
            value = lambda t, name=name: tuple(pose(t).weights[name])
            tracks.append(track_of(clip, name, len(NAMES) + i, "weights", value))
    return tracks


def shifted_translation(name, shift):
    parent = JOINTS[JOINTS[name].parent]
    return tuple(a + b for a, b in zip(rest_translation(name),
                                       rotate(inverse(parent.axes), shift)))


def even_times(clip):
    count = round(clip.duration * clip.rate)
    return [clip.duration * i / count for i in range(count + 1)]


def track_of(clip, name, target, path, value):
    mode, times = clip.modes.get((name, path), ("LINEAR", even_times(clip)))
    keys = continuous([value(t) for t in times], path)
    if all(abs(a - b) < STILL for key in keys for a, b in zip(key, keys[0])):
        mode, times, keys = "LINEAR", [0.0, clip.duration], [keys[0], keys[0]]
    else:
        keys[-1] = closing(keys[0], keys[-1])
    if mode == "CUBICSPLINE":
        keys = with_tangents(keys, times, value, path)
    if path == "weights":
        keys = [(weight,) for key in keys for weight in key]
    return Track(target, path, mode, [float32(t) for t in times], rounded(keys))


def continuous(keys, path):
    """Quaternions without jumps of sign."""
    if path != "rotation":
        return keys
    result = keys[:1]
    for key in keys[1:]:
        same = sum(a * b for a, b in zip(result[-1], key)) >= 0.0
        result.append(key if same else tuple(-c for c in key))
    return result


def closing(first, last):
    """The last key, made equal to the first (up to sign) so that the loop closes exactly."""
    if any(min(abs(a - b), abs(a + b)) > 1e-4 for a, b in zip(first, last)):
        raise ValueError("a clip does not close: %r, %r" % (first, last))
    same = sum(a * b for a, b in zip(first, last)) >= 0.0 or len(first) != 4
    return first if same else tuple(-c for c in first)


def with_tangents(keys, times, value, path):
    """In-tangent, value, out-tangent for every key; the slope is the true one."""
    rows = []
    for key, t in zip(keys, times):
        near = continuous([key, value(t - TANGENT_STEP), value(t + TANGENT_STEP)], path)
        slope = tuple((b - a) / (2.0 * TANGENT_STEP) for a, b in zip(near[1], near[2]))
        rows += [slope, key, slope]
    return rows
