/* The command line of one command: a table of options, the parser and the help that
 * both read it.
 *
 * A command keeps its options in a struct of its own whose FIRST member is a
 * common_options; a row of the table says where in that struct the value goes:
 *
 *     typedef struct pose_options {
 *         common_options common;
 *         const char *output;
 *         double scale;
 *     } pose_options;
 *
 *     static const option pose_table[] = {
 *         {.name = "output", .letter = 'o', .kind = OPTION_TEXT, .value = "FILE",
 *          .offset = offsetof(pose_options, output), .help = "write to FILE"},
 *         {.name = "scale", .kind = OPTION_NUMBER, .value = "X", .minimum = 0, .maximum = 10,
 *          .offset = offsetof(pose_options, scale), .help = "..."},
 *         {0}};
 *
 * On the command line: --name value, --name=value, -o value, -oVALUE; `--` ends the
 * options; `-` alone is an operand (stdin). Numbers are read wholly and with the
 * decimal point in every locale. An option that is not given keeps its default.
 */
#ifndef SINEW_CLI_ARGS_H
#define SINEW_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What the value is, and the type of the member at `offset`. */
typedef enum option_kind {
    OPTION_FLAG,    /* no value; bool, set to true */
    OPTION_TEXT,    /* const char *, the word itself; never empty */
    OPTION_NUMBER,  /* double, finite, from minimum to maximum */
    OPTION_INTEGER, /* uint32_t, decimal, from minimum to maximum */
    OPTION_CHOICE,  /* int, the position of the word in choices */
    OPTION_PARSED   /* anything, by the row's own `parse` */
} option_kind;

typedef struct option {
    const char *name; /* without the dashes; NULL ends a table */
    char letter;      /* the short form, 0: none */
    option_kind kind;
    const char *value; /* what help shows for the value: "SECONDS", "WxH" */
    size_t offset;     /* offsetof the member in the command's struct */
    /* OPTION_NUMBER and OPTION_INTEGER. Both 0: any finite number (0 .. 2^32 - 2). */
    double minimum, maximum;
    const char *const *choices; /* OPTION_CHOICE: ends with NULL */
    /* OPTION_PARSED: reads text into the member. Returns NULL, or what would be right,
     * to follow "--size wants ": "WIDTHxHEIGHT, such as 1280x720". */
    const char *(*parse)(const char *text, void *member);
    const char *help; /* without a full stop; it is wrapped */
} option;

/* Options that several commands share; the first member of each command's struct. */
typedef struct common_options {
    bool quiet;        /* no findings on stderr, only errors */
    bool strict;       /* refuse what the reader would mend */
    const char *clip;  /* as typed, NULL: not given */
    const char *clips; /* another file whose clips are played, NULL: the model's own */
    double time;       /* seconds, 0 when not given */
    uint32_t scene;    /* SINEW_NONE: not given */
} common_options;

/* The defaults, to begin a command's own: {.common = COMMON_DEFAULTS, ...}. */
#define COMMON_DEFAULTS \
    { .scene = UINT32_MAX }

typedef enum option_groups {
    OPTIONS_MODEL = 1, /* --quiet --strict */
    OPTIONS_MOMENT = 2 /* --clip --clips --time --scene */
} option_groups;

/* A command: a row in the table of main.c, and a file. */
typedef struct command {
    const char *name;
    const char *operands; /* "MODEL", "MODEL..." */
    const char *summary;  /* a line for `sinew --help`, no full stop */
    const char *about;    /* paragraphs for `sinew COMMAND --help`; wrapped by hand at 78 */
    const char *examples; /* lines of commands, or NULL */
    unsigned least_operands, most_operands;
    unsigned groups;       /* of option_groups, after its own options */
    const option *options; /* ends with a row of zeros */
    const void *defaults;  /* the struct of options before parsing */
    size_t options_size;
    /* options: the command's struct. Returns an exit status of command.h. */
    int (*run)(const void *options, const char *const *operands, unsigned operand_count);
} command;

/* What parsing came to. */
typedef enum args_result {
    ARGS_RUN,  /* options and operands are filled */
    ARGS_HELP, /* --help was among the words */
    ARGS_WRONG /* told on stderr */
} args_result;

/* Parses words[0 .. count) into options (a copy of the defaults). Operands are moved to
 * the front of `words`, their number to *operand_count. */
args_result args_parse(const command *self, int count, char **words, void *options,
                       unsigned *operand_count);

/* Prints the help of a command. */
void args_help(const command *self, FILE *out);

/* Says on stderr "sinew NAME: MESSAGE" and where help is; returns EXIT_WRONG_USE. For
 * commands that find two options at odds. */
int args_wrong(const command *self, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The option at a position: first the moment's, then the command's own, the model's, and
 * --help; NULL after the last. */
const option *args_row(const command *self, unsigned position);

/* A whole finite number with '.', whatever the locale; false for anything else. */
bool args_number(const char *text, double *value);

/* Of words[0 .. count) the one that was probably meant by `typed`, or NULL. */
const char *args_nearest(const char *typed, const char *const *words, size_t count);

#endif
