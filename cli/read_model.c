/* Reading a model, and telling what the reader found. */
#include "command.h"
#include "text.h"

#ifdef SINEW_HAVE_CODEC
#include "sinew/codec.h"
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_FINDINGS 20
#define STDIN_MOST ((size_t)4 << 30) /* bytes: the reader's own limit on a file */

static void print_finding(const char *file, const sinew_finding *finding) {
    text_print(stderr, file);
    fputs(": ", stderr);
    if (finding->pointer[0]) {
        text_print(stderr, finding->pointer);
        fputs(": ", stderr);
    }
    fprintf(stderr, "%s: ", sinew_severity_word(finding->severity));
    text_print(stderr, finding->message);
    fprintf(stderr, " [%s]\n", sinew_code_info_of(finding->code)->word);
}

/* Remarks are for `check`; what refused the file is told once, by the error. */
static bool is_shown(const sinew_finding *finding, const sinew_error *error) {
    return finding->severity != SINEW_INFO &&
           !(error && strcmp(finding->pointer, error->place) == 0 &&
             strcmp(finding->message, error->message) == 0);
}

static void print_findings(const char *file, const sinew_findings *findings,
                           const sinew_error *error) {
    size_t shown = 0;
    size_t more = findings->left_out;
    for (size_t i = 0; i < findings->count; i++) {
        if (!is_shown(&findings->items[i], error)) {
            continue;
        }
        if (shown < SHOWN_FINDINGS) {
            print_finding(file, &findings->items[i]);
            shown++;
        } else {
            more++;
        }
    }
    if (more) {
        text_print(stderr, file);
        fprintf(stderr, ": ... and %zu more like these\n", more);
    }
}

static sinew_result fail(sinew_error *error, sinew_result result, const char *message) {
    error->result = result;
    snprintf(error->message, sizeof error->message, "%s", message);
    return result;
}

/* All of stdin, at most STDIN_MOST bytes. The caller frees *data, also after an error. */
static sinew_result read_stdin(char **data, size_t *size, sinew_error *error) {
    size_t capacity = 0;
    *data = NULL;
    *size = 0;
    while (!feof(stdin)) {
        if (*size == capacity) {
            capacity = capacity ? capacity * 2 : (size_t)1 << 16;
            char *larger = realloc(*data, capacity);
            if (!larger) {
                return fail(error, SINEW_ERROR_MEMORY, "out of memory");
            }
            *data = larger;
        }
        *size += fread(*data + *size, 1, capacity - *size, stdin);
        if (ferror(stdin)) {
            return fail(error, SINEW_ERROR_FILE, strerror(errno));
        }
        if (*size > STDIN_MOST) {
            return fail(error, SINEW_ERROR_LIMIT, "more than 4 GiB, the most that is read");
        }
    }
    return SINEW_OK;
}

static sinew_model *read_from_stdin(const sinew_read_options *options, sinew_error *error) {
    char *data;
    size_t size;
    sinew_model *model = NULL;
    if (read_stdin(&data, &size, error) == SINEW_OK) {
        model = sinew_model_read_memory(data, size, options, error);
    }
    free(data);
    return model;
}

sinew_model *command_read_model(const char *file, const common_options *common, bool load_images) {
    sinew_findings *findings = sinew_findings_create(NULL);
    sinew_read_options options = {
        .findings = findings, .strict = common->strict, .load_images = load_images};
#ifdef SINEW_HAVE_CODEC
    sinew_codec_fill(&options.decoders);
#endif
    sinew_error error = {.result = SINEW_OK};
    sinew_model *model = strcmp(file, "-") == 0 ? read_from_stdin(&options, &error)
                                                : sinew_model_read(file, &options, &error);
    fflush(stdout);
    if (findings && !common->quiet) {
        print_findings(command_file_name(file), findings, model ? NULL : &error);
    }
    if (!model) {
        command_tell_error(file, &error);
    }
    sinew_findings_free(findings);
    return model;
}
