// A vertex of the model. Before it stand the defines of the item and the skinning chunk
// of libsinew-gl, which takes the bind space to world.

layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_tangent;
layout(location = 3) in vec2 a_texcoord0;
layout(location = 4) in vec2 a_texcoord1;
layout(location = 5) in vec4 a_color;

// world -> frame: the posed model in a ball of radius 1 around 0 0 0.
uniform vec3 u_centre;
uniform float u_scale;
// frame -> clip.
uniform mat4 u_matrix;
uniform float u_point_size;

// Two programs draw the same triangle at the same depth.
invariant gl_Position;

out vec2 v_texcoord0;
out vec2 v_texcoord1;
out vec4 v_color;
#ifndef DEPTH_ONLY
out vec3 v_place; // frame
#ifdef NORMALS
out vec3 v_normal;
#endif
#ifdef TANGENTS
out vec4 v_tangent;
#endif
#endif

void main()
{
    vec3 place = (sinew_position(a_position) - u_centre) * u_scale;
    v_texcoord0 = a_texcoord0;
    v_texcoord1 = a_texcoord1;
    v_color = a_color;
#ifndef DEPTH_ONLY
    v_place = place;
#ifdef NORMALS
    v_normal = sinew_normal(a_normal);
#endif
#ifdef TANGENTS
    // Where the blend mirrors, the bitangent changes sides.
    v_tangent = sinew_tangent(a_tangent);
    v_tangent.w *= sinew_side();
#endif
#endif
    gl_Position = u_matrix * vec4(place, 1.0);
    gl_PointSize = u_point_size;
}
