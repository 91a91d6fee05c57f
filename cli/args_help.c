/* The help of a command, from the table that its parser reads. */
#include "args.h"

#include <string.h>

#define HELP_WIDTH 78
#define HELP_COLUMN 26 /* where the explanation of an option starts */

/* Prints text from `column` on, broken at spaces; the cursor stands at `cursor`. */
static void print_wrapped(FILE *out, const char *text, size_t cursor, size_t column) {
    while (*text) {
        if (cursor >= column) {
            fputc('\n', out);
            cursor = 0;
        }
        fprintf(out, "%*s", (int)(column - cursor), "");
        size_t room = HELP_WIDTH - column;
        size_t length = strlen(text);
        if (length > room) {
            for (length = room; length > 0 && text[length] != ' '; length--) {
            }
            length = length ? length : room;
        }
        fwrite(text, 1, length, out);
        text += length;
        text += strspn(text, " ");
        cursor = HELP_WIDTH;
    }
    fputc('\n', out);
}

/* "  -o, --output FILE"; returns its width. */
static size_t print_names(const option *row, FILE *out) {
    char names[128];
    size_t used = row->letter ? (size_t)snprintf(names, sizeof names, "  -%c, --", row->letter)
                              : (size_t)snprintf(names, sizeof names, "      --");
    used += (size_t)snprintf(names + used, sizeof names - used, "%s", row->name);
    if (row->kind == OPTION_CHOICE) {
        for (size_t i = 0; row->choices[i]; i++) {
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? "|" : " ",
                                     row->choices[i]);
        }
    } else if (row->kind != OPTION_FLAG) {
        used += (size_t)snprintf(names + used, sizeof names - used, " %s", row->value);
    }
    fputs(names, out);
    return used;
}

void args_help(const command *self, FILE *out) {
    fprintf(out, "Usage: sinew %s %s [options]\n\n%s\n\nOptions:\n", self->name, self->operands,
            self->about);
    const option *row;
    for (unsigned i = 0; (row = args_row(self, i)) != NULL; i++) {
        /* An explanation starts on the line of its option where there is room. */
        size_t width = print_names(row, out);
        print_wrapped(out, row->help, width + 2 > HELP_COLUMN ? HELP_WIDTH : width, HELP_COLUMN);
    }
    if (self->examples) {
        fprintf(out, "\nExamples:\n%s\n", self->examples);
    }
}
