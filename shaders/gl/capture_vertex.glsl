// The skinned vertices themselves, for transform feedback.
layout(location = SINEW_LOCATION_POSITION) in vec3 position;
out vec3 captured_position;
#if SINEW_NORMALS
layout(location = SINEW_LOCATION_NORMAL) in vec3 normal;
out vec3 captured_normal;
#endif
#if SINEW_TANGENTS
layout(location = SINEW_LOCATION_TANGENT) in vec4 tangent;
out vec4 captured_tangent;
#endif

void main()
{
    captured_position = sinew_position(position);
#if SINEW_NORMALS
    captured_normal = sinew_normal(normal);
#endif
#if SINEW_TANGENTS
    captured_tangent = sinew_tangent(tangent);
#endif
    gl_Position = vec4(captured_position, 1.0);
}
