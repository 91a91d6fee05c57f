/* One pass over the bytes, with the open containers linked through their tokens (`next`
 * becomes what it is at the end of each): nothing recurses on what the file says. Each
 * function takes the place it starts at and returns the one behind what it read, or NULL
 * where it noted a fault.
 *
 * The check that RFC 8259 asks for finds every token anyway, so it keeps them: a tokenizer
 * after it (jsmn is lax, and needs the check before it) took a quarter of the whole read. */
#include "gltf/json_parse.h"

typedef struct parser {
    const char *text, *end;
    sinewi_json_token *tokens;
    uint32_t count;
    uint32_t open; /* the container at hand */
    uint32_t depth, depth_limit;
    bool escaped; /* a string held an escape */
    sinewi_json_report report;
} parser;

static const char *fault_at(parser *p, const char *at, const char *fault) {
    p->report.state = SINEWI_JSON_BROKEN;
    p->report.offset = (size_t)(at - p->text);
    p->report.fault = fault;
    return NULL;
}

static int peek(const parser *p, const char *at) {
    return at < p->end ? (unsigned char)*at : -1;
}

static sinewi_json_token *add_token(parser *p, const char *start) {
    sinewi_json_token *token = &p->tokens[p->count++];
    *token = (sinewi_json_token){(uint32_t)(start - p->text), 0, p->count};
    return token;
}

/* ---- eight bytes at a time ---- */

#define EIGHT(byte) (0x0101010101010101u * (uint64_t)(byte))

/* The first byte in the lowest bits, whatever the machine. */
static uint64_t eight_at(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
           (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
           (uint64_t)b[7] << 56;
}

static bool is_space(int b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
}

static const char *skip_space(const parser *p, const char *at) {
    if (!is_space(peek(p, at))) {
        return at;
    }
    at++;
    while (p->end - at >= 8 && eight_at(at) == EIGHT(' ')) { /* indentation */
        at += 8;
    }
    while (is_space(peek(p, at))) {
        at++;
    }
    return at;
}

/* Steps over what needs no second look: all but quotes, escapes, control characters and
 * what is not ASCII. The top bit of a byte says that it is one of those; a borrow may set
 * further ones above the first, which is right. */
static const char *skip_plain(const parser *p, const char *at) {
    for (; p->end - at >= 8; at += 8) {
        uint64_t bytes = eight_at(at);
        uint64_t quotes = (bytes ^ EIGHT('"')) - EIGHT(1);
        uint64_t escapes = (bytes ^ EIGHT('\\')) - EIGHT(1);
        uint64_t controls = bytes - EIGHT(0x20);
        uint64_t found = (quotes | escapes | controls | bytes) & EIGHT(0x80);
        if (found) {
            for (; !(found & 0x80); found >>= 8) {
                at++;
            }
            return at;
        }
    }
    while (at < p->end && (unsigned char)*at >= 0x20 && (unsigned char)*at < 0x80 && *at != '"' &&
           *at != '\\') {
        at++;
    }
    return at;
}

/* ---- strings ---- */

static bool is_hex(int b) {
    return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'f') || (b >= 'A' && b <= 'F');
}

static const char *read_escape(parser *p, const char *at) {
    p->escaped = true;
    at++;
    switch (peek(p, at)) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': return at + 1;
    case 'u':
        at++;
        for (int i = 0; i < 4; i++, at++) {
            if (!is_hex(peek(p, at))) {
                return fault_at(p, at, "\\u needs four hexadecimal digits");
            }
        }
        return at;
    default: return fault_at(p, at, "unknown escape in a string");
    }
}

/* Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF. */
static const char *read_utf8(parser *p, const char *at) {
    unsigned char lead = (unsigned char)*at;
    unsigned char low = 0x80, high = 0xBF;
    int following = lead >= 0xC2 && lead <= 0xDF   ? 1
                    : lead >= 0xE0 && lead <= 0xEF ? 2
                    : lead >= 0xF0 && lead <= 0xF4 ? 3
                                                   : 0;
    if (following == 0) {
        return fault_at(p, at, "a byte that is not UTF-8");
    }
    low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : low;
    high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : high;
    for (int i = 1; i <= following; i++) {
        int b = peek(p, at + i);
        if (b < low || b > high) {
            return fault_at(p, at,
                            b < 0 ? "the text ends in the middle of a character"
                                  : "a byte that is not UTF-8");
        }
        low = 0x80;
        high = 0xBF;
    }
    return at + following + 1;
}

static const char *read_string(parser *p, const char *at) {
    sinewi_json_token *token = add_token(p, at++);
    while (at) {
        at = skip_plain(p, at);
        int b = peek(p, at);
        if (b == '"') {
            token->length = (uint32_t)(at - p->text) - token->start - 1;
            return at + 1;
        }
        at = b < 0       ? fault_at(p, at, "the text ends inside a string")
             : b < 0x20  ? fault_at(p, at, "a control character inside a string")
             : b == '\\' ? read_escape(p, at)
                         : read_utf8(p, at);
    }
    return NULL;
}

/* ---- numbers and words ---- */

static bool is_digit(int b) {
    return b >= '0' && b <= '9';
}

static const char *read_digits(parser *p, const char *at) {
    if (!is_digit(peek(p, at))) {
        return fault_at(p, at, "a digit was expected");
    }
    do {
        at++;
    } while (is_digit(peek(p, at)));
    return at;
}

static const char *read_number(parser *p, const char *at) {
    at += *at == '-';
    at = peek(p, at) == '0' ? at + 1 : read_digits(p, at);
    if (at && peek(p, at) == '.') {
        at = read_digits(p, at + 1);
    }
    if (at && (peek(p, at) | 0x20) == 'e') {
        at++;
        at += peek(p, at) == '+' || peek(p, at) == '-';
        at = read_digits(p, at);
    }
    return at;
}

static const char *read_word(parser *p, const char *at, const char *word) {
    for (; *word; word++, at++) {
        if (peek(p, at) != *word) {
            return fault_at(p, at, "a value was expected");
        }
    }
    return at;
}

static const char *read_scalar(parser *p, const char *at, int first) {
    if (first == '"') {
        return read_string(p, at);
    }
    if (first < 0) {
        return fault_at(p, at, "the text ends where a value was expected");
    }
    const char *start = at;
    at = first == '-' || is_digit(first) ? read_number(p, at)
         : first == 't'                  ? read_word(p, at, "true")
         : first == 'f'                  ? read_word(p, at, "false")
         : first == 'n'                  ? read_word(p, at, "null")
                                         : fault_at(p, at, "a value was expected");
    if (at) {
        add_token(p, start)->length = (uint32_t)(at - start);
    }
    return at;
}

/* ---- containers ---- */

static bool is_in_object(const parser *p) {
    return p->open != SINEWI_JSON_NONE && p->text[p->tokens[p->open].start] == '{';
}

static const char *read_key(parser *p, const char *at) {
    at = skip_space(p, at);
    if (peek(p, at) != '"') {
        return fault_at(p, at,
                        peek(p, at) < 0 ? "the text ends inside an object"
                                        : "a key in double quotes was expected");
    }
    const char *start = at + 1;
    p->escaped = false;
    at = read_string(p, at);
    if (!at) {
        return NULL;
    }
    p->report.escaped_keys = p->report.escaped_keys || p->escaped;
    if (p->depth == 1) {
        p->report.member_start = (size_t)(start - p->text);
        p->report.member_end = (size_t)(at - 1 - p->text);
    }
    at = skip_space(p, at);
    return peek(p, at) == ':' ? at + 1 : fault_at(p, at, "a colon was expected after the key");
}

static const char *open_container(parser *p, const char *at) {
    if (p->depth >= p->depth_limit) {
        fault_at(p, at, "arrays and objects are nested deeper than the limit");
        p->report.state = SINEWI_JSON_TOO_DEEP;
        return NULL;
    }
    add_token(p, at)->next = p->open;
    p->open = p->count - 1;
    p->depth++;
    return at + 1;
}

/* A value ends, and in an object its key with it. */
static void end_value(parser *p, uint32_t value) {
    p->tokens[value].next = p->count;
    if (is_in_object(p)) {
        p->tokens[value - 1].next = p->count;
    }
}

static void close_container(parser *p) {
    uint32_t closed = p->open;
    p->open = p->tokens[closed].next;
    p->depth--;
    end_value(p, closed);
}

/* Behind a value: closes what closes here. *more: another value follows. */
static const char *after_value(parser *p, const char *at, bool *more) {
    *more = false;
    while (p->depth > 0) {
        bool in_object = is_in_object(p);
        at = skip_space(p, at);
        int b = peek(p, at);
        if (b == ',') {
            *more = true;
            return in_object ? read_key(p, at + 1) : at + 1;
        }
        if (b != (in_object ? '}' : ']')) {
            return fault_at(p, at,
                            b < 0       ? "the text ends inside an array or object"
                            : in_object ? "a comma or } was expected"
                                        : "a comma or ] was expected");
        }
        at++;
        close_container(p);
    }
    return at;
}

/* What stands where a value has to be, with all that closes behind it. */
static const char *read_value(parser *p, const char *at, bool *more) {
    if (p->depth > 0) {
        p->tokens[p->open].length++;
    }
    at = skip_space(p, at);
    int first = peek(p, at);
    if (first != '{' && first != '[') {
        at = read_scalar(p, at, first);
        if (!at) {
            return NULL;
        }
        end_value(p, p->count - 1);
        return after_value(p, at, more);
    }
    at = open_container(p, at);
    if (!at) {
        return NULL;
    }
    at = skip_space(p, at);
    if (peek(p, at) == (first == '{' ? '}' : ']')) {
        return after_value(p, at, more);
    }
    return first == '{' ? read_key(p, at) : at;
}

/* No text has more tokens: each but the root stands behind one of these bytes. */
static size_t most_tokens(const char *text, size_t length) {
    size_t count = 1;
    for (size_t i = 0; i < length; i++) {
        char b = text[i];
        count += (b == ',') | (b == ':') | (b == '[') | (b == '{');
    }
    return count;
}

sinewi_json_report sinewi_json_parse(const char *text, size_t length, uint32_t depth_limit,
                                     sinewi_arena *arena, sinewi_json_token **tokens) {
    parser p = {
        .text = text, .end = text + length, .open = SINEWI_JSON_NONE, .depth_limit = depth_limit};
    p.tokens = sinewi_arena_take(arena, most_tokens(text, length), sizeof *p.tokens);
    *tokens = p.tokens;
    if (!p.tokens) {
        p.report.state = SINEWI_JSON_NO_MEMORY;
        return p.report;
    }
    const char *at = text;
    for (bool more = true; at && more;) {
        at = read_value(&p, at, &more);
    }
    at = at ? skip_space(&p, at) : NULL;
    if (at && at < p.end) {
        fault_at(&p, at, "something follows the JSON value");
    }
    p.report.token_count = p.count;
    return p.report;
}
