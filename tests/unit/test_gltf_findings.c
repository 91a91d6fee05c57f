/* gltf: each folder of tests/data/bad is a file with a fault and what shall be said of it.
 * The file `expected` holds "refused" or "mended", then a line "code pointer" a finding
 * ("-" for the file as a whole). Codes are compared, never wording. */
#include "sinew/gltf.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct expectation {
    bool refused;
    char lines[8][160];
    size_t count;
} expectation;

static void read_expectation(const char *folder, expectation *want) {
    char path[512], line[160];
    memset(want, 0, sizeof *want);
    snprintf(path, sizeof path, "%s/expected", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    want->refused = strcmp(line, "refused\n") == 0;
    while (want->count < 8 && fgets(want->lines[want->count], 160, file)) {
        want->lines[want->count][strcspn(want->lines[want->count], "\n")] = '\0';
        want->count++;
    }
    fclose(file);
}

static sinew_model *read_in(const char *folder, bool strict, sinew_findings *sink,
                            sinew_error *error) {
    char path[512];
    sinew_read_options options;
    memset(&options, 0, sizeof options);
    options.findings = sink;
    options.strict = strict;
    snprintf(path, sizeof path, "%s/model.gltf", folder);
    FILE *file = fopen(path, "rb");
    if (file) {
        fclose(file);
    } else {
        snprintf(path, sizeof path, "%s/model.glb", folder);
    }
    return sinew_model_read(path, &options, error);
}

static bool was_found(const sinew_findings *sink, const char *line) {
    for (size_t i = 0; i < sink->count; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s %s", sinew_code_info_of(sink->items[i].code)->word,
                 sink->items[i].pointer[0] ? sink->items[i].pointer : "-");
        if (strcmp(text, line) == 0) {
            return true;
        }
    }
    return false;
}

static void check_folder(const char *folder) {
    expectation want;
    sinew_error error = {SINEW_OK, "", ""};
    sinew_findings *sink = sinew_findings_create(NULL);
    read_expectation(folder, &want);
    sinew_model *model = read_in(folder, false, sink, &error);
    bool sound = (model == NULL) == want.refused && sink->count == want.count;
    for (size_t i = 0; i < want.count; i++) {
        sound = sound && was_found(sink, want.lines[i]);
    }
    if (!sound) {
        print_message("%s: %s, %zu findings, expected %s, %zu\n", folder,
                      model ? "mended" : "refused", sink->count,
                      want.refused ? "refused" : "mended", want.count);
        for (size_t i = 0; i < sink->count; i++) {
            print_message("  %s at %s: %s\n", sinew_code_info_of(sink->items[i].code)->word,
                          sink->items[i].pointer, sink->items[i].message);
        }
        fail();
    }
    assert_true(model ? error.result == SINEW_OK : error.result != SINEW_OK && error.message[0]);
    bool has_errors = sink->error_count > 0;
    sinew_model_free(model);
    sinew_findings_free(sink);

    model = read_in(folder, true, NULL, &error);
    assert_int_equal(model == NULL, want.refused || has_errors);
    sinew_model_free(model);
}

static bool seen[SINEW_CODE_COUNT];

static void every_bad_file_is_told(void **state) {
    (void)state;
    DIR *all = opendir(SINEW_TEST_DATA "/bad");
    assert_non_null(all);
    size_t count = 0;
    for (struct dirent *entry = readdir(all); entry; entry = readdir(all)) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        char folder[512];
        snprintf(folder, sizeof folder, SINEW_TEST_DATA "/bad/%s", entry->d_name);
        check_folder(folder);
        expectation want;
        read_expectation(folder, &want);
        for (int code = 0; code < SINEW_CODE_COUNT; code++) {
            const char *word = sinew_code_info_of((sinew_code)code)->word;
            for (size_t i = 0; i < want.count; i++) {
                seen[code] = seen[code] || (strncmp(want.lines[i], word, strlen(word)) == 0 &&
                                            want.lines[i][strlen(word)] == ' ');
            }
        }
        count++;
    }
    closedir(all);
    assert_true(count > 40);
}

static void every_code_has_a_file(void **state) {
    (void)state;
    for (int code = 0; code < SINEW_CODE_COUNT; code++) {
        /* Limits are for test_gltf.c; codecs need decoders: test_codec.c. */
        if (!seen[code] && code != SINEW_FINDING_LIMIT && code != SINEW_FINDING_CODEC &&
            code != SINEW_FINDING_CODEC_UNSUPPORTED) {
            print_message("no file in tests/data/bad triggers %s\n",
                          sinew_code_info_of((sinew_code)code)->word);
            fail();
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_file_is_told),
        cmocka_unit_test(every_code_has_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
