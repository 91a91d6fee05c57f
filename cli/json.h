/* JSON out: numbers and strings. Finite numbers only, '.' in every locale, UTF-8. */
#ifndef SINEW_CLI_JSON_H
#define SINEW_CLI_JSON_H

#include <stddef.h>
#include <stdio.h>

/* The longest text of a float, with its end. */
#define JSON_FLOAT_SIZE 24

/* Writes a float to text with nine significant digits, as %.9g would, but faster: most
 * of what `pose` prints is this. A number that is not finite is 0. Returns the length. */
size_t json_write_float(char *text, float value);

/* [a,b,c], count of them. */
void json_floats(FILE *out, const float *values, size_t count);

/* [[a,b,c],[d,e,f], ...]: `count` rows of `width` (at most 16) floats. */
void json_rows(FILE *out, const float *values, size_t count, size_t width);

void json_double(FILE *out, double value);

/* A string in quotes, escaped; what is not UTF-8 becomes U+FFFD. */
void json_string(FILE *out, const char *text);

#endif
