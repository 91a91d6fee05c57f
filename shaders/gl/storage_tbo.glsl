// Storages tbo3 and tbo4: a texture buffer.
uniform samplerBuffer sinew_palette;

vec4 sinew_texel(int index)
{
    return texelFetch(sinew_palette, index);
}
