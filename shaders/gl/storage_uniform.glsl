// Storage uniform: an array of the program's own. SINEW_PALETTE_TEXELS: its length.
uniform vec4 sinew_palette[SINEW_PALETTE_TEXELS];

vec4 sinew_texel(int index)
{
    return sinew_palette[index];
}
