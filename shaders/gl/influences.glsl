// Blending the joints of a vertex: sinew_blend_joints().
//
// Sums are single expressions: by a loop or statement after statement, what has been added up
// so far is in the way of the next fetch, a tenth slower on llvmpipe.

// Of this vertex: its three columns are the rows of the matrix bind -> world.
mat3x4 sinew_blend;

#if SINEW_FURTHER > 0
// Two influences from the ninth on: joint, weight, joint, weight.
vec4 sinew_pair(int k)
{
    return sinew_vertex_texel(gl_VertexID * SINEW_FURTHER + k);
}
#endif

#if SINEW_INFLUENCES == 0
void sinew_blend_joints()
{
    sinew_blend = sinew_joint(0);
}
#elif !SINEW_DUAL_QUATERNIONS
// Joint matrices are finite, so what has a weight of 0 adds nothing; a branch that skips
// it was slower (by a fifth on llvmpipe).
mat3x4 sinew_sum(uvec4 joints, vec4 weights)
{
    return weights.x * sinew_joint(int(joints.x)) + weights.y * sinew_joint(int(joints.y)) +
           weights.z * sinew_joint(int(joints.z)) + weights.w * sinew_joint(int(joints.w));
}

void sinew_blend_joints()
{
    sinew_blend = sinew_sum(sinew_joints0, sinew_weights0);
#if SINEW_INFLUENCES > 4
    sinew_blend += sinew_sum(sinew_joints1, sinew_weights1);
#endif
#if SINEW_FURTHER > 0
    for (int k = 0; k < SINEW_FURTHER; ++k) {
        vec4 pair = sinew_pair(k);
        sinew_blend += pair.y * sinew_joint(int(pair.x)) + pair.w * sinew_joint(int(pair.z));
    }
#endif
}
#else
// Each joint takes the vertex to J v and turns it by its rotation r; these, blended as dual
// quaternions, are linear in J v. With R = sum of w r and (u, a) = r conj(R) / |R|^2,
//     blend = sum of w (a - [u]x) J
vec4 sinew_rotations[SINEW_INFLUENCES]; // r
vec4 sinew_reference; // the rotation of the largest weight that has one, the first of equal
float sinew_reference_weight;
vec4 sinew_turn; // R

void sinew_compare(int n, float weight)
{
    vec4 rotation = sinew_rotations[n];
    if (weight > sinew_reference_weight && dot(rotation, rotation) > 0.0) {
        sinew_reference_weight = weight;
        sinew_reference = rotation;
    }
}

// On the reference's side, but a half turn goes its way; the reference where there is none.
vec4 sinew_turned(int n)
{
    vec4 rotation = sinew_rotations[n];
    if (dot(rotation, rotation) == 0.0)
        rotation = sinew_reference;
    rotation = dot(rotation, sinew_reference) < -1e-4 ? -rotation : rotation;
    sinew_rotations[n] = rotation;
    return rotation;
}

// a - [u]x, transposed; k: weight / |R|^2
mat3 sinew_part(int n, float k)
{
    vec4 r = sinew_rotations[n], to = sinew_turn;
    float a = k * dot(r, to);
    vec3 u = k * (to.w * r.xyz - r.w * to.xyz - cross(r.xyz, to.xyz));
    return mat3(a, u.z, -u.y, -u.z, a, u.x, u.y, -u.x, a);
}

// n: the number of the first influence
void sinew_find(int n, uvec4 joints, vec4 weights)
{
    sinew_rotations[n] = sinew_rotation(int(joints.x));
    sinew_rotations[n + 1] = sinew_rotation(int(joints.y));
    sinew_rotations[n + 2] = sinew_rotation(int(joints.z));
    sinew_rotations[n + 3] = sinew_rotation(int(joints.w));
    sinew_compare(n, weights.x);
    sinew_compare(n + 1, weights.y);
    sinew_compare(n + 2, weights.z);
    sinew_compare(n + 3, weights.w);
}

vec4 sinew_sum_of_turns(int n, vec4 weights)
{
    return weights.x * sinew_turned(n) + weights.y * sinew_turned(n + 1) +
           weights.z * sinew_turned(n + 2) + weights.w * sinew_turned(n + 3);
}

mat3x4 sinew_sum(int n, uvec4 joints, vec4 k)
{
    return sinew_joint(int(joints.x)) * sinew_part(n, k.x) +
           sinew_joint(int(joints.y)) * sinew_part(n + 1, k.y) +
           sinew_joint(int(joints.z)) * sinew_part(n + 2, k.z) +
           sinew_joint(int(joints.w)) * sinew_part(n + 3, k.w);
}

void sinew_find_all()
{
    sinew_reference = vec4(0.0, 0.0, 0.0, 1.0);
    sinew_reference_weight = 0.0;
    sinew_find(0, sinew_joints0, sinew_weights0);
#if SINEW_INFLUENCES > 4
    sinew_find(4, sinew_joints1, sinew_weights1);
#endif
#if SINEW_FURTHER > 0
    for (int k = 0; k < SINEW_FURTHER; ++k) {
        vec4 pair = sinew_pair(k);
        sinew_rotations[8 + 2 * k] = sinew_rotation(int(pair.x));
        sinew_rotations[9 + 2 * k] = sinew_rotation(int(pair.z));
        sinew_compare(8 + 2 * k, pair.y);
        sinew_compare(9 + 2 * k, pair.w);
    }
#endif
}

void sinew_turn_all()
{
    sinew_turn = sinew_sum_of_turns(0, sinew_weights0);
#if SINEW_INFLUENCES > 4
    sinew_turn += sinew_sum_of_turns(4, sinew_weights1);
#endif
#if SINEW_FURTHER > 0
    for (int k = 0; k < SINEW_FURTHER; ++k) {
        vec4 pair = sinew_pair(k);
        sinew_turn += pair.y * sinew_turned(8 + 2 * k) + pair.w * sinew_turned(9 + 2 * k);
    }
#endif
}

void sinew_blend_joints()
{
    sinew_find_all();
    sinew_turn_all();
    float over = 1.0 / dot(sinew_turn, sinew_turn);
    sinew_blend = sinew_sum(0, sinew_joints0, over * sinew_weights0);
#if SINEW_INFLUENCES > 4
    sinew_blend += sinew_sum(4, sinew_joints1, over * sinew_weights1);
#endif
#if SINEW_FURTHER > 0
    for (int k = 0; k < SINEW_FURTHER; ++k) {
        vec4 pair = sinew_pair(k);
        sinew_blend += sinew_joint(int(pair.x)) * sinew_part(8 + 2 * k, over * pair.y) +
                       sinew_joint(int(pair.z)) * sinew_part(9 + 2 * k, over * pair.w);
    }
#endif
}
#endif
