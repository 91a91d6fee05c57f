"""Small models for the tests of pictures: upright squares of one unit that look at +Z."""
import base64

from cli.models import Builder

SQUARE = [[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]]
TEXCOORDS = [[0, 1], [1, 1], [1, 0], [0, 0]]
TURNS = [0, 1, 2, 0, 2, 3]
UNLIT = {"KHR_materials_unlit": {}}


def cube_of(side=1.0, at=(0, 0, 0)):
    """Positions, normals and triangles of a box on the ground."""
    positions, normals, triangles = [], [], []
    for axis in range(3):
        for sign in (-1, 1):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            first = len(positions)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                place = [0, 0, 0]
                place[axis], place[u], place[v] = sign, a, b
                positions.append([0.5 * side * p + q for p, q in zip(place, at)])
                normals.append([sign if k == axis else 0 for k in range(3)])
            turns = TURNS if sign > 0 else TURNS[::-1]
            triangles += [first + k for k in turns]
    return positions, normals, triangles


class Quads:
    """Gathers nodes with meshes, materials and textures into a .gltf."""

    def __init__(self):
        self.builder, self.nodes, self.meshes = Builder(), [], []
        self.materials, self.images, self.textures, self.samplers = [], [], [], []

    def texture(self, data, nearest=True, mime="image/png", **sampler):
        uri = "data:%s;base64,%s" % (mime, base64.b64encode(data).decode())
        self.images.append({"uri": uri})
        self.samplers.append({"magFilter": 9728 if nearest else 9729, **sampler})
        self.textures.append({"source": len(self.images) - 1, "sampler": len(self.samplers) - 1})
        return len(self.textures) - 1

    def material(self, unlit=True, **more):
        if unlit:
            more.setdefault("extensions", {}).update(UNLIT)
        self.materials.append(more)
        return len(self.materials) - 1

    def color(self, *rgba, **more):
        """An unlit material of a linear colour."""
        return self.material(pbrMetallicRoughness={"baseColorFactor": list(rgba)}, **more)

    def mesh(self, positions, indices=None, node=None, **more):
        self.meshes.append({"primitives": [self.builder.primitive(positions, indices, **more)]})
        self.nodes.append({"mesh": len(self.meshes) - 1, **(node or {})})

    def square(self, material, node=None, normals=True, **more):
        if normals:
            more["normals"] = [[0, 0, 1]] * 4
        self.mesh(SQUARE, TURNS, node, material=material, texcoords=TEXCOORDS, **more)

    def gltf(self, **more):
        parts = {"scene": 0, "scenes": [{"nodes": list(range(len(self.nodes)))}],
                 "nodes": self.nodes, "meshes": self.meshes}
        for name in ("materials", "images", "textures", "samplers"):
            if getattr(self, name):
                parts[name] = getattr(self, name)
        used = set()
        for material in self.materials:
            used |= set(material.get("extensions", {}))
        parts["extensionsUsed"] = sorted(used | set(more.pop("extensionsUsed", [])))
        if not parts["extensionsUsed"]:
            del parts["extensionsUsed"]
        return self.builder.gltf(**parts, **more)
