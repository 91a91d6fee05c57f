// A joint and a morph target out of the texels of any storage: sinew_texel(int).
//
// Defined in front of this text:
//   SINEW_JOINT_TEXELS    texels a joint takes
//   SINEW_JOINT_COLUMNS   1: they are the columns of its matrix, 0: the rows
//   SINEW_DUAL_QUATERNIONS   1: after the rows comes the rotation

// The upper three rows of a joint matrix, bind space -> world space.
mat3x4 sinew_joint(int slot)
{
    int texel = int(sinew_instance.x) + SINEW_JOINT_TEXELS * slot;
#if SINEW_JOINT_COLUMNS
    return transpose(mat4x3(sinew_texel(texel).xyz, sinew_texel(texel + 1).xyz,
                            sinew_texel(texel + 2).xyz, sinew_texel(texel + 3).xyz));
#else
    return mat3x4(sinew_texel(texel), sinew_texel(texel + 1), sinew_texel(texel + 2));
#endif
}

#if SINEW_DUAL_QUATERNIONS
// The rotation of a joint matrix, x y z w; 0 where it has none.
vec4 sinew_rotation(int slot)
{
    return sinew_texel(int(sinew_instance.x) + SINEW_JOINT_TEXELS * slot + 3);
}
#endif

// The k-th active morph target: its index, its weight, targets of the mesh.
vec3 sinew_target(int k)
{
    return sinew_texel(int(sinew_instance.y) + k).xyz;
}
