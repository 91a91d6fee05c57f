/* gltf: materials and textures by extensions, whatever the core of the file offers. */
#include "sinew/gltf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A file of two images and these members, written with ' for ". */
static sinew_model *read_members(const char *members) {
    char text[2048];
    int size = snprintf(text, sizeof text,
                        "{'asset': {'version': '2.0'},"
                        " 'images': [{'uri': 'a.png'}, {'uri': 'b.webp'}], %s}",
                        members);
    assert_in_range(size, 1, sizeof text - 1);
    for (char *at = text; *at; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    sinew_error error = {0};
    sinew_model *model = sinew_model_read_memory(text, (size_t)size, NULL, &error);
    if (!model) {
        fail_msg("%s: %s", error.place, error.message);
    }
    return model;
}

/* Two textures, and materials of these members; "GLOSSY" is the extension. */
static sinew_model *read_materials(const char *const *materials, size_t count) {
    const char *glossy = "KHR_materials_pbrSpecularGlossiness";
    char members[1536];
    size_t used = (size_t)snprintf(members, sizeof members,
                                   "'textures': [{'source': 0}, {'source': 1}], 'materials': [");
    for (size_t i = 0; i < count; i++) {
        const char *at = strstr(materials[i], "GLOSSY");
        int before = (int)(at - materials[i]);
        used += (size_t)snprintf(members + used, sizeof members - used, "%s{%.*s%s%s}",
                                 i ? "," : "", before, materials[i], glossy, at + 6);
        assert_true(used < sizeof members);
    }
    snprintf(members + used, sizeof members - used, "]");
    return read_members(members);
}

static void a_texture_takes_a_picture_of_the_core_before_one_of_webp(void **state) {
    (void)state;
    sinew_model *model = read_members(
        "'textures': [{'source': 0, 'extensions': {'EXT_texture_webp': {'source': 1}}},"
        " {'extensions': {'EXT_texture_webp': {'source': 1}}},"
        " {},"
        " {'extensions': {'EXT_texture_webp': {'source': 2}}}]");
    const uint32_t want[] = {0, 1, SINEW_NONE, SINEW_NONE};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(model->textures[i].image, want[i]);
    }
    sinew_model_free(model);
}

static void the_diffuse_colour_stands_in_for_a_base_colour(void **state) {
    (void)state;
    static const char *const materials[] = {
        "'extensions': {'GLOSSY': {'diffuseFactor': [0.1, 0.2, 0.3, 0.4],"
        " 'glossinessFactor': 0.75, 'diffuseTexture': {'index': 1, 'texCoord': 1}}}",
        "'pbrMetallicRoughness': {}, 'extensions': {'GLOSSY': {'diffuseTexture': {'index': 0},"
        " 'specularGlossinessTexture': {'index': 1}}}",
        "'extensions': {'GLOSSY': {}}"};
    sinew_model *model = read_materials(materials, 3);
    const sinew_material *m = model->materials;
    assert_true(m[0].base_color[0] == 0.1f && m[0].base_color[3] == 0.4f);
    assert_true(m[0].metallic == 0.0f && m[0].roughness == 0.25f);
    assert_int_equal(m[0].base_color_texture.texture, 1);
    assert_int_equal(m[0].base_color_texture.texcoord, 1);
    assert_true(m[1].base_color[0] == 1.0f && m[1].metallic == 0.0f && m[1].roughness == 1.0f);
    assert_int_equal(m[1].base_color_texture.texture, 0);
    assert_true(m[2].base_color[0] == 1.0f && m[2].metallic == 0.0f && m[2].roughness == 0.0f);
    assert_int_equal(m[2].base_color_texture.texture, SINEW_NONE);
    sinew_model_free(model);
}

static void a_base_colour_of_the_core_comes_first(void **state) {
    (void)state;
    static const char *const materials[] = {
        "'pbrMetallicRoughness': {'baseColorFactor': [1, 0, 0, 1]}, 'extensions': {'GLOSSY':"
        " {'diffuseFactor': [0, 1, 0, 1], 'diffuseTexture': {'index': 1}}}",
        "'pbrMetallicRoughness': {'baseColorTexture': {'index': 0}}, 'extensions': {'GLOSSY':"
        " {'diffuseFactor': [0, 1, 0, 1], 'diffuseTexture': {'index': 1}}}"};
    sinew_model *model = read_materials(materials, 2);
    const sinew_material *m = model->materials;
    assert_true(m[0].base_color[0] == 1.0f && m[0].base_color[1] == 0.0f);
    assert_int_equal(m[0].base_color_texture.texture, SINEW_NONE);
    assert_true(m[0].metallic == 1.0f);
    assert_int_equal(m[1].base_color_texture.texture, 0);
    assert_true(m[1].base_color[0] == 1.0f);
    sinew_model_free(model);
}

static void faults_leave_what_can_be_shown(void **state) {
    (void)state;
    static const char *const materials[] = {
        "'extensions': {'GLOSSY': {'diffuseFactor': 'red', 'diffuseTexture': {'index': 1}}}",
        "'extensions': {'GLOSSY': {'diffuseTexture': {'index': 7}, 'glossinessFactor': -3}}",
        "'extensions': {'GLOSSY': 5}", "'extensions': {'GLOSSY': {'glossinessFactor': 1e30}}"};
    sinew_model *model = read_materials(materials, 4);
    assert_true(model->materials[0].base_color[0] == 1.0f);
    assert_int_equal(model->materials[1].base_color_texture.texture, SINEW_NONE);
    assert_true(model->materials[1].roughness == 1.0f);
    assert_true(model->materials[2].base_color[0] == 1.0f);
    assert_true(model->materials[3].roughness == 0.0f);
    sinew_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_texture_takes_a_picture_of_the_core_before_one_of_webp),
        cmocka_unit_test(the_diffuse_colour_stands_in_for_a_base_colour),
        cmocka_unit_test(a_base_colour_of_the_core_comes_first),
        cmocka_unit_test(faults_leave_what_can_be_shown),
    };
    return cmocka_run_group_tests_name("gltf_materials", tests, NULL, NULL);
}
