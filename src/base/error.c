#include "base/error.h"

#include <stdio.h>
#include <string.h>

const char *sinew_result_word(sinew_result result) {
    switch (result) {
    case SINEW_OK: return "ok";
    case SINEW_ERROR_ARGUMENT: return "argument";
    case SINEW_ERROR_DATA: return "data";
    case SINEW_ERROR_UNSUPPORTED: return "unsupported";
    case SINEW_ERROR_LIMIT: return "limit";
    case SINEW_ERROR_MEMORY: return "memory";
    case SINEW_ERROR_FILE: return "file";
    case SINEW_ERROR_GL: return "gl";
    }
    return "unknown";
}

#define SINEWI_TEXT_OF(x) #x
#define SINEWI_TEXT(x) SINEWI_TEXT_OF(x)

const char *sinew_version(void) {
    return SINEWI_TEXT(SINEW_VERSION_MAJOR) "." SINEWI_TEXT(SINEW_VERSION_MINOR) "." SINEWI_TEXT(
        SINEW_VERSION_PATCH);
}

void sinewi_error_clear(sinew_error *error) {
    if (error) {
        error->result = SINEW_OK;
        error->place[0] = '\0';
        error->message[0] = '\0';
    }
}

void sinewi_text_tidy(char *text) {
    for (char *c = text; *c; c++) {
        *c = (unsigned char)*c < 0x20 || *c == 0x7F ? '?' : *c;
    }
    size_t end = strlen(text);
    size_t start = end;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80) {
        start--;
    }
    if (start == 0) {
        return;
    }
    unsigned char lead = (unsigned char)text[start - 1];
    size_t wanted = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    if (end - start < wanted) {
        text[start - 1] = '\0';
    }
}

sinew_result sinewi_fail(sinew_error *error, sinew_result result, const char *place,
                         const char *format, ...) {
    if (!error || error->result != SINEW_OK) {
        return result;
    }
    error->result = result;
    snprintf(error->place, sizeof error->place, "%s", place ? place : "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    sinewi_text_tidy(error->place);
    sinewi_text_tidy(error->message);
    return result;
}

bool sinewi_guards_sound(uint32_t begin, uint32_t end, sinew_error *error) {
    if (begin == 0 && end == 0) {
        return true;
    }
    sinewi_fail(error, SINEW_ERROR_ARGUMENT, "",
                "an options struct was not initialised (its guards are not zero)");
    return false;
}
