// Skinning, written once against sinew_blend_joints() and sinew_target(int).
// Directions are exact under uneven scale and mirrors, and never NaN.

// What each active morph target adds to this vertex; sinew_position fills them in.
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

// The power of two that brings `size` between 1 and 2, times 2^extra; of nothing the largest,
// which takes nothing to nothing.
float sinew_power(float size, uint extra)
{
    uint exponent = floatBitsToUint(size) & 0x7f800000u;
    return uintBitsToFloat(min(0x7f000000u + (extra << 23u) - exponent, 0x7f000000u));
}

// A direction, scaled: its magnitudes together are between 1 and 2.
vec3 sinew_scaled(vec3 v)
{
    return v * sinew_power(abs(v.x) + abs(v.y) + abs(v.z), 0u);
}

// The 3x3 of the blend, its columns are the rows of the matrix. Scaled: its magnitudes
// together are 2^20 and up, so that cofactors of tiny scales (1e-12 hides a joint) do not
// underflow, nor squares of what a cofactor or a scale of 1e-15 leaves of a direction; and
// what comes to the power of six in sinew_side_of does not overflow.
mat3 sinew_rows()
{
    mat3 rows = mat3(sinew_blend[0].xyz, sinew_blend[1].xyz, sinew_blend[2].xyz);
    vec3 sums = abs(rows[0]) + abs(rows[1]) + abs(rows[2]);
    return rows * sinew_power(sums.x + sums.y + sums.z, 20u);
}

// -1 where the determinant is less than nothing: than 1e-6 of the cubed size of the columns,
// sqrt(squares / 3). Compared squared, which spares the root.
float sinew_side_of(mat3 rows, float determinant)
{
    const float nearly_singular = 1e-12 / 27.0;
    float squares = dot(rows[0], rows[0]) + dot(rows[1], rows[1]) + dot(rows[2], rows[2]);
    float limit = nearly_singular * squares * squares * squares;
    return determinant * abs(determinant) < -limit ? -1.0 : 1.0;
}

// side * v / |v|; nothing stays 0 0 0.
vec3 sinew_unit(vec3 v, float side)
{
    float square = dot(v, v);
    return v * (square > 0.0 ? side * inversesqrt(square) : 0.0);
}

// -1 where the blend mirrors, else 1.
float sinew_side()
{
    mat3 rows = sinew_rows();
    return sinew_side_of(rows, dot(rows[0], cross(rows[1], rows[2])));
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
    return sinew_unit(sinew_scaled(normal) * rows, 1.0);
#else
    mat3 cofactor = mat3(cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1]));
    float side = sinew_side_of(rows, dot(rows[0], cofactor[0]));
    return sinew_unit(sinew_scaled(normal) * cofactor, side);
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
    return vec4(sinew_unit(sinew_scaled(tangent.xyz) * sinew_rows(), 1.0), tangent.w);
}
#endif
