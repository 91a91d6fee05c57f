// The samples of a pixel become one, and what is behind the model goes under it: one
// colour, two that run into each other, or nothing.

in vec2 v_at;
out vec4 o_color; // linear, premultiplied

uniform vec4 u_top, u_bottom; // linear, premultiplied

#ifdef SAMPLES
uniform sampler2DMS u_picture;
uniform int u_taps;
#else
uniform sampler2D u_picture;
#endif

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 under = mix(u_bottom, u_top, v_at.y);
#ifdef SAMPLES
    // Over a backdrop, samples are averaged about as the eye has it: evened out in linear
    // light, the edge of something dark before something bright keeps its steps.
    bool opaque = under.a == 1.0;
    vec4 color = vec4(0.0);
    for (int k = 0; k < u_taps; k++) {
        vec4 one = texelFetch(u_picture, at, k);
        one += (1.0 - one.a) * under;
        color += opaque ? sqrt(one) : one;
    }
    color /= float(u_taps);
    o_color = opaque ? color * color : color;
#else
    vec4 color = texelFetch(u_picture, at, 0);
    o_color = color + (1.0 - color.a) * under;
#endif
}
