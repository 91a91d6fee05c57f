"""Fewer triangles where a surface is flat: edges collapsed in the order of their error.

Quadric error metrics (Garland and Heckbert, 1997), for closed meshes that lie on a shape:
every new vertex is put back onto it.
"""

import heapq

from .maths import cross, dot, length, lerp, sub, unit
from .mesh import Mesh, with_triangles
from .shapes import project

EVENNESS = 0.002      # price of a long edge, against the square of the distance it misses by


def decimated(mesh, shape, target, detail=None):
    """The mesh with about target vertices; normals are left to the caller.

    detail(place) is 1 or more, and larger where the surface will bend.
    """
    work = Collapser(mesh, shape, detail or (lambda place: 1.0))
    work.run(len(mesh.positions) - target)
    kept = [t for t in work.triangles if t is not None]
    return with_triangles(Mesh(work.positions, mesh.normals, kept), kept)


class Collapser:
    def __init__(self, mesh, shape, detail):
        self.shape, self.detail = shape, detail
        self.positions = list(mesh.positions)
        self.triangles = list(mesh.triangles)
        self.around = [[] for _ in mesh.positions]         # triangles of each vertex
        for number, triangle in enumerate(self.triangles):
            for i in triangle:
                self.around[i].append(number)
        self.quadrics = [self.quadric(i) for i in range(len(mesh.positions))]
        self.version = [0] * len(mesh.positions)
        self.heap = []
        for i in range(len(self.positions)):
            self.push_edges(i, only_above=True)

    def quadric(self, vertex):
        """Sum of the squared distances to the planes round a vertex, weighed by area."""
        total = [0.0] * 11
        for number in self.around[vertex]:
            a, b, c = (self.positions[i] for i in self.triangles[number])
            n = cross(sub(b, a), sub(c, a))
            area = length(n) * 0.5
            x, y, z = unit(n)
            d = -dot((x, y, z), a)
            plane = (x * x, y * y, z * z, x * y, x * z, y * z, x * d, y * d, z * d, d * d, 1.0)
            total = [t + p * area for t, p in zip(total, plane)]
        return total

    def neighbours(self, vertex):
        return sorted({i for t in self.around[vertex] for i in self.triangles[t]} - {vertex})

    def push_edges(self, vertex, only_above=False):
        for other in self.neighbours(vertex):
            if only_above and other < vertex:
                continue
            a, b = min(vertex, other), max(vertex, other)
            heapq.heappush(self.heap, (self.cost(a, b), a, b, self.version[a], self.version[b]))

    def cost(self, a, b):
        q = [s + t for s, t in zip(self.quadrics[a], self.quadrics[b])]
        x, y, z = middle = lerp(self.positions[a], self.positions[b], 0.5)
        miss = (q[0] * x * x + q[1] * y * y + q[2] * z * z
                + 2.0 * (q[3] * x * y + q[4] * x * z + q[5] * y * z
                         + q[6] * x + q[7] * y + q[8] * z) + q[9])
        edge = sub(self.positions[a], self.positions[b])
        return (abs(miss) + EVENNESS * dot(edge, edge) * q[10]) * self.detail(middle)

    def run(self, count):
        while count > 0 and self.heap:
            _, a, b, version_a, version_b = heapq.heappop(self.heap)
            if (version_a, version_b) != (self.version[a], self.version[b]):
                continue
            count -= self.collapse(a, b)

    def collapse(self, a, b):
        """Put b into a, if the surface stays sound; 1 if it was done."""
        if len(set(self.neighbours(a)) & set(self.neighbours(b))) != 2:
            return 0
        place = project(self.shape, lerp(self.positions[a], self.positions[b], 0.5), 2)
        shared = set(self.around[a]) & set(self.around[b])
        if any(self.folds(t, i, place) for i in (a, b) for t in self.around[i] if t not in shared):
            return 0
        for t in shared:
            for i in self.triangles[t]:
                self.around[i].remove(t)
            self.triangles[t] = None
        for t in self.around[b]:
            self.triangles[t] = tuple(a if i == b else i for i in self.triangles[t])
        self.around[a] += self.around[b]
        self.around[b] = []
        self.positions[a] = place
        self.quadrics[a] = [s + t for s, t in zip(self.quadrics[a], self.quadrics[b])]
        self.version[a] += 1
        self.version[b] = -1
        self.push_edges(a)
        return 1

    def folds(self, triangle, moved, place):
        """Whether a triangle would turn over or become a sliver."""
        corners = [self.positions[i] for i in self.triangles[triangle]]
        old = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]))
        corners[self.triangles[triangle].index(moved)] = place
        u, v, w = (sub(corners[1], corners[0]), sub(corners[2], corners[1]),
                   sub(corners[0], corners[2]))
        new = cross(u, sub(corners[2], corners[0]))
        longest = max(dot(u, u), dot(v, v), dot(w, w))
        return dot(unit(old), unit(new)) < 0.35 or length(new) < 0.18 * longest
