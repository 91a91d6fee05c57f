// Sinew draws: skinned vertices to the screen.
layout(location = SINEW_LOCATION_POSITION) in vec3 position;
#if SINEW_NORMALS
layout(location = SINEW_LOCATION_NORMAL) in vec3 normal;
#endif
layout(location = SINEW_LOCATION_TEXCOORD0) in vec2 texcoord0;
layout(location = SINEW_LOCATION_TEXCOORD1) in vec2 texcoord1;
layout(location = SINEW_LOCATION_COLOR) in vec4 color;

uniform mat4 placement;      // world -> the host's world
uniform mat3 turn;           // the same for normals: its cofactor matrix
uniform mat4 view_projection;
uniform int texcoord;        // which set the base colour texture uses
uniform mat3x2 tiling;       // KHR_texture_transform

out vec3 v_position; // the host's world
out vec3 v_normal;
out vec2 v_texcoord;
out vec4 v_color;

void main()
{
    vec4 placed = placement * vec4(sinew_position(position), 1.0);
    v_position = placed.xyz;
#if SINEW_NORMALS
    v_normal = turn * sinew_normal(normal);
#else
    v_normal = vec3(0.0);
#endif
    v_texcoord = tiling * vec3(texcoord == 0 ? texcoord0 : texcoord1, 1.0);
    v_color = color;
    gl_Position = view_projection * placed;
    gl_PointSize = 1.0;
}
