// What comes into the skinning: attributes of a vertex, attributes of its instance.
//
// Defined in front of this text:
//   SINEW_INFLUENCES            a vertex, a multiple of 4; 0: rigid
//   SINEW_NORMALS, SINEW_TANGENTS, SINEW_MORPHS, SINEW_APPROXIMATE_NORMALS   0 or 1
//   SINEW_TEXTURE_WIDTH         texels in a row of sinew_vertices
//   SINEW_LOCATION_*            attribute locations

// ES has samplers at low precision unless it is told otherwise.
#ifdef GL_ES
precision highp float;
precision highp int;
precision highp sampler2D;
#endif

// First texel of the palette, first texel of the list of active morph targets, how many
// of them there are, vertices of the primitive.
layout(location = SINEW_LOCATION_INSTANCE) in uvec4 sinew_instance;

#if SINEW_INFLUENCES > 0
layout(location = SINEW_LOCATION_JOINTS0) in uvec4 sinew_joints0;
layout(location = SINEW_LOCATION_WEIGHTS0) in vec4 sinew_weights0;
#endif
#if SINEW_INFLUENCES > 4
layout(location = SINEW_LOCATION_JOINTS1) in uvec4 sinew_joints1;
layout(location = SINEW_LOCATION_WEIGHTS1) in vec4 sinew_weights1;
#endif

// What no attribute holds, by gl_VertexID. With V vertices and T morph targets, one
// after the other:
//   V * SINEW_FURTHER   influences from the ninth on: joint, weight, joint, weight
//   T * V               what each target adds to the positions
//   T * V               ... to the normals
//   T * V               ... to the tangents
#if SINEW_INFLUENCES > 8
#define SINEW_FURTHER ((SINEW_INFLUENCES - 8) / 2)
#else
#define SINEW_FURTHER 0
#endif
#if SINEW_FURTHER > 0 || SINEW_MORPHS
uniform sampler2D sinew_vertices;

vec4 sinew_vertex_texel(int index)
{
    return texelFetch(sinew_vertices,
                      ivec2(index % SINEW_TEXTURE_WIDTH, index / SINEW_TEXTURE_WIDTH), 0);
}
#endif
