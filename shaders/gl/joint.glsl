// A joint and a morph target out of the texels of any storage: sinew_texel(int).
//
// Defined in front of this text:
//   SINEW_JOINT_TEXELS       texels a joint takes
//   SINEW_JOINT_COLUMNS      1: they are the columns of its matrix, 0: the rows
//   SINEW_DUAL_QUATERNIONS   1: after the rows comes the rotation
//   SINEW_INSTANCE_TEXELS    from one instance to the next, by gl_InstanceID; 0: no instances
//   SINEW_PREVIOUS           1: there is sinew_previous_texel(int), of the frame before

#if SINEW_PREVIOUS
bool sinew_in_previous = false;
#endif

// Of the joints' palette: that of this frame or of the one before.
vec4 sinew_joint_texel(int index)
{
#if SINEW_PREVIOUS
    if (sinew_in_previous)
        return sinew_previous_texel(index);
#endif
    return sinew_texel(index);
}

// The first texel of a joint.
int sinew_joint_at(int slot)
{
    int first = int(sinew_instance.x) + SINEW_JOINT_TEXELS * slot;
#if SINEW_INSTANCE_TEXELS > 0
    first += SINEW_INSTANCE_TEXELS * gl_InstanceID;
#endif
    return first;
}

// The upper three rows of a joint matrix, bind space -> world space.
mat3x4 sinew_joint(int slot)
{
    int texel = sinew_joint_at(slot);
#if SINEW_JOINT_COLUMNS
    return transpose(mat4x3(sinew_joint_texel(texel).xyz, sinew_joint_texel(texel + 1).xyz,
                            sinew_joint_texel(texel + 2).xyz, sinew_joint_texel(texel + 3).xyz));
#else
    return mat3x4(sinew_joint_texel(texel), sinew_joint_texel(texel + 1),
                  sinew_joint_texel(texel + 2));
#endif
}

#if SINEW_DUAL_QUATERNIONS
// The rotation of a joint matrix, x y z w; 0 where it has none.
vec4 sinew_rotation(int slot)
{
    return sinew_joint_texel(sinew_joint_at(slot) + 3);
}
#endif

// The k-th active morph target: its index, its weight, targets of the mesh.
vec3 sinew_target(int k)
{
    return sinew_texel(int(sinew_instance.y) + k).xyz;
}
