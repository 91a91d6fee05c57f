/* JSON out. The program never calls setlocale, so printf writes a point. */
#include "json.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Decimal digits of an integer below 1e9, without zeros at the end; returns how many
 * digits there were before those were dropped. */
static size_t write_digits(char *digits, size_t *kept, unsigned long value) {
    char reversed[24];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (size_t i = 0; i < count; i++) {
        digits[i] = reversed[count - 1 - i];
    }
    for (*kept = count; *kept > 1 && digits[*kept - 1] == '0'; --*kept) {
    }
    return count;
}

/* Nine digits of a size from 1e-4 to below 1e9. The powers are exact doubles, so the
 * scaled value is off by one rounding of a double: far below the ninth digit. */
static size_t write_plain(char *text, double size) {
    static const double powers[] = {1e0, 1e1, 1e2, 1e3,  1e4,  1e5,  1e6,
                                    1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13};
    size_t decimals = 12; /* so that nine digits stand before the point after scaling */
    while (decimals > 0 && size * powers[decimals] >= 999999999.5) {
        decimals--;
    }
    char digits[24];
    size_t kept;
    size_t count = write_digits(digits, &kept, (unsigned long)(size * powers[decimals] + 0.5));
    size_t used = 0;
    if (count <= decimals) { /* 0.0012: zeros after the point */
        text[used++] = '0';
        text[used++] = '.';
        for (size_t i = count; i < decimals; i++) {
            text[used++] = '0';
        }
        memcpy(text + used, digits, kept);
        return used + kept;
    }
    size_t whole = count - decimals;
    memcpy(text, digits, whole);
    used = whole;
    if (kept > whole) {
        text[used++] = '.';
        memcpy(text + used, digits + whole, kept - whole);
        used += kept - whole;
    }
    return used;
}

size_t json_write_float(char *text, float value) {
    double size = fabs((double)value);
    if (!(size > 0) || !isfinite(size)) {
        memcpy(text, "0", 2);
        return 1;
    }
    if (size < 1e-4 || size >= 999999999.5) {
        return (size_t)snprintf(text, JSON_FLOAT_SIZE, "%.9g", (double)value);
    }
    size_t sign = value < 0;
    text[0] = '-';
    size_t used = sign + write_plain(text + sign, size);
    text[used] = '\0';
    return used;
}

/* One row into text, which holds 16 floats. */
static size_t write_row(char *text, const float *values, size_t count) {
    size_t used = 0;
    text[used++] = '[';
    for (size_t i = 0; i < count; i++) {
        if (i) {
            text[used++] = ',';
        }
        used += json_write_float(text + used, values[i]);
    }
    text[used++] = ']';
    return used;
}

#define ROW_MOST 16

void json_floats(FILE *out, const float *values, size_t count) {
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        char text[JSON_FLOAT_SIZE];
        json_write_float(text, values[i]);
        fprintf(out, "%s%s", i ? "," : "", text);
    }
    fputc(']', out);
}

void json_rows(FILE *out, const float *values, size_t count, size_t width) {
    char text[ROW_MOST * JSON_FLOAT_SIZE + 4];
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        text[0] = ',';
        size_t used = 1 + write_row(text + 1, values + i * width, width);
        size_t skip = i == 0;
        fwrite(text + skip, 1, used - skip, out);
    }
    fputc(']', out);
}

void json_double(FILE *out, double value) {
    char text[32];
    value = isfinite(value) ? value : 0;
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) {
        snprintf(text, sizeof text, "%.17g", value);
    }
    fputs(text, out);
}

void json_string(FILE *out, const char *text) {
    fputc('"', out);
    while (*text) {
        uint32_t character;
        size_t length = text_decode(text, &character);
        if (character == '"' || character == '\\') {
            fprintf(out, "\\%c", (int)character);
        } else if (character < 0x20 || character == 0x7f) {
            fprintf(out, "\\u%04x", (unsigned)character);
        } else if (character == 0xfffd) {
            fputs("\xef\xbf\xbd", out);
        } else {
            fwrite(text, 1, length, out);
        }
        text += length;
    }
    fputc('"', out);
}
