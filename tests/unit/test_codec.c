/* codec: what a build has, and what is said of what it lacks. */
#include "sinew/codec.h"

#include "packed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void versions_name_what_is_filled_in(void **state) {
    (void)state;
    sinew_decoders decoders = {0};
    int mark;
    decoders.user = &mark;
    sinew_codec_fill(&decoders);
    const char *versions = sinew_codec_versions();
    assert_int_equal(strstr(versions, "meshoptimizer") != NULL, decoders.decode_view != NULL);
    assert_int_equal(strstr(versions, "Draco") != NULL, decoders.open_mesh != NULL);
    assert_true(!decoders.decode_view == !decoders.view_is_plausible);
    assert_true(!decoders.open_mesh == !decoders.read_attribute);
    assert_true(!decoders.open_mesh == !decoders.read_indices);
    assert_true(!decoders.open_mesh == !decoders.close_mesh);
    assert_ptr_equal(decoders.user, &mark);
}

/* Reads without decoders; returns what was said. */
static sinew_result read_plainly(const char *json, sinew_error *error) {
    static const char bytes[64];
    size_t size;
    void *glb = test_glb(json, bytes, sizeof bytes, &size);
    sinew_model *model = sinew_model_read_memory(glb, size, NULL, error);
    free(glb);
    sinew_model_free(model);
    return model ? SINEW_OK : error->result;
}

static void a_reader_without_decoders_says_which_is_missing(void **state) {
    (void)state;
    sinew_error error;
    assert_int_equal(
        read_plainly("{\"asset\":{\"version\":\"2.0\"},"
                     "\"extensionsUsed\":[\"EXT_meshopt_compression\"],"
                     "\"buffers\":[{\"byteLength\":64},{\"byteLength\":36,\"extensions\":"
                     "{\"EXT_meshopt_compression\":{\"fallback\":true}}}],"
                     "\"bufferViews\":[{\"buffer\":1,\"byteLength\":36,\"extensions\":"
                     "{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteLength\":64,"
                     "\"byteStride\":12,\"count\":3,\"mode\":\"ATTRIBUTES\"}}}]}",
                     &error),
        SINEW_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "meshopt"));
    assert_int_equal(
        read_plainly("{\"asset\":{\"version\":\"2.0\"},"
                     "\"extensionsUsed\":[\"KHR_draco_mesh_compression\"],"
                     "\"buffers\":[{\"byteLength\":64}],"
                     "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64}],"
                     "\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}],"
                     "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
                     "\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0,"
                     "\"attributes\":{\"POSITION\":0}}}}]}]}",
                     &error),
        SINEW_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "Draco"));
}

static void what_is_required_and_missing_is_named(void **state) {
    (void)state;
    static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression",
                                        "KHR_draco_mesh_compression"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char json[256];
        sinew_error error;
        snprintf(json, sizeof json,
                 "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"%s\"],"
                 "\"extensionsRequired\":[\"%s\"]}",
                 names[i], names[i]);
        assert_int_equal(read_plainly(json, &error), SINEW_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.message, names[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_name_what_is_filled_in),
        cmocka_unit_test(a_reader_without_decoders_says_which_is_missing),
        cmocka_unit_test(what_is_required_and_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
