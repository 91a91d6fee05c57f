// Storages tbo3 and tbo4: a texture buffer.
#ifdef GL_ES
precision highp samplerBuffer;
#endif
uniform samplerBuffer sinew_palette;

vec4 sinew_texel(int index)
{
    return texelFetch(sinew_palette, index);
}
