// Skinning, written once against sinew_joint and sinew_target of the storage.
// Directions are exact under uneven scale and mirrors, and never NaN.

// A matrix whose largest entry is smaller counts as nothing: the smallest normal float,
// because GPUs may take what is below it for 0.
const float SINEW_NOTHING = 1.17549435e-38;
// |det| of a 3x3 over the cubed size of its columns; what is not above it has no side.
const float SINEW_NEARLY_SINGULAR = 1e-6;

// Of this vertex; sinew_position fills them in.
mat3x4 sinew_blend; // its three columns are the rows of the matrix bind -> world
#if SINEW_MORPHS
vec3 sinew_position_delta;
vec3 sinew_normal_delta;
vec3 sinew_tangent_delta;

void sinew_morph()
{
    int vertices = int(sinew_instance.w);
    int first = vertices * SINEW_FURTHER + gl_VertexID;
    sinew_position_delta = sinew_normal_delta = sinew_tangent_delta = vec3(0.0);
    for (int k = 0; k < int(sinew_instance.z); ++k) {
        vec3 target = sinew_target(k);
        int texel = first + int(target.x) * vertices;
        int part = int(target.z) * vertices;
        sinew_position_delta += target.y * sinew_vertex_texel(texel).xyz;
#if SINEW_NORMALS
        sinew_normal_delta += target.y * sinew_vertex_texel(texel + part).xyz;
#endif
#if SINEW_TANGENTS
        sinew_tangent_delta += target.y * sinew_vertex_texel(texel + 2 * part).xyz;
#endif
    }
}
#endif

#if SINEW_DUAL_QUATERNIONS && SINEW_INFLUENCES > 0
// Each joint takes the vertex to J v and turns it by its rotation r; these, blended as dual
// quaternions, are linear in J v. With R = sum of w r and (u, a) = r conj(R) / |R|^2,
//     blend = sum of w (a - [u]x) J
// The influences are gone through three times: for the reference, for R, for the blend.
int sinew_pass;
vec4 sinew_reference; // the rotation of the largest weight that has one, the first of equal
float sinew_reference_weight;
vec4 sinew_turn; // R

// On the reference's side, but a half turn goes its way; the reference where there is none.
vec4 sinew_turned_towards(uint joint)
{
    vec4 rotation = sinew_rotation(int(joint));
    if (dot(rotation, rotation) == 0.0)
        rotation = sinew_reference;
    return dot(rotation, sinew_reference) < -1e-4 ? -rotation : rotation;
}

void sinew_find_reference(uint joint, float weight)
{
    vec4 rotation = sinew_rotation(int(joint));
    if (weight > sinew_reference_weight && dot(rotation, rotation) > 0.0) {
        sinew_reference_weight = weight;
        sinew_reference = rotation;
    }
}

void sinew_add_turned(uint joint, float weight)
{
    vec4 r = sinew_turned_towards(joint), to = sinew_turn;
    float k = weight / dot(to, to);
    float a = k * dot(r, to);
    vec3 u = k * (to.w * r.xyz - r.w * to.xyz - cross(r.xyz, to.xyz));
    sinew_blend += sinew_joint(int(joint)) * mat3(a, u.z, -u.y, -u.z, a, u.x, u.y, -u.x, a);
}

void sinew_add(uint joint, float weight)
{
    if (sinew_pass == 0)
        sinew_find_reference(joint, weight);
    else if (sinew_pass == 1)
        sinew_turn += weight * sinew_turned_towards(joint);
    else
        sinew_add_turned(joint, weight);
}
#else
// Joint matrices are finite, so what has a weight of 0 adds nothing; a branch that skips
// it was slower (by a fifth on llvmpipe).
void sinew_add(uint joint, float weight)
{
    sinew_blend += weight * sinew_joint(int(joint));
}
#endif

void sinew_add_set(uvec4 joints, vec4 weights)
{
    for (int k = 0; k < 4; ++k)
        sinew_add(joints[k], weights[k]);
}

void sinew_add_all()
{
#if SINEW_INFLUENCES > 0
    sinew_add_set(sinew_joints0, sinew_weights0);
#endif
#if SINEW_INFLUENCES > 4
    sinew_add_set(sinew_joints1, sinew_weights1);
#endif
#if SINEW_FURTHER > 0
    for (int k = 0; k < SINEW_FURTHER; ++k) {
        vec4 pair = sinew_vertex_texel(gl_VertexID * SINEW_FURTHER + k);
        sinew_add(uint(pair.x), pair.y);
        sinew_add(uint(pair.z), pair.w);
    }
#endif
}

void sinew_blend_joints()
{
#if SINEW_INFLUENCES == 0
    sinew_blend = sinew_joint(0);
#elif SINEW_DUAL_QUATERNIONS
    sinew_blend = mat3x4(0.0);
    sinew_turn = vec4(0.0);
    sinew_reference = vec4(0.0, 0.0, 0.0, 1.0);
    sinew_reference_weight = 0.0;
    for (sinew_pass = 0; sinew_pass < 3; ++sinew_pass)
        sinew_add_all();
#else
    sinew_blend = mat3x4(0.0);
    sinew_add_all();
#endif
}

// The 3x3 of the blend over its largest entry, so that cofactors and squares of tiny
// scales (1e-12 hides a joint) do not underflow; 0 when it is nothing. Its columns are
// the rows of the matrix.
mat3 sinew_rows()
{
    mat3 rows = mat3(sinew_blend[0].xyz, sinew_blend[1].xyz, sinew_blend[2].xyz);
    vec3 size = max(max(abs(rows[0]), abs(rows[1])), abs(rows[2]));
    float largest = max(max(size.x, size.y), size.z);
    return largest >= SINEW_NOTHING ? rows / largest : mat3(0.0);
}

float sinew_side_of(mat3 rows)
{
    float determinant = dot(rows[0], cross(rows[1], rows[2]));
    float square = dot(rows[0], rows[0]) + dot(rows[1], rows[1]) + dot(rows[2], rows[2]);
    float size = sqrt(square / 3.0);
    return determinant < -SINEW_NEARLY_SINGULAR * size * size * size ? -1.0 : 1.0;
}

// v / |v|; nothing stays 0 0 0, and so becomes what is not finite.
vec3 sinew_unit(vec3 v)
{
    float largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    vec3 scaled = largest >= SINEW_NOTHING ? v / largest : vec3(0.0);
    float square = dot(scaled, scaled);
    return square > 0.0 ? scaled / sqrt(square) : vec3(0.0);
}

// Bind space -> world space. To be called before the other functions.
vec3 sinew_position(vec3 position)
{
    sinew_blend_joints();
#if SINEW_MORPHS
    sinew_morph();
    position += sinew_position_delta;
#endif
    return vec4(position, 1.0) * sinew_blend;
}

#if SINEW_PREVIOUS
// The same by the palettes of the frame before.
vec3 sinew_previous_position(vec3 position)
{
    mat3x4 now = sinew_blend;
    sinew_in_previous = true;
    sinew_blend_joints();
    sinew_in_previous = false;
    mat3x4 before = sinew_blend;
    sinew_blend = now;
#if SINEW_MORPHS
    position += sinew_position_delta;
#endif
    return vec4(position, 1.0) * before;
}
#endif

// -1 where the blend mirrors, else 1.
float sinew_side()
{
    return sinew_side_of(sinew_rows());
}

#if SINEW_NORMALS
// By sign(det) * cofactor, the inverse transpose without a division. Unit length or 0.
vec3 sinew_normal(vec3 normal)
{
#if SINEW_MORPHS
    normal += sinew_normal_delta;
#endif
    mat3 rows = sinew_rows();
#if SINEW_APPROXIMATE_NORMALS
    return sinew_unit(normal * rows);
#else
    mat3 cofactor = mat3(cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1]));
    return sinew_side_of(rows) * sinew_unit(normal * cofactor);
#endif
}
#endif

#if SINEW_TANGENTS
// Unit length or 0; w as it is. Not made orthogonal to the normal.
vec4 sinew_tangent(vec4 tangent)
{
#if SINEW_MORPHS
    tangent.xyz += sinew_tangent_delta;
#endif
    return vec4(sinew_unit(tangent.xyz * sinew_rows()), tangent.w);
}
#endif
