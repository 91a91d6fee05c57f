// Storage ubo: a uniform block. SINEW_PALETTE_TEXELS: the length of its array.
layout(std140) uniform sinew_palette_block
{
    vec4 sinew_palette[SINEW_PALETTE_TEXELS];
};

vec4 sinew_texel(int index)
{
    return sinew_palette[index];
}
