"""From shapes to triangles: isosurfaces, bands round a shape, patches on it, sweeps."""

import math

from .decimate import decimated
from .maths import add, along, cross, dot, length, lerp, scale, sub, unit
from .mesh import Mesh, split_quads
from .shapes import gradient, hit, project

BLOCK = 4             # cells along the side of the blocks that are skipped at once
LIPSCHITZ = 1.6       # how much steeper than a distance a shape may be
RELAXATIONS = 3


# ---------------------------------------------------------------------------
# Isosurfaces: surface nets, relaxed along the surface and put back onto it

CORNERS = [(i & 1, i >> 1 & 1, i >> 2) for i in range(8)]
EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1]


def isosurface(shape, low, high, cell, vertices, softness=0.001, detail=None):
    """The zero surface of a shape inside a box, in quads of about one cell, then thinned out.

    vertices is about how many are kept, more of them where detail(place) is large;
    softness, in metres, smooths the normals across small folds of the shape.
    """
    grid = Grid(shape, low, high, cell)
    corners, quads = surface_net(grid)
    positions = [project(shape, p) for p in corners]
    neighbours = neighbours_of(len(positions), quads)
    for _ in range(RELAXATIONS):
        positions = relaxed(shape, positions, neighbours)
    mesh = Mesh(positions, positions, split_quads(positions, quads))
    mesh = decimated(mesh, shape, vertices, detail)
    mesh.normals = [gradient(shape, p, softness) for p in mesh.positions]
    return mesh


class Grid:
    """Values of a shape on a lattice, computed where the surface may be."""

    def __init__(self, shape, low, high, cell):
        self.shape, self.low, self.cell = shape, low, cell
        self.size = [int(math.ceil((h - l) / cell)) for l, h in zip(low, high)]
        self.values = {}

    def place(self, ix, iy, iz):
        return (self.low[0] + ix * self.cell, self.low[1] + iy * self.cell,
                self.low[2] + iz * self.cell)

    def value(self, ix, iy, iz):
        key = (ix, iy, iz)
        found = self.values.get(key)
        if found is None:
            # never exactly zero: an edge then has a crossing or has none
            found = self.values[key] = self.shape(*self.place(ix, iy, iz)) or 1e-9
        return found

    def active_cells(self):
        nx, ny, nz = self.size
        half = BLOCK * 0.5
        limit = half * self.cell * math.sqrt(3.0) * LIPSCHITZ
        for bx in range(0, nx, BLOCK):
            for by in range(0, ny, BLOCK):
                for bz in range(0, nz, BLOCK):
                    if abs(self.shape(*self.place(bx + half, by + half, bz + half))) > limit:
                        continue
                    for ix in range(bx, min(bx + BLOCK, nx)):
                        for iy in range(by, min(by + BLOCK, ny)):
                            for iz in range(bz, min(bz + BLOCK, nz)):
                                yield ix, iy, iz


def surface_net(grid):
    """One vertex in every cell that the surface crosses, one quad on every crossed edge."""
    number, vertices = {}, []
    for ix, iy, iz in grid.active_cells():
        values = [grid.value(ix + cx, iy + cy, iz + cz) for cx, cy, cz in CORNERS]
        if min(values) > 0.0 or max(values) < 0.0:
            continue
        number[ix, iy, iz] = len(vertices)
        vertices.append(along(grid.place(ix, iy, iz), mean_crossing(values), grid.cell))
    return vertices, net_quads(grid, number)


def mean_crossing(values):
    total, count = (0.0, 0.0, 0.0), 0
    for a, b in EDGES:
        if (values[a] < 0.0) == (values[b] < 0.0):
            continue
        t = values[a] / (values[a] - values[b])
        pa, pb = CORNERS[a], CORNERS[b]
        total = add(total, tuple(pa[i] + (pb[i] - pa[i]) * t for i in range(3)))
        count += 1
    return scale(total, 1.0 / count)


def net_quads(grid, number):
    quads = []
    for ix, iy, iz in number:
        start = grid.value(ix, iy, iz)
        for axis in range(3):
            step = [0, 0, 0]
            step[axis] = 1
            end = grid.value(ix + step[0], iy + step[1], iz + step[2])
            if (start < 0.0) == (end < 0.0):
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            ring = []
            for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                cell = [ix, iy, iz]
                cell[u] -= du
                cell[v] -= dv
                ring.append(number.get(tuple(cell)))
            if None not in ring:
                quads.append(ring if start < 0.0 else ring[::-1])
    return quads


def neighbours_of(count, quads):
    sets = [{} for _ in range(count)]      # dictionaries keep their order
    for quad in quads:
        for a, b in zip(quad, quad[1:] + quad[:1]):
            sets[a][b] = sets[b][a] = True
    return [list(s) for s in sets]


def relaxed(shape, positions, neighbours):
    """Every vertex moved towards the middle of its neighbours, along the surface."""
    result = []
    for p, around in zip(positions, neighbours):
        if around:
            middle = (0.0, 0.0, 0.0)
            for i in around:
                middle = add(middle, positions[i])
            shift = sub(scale(middle, 1.0 / len(around)), p)
            normal = gradient(shape, p)
            shift = along(shift, normal, -dot(shift, normal))
            p = project(shape, along(p, shift, 0.6), 2)
        result.append(p)
    return result


# ---------------------------------------------------------------------------
# Grids of points

def grid_mesh(rows, uvs=None, close_columns=False):
    """A sheet through rows of points; outside is where columns x rows points.

    With close_columns the last column is the first again; both are kept only for their uvs.
    """
    height, width = len(rows), len(rows[0])
    kept = width - 1 if close_columns and not uvs else width
    positions = [p for row in rows for p in row[:kept]]
    normals = [sheet_normal(rows, r, c, close_columns)
               for r in range(height) for c in range(kept)]
    at = lambda r, c: r * kept + c % kept
    quads = [(at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c))
             for r in range(height - 1) for c in range(width - 1)]
    triangles = [t for t in split_quads(positions, quads) if has_area(positions, t)]
    return Mesh(positions, normals, triangles, [uv for row in uvs for uv in row] if uvs else None)


def sheet_normal(rows, r, c, closed):
    last = len(rows[0]) - 1
    left, right = max(c - 1, 0), min(c + 1, last)
    if closed and c in (0, last):
        left, right = last - 1, 1
    # at the ends of a column several points may fall together: look further
    for reach in range(1, len(rows)):
        up, down = max(r - reach, 0), min(r + reach, len(rows) - 1)
        for row in (r, up, down):
            normal = cross(sub(rows[row][right], rows[row][left]),
                           sub(rows[down][c], rows[up][c]))
            if length(normal) > 1e-12:
                return unit(normal)
    return (0.0, 1.0, 0.0)


def has_area(positions, triangle):
    a, b, c = (positions[i] for i in triangle)
    return length(cross(sub(b, a), sub(c, a))) > 1e-9


def band(shape, centre, axis, start, profile, count, reach=0.4):
    """A raised band round a shape.

    profile lists (distance along the axis, height above the shape); start is the direction
    of the first ray. Each ring is found by rays that come in from outside.
    """
    side = unit(cross(axis, start))
    rows = []
    for offset, height in profile:
        middle = along(centre, axis, offset)
        row = []
        for i in range(count + 1):
            angle = 2.0 * math.pi * (i % count) / count
            out = add(scale(start, math.cos(angle)), scale(side, math.sin(angle)))
            surface = hit(shape, along(middle, out, reach), scale(out, -1.0), reach)
            row.append(along(surface, out, height))
        rows.append(row)
    return grid_mesh(rows, close_columns=True)


def patch(shape, points, heights, direction, reach, uvs=None, closed=False):
    """A sheet laid onto a shape: rows of points thrown in a direction, then raised."""
    rows = []
    for point_row, height_row in zip(points, heights):
        row = []
        for point, height in zip(point_row, height_row):
            surface = hit(shape, along(point, direction, -reach), direction, 2.0 * reach)
            row.append(along(surface, gradient(shape, surface), height))
        rows.append(row)
    return grid_mesh(rows, uvs, closed)


def sweep(centres, sides, ups, section, us=None, v_range=(0.0, 1.0)):
    """A tube: section(i) gives the outline at step i as (side, up) pairs, counted
    anticlockwise when seen from the end; the outline is closed."""
    rows, uvs = [], []
    for i, (centre, side, up) in enumerate(zip(centres, sides, ups)):
        outline = section(i)
        outline = outline + outline[:1]
        rows.append([add(centre, add(scale(side, s), scale(up, u))) for s, u in outline])
        if us:
            last = len(outline) - 1
            uvs.append([(mixed(v_range, k / last), us[i]) for k in range(last + 1)])
    return grid_mesh(rows, uvs or None, close_columns=True)


def curve(points, steps):
    """A smooth line through points (Catmull-Rom)."""
    ends = [lerp(points[0], points[1], -1.0)] + points + [lerp(points[-1], points[-2], -1.0)]
    line = []
    for i in range(1, len(ends) - 2):
        a, b, c, d = ends[i - 1:i + 3]
        for k in range(steps):
            t = k / steps
            line.append(tuple(0.5 * (2.0 * b[j] + (c[j] - a[j]) * t
                                     + (2.0 * a[j] - 5.0 * b[j] + 4.0 * c[j] - d[j]) * t * t
                                     + (3.0 * b[j] - a[j] - 3.0 * c[j] + d[j]) * t ** 3)
                              for j in range(3)))
    line.append(points[-1])
    return line


def mixed(pair, t):
    return pair[0] + (pair[1] - pair[0]) * t
