/* One pass over the bytes, with the open containers on a stack of the caller's: nothing
 * recurses on what the file says. jsmn is lax, so it runs only on what passed here. */
#include "gltf/json_check.h"

typedef struct checker {
    const char *text;
    size_t length;
    size_t at;
    uint32_t depth;
    bool escaped; /* the string at hand holds an escape */
    sinewi_json_report report;
} checker;

static bool broken(checker *c, const char *fault) {
    c->report.state = SINEWI_JSON_BROKEN;
    c->report.offset = c->at;
    c->report.fault = fault;
    return false;
}

static int peek(const checker *c) {
    return c->at < c->length ? (unsigned char)c->text[c->at] : -1;
}

static void skip_space(checker *c) {
    while (c->at < c->length) {
        char b = c->text[c->at];
        if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
            return;
        }
        c->at++;
    }
}

/* ---- strings ---- */

static bool is_hex(int b) {
    return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'f') || (b >= 'A' && b <= 'F');
}

static bool check_escape(checker *c) {
    c->at++;
    switch (peek(c)) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': c->at++; return true;
    case 'u':
        c->at++;
        for (int i = 0; i < 4; i++) {
            if (!is_hex(peek(c))) {
                return broken(c, "\\u needs four hexadecimal digits");
            }
            c->at++;
        }
        return true;
    default: return broken(c, "unknown escape in a string");
    }
}

/* Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF. */
static bool check_utf8(checker *c) {
    unsigned char lead = (unsigned char)c->text[c->at];
    unsigned char low = 0x80, high = 0xBF;
    size_t following = lead >= 0xC2 && lead <= 0xDF   ? 1
                       : lead >= 0xE0 && lead <= 0xEF ? 2
                       : lead >= 0xF0 && lead <= 0xF4 ? 3
                                                      : 0;
    if (following == 0) {
        return broken(c, "a byte that is not UTF-8");
    }
    low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : low;
    high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : high;
    for (size_t i = 1; i <= following; i++) {
        if (c->at + i >= c->length) {
            return broken(c, "the text ends in the middle of a character");
        }
        unsigned char b = (unsigned char)c->text[c->at + i];
        if (b < low || b > high) {
            return broken(c, "a byte that is not UTF-8");
        }
        low = 0x80;
        high = 0xBF;
    }
    c->at += following + 1;
    return true;
}

/* Steps over what needs no second look: all but quotes, escapes, control characters and
 * what is not ASCII. */
static void skip_plain(checker *c) {
    size_t at = c->at;
    while (at < c->length) {
        unsigned char b = (unsigned char)c->text[at];
        if (b < 0x20 || b == '"' || b == '\\' || b >= 0x80) {
            break;
        }
        at++;
    }
    c->at = at;
}

static bool check_string(checker *c) {
    c->at++;
    c->report.token_count++;
    for (;;) {
        skip_plain(c);
        int b = peek(c);
        if (b < 0) {
            return broken(c, "the text ends inside a string");
        }
        if (b == '"') {
            c->at++;
            return true;
        }
        if (b < 0x20) {
            return broken(c, "a control character inside a string");
        }
        if (b == '\\') {
            c->escaped = true;
            if (!check_escape(c)) {
                return false;
            }
        } else if (!check_utf8(c)) {
            return false;
        }
    }
}

/* ---- numbers and words ---- */

static bool check_digits(checker *c) {
    size_t start = c->at;
    while (peek(c) >= '0' && peek(c) <= '9') {
        c->at++;
    }
    return c->at > start || broken(c, "a digit was expected");
}

static bool check_number(checker *c) {
    c->report.token_count++;
    if (peek(c) == '-') {
        c->at++;
    }
    if (peek(c) == '0') {
        c->at++;
    } else if (!check_digits(c)) {
        return false;
    }
    if (peek(c) == '.') {
        c->at++;
        if (!check_digits(c)) {
            return false;
        }
    }
    if (peek(c) == 'e' || peek(c) == 'E') {
        c->at++;
        if (peek(c) == '+' || peek(c) == '-') {
            c->at++;
        }
        if (!check_digits(c)) {
            return false;
        }
    }
    return true;
}

static bool check_word(checker *c, const char *word) {
    c->report.token_count++;
    for (const char *w = word; *w; w++) {
        if (peek(c) != *w) {
            return broken(c, "a value was expected");
        }
        c->at++;
    }
    return true;
}

static bool check_scalar(checker *c) {
    int b = peek(c);
    switch (b) {
    case '"': return check_string(c);
    case 't': return check_word(c, "true");
    case 'f': return check_word(c, "false");
    case 'n': return check_word(c, "null");
    case -1: return broken(c, "the text ends where a value was expected");
    default:
        if (b == '-' || (b >= '0' && b <= '9')) {
            return check_number(c);
        }
        return broken(c, "a value was expected");
    }
}

/* ---- containers ---- */

static bool check_key(checker *c) {
    skip_space(c);
    if (peek(c) != '"') {
        return broken(c, peek(c) < 0 ? "the text ends inside an object"
                                     : "a key in double quotes was expected");
    }
    size_t start = c->at + 1;
    c->escaped = false;
    if (!check_string(c)) {
        return false;
    }
    c->report.escaped_keys = c->report.escaped_keys || c->escaped;
    if (c->depth == 1) {
        c->report.member_start = start;
        c->report.member_end = c->at - 1;
    }
    skip_space(c);
    if (peek(c) != ':') {
        return broken(c, "a colon was expected after the key");
    }
    c->at++;
    return true;
}

static bool open_container(checker *c, uint32_t depth_limit, uint8_t *containers) {
    if (c->depth >= depth_limit) {
        c->report.state = SINEWI_JSON_TOO_DEEP;
        c->report.offset = c->at;
        c->report.fault = "arrays and objects are nested deeper than the limit";
        return false;
    }
    c->report.token_count++;
    containers[c->depth++] = (uint8_t)c->text[c->at];
    c->at++;
    return true;
}

/* Behind a value: closes what closes here. *more: another value follows. */
static bool after_value(checker *c, const uint8_t *containers, bool *more) {
    while (c->depth > 0) {
        bool in_object = containers[c->depth - 1] == '{';
        skip_space(c);
        int b = peek(c);
        if (b == ',') {
            c->at++;
            *more = true;
            return !in_object || check_key(c);
        }
        if (b != (in_object ? '}' : ']')) {
            return broken(c, b < 0       ? "the text ends inside an array or object"
                             : in_object ? "a comma or } was expected"
                                         : "a comma or ] was expected");
        }
        c->at++;
        c->depth--;
    }
    *more = false;
    return true;
}

/* True when the container that opened just now is closed at once. */
static bool closes_at_once(checker *c, uint8_t open) {
    skip_space(c);
    return peek(c) == (open == '{' ? '}' : ']');
}

static bool check_values(checker *c, uint32_t depth_limit, uint8_t *containers) {
    bool more = true;
    while (more) {
        skip_space(c);
        int b = peek(c);
        if (b == '{' || b == '[') {
            if (!open_container(c, depth_limit, containers)) {
                return false;
            }
            if (!closes_at_once(c, (uint8_t)b)) {
                if (b == '{' && !check_key(c)) {
                    return false;
                }
                continue;
            }
        } else if (!check_scalar(c)) {
            return false;
        }
        if (!after_value(c, containers, &more)) {
            return false;
        }
    }
    return true;
}

sinewi_json_report sinewi_json_check(const char *text, size_t length, uint32_t depth_limit,
                                     uint8_t *containers) {
    checker c = {.text = text, .length = length};
    if (check_values(&c, depth_limit, containers)) {
        skip_space(&c);
        if (c.at < length) {
            broken(&c, "something follows the JSON value");
        }
    }
    return c.report;
}
