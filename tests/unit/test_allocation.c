/* Every allocation that can fail does, one after the other: what is made is NULL or whole,
 * nothing is lost, nothing is freed that is not ours. Reading has its own such test
 * (test_gltf.c), and each codec. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinew/clip.h"
#include "sinew/gltf.h"
#include "sinew/skin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIGURE SINEW_SOURCE_DIR "/assets/figure.glb"

/* Blocks carry their size in front, so that a release of another size is seen. */
typedef struct failing {
    size_t until; /* allocations that succeed */
    size_t live;  /* bytes */
    size_t refused;
} failing;

#define FRONT 16

static void *failing_allocate(void *user, size_t size) {
    failing *f = user;
    assert_true(size > 0);
    if (f->until == 0) {
        f->refused++;
        return NULL;
    }
    f->until--;
    f->live += size;
    unsigned char *block = malloc(size + FRONT);
    assert_non_null(block);
    memcpy(block, &size, sizeof size);
    memset(block + FRONT, 0xA5, size); /* nobody may count on zeros */
    return block + FRONT;
}

static void failing_release(void *user, void *block, size_t size) {
    failing *f = user;
    unsigned char *front = (unsigned char *)block - FRONT;
    size_t had;
    memcpy(&had, front, sizeof had);
    assert_int_equal(had, size);
    f->live -= size;
    free(front);
}

static void *failing_resize(void *user, void *block, size_t old_size, size_t new_size) {
    void *grown = failing_allocate(user, new_size);
    if (grown && block) {
        memcpy(grown, block, old_size < new_size ? old_size : new_size);
        failing_release(user, block, old_size);
    }
    return grown;
}

static sinew_allocator allocator_of(failing *f) {
    return (sinew_allocator){failing_allocate, failing_resize, failing_release, f};
}

typedef struct figure {
    sinew_model *model;
} figure;

/* Uses what it makes by the allocator and frees it; false: something was NULL. */
typedef bool attempt(const figure *with, const sinew_allocator *allocator);

/* Returns how many allocations a whole attempt makes. */
static size_t fail_each(const figure *with, attempt *try) {
    for (size_t n = 0;; n++) {
        failing f = {n, 0, 0};
        sinew_allocator allocator = allocator_of(&f);
        bool whole = try(with, &allocator);
        assert_int_equal(f.live, 0);
        assert_int_equal(whole, f.refused == 0);
        if (whole) {
            return n;
        }
    }
}

/* ---- what is tried ---- */

static bool try_pose(const figure *with, const sinew_allocator *allocator) {
    sinew_pose *pose = sinew_pose_create(with->model, allocator);
    if (pose) {
        assert_int_equal(sinew_clip_sample(with->model, 0, 0.5, SINEW_CLAMP, pose), SINEW_OK);
        sinew_pose_to_world(pose);
    }
    sinew_pose_free(pose);
    return pose != NULL;
}

static uint32_t node_with_targets(const sinew_model *model) {
    uint32_t node = 0;
    while (model->nodes[node].weight_count == 0) {
        node++;
    }
    return node;
}

static bool try_bounds(const figure *with, const sinew_allocator *allocator) {
    uint32_t node = node_with_targets(with->model);
    sinew_bounds *bounds = sinew_bounds_create(with->model, node, allocator);
    float matrices[256 * 12];
    sinew_palette palette = {.matrices = matrices, .capacity = 256};
    sinew_pose *pose = sinew_pose_create(with->model, NULL);
    sinew_box box;
    assert_int_equal(
        sinew_palette_build(with->model, with->model->nodes[node].skin, pose, &palette), SINEW_OK);
    if (bounds) {
        assert_true(sinew_bounds_of_palette(bounds, &palette, NULL, 0, &box));
        assert_true(box.minimum[1] < box.maximum[1]);
    }
    sinew_pose_free(pose);
    sinew_bounds_free(bounds);
    return bounds != NULL;
}

static bool try_binding(const figure *with, const sinew_allocator *allocator) {
    sinew_clip_binding *binding = sinew_clip_bind(with->model, with->model, 0, allocator);
    if (binding) {
        assert_int_equal(binding->bound_count, binding->clip->channel_count);
    }
    sinew_clip_binding_free(binding);
    return binding != NULL;
}

/* A sink without memory loses findings, counts them, and goes on. */
static bool try_findings(const figure *with, const sinew_allocator *allocator) {
    (void)with;
    sinew_findings *findings = sinew_findings_create(allocator);
    size_t kept = 0;
    if (!findings) {
        return false;
    }
    for (size_t i = 0; i < 200; i++) {
        char message[400]; /* long enough that the texts need several blocks */
        snprintf(message, sizeof message, "%0399zu", i);
        sinew_finding *finding =
            sinew_findings_add(findings, SINEW_FINDING_EXTENSION_USED, "/nodes/0", message);
        if (finding) {
            assert_string_equal(finding->message, message);
            kept++;
        }
    }
    assert_int_equal(findings->count, kept);
    assert_int_equal(findings->count + findings->left_out, 200);
    for (size_t i = 0; i < findings->count; i++) {
        assert_string_equal(findings->items[i].pointer, "/nodes/0");
        assert_int_equal(strlen(findings->items[i].message), 399);
    }
    sinew_findings_free(findings);
    return kept == 200;
}

/* Reading with a sink: the read tells its error, whatever becomes of the findings. */
static bool try_reading_with_findings(const figure *with, const sinew_allocator *allocator) {
    (void)with;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"A_b\",\"A_c\"],"
        "\"nodes\":[{\"rotation\":[0,0,0,2]},{\"rotation\":[0,0,0,0]}]}";
    sinew_findings *findings = sinew_findings_create(allocator);
    if (!findings) {
        return false;
    }
    sinew_read_options options = {.allocator = *allocator, .findings = findings};
    sinew_error error;
    sinew_model *model = sinew_model_read_memory(text, sizeof text - 1, &options, &error);
    assert_true(model || error.result == SINEW_ERROR_MEMORY);
    bool whole = model && findings->count == 4;
    sinew_model_free(model);
    sinew_findings_free(findings);
    return whole;
}

static void every_failed_allocation_is_survived(void **state) {
    const figure *with = *state;
    assert_int_equal(fail_each(with, try_pose), 1);
    assert_int_equal(fail_each(with, try_bounds), 4);
    assert_int_equal(fail_each(with, try_binding), 3);
    assert_true(fail_each(with, try_findings) > 5);
    assert_true(fail_each(with, try_reading_with_findings) > 4);
}

static int read_figure(void **state) {
    static figure with;
    sinew_error error;
    with.model = sinew_model_read(FIGURE, NULL, &error);
    *state = &with;
    return with.model ? 0 : -1;
}

static int free_figure(void **state) {
    sinew_model_free(((figure *)*state)->model);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_survived)};
    return cmocka_run_group_tests(tests, read_figure, free_figure);
}
