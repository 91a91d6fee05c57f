// Sinew draws: base colour under one light over the viewer's shoulder and a soft sky.
uniform vec4 base_color; // linear
uniform sampler2D base_color_texture;
uniform bool textured;
uniform float alpha_cutoff; // below it nothing is drawn; 0: no mask
uniform bool opaque;
uniform bool lit;
uniform bool encode; // to sRGB, where the framebuffer does not
uniform vec3 light; // direction towards the light, the host's world
uniform vec3 up;

in vec3 v_position;
in vec3 v_normal;
in vec2 v_texcoord;
in vec4 v_color;

out vec4 color;

const float AMBIENT_SKY = 0.4;
const float AMBIENT_GROUND = 0.2;
const float LIGHT = 0.6;

// The side that is seen; flat where the vertices have no normals.
vec3 seen_normal()
{
    vec3 flat_normal = cross(dFdx(v_position), dFdy(v_position));
    float square = dot(v_normal, v_normal);
    if (square > 0.0)
        return v_normal * (inversesqrt(square) * (gl_FrontFacing ? 1.0 : -1.0));
    square = dot(flat_normal, flat_normal);
    return square > 0.0 ? flat_normal * inversesqrt(square) : up;
}

vec3 to_srgb(vec3 linear)
{
    vec3 c = clamp(linear, 0.0, 1.0);
    return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

void main()
{
    vec4 base = base_color * v_color;
    if (textured)
        base *= texture(base_color_texture, v_texcoord);
    if (base.a < alpha_cutoff)
        discard;
    if (lit) {
        vec3 normal = seen_normal();
        float ambient = mix(AMBIENT_GROUND, AMBIENT_SKY, 0.5 + 0.5 * dot(normal, up));
        base.rgb *= ambient + LIGHT * max(dot(normal, light), 0.0);
    }
    color = vec4(encode ? to_srgb(base.rgb) : base.rgb, opaque ? 1.0 : base.a);
}
