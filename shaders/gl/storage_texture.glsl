// Storage texture: a 2D texture, texels row after row.
uniform sampler2D sinew_palette;

vec4 sinew_texel(int index)
{
    return texelFetch(sinew_palette,
                      ivec2(index % SINEW_TEXTURE_WIDTH, index / SINEW_TEXTURE_WIDTH), 0);
}
