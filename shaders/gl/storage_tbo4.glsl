// Storage tbo4: a texture buffer, four texels a joint, the columns of its matrix.
uniform samplerBuffer sinew_palette;

// The upper three rows of a joint matrix, bind space -> world space.
mat3x4 sinew_joint(int slot)
{
    int texel = int(sinew_instance.x) + 4 * slot;
    return transpose(mat4x3(texelFetch(sinew_palette, texel).xyz,
                            texelFetch(sinew_palette, texel + 1).xyz,
                            texelFetch(sinew_palette, texel + 2).xyz,
                            texelFetch(sinew_palette, texel + 3).xyz));
}

// The k-th active morph target: its index, its weight, targets of the mesh.
vec3 sinew_target(int k)
{
    return texelFetch(sinew_palette, int(sinew_instance.y) + k).xyz;
}
