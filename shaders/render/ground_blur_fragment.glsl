// Evens out the grain that few taps leave: about 5 x 5 texels by 9 bilinear looks.

in vec2 v_at;
out vec4 o_color;
uniform sampler2D u_shade_map;

void main()
{
    vec2 texel = 1.0 / vec2(textureSize(u_shade_map, 0));
    vec4 sum = vec4(0.0);
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            sum += textureLod(u_shade_map, v_at + vec2(x, y) * 1.5 * texel, 0.0);
        }
    }
    o_color = sum / 9.0;
}
