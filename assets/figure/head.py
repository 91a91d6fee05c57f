"""Head, face and hair, with the morph targets of the face."""

import math

from . import weights
from .maths import add, along, clamp, cross, smooth_step, sub, unit
from .shapes import blend, carve, cone, cut, ellipsoid, gradient, half_space, symmetric
from .mesh import without_hidden
from .surface import curve, isosurface, patch, sweep

EYE = (0.0570, 1.478)
EYE_SIZE = (0.0225, 0.0345)
MOUTH_HEIGHT = 1.399

# ---------------------------------------------------------------------------
# Shapes


def head_shape(smile=0.0):
    """Skull, jaw, cheeks, nose, ears and neck; the cheeks rise with the smile."""
    cheek = ellipsoid((0.070, 1.428 + 0.008 * smile, 0.078 + 0.004 * smile),
                      (0.054 + 0.003 * smile, 0.050, 0.054 + 0.003 * smile))
    nose = ellipsoid((0.0, 1.450, 0.146), (0.0135, 0.0115, 0.0160))
    ear = blend(0.01, ellipsoid((0.150, 1.462, -0.006), (0.016, 0.036, 0.026)),
                ellipsoid((0.143, 1.455, -0.004), (0.016, 0.026, 0.018)))
    return blend(0.035,
                 ellipsoid((0.0, 1.515, -0.004), (0.148, 0.158, 0.150)),
                 ellipsoid((0.0, 1.440, 0.026), (0.118, 0.100, 0.112)),
                 ellipsoid((0.0, 1.372, 0.076), (0.052, 0.036, 0.048)),
                 symmetric(cheek),
                 cone((0.0, 1.20, -0.012), (0.0, 1.40, -0.006), 0.060, 0.058),
                 blend(0.004, symmetric(ear), nose))


HEAD = head_shape()
SMILING = head_shape(1.0)


def hair_shape():
    """A smooth cap of hair, open at the face; the locks lie on it."""
    cap = ellipsoid((0.0, 1.530, -0.014), (0.166, 0.166, 0.166))
    nape = ellipsoid((0.0, 1.440, -0.062), (0.126, 0.100, 0.080))
    face = ellipsoid((0.0, 1.420, 0.170), (0.134, 0.170, 0.170))
    below = half_space((0.0, 1.392, -0.10), unit((0.0, -1.0, 0.25)))
    return carve(0.012, cut(0.03, blend(0.05, cap, nape), below), face)


HAIR = hair_shape()
HAIR_CENTRE = (0.0, 1.530, -0.010)

# (half width, four places): degrees to the left of the front, degrees up, metres out
LOCKS = [
    # the top, away from the parting
    (0.058, (22, 74, 0.140), (-38, 72, 0.184), (-72, 48, 0.192), (-88, 20, 0.184)),
    (0.056, (40, 70, 0.140), (68, 54, 0.184), (84, 34, 0.190), (92, 8, 0.182)),
    # the back, an upper and a lower row
    (0.062, (150, 78, 0.140), (128, 46, 0.182), (122, 14, 0.192), (124, -14, 0.200)),
    (0.062, (-150, 78, 0.140), (-126, 46, 0.182), (-120, 14, 0.192), (-116, -16, 0.200)),
    (0.070, (178, 84, 0.140), (174, 46, 0.184), (168, 10, 0.194), (174, -22, 0.204)),
    (0.066, (-165, 82, 0.140), (-154, 44, 0.182), (-150, 10, 0.193), (-144, -18, 0.202)),
    (0.060, (140, 82, 0.140), (146, 46, 0.180), (146, 14, 0.190), (150, -12, 0.199)),
    (0.046, (102, 40, 0.150), (106, 10, 0.178), (108, -18, 0.184), (102, -42, 0.190)),
    (0.046, (-102, 40, 0.150), (-106, 10, 0.178), (-108, -18, 0.184), (-100, -44, 0.190)),
    (0.052, (132, 30, 0.150), (136, 2, 0.172), (138, -26, 0.174), (132, -50, 0.196)),
    (0.052, (-132, 30, 0.150), (-136, 2, 0.172), (-138, -26, 0.174), (-130, -49, 0.196)),
    (0.050, (160, 28, 0.150), (162, 0, 0.170), (164, -28, 0.168), (158, -50, 0.192)),
    (0.050, (-168, 28, 0.150), (-168, 0, 0.170), (-168, -28, 0.168), (-162, -51, 0.192)),
    # before the ears
    (0.036, (72, 44, 0.150), (80, 18, 0.178), (82, -8, 0.178), (72, -30, 0.170)),
    (0.036, (-72, 44, 0.150), (-80, 18, 0.178), (-82, -8, 0.178), (-70, -32, 0.170)),
    # the fringe
    (0.046, (26, 64, 0.140), (44, 44, 0.184), (58, 22, 0.188), (68, -2, 0.176)),
    (0.048, (26, 66, 0.140), (-10, 54, 0.186), (-42, 34, 0.192), (-66, 4, 0.180)),
    (0.034, (28, 62, 0.140), (34, 42, 0.184), (38, 25, 0.190), (34, 9, 0.184)),
    (0.042, (24, 64, 0.140), (2, 46, 0.187), (-22, 29, 0.194), (-44, 7, 0.186)),
    (0.040, (25, 62, 0.140), (12, 43, 0.188), (-2, 27, 0.196), (-20, 7, 0.188)),
    (0.034, (27, 62, 0.140), (22, 43, 0.187), (16, 27, 0.192), (6, 11, 0.186)),
    # the tuft that will not lie down
    (0.026, (20, 78, 0.140), (10, 84, 0.190), (-40, 82, 0.214), (-70, 66, 0.236)),
    (0.022, (60, 78, 0.140), (90, 84, 0.190), (150, 78, 0.212), (165, 62, 0.228)),
]


WIDE = 0.045          # half a lock, in metres, that is worth more steps
LOCK_OUTLINE = [(1.0, 0.0), (0.62, 0.36), (0.0, 0.47), (-0.62, 0.36), (-1.0, 0.0), (0.0, -0.30)]


def around_head(place):
    side, up, out = place
    a, e = math.radians(side), math.radians(up)
    return add(HAIR_CENTRE, (out * math.sin(a) * math.cos(e), out * math.sin(e),
                             out * math.cos(a) * math.cos(e)))


def lock(half_width, *places):
    """A tapering strand, flat against the head."""
    line = curve([around_head(place) for place in places], 3 if half_width > WIDE else 2)
    last = len(line) - 1
    centres, sides, ups = [], [], []
    for i, p in enumerate(line):
        ahead = unit(sub(line[min(i + 1, last)], line[max(i - 1, 0)]))
        side = unit(cross(ahead, sub(p, HAIR_CENTRE)))
        centres.append(p)
        sides.append(side)
        ups.append(cross(ahead, side))

    def section(i):
        t = i / last
        size = half_width * (0.55 + 0.45 * smooth_step(0.0, 0.4, t)) * max(1.0 - t ** 2.6, 0.012)
        return [(size * s, size * u) for s, u in LOCK_OUTLINE]
    return sweep(centres, sides, ups, section)


# ---------------------------------------------------------------------------
# Meshes


def build():
    """({material: [meshes]} of the face, and of the eyes)."""
    face = {"skin": [head_mesh()], "hair": brows() + hair(), "features": [mouth()]}
    for meshes in face.values():
        for mesh in meshes:
            mesh.weights = [weights.head(p) for p in mesh.positions]
            for name in FACE_TARGETS:
                mesh.targets.setdefault(name, (mesh.positions, mesh.normals))
    eyes = {"features": [m for side in (1.0, -1.0) for m in eye(side)]}
    for mesh in eyes["features"]:
        mesh.weights = [{"head": 1.0} for _ in mesh.positions]
    return face, eyes


FACE_TARGETS = ["smile", "brows_up"]
EYE_TARGETS = ["blink", "happy"]


def head_mesh():
    head = isosurface(HEAD, (-0.20, 1.24, -0.19), (0.20, 1.70, 0.21), 0.0130, 760)
    head = without_hidden(head, 0.006, HAIR, ellipsoid((0.0, 1.25, 0.0), (0.1, 0.04, 0.1)))
    positions, normals = [], []
    for p, n in zip(head.positions, head.normals):
        if p[2] > 0.0 and SMILING(*p) < HEAD(*p) - 1e-5:
            p = along(p, n, -SMILING(*p))
            n = gradient(SMILING, p)
        positions.append(p)
        normals.append(n)
    head.targets["smile"] = (positions, normals)
    return head


def hair():
    cap = isosurface(HAIR, (-0.24, 1.30, -0.25), (0.24, 1.80, 0.24), 0.0190, 300)
    locks = [without_hidden(lock(*row), 0.002, HAIR) for row in LOCKS]
    return [without_hidden(cap, 0.008, HEAD)] + locks


def laid(shape, columns, heights, uvs=None, closed=False):
    """A sheet on the front of the head from rows of (x, y)."""
    points = [[(x, y, 0.0) for x, y in row] for row in columns]
    return patch(shape, points, heights, (0.0, 0.0, -1.0), 0.35, uvs, closed)


def with_target(mesh, name, other):
    mesh.targets[name] = (other.positions, other.normals)
    return mesh


def brows():
    made = []
    for side in (1.0, -1.0):
        mesh = brow(HEAD, side, 0.0, 0.0)
        with_target(mesh, "smile", brow(SMILING, side, 0.003, 0.004))
        with_target(mesh, "brows_up", brow(HEAD, side, 0.014, 0.004))
        made.append(mesh)
    return made


def brow(shape, side, lift, arch):
    steps = 9
    profile = [(-1.0, -0.003), (-0.75, 0.0035), (0.0, 0.0055), (0.75, 0.0035), (1.0, -0.003)]
    rows, heights = [], []
    for offset, height in profile:
        row = []
        for i in range(steps):
            t = i / (steps - 1)
            x = 0.030 + 0.060 * t
            y = 1.5345 + lift + (0.008 + arch) * math.sin(math.pi * (0.15 + 0.75 * t)) - 0.006 * t
            thick = 0.0072 * (1.0 - 0.65 * t) * min(1.0, 0.45 + 3.0 * t)
            row.append((side * x, y + offset * thick))
        rows.append(row if side > 0.0 else row[::-1])
        heights.append([height] * steps)
    return laid(shape, rows, heights)


MOUTH_UV = (0.53, 0.97, 0.55, 0.95)      # left, right, top, bottom in the texture


OPEN_LINES = [0.0, 0.07, 0.28, 0.50, 0.72, 0.93, 1.0]
CLOSED_LINES = [0.0, 0.47, 0.48, 0.50, 0.52, 0.53, 1.0]      # the lips meet, only they show


def mouth():
    mesh = mouth_at(HEAD, 0.0)
    return with_target(mesh, "smile", mouth_at(SMILING, 1.0))


def mouth_at(shape, smile):
    """A closed little smile that opens into a wide one."""
    columns, lines = 13, len(OPEN_LINES)
    half = 0.0285 + 0.0125 * smile
    rows, heights, uvs = [], [], []
    left, right, top, bottom = MOUTH_UV
    for r in range(lines):
        t = OPEN_LINES[r]                  # from the lower edge to the upper one
        place = CLOSED_LINES[r] + (t - CLOSED_LINES[r]) * smile
        row, height, uv = [], [], []
        for c in range(columns):
            s = 2.0 * c / (columns - 1) - 1.0
            curve = 0.0065 + 0.0085 * smile
            base = MOUTH_HEIGHT + 0.003 * smile + curve * s * s
            opening = (0.0042 + 0.0275 * smile) * (1.0 - abs(s) ** 2.4) ** 0.75
            upper = base + 0.0015 * (1.0 - s * s)
            row.append((half * s, upper - opening * (1.0 - place)))
            height.append(0.0018 if 0 < r < lines - 1 else 0.0008)
            uv.append((left + (right - left) * (s + 1.0) * 0.5, bottom + (top - bottom) * t))
        rows.append(row)
        heights.append(height)
        uvs.append(uv)
    return laid(shape, rows, heights, uvs)


EYE_UV = (0.25, 0.5, 0.235, 0.485)       # centre and radii in the texture
WHITE_UV = (0.75, 0.25)


def eye(side):
    iris = eye_mesh(side, iris_point, 18, [1.0, 0.94, 0.6, 0.0])
    lights = [eye_mesh(side, light_point((-0.0075, 0.0135), 0.0066), 12, [1.0, 0.0]),
              eye_mesh(side, light_point((0.0080, -0.0150), 0.0034), 10, [1.0, 0.0])]
    return [iris] + lights


def eye_mesh(side, point, sectors, rings):
    """One sheet in the three states of the eye."""
    open_eye, blink, happy = (eye_state(side, point, sectors, rings, state)
                              for state in ("open", "blink", "happy"))
    with_target(open_eye, "blink", blink)
    return with_target(open_eye, "happy", happy)


def eye_state(side, point, sectors, rings, state):
    rows, heights, uvs = [], [], []
    for ring in rings:
        row, height, uv = [], [], []
        for i in range(sectors + 1):
            angle = 2.0 * math.pi * (i % sectors) / sectors
            x, y, h, place = point(ring, angle, state)
            row.append((side * EYE[0] + x, EYE[1] + y))
            height.append(h)
            uv.append(place)
        rows.append(row)
        heights.append(height)
        uvs.append(uv)
    return laid(HEAD, rows, heights, uvs, closed=True)


def iris_point(ring, angle, state):
    width, tall = EYE_SIZE
    u, v = ring * math.cos(angle), ring * math.sin(angle)
    x, y = lidded(width * u, tall * v, state)
    rise = 0.0045 * math.sqrt(max(0.0, 1.0 - ring * ring)) + 0.0012
    if ring == 1.0:
        rise = -0.0010
    if state != "open":
        rise *= 0.6
    cu, cv, ru, rv = EYE_UV
    return x, y, rise, (cu + ru * u, cv - rv * v)


def light_point(centre, radius):
    """A highlight; it vanishes into the line of the closed eye."""
    def point(ring, angle, state):
        x = centre[0] + radius * ring * math.cos(angle)
        y = centre[1] + radius * 1.15 * ring * math.sin(angle)
        rise = 0.0058 if ring < 1.0 else 0.0050
        if state != "open":
            x, y = lidded(centre[0], 0.0, state)
            x, y = x + 1e-4 * ring * math.cos(angle), y + 1e-4 * ring * math.sin(angle)
            rise = 0.0
        return x, y, rise, WHITE_UV
    return point


def lidded(x, y, state):
    """Where a point of the open eye lies when the lids are closed."""
    width, tall = EYE_SIZE
    if state == "open":
        return x, y
    spread = x * 1.22
    s = clamp(x / width, -1.0, 1.0)
    line = 0.0038 * (1.0 - s * s) + 0.0008
    v = y / tall
    line *= v if v > 0.2 else 0.2 + (v - 0.2) * 0.15     # the dark upper part makes the line
    if state == "blink":
        return spread, -0.006 - 0.0100 * (1.0 - s * s) + line * 1.4
    return spread, -0.006 + 0.0125 * (1.0 - s * s) + line * 1.6
