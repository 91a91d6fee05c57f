/* How rooms report failure: the first error wins, NULL is allowed. */
#ifndef SINEWI_BASE_ERROR_H
#define SINEWI_BASE_ERROR_H

#include "sinew/base.h"

#include <stdarg.h>

#if defined(__GNUC__)
#define SINEWI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SINEWI_PRINTF(text, first)
#endif

/* Fills *error unless it already holds one, and returns `result`. place may be NULL. */
sinew_result sinewi_fail(sinew_error *error, sinew_result result, const char *place,
                         const char *format, ...) SINEWI_PRINTF(4, 5);

/* Makes a text fit to print that was cut off and holds what a file gave: the end becomes a
 * whole UTF-8 character, control characters become '?'. */
void sinewi_text_tidy(char *text);

/* Forgets an earlier error; public functions call it first. NULL is allowed. */
void sinewi_error_clear(sinew_error *error);

/* Whether an options struct was initialised: both guards are zero. */
bool sinewi_guards_sound(uint32_t begin, uint32_t end, sinew_error *error);

#endif
