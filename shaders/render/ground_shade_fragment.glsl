// How dark the ground is, a texel a place: the shadow of the key light, sharp at the
// foot and softer and fainter the farther what casts it, and the dark of the contact.

in vec2 v_at;
out vec4 o_color;

uniform vec4 u_rectangle; // frame: x, z of one corner, x, z of the other
uniform float u_floor;
uniform mat4 u_shadow;        // frame -> texture space of the shadow map
uniform float u_shadow_texel; // frame units
uniform vec2 u_depths;        // frame units of the depth of either map
uniform vec2 u_search;        // frame units: how far to look for what casts a shadow
uniform sampler2D u_shadow_map;
uniform sampler2D u_height_map;

uniform int u_taps; // a uniform, so that the driver keeps loops short to compile

// By the golden angle: taps on a spiral of it fill a disc evenly.
const mat2 TURN = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);
const float LIGHT_SIZE = 0.16; // penumbra a unit of distance
const float FAINTER = 0.35;    // a unit of distance
const float CONTACT_HEIGHT = 7.0;

float key_shadow(vec3 place, vec2 direction)
{
    vec3 at = (u_shadow * vec4(place, 1.0)).xyz;
    float wide = 1.0 / (u_shadow_texel * float(textureSize(u_shadow_map, 0).x));
    float depth = min(at.z, 1.0) - 0.004 / u_depths.x;
    float found = 0.0, sum = 0.0, dark = 0.0;
    for (int k = 0; k < u_taps; k++) {
        vec2 tap = direction * sqrt((float(k) + 0.5) / float(u_taps)) * u_search.x * wide;
        float there = textureLod(u_shadow_map, at.xy + tap, 0.0).r;
        float before = step(there, depth);
        found += before;
        sum += before * (at.z - there);
        direction = TURN * direction;
    }
    float away = sum / max(found, 1.0) * u_depths.x;
    float soft = clamp(away * LIGHT_SIZE, 1.5 * u_shadow_texel, u_search.x) * wide;
    for (int k = 0; k < u_taps; k++) {
        vec2 tap = direction * sqrt((float(k) + 0.5) / float(u_taps)) * soft;
        dark += step(textureLod(u_shadow_map, at.xy + tap, 0.0).r, depth);
        direction = TURN * direction;
    }
    // One tap alone is grain, and where none found anything the filter has no width.
    dark = max(dark - 1.0, 0.0) / float(u_taps - 1);
    return found > 0.0 ? dark * exp(-FAINTER * away) : 0.0;
}

float contact(vec2 at, vec2 direction)
{
    vec2 size = abs(u_rectangle.zw - u_rectangle.xy);
    float dark = 0.0;
    for (int k = 0; k < u_taps; k++) {
        vec2 tap = direction * sqrt((float(k) + 0.5) / float(u_taps)) * u_search.y / size;
        float height = textureLod(u_height_map, at + tap, 0.0).r * u_depths.y;
        dark += exp(-height * CONTACT_HEIGHT);
        direction = TURN * direction;
    }
    return dark / float(u_taps);
}

void main()
{
    vec2 place = mix(u_rectangle.xy, u_rectangle.zw, v_at);
    // Each texel begins its spirals elsewhere; the grain is evened out after.
    float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    vec2 direction = vec2(cos(6.2831853 * grain), sin(6.2831853 * grain));
    float key = key_shadow(vec3(place.x, u_floor, place.y), direction);
    float near = contact(v_at, direction);
    o_color = vec4(1.0 - (1.0 - 0.42 * key) * (1.0 - 0.5 * near));
}
