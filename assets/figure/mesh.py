"""A mesh of one material, and what can be done to it whatever its surface."""

from .maths import length, sub


class Mesh:
    """Triangles of one material; uvs and colours are filled where they are wanted."""

    def __init__(self, positions, normals, triangles, uvs=None):
        self.positions, self.normals, self.triangles = positions, normals, triangles
        self.uvs = uvs
        self.colours = None
        self.weights = None              # per vertex {joint: weight}
        self.targets = {}                # name -> (positions, normals)

    def mirrored(self):
        flip = lambda rows: [(-x, y, z) for x, y, z in rows]
        twin = Mesh(flip(self.positions), flip(self.normals),
                    [(a, c, b) for a, b, c in self.triangles], self.uvs)
        twin.targets = {name: (flip(p), flip(n)) for name, (p, n) in self.targets.items()}
        return twin


def split_quads(positions, quads):
    """Two triangles for each quad, along the shorter diagonal."""
    triangles = []
    for a, b, c, d in quads:
        ac = length(sub(positions[a], positions[c]))
        bd = length(sub(positions[b], positions[d]))
        triangles += [(a, b, c), (a, c, d)] if ac <= bd else [(a, b, d), (b, c, d)]
    return triangles


def without_hidden(mesh, depth, *covers):
    """A mesh less the triangles that lie well inside another shape."""
    hidden = [any(cover(*p) < -depth for cover in covers) for p in mesh.positions]
    kept = [t for t in mesh.triangles if not all(hidden[i] for i in t)]
    return with_triangles(mesh, kept)


def with_triangles(mesh, kept):
    """A mesh of some of the triangles, with the vertices that they use."""
    number = {}
    for triangle in kept:
        for i in triangle:
            number.setdefault(i, len(number))
    pick = lambda rows: [rows[i] for i in number] if rows is not None else None
    result = Mesh(pick(mesh.positions), pick(mesh.normals),
                  [tuple(number[i] for i in t) for t in kept], pick(mesh.uvs))
    result.targets = {name: (pick(p), pick(n)) for name, (p, n) in mesh.targets.items()}
    return result
