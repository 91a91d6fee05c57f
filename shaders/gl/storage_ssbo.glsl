// Storage ssbo: shader storage, of any length.
layout(std430) readonly buffer sinew_palette_block
{
    vec4 sinew_palette[];
};

vec4 sinew_texel(int index)
{
    return sinew_palette[index];
}
