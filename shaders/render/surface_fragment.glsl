// The surface of the model: glTF's metallic-roughness in a simple form, one key light
// with a shadow, and a sky that lights softly and stands in the reflections.

in vec2 v_texcoord0;
in vec2 v_texcoord1;
in vec4 v_color;
#ifndef DEPTH_ONLY
in vec3 v_place; // frame
#ifdef NORMALS
in vec3 v_normal;
#endif
#ifdef TANGENTS
in vec4 v_tangent;
#endif
#endif

out vec4 o_color; // linear, premultiplied

uniform vec4 u_base_color;
uniform vec3 u_emissive;
uniform vec2 u_metal_rough;
uniform float u_cutoff;
uniform vec2 u_strengths; // of the normal map and of the occlusion map
uniform vec3 u_eye;       // frame
uniform vec3 u_light;     // frame, towards the key light
uniform mat4 u_shadow;    // frame -> texture space of the shadow map
uniform float u_shadow_texel; // frame units
uniform sampler2DShadow u_shadow_map;
uniform int u_taps;

// Of the five maps: two rows of the texture transform, and which coordinates.
uniform vec3 u_map_rows[10];
uniform float u_map_sets[5];
uniform sampler2D u_base_map, u_metal_map, u_normal_map, u_occlusion_map, u_emissive_map;

vec2 map_at(int map)
{
    vec3 at = vec3(mix(v_texcoord0, v_texcoord1, u_map_sets[map]), 1.0);
    return vec2(dot(u_map_rows[2 * map], at), dot(u_map_rows[2 * map + 1], at));
}

vec4 base_color()
{
    vec4 color = u_base_color * v_color;
#ifdef BASE_MAP
    color *= texture(u_base_map, map_at(0));
#endif
    return color;
}

#ifndef DEPTH_ONLY

// By the golden angle: taps on a spiral of it fill a disc evenly.
const mat2 TURN = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);

const vec3 KEY = vec3(0.80, 0.78, 0.75);
const vec3 SKY = vec3(0.53, 0.545, 0.57);
const vec3 HORIZON = vec3(0.46, 0.46, 0.465);
const vec3 GROUND = vec3(0.34, 0.33, 0.315);

// The normal towards the viewer. Facets where the file has no normals, or a normal that
// came out as nothing.
vec3 facet()
{
    vec3 across = cross(dFdx(v_place), dFdy(v_place));
    return across / max(length(across), 1e-20);
}

#ifdef NORMAL_MAP
// Tangent and bitangent around n, length about 1; the bitangent points up the map.
void tangents(vec3 n, vec2 at, out vec3 tangent, out vec3 bitangent)
{
#ifdef TANGENTS
    tangent = v_tangent.xyz - n * dot(n, v_tangent.xyz);
    tangent /= max(length(tangent), 1e-6);
    bitangent = cross(n, tangent) * v_tangent.w;
#else
    // From how place and coordinates change from pixel to pixel.
    vec3 place_x = cross(n, dFdx(v_place)), place_y = cross(dFdy(v_place), n);
    vec2 at_x = dFdx(at), at_y = dFdy(at);
    tangent = place_y * at_x.x + place_x * at_y.x;
    bitangent = -(place_y * at_x.y + place_x * at_y.y);
    float size = sqrt(max(dot(tangent, tangent), dot(bitangent, bitangent)));
    float side = gl_FrontFacing ? 1.0 : -1.0;
    tangent *= side / max(size, 1e-20);
    bitangent *= side / max(size, 1e-20);
#endif
}
#endif

vec3 surface_normal()
{
#ifdef NORMALS
    if (dot(v_normal, v_normal) < 1e-4) {
        return facet();
    }
    vec3 n = normalize(v_normal);
#else
    vec3 n = gl_FrontFacing ? facet() : -facet();
#endif
#ifdef NORMAL_MAP
    vec2 at = map_at(2);
    vec3 bump = texture(u_normal_map, at).xyz * 2.0 - 1.0;
    vec3 tangent, bitangent;
    tangents(n, at, tangent, bitangent);
    bump.xy *= u_strengths.x;
    vec3 bent = tangent * bump.x + bitangent * bump.y + n * bump.z;
    n = dot(bent, bent) > 1e-8 ? normalize(bent) : n;
#endif
    return gl_FrontFacing ? n : -n;
}

float shadow(vec3 n)
{
#ifdef SHADOW
    // Off the surface by more than a texel, the more the flatter the light falls.
    float flatness = 1.0 - max(dot(n, u_light), 0.0);
    vec3 place = v_place + n * u_shadow_texel * (1.0 + 2.5 * flatness);
    vec3 at = (u_shadow * vec4(place, 1.0)).xyz;
    at.z = min(at.z, 0.9999);
    // A disc of taps, each bilinear. Their number is a uniform, so that the driver keeps
    // the loop a loop: unrolled, it takes several times as long to compile.
    float wide = 2.2 / float(textureSize(u_shadow_map, 0).x), lit = 0.0;
    vec2 direction = vec2(1.0, 0.0);
    for (int k = 0; k < u_taps; k++) {
        vec2 tap = direction * sqrt((float(k) + 0.5) / float(u_taps));
        lit += texture(u_shadow_map, vec3(at.xy + tap * wide, at.z));
        direction = TURN * direction;
    }
    return lit / float(u_taps);
#else
    return 1.0;
#endif
}

// The light that comes from a direction of the sky; with roughness it blurs.
vec3 sky(vec3 direction, float blur)
{
    float up = direction.y;
    float edge = mix(0.12, 1.0, blur);
    vec3 upper = mix(HORIZON, SKY, smoothstep(0.0, edge, up));
    return mix(GROUND, upper, smoothstep(-edge, edge * 0.5, up));
}

// How much a rough surface mirrors of an even sky (after Karis, for phones).
vec2 mirror(float rough, float facing)
{
    vec4 r = rough * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    float a = min(r.x * r.x, exp2(-9.28 * facing)) * r.x + r.y;
    return vec2(-1.04, 1.04) * a + r.zw;
}

// GGX with the height-correlated shadowing, for light of strength pi.
float highlight(float rough, float n_l, float n_v, float n_h)
{
    float a = rough * rough, a2 = a * a;
    float d = n_h * n_h * (a2 - 1.0) + 1.0;
    float v = n_l * sqrt(n_v * n_v * (1.0 - a2) + a2) + n_v * sqrt(n_l * n_l * (1.0 - a2) + a2);
    return min(a2 / (d * d) * 0.5 / max(v, 1e-4), 24.0);
}

// Bright light bends towards white; what is below the knee stays as it is.
vec3 gentle(vec3 color)
{
    const float KNEE = 0.74;
    float peak = max(max(color.r, color.g), max(color.b, 1e-6));
    if (peak <= KNEE) {
        return color;
    }
    float room = 1.0 - KNEE;
    float bent = 1.0 - room * exp((KNEE - peak) / room);
    float white = 1.0 - 1.0 / (1.0 + 0.15 * (peak - bent));
    return mix(color * (bent / peak), vec3(bent), white);
}

vec3 shade(vec3 base)
{
    float metal = u_metal_rough.x, rough = u_metal_rough.y;
#ifdef METAL_MAP
    vec2 measured = texture(u_metal_map, map_at(1)).bg;
    metal *= measured.x;
    rough *= measured.y;
#endif
    rough = clamp(rough, 0.09, 1.0);
    float open = 1.0;
#ifdef OCCLUSION_MAP
    open = 1.0 + u_strengths.y * (texture(u_occlusion_map, map_at(3)).r - 1.0);
#endif

    vec3 n = surface_normal();
    vec3 to_eye = normalize(u_eye - v_place);
    vec3 between = normalize(to_eye + u_light);
    float n_l = clamp(dot(n, u_light), 0.0, 1.0);
    float n_v = clamp(abs(dot(n, to_eye)), 0.02, 1.0);
    float n_h = clamp(dot(n, between), 0.0, 1.0);
    float v_h = clamp(dot(to_eye, between), 0.0, 1.0);
    vec3 mirrored = mix(vec3(0.04), base, metal);
    vec3 matte = base * (1.0 - metal);

    float lit = n_l > 0.0 ? n_l * shadow(n) : 0.0;
    vec3 fresnel = mirrored + (1.0 - mirrored) * pow(1.0 - v_h, 5.0);
    vec3 color = KEY * lit * (matte * (1.0 - fresnel) + fresnel * highlight(rough, n_l, n_v, n_h));

    vec2 even = mirror(rough, n_v);
    vec3 around = sky(n, 1.0);
    vec3 seen = sky(reflect(-to_eye, n), rough);
    // Metals have nothing else: the room that they mirror is brighter than the sky.
    seen *= 1.0 + 0.9 * metal;
    color += open * (matte * around + (mirrored * even.x + even.y) * seen);
    // An edge of light where the surface turns away under the sky.
    float rim = pow(1.0 - n_v, 4.0) * smoothstep(-0.2, 0.8, n.y);
    color += open * rim * 0.18 * SKY * (0.4 + 0.6 * base);

    vec3 emissive = u_emissive;
#ifdef EMISSIVE_MAP
    emissive *= texture(u_emissive_map, map_at(4)).rgb;
#endif
    return gentle(color + emissive);
}

#endif // DEPTH_ONLY

void main()
{
    vec4 base = base_color();
#ifdef CUTOUT
    if (base.a < u_cutoff) {
        discard;
    }
#endif
#ifdef DEPTH_ONLY
    o_color = vec4(0.0);
#else
#ifdef UNLIT
    vec3 color = base.rgb;
#else
    vec3 color = shade(base.rgb);
#endif
#ifdef CLEAR
    float alpha = clamp(base.a, 0.0, 1.0);
#else
    float alpha = 1.0;
#endif
    o_color = vec4(clamp(color, 0.0, 1.0) * alpha, alpha);
#endif
}
