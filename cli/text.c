/* Text for people. */
#include "text.h"

#include <string.h>

/* The length that the first byte announces, 0 for a byte that begins nothing. */
static size_t announced_length(unsigned char first) {
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xc2 || first > 0xf4) {
        return 0;
    }
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

size_t text_decode(const char *text, uint32_t *character) {
    static const unsigned char first_mask[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = announced_length((unsigned char)text[0]);
    uint32_t value = (unsigned char)text[0] & first_mask[length];
    for (size_t i = 1; i < length; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xc0) != 0x80) { /* also the end of the string */
            length = 0;
            break;
        }
        value = value << 6 | (next & 0x3f);
    }
    if (length == 0 || value < smallest[length] || value > 0x10ffff ||
        (value >= 0xd800 && value <= 0xdfff)) {
        *character = 0xfffd;
        return 1;
    }
    *character = value;
    return length;
}

/* C0 and C1 controls, and the marks that turn the direction of the text around. */
static bool is_control(uint32_t character) {
    return character < 0x20 || (character >= 0x7f && character < 0xa0) ||
           (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

/* Prints, or with out NULL only counts. */
static size_t print_or_count(FILE *out, const char *text) {
    size_t width = 0;
    while (*text) {
        uint32_t character;
        size_t length = text_decode(text, &character);
        if (is_control(character)) {
            char escape[16];
            int escaped = snprintf(escape, sizeof escape, character < 0x100 ? "\\x%02x" : "\\u%04x",
                                   (unsigned)character);
            width += (size_t)escaped;
            if (out) {
                fputs(escape, out);
            }
        } else {
            width++;
            if (out && character == 0xfffd) {
                fputs("\xef\xbf\xbd", out);
            } else if (out) {
                fwrite(text, 1, length, out);
            }
        }
        text += length;
    }
    return width;
}

size_t text_print(FILE *out, const char *text) {
    return print_or_count(out, text);
}

size_t text_width(const char *text) {
    return print_or_count(NULL, text);
}

void text_quoted(FILE *out, const char *text, size_t width) {
    fputc('"', out);
    size_t printed = text_print(out, text) + 2;
    fputc('"', out);
    fprintf(out, "%*s", printed < width ? (int)(width - printed) : 0, "");
}

bool text_ends_with(const char *text, const char *ending) {
    size_t length = strlen(text);
    size_t ending_length = strlen(ending);
    if (length <= ending_length) {
        return false;
    }
    for (size_t i = 0; i < ending_length; i++) {
        char letter = text[length - ending_length + i];
        letter = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
        if (letter != ending[i]) {
            return false;
        }
    }
    return true;
}

const char *text_bytes(uint64_t bytes, char buffer[32]) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) {
        snprintf(buffer, 32, "%u byte%s", (unsigned)bytes, bytes == 1 ? "" : "s");
        return buffer;
    }
    double size = (double)bytes / 1024;
    size_t unit = 0;
    while (size >= 1024 && unit < 3) {
        size /= 1024;
        unit++;
    }
    snprintf(buffer, 32, size < 10 ? "%.1f %s" : "%.0f %s", size, units[unit]);
    return buffer;
}

const char *text_count(uint64_t count, const char *singular, char buffer[64]) {
    size_t length = strlen(singular);
    char last = length ? singular[length - 1] : ' ';
    bool one = count == 1;
    if (!one && last == 'x') { /* vertex, vertices */
        snprintf(buffer, 64, "%llu %.*sices", (unsigned long long)count, (int)length - 2, singular);
    } else {
        snprintf(buffer, 64, "%llu %s%s", (unsigned long long)count, singular,
                 one           ? ""
                 : last == 'h' ? "es"
                               : "s");
    }
    return buffer;
}
