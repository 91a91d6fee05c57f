/* Parsing of a command's words by its table of options. */
#include "args.h"
#include "command.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const option model_table[] = {
    {.name = "strict",
     .kind = OPTION_FLAG,
     .offset = offsetof(common_options, strict),
     .help = "refuse a file that breaks glTF 2.0 instead of mending it"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(common_options, quiet),
     .help = "say nothing about what was mended in the file"},
    {0}};

static const option moment_table[] = {
    {.name = "clip",
     .kind = OPTION_TEXT,
     .value = "NAME|INDEX|none",
     .offset = offsetof(common_options, clip),
     .help = "the animation, by name or by its number in 'sinew info'; none, the default, is "
             "the rest pose"},
    {.name = "clips",
     .kind = OPTION_TEXT,
     .value = "FILE",
     .offset = offsetof(common_options, clips),
     .help = "take the clips of another file, bound to this model by the names of its nodes; "
             "without --clip the first one"},
    {.name = "time",
     .kind = OPTION_NUMBER,
     .value = "SECONDS",
     .offset = offsetof(common_options, time),
     .help = "the moment in the clip, 0 when not given; it is not looped: before the first "
             "key and after the last one the pose stands still"},
    {.name = "scene",
     .kind = OPTION_INTEGER,
     .value = "N",
     .offset = offsetof(common_options, scene),
     .help = "a scene by its number; by default the one that the file names, else 0"},
    {0}};

static const option help_table[] = {
    {.name = "help", .letter = 'h', .kind = OPTION_FLAG, .help = "this text"}, {0}};

/* The tables of a command, in the order of its help; NULL where it has none. */
#define TABLE_COUNT 4

static void tables_of(const command *self, const option *tables[TABLE_COUNT]) {
    tables[0] = self->groups & OPTIONS_MOMENT ? moment_table : NULL;
    tables[1] = self->options;
    tables[2] = self->groups & OPTIONS_MODEL ? model_table : NULL;
    tables[3] = help_table;
}

const option *args_row(const command *self, unsigned position) {
    const option *tables[TABLE_COUNT];
    tables_of(self, tables);
    for (unsigned t = 0; t < TABLE_COUNT; t++) {
        for (const option *row = tables[t]; row && row->name; row++) {
            if (position-- == 0) {
                return row;
            }
        }
    }
    return NULL;
}

int args_wrong(const command *self, const char *format, ...) {
    char message[512];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    command_say("%s: %s; see 'sinew %s --help'", self->name, message, self->name);
    return EXIT_WRONG_USE;
}

/* ---- what was meant ---- */

#define NEAR_LENGTH 31 /* longer words are not compared */

static size_t smallest(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Insertions, deletions and changes from a to b; both at most NEAR_LENGTH long. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[NEAR_LENGTH + 1];
    size_t length_b = strlen(b);
    for (size_t j = 0; j <= length_b; j++) {
        row[j] = j;
    }
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t above = row[j];
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[length_b];
}

/* How far typed is from word, SIZE_MAX when it is something else. */
static size_t distance_if_near(const char *typed, const char *word) {
    size_t typed_length = strlen(typed);
    size_t word_length = strlen(word);
    if (typed_length == 0 || typed_length > NEAR_LENGTH || word_length > NEAR_LENGTH) {
        return SIZE_MAX;
    }
    if (typed_length >= 2 && strncmp(typed, word, typed_length) == 0) {
        return 0; /* the beginning of the word */
    }
    if (word_length >= 3 && strncmp(typed, word, word_length) == 0) {
        return 1; /* the word, and more */
    }
    size_t distance = edit_distance(typed, word);
    return distance <= (word_length <= 3 ? 1 : word_length / 3 + 1) ? distance : SIZE_MAX;
}

const char *args_nearest(const char *typed, const char *const *words, size_t count) {
    const char *nearest = NULL;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t distance = distance_if_near(typed, words[i]);
        if (distance < best) {
            best = distance;
            nearest = words[i];
        }
    }
    return nearest;
}

/* ---- values ---- */

/* [+-] digits [. digits] [e [+-] digits]: strtod alone takes spaces, hexadecimal, nan
 * and, elsewhere, a decimal comma. */
static bool is_decimal(const char *text) {
    size_t digits = 0;
    text += *text == '+' || *text == '-';
    for (; *text >= '0' && *text <= '9'; text++) {
        digits++;
    }
    if (*text == '.') {
        for (text++; *text >= '0' && *text <= '9'; text++) {
            digits++;
        }
    }
    if (digits && (*text == 'e' || *text == 'E')) {
        text++;
        text += *text == '+' || *text == '-';
        for (digits = 0; *text >= '0' && *text <= '9'; text++) {
            digits++;
        }
    }
    return digits && *text == '\0';
}

bool args_number(const char *text, double *value) {
    /* The program never calls setlocale, so strtod reads a point. */
    if (!is_decimal(text)) {
        return false;
    }
    double number = strtod(text, NULL);
    if (!isfinite(number)) {
        return false;
    }
    *value = number;
    return true;
}

/* Whether row limits its numbers, and to what. */
static bool limits_of(const option *row, double *minimum, double *maximum) {
    bool limited = row->minimum != 0 || row->maximum != 0;
    bool integer = row->kind == OPTION_INTEGER;
    *minimum = limited ? row->minimum : integer ? 0 : -HUGE_VAL;
    *maximum = limited ? row->maximum : integer ? (double)(UINT32_MAX - 1) : HUGE_VAL;
    return limited;
}

static bool read_number(const option *row, const char *text, double *value) {
    double minimum, maximum;
    limits_of(row, &minimum, &maximum);
    return args_number(text, value) && *value >= minimum && *value <= maximum;
}

static bool read_integer(const option *row, const char *text, uint32_t *value) {
    double number;
    if (text[strspn(text, "0123456789")] != '\0' || !read_number(row, text, &number)) {
        return false;
    }
    *value = (uint32_t)number;
    return true;
}

static int wrong_number(const command *self, const option *row, const char *text) {
    const char *what = row->kind == OPTION_INTEGER ? "a whole number" : "a number such as 0.5";
    double minimum, maximum;
    if (limits_of(row, &minimum, &maximum)) {
        return args_wrong(self, "--%s wants %s from %g to %g, not '%s'", row->name, what, minimum,
                          maximum, text);
    }
    return args_wrong(self, "--%s wants %s, not '%s'", row->name, what, text);
}

/* "a, b or c" */
static void join_choices(const char *const *choices, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; choices[i] && used < size; i++) {
        const char *between = i == 0 ? "" : choices[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", between, choices[i]);
    }
}

static bool set_choice(const command *self, const option *row, const char *text, int *value) {
    for (int i = 0; row->choices[i]; i++) {
        if (strcmp(row->choices[i], text) == 0) {
            *value = i;
            return true;
        }
    }
    char choices[256];
    join_choices(row->choices, choices, sizeof choices);
    args_wrong(self, "--%s wants %s, not '%s'", row->name, choices, text);
    return false;
}

/* Writes the value of a row; false: told. */
static bool set_value(const command *self, const option *row, const char *text, void *options) {
    void *member = (char *)options + row->offset;
    switch (row->kind) {
    case OPTION_FLAG: *(bool *)member = true; return true;
    case OPTION_TEXT: *(const char **)member = text; return true;
    case OPTION_NUMBER:
        return read_number(row, text, member) || (wrong_number(self, row, text), false);
    case OPTION_INTEGER:
        return read_integer(row, text, member) || (wrong_number(self, row, text), false);
    case OPTION_CHOICE: return set_choice(self, row, text, member);
    case OPTION_PARSED: {
        const char *right = row->parse(text, member);
        if (right) {
            args_wrong(self, "--%s wants %s, not '%s'", row->name, right, text);
        }
        return !right;
    }
    }
    return false;
}

/* ---- words ---- */

/* The row that a word names, and its value when that stands in the same word. */
static const option *find_row(const command *self, const char *word, const char **value) {
    *value = NULL;
    bool is_long = word[1] == '-';
    size_t length = is_long ? strcspn(word + 2, "=") : 1;
    const option *row;
    for (unsigned i = 0; (row = args_row(self, i)) != NULL; i++) {
        if (is_long ? strlen(row->name) == length && strncmp(row->name, word + 2, length) == 0
                    : row->letter && row->letter == word[1]) {
            const char *rest = word + (is_long ? 2 : 1) + length;
            *value = is_long ? (*rest == '=' ? rest + 1 : NULL) : (*rest ? rest : NULL);
            return row;
        }
    }
    return NULL;
}

static void tell_unknown(const command *self, const char *word) {
    const char *names[64];
    size_t count = 0;
    const option *row;
    for (unsigned i = 0; count < 64 && (row = args_row(self, i)) != NULL; i++) {
        names[count++] = row->name;
    }
    char typed[NEAR_LENGTH + 2];
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(word + 1 + (word[1] == '-'), "="),
             word + 1 + (word[1] == '-'));
    const char *near = args_nearest(typed, names, count);
    if (near) {
        args_wrong(self, "there is no option %s; did you mean --%s?", word, near);
    } else {
        args_wrong(self, "there is no option %s", word);
    }
}

/* The value of an option, from its own word or the next one; NULL: told. */
static const char *take_value(const command *self, const option *row, const char *value,
                              const char *next, int *at) {
    const char *ignored;
    if (!value && next && !(next[0] == '-' && next[1] == '-' && find_row(self, next, &ignored))) {
        value = next;
        ++*at;
    }
    if (!value || !*value) {
        char choices[256];
        if (row->choices) {
            join_choices(row->choices, choices, sizeof choices);
        }
        args_wrong(self, "--%s wants a value: --%s %s", row->name, row->name,
                   row->choices ? choices : row->value);
        return NULL;
    }
    return value;
}

/* Reads the option at words[*at] and moves *at past it. */
static args_result parse_option(const command *self, int count, char **words, int *at,
                                void *options) {
    const char *word = words[(*at)++];
    const char *value;
    const option *row = find_row(self, word, &value);
    if (!row) {
        tell_unknown(self, word);
        return ARGS_WRONG;
    }
    if (strcmp(row->name, "help") == 0) {
        return ARGS_HELP;
    }
    if (row->kind == OPTION_FLAG && value) {
        args_wrong(self, "--%s takes no value", row->name);
        return ARGS_WRONG;
    }
    if (row->kind != OPTION_FLAG) {
        value = take_value(self, row, value, *at < count ? words[*at] : NULL, at);
        if (!value) {
            return ARGS_WRONG;
        }
    }
    return set_value(self, row, value, options) ? ARGS_RUN : ARGS_WRONG;
}

static args_result check_operands(const command *self, char **words, unsigned count) {
    if (count < self->least_operands) {
        args_wrong(self, "which file? 'sinew %s %s'", self->name, self->operands);
        return ARGS_WRONG;
    }
    if (count > self->most_operands) {
        args_wrong(self, "one file at a time; '%s' is one too many", words[self->most_operands]);
        return ARGS_WRONG;
    }
    for (unsigned i = 0; i < count; i++) {
        if (words[i][0] == '\0') {
            args_wrong(self, "the name of a file is empty");
            return ARGS_WRONG;
        }
    }
    return ARGS_RUN;
}

args_result args_parse(const command *self, int count, char **words, void *options,
                       unsigned *operand_count) {
    unsigned operands = 0;
    bool options_ended = false;
    for (int at = 0; at < count;) {
        char *word = words[at];
        if (options_ended || word[0] != '-' || word[1] == '\0') {
            words[operands++] = word;
            at++;
        } else if (strcmp(word, "--") == 0) {
            options_ended = true;
            at++;
        } else {
            args_result result = parse_option(self, count, words, &at, options);
            if (result != ARGS_RUN) {
                return result;
            }
        }
    }
    *operand_count = operands;
    return check_operands(self, words, operands);
}
