// A rectangle from four vertices without attributes; v_at is 0 0 at its lower left.

#ifdef GROUND
uniform vec4 u_rectangle; // frame: x, z of one corner, x, z of the other
uniform float u_floor;    // frame: y
uniform mat4 u_matrix;    // frame -> clip
#endif

out vec2 v_at;

void main()
{
    v_at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
#ifdef GROUND
    vec2 place = mix(u_rectangle.xy, u_rectangle.zw, v_at);
    gl_Position = u_matrix * vec4(place.x, u_floor, place.y, 1.0);
#else
    gl_Position = vec4(v_at * 2.0 - 1.0, 0.0, 1.0);
#endif
}
