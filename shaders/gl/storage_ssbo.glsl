// Storage ssbo: shader storage, of any length.
// ES can set the binding point here only; who wants another defines it in front.
#ifdef GL_ES
#ifndef SINEW_STORAGE_BINDING
#define SINEW_STORAGE_BINDING 0
#endif
layout(std430, binding = SINEW_STORAGE_BINDING) readonly buffer sinew_palette_block
#else
layout(std430) readonly buffer sinew_palette_block
#endif
{
    vec4 sinew_palette[];
};

vec4 sinew_texel(int index)
{
    return sinew_palette[index];
}
