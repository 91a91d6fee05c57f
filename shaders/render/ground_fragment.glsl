// The ground is not seen but where it is dark, and fades towards its edges.

in vec2 v_at;
out vec4 o_color; // premultiplied
uniform sampler2D u_shade_map;
uniform vec3 u_tint; // linear colour of the dark

void main()
{
    vec2 edge = smoothstep(0.0, 0.08, min(v_at, 1.0 - v_at));
    float dark = texture(u_shade_map, v_at).r * edge.x * edge.y;
    o_color = vec4(u_tint, 1.0) * dark;
}
