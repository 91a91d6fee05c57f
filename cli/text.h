/* Text for people: names out of files, safe for a terminal and aligned. */
#ifndef SINEW_CLI_TEXT_H
#define SINEW_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Decodes one UTF-8 character of a string that ends with a zero; returns its length in
 * bytes. A byte that is not UTF-8 is one character, U+FFFD. */
size_t text_decode(const char *text, uint32_t *character);

/* Prints text with control characters as \xNN, so that a name from a file cannot move
 * the cursor or forge a line. Returns how many characters were printed. */
size_t text_print(FILE *out, const char *text);

/* The characters that text_print would print. */
size_t text_width(const char *text);

/* Prints "text" in double quotes, then spaces up to `width` characters in all. */
void text_quoted(FILE *out, const char *text, size_t width);

/* Whether a name ends so, in small or capital letters of ASCII, and has more than that. */
bool text_ends_with(const char *text, const char *ending);

/* Bytes as "12 bytes", "3.4 KiB", "1.2 MiB", into buffer. */
const char *text_bytes(uint64_t bytes, char buffer[32]);

/* A number with its unit, in the plural unless it is 1: "1 node", "3 nodes", "2 meshes". */
const char *text_count(uint64_t count, const char *singular, char buffer[64]);

#endif
