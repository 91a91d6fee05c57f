// Storage tbo3: a texture buffer, three texels a joint, the rows of its matrix.
uniform samplerBuffer sinew_palette;

// The upper three rows of a joint matrix, bind space -> world space.
mat3x4 sinew_joint(int slot)
{
    int texel = int(sinew_instance.x) + 3 * slot;
    return mat3x4(texelFetch(sinew_palette, texel), texelFetch(sinew_palette, texel + 1),
                  texelFetch(sinew_palette, texel + 2));
}

// The k-th active morph target: its index, its weight, targets of the mesh.
vec3 sinew_target(int k)
{
    return texelFetch(sinew_palette, int(sinew_instance.y) + k).xyz;
}
