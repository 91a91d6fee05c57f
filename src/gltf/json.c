#include "gltf/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const sinewi_json_token *token_at(const sinewi_json *json, uint32_t token) {
    return json->tokens + token;
}

sinewi_json_report sinewi_json_read(sinewi_json *json, const char *text, size_t length,
                                    uint32_t depth_limit, sinewi_arena *scratch) {
    sinewi_json_token *tokens;
    sinewi_json_report report = sinewi_json_parse(text, length, depth_limit, scratch, &tokens);
    bool sound = report.state == SINEWI_JSON_SOUND;
    *json =
        (sinewi_json){text, tokens, sound ? (uint32_t)report.token_count : 0, report.escaped_keys};
    return report;
}

sinewi_json_kind sinewi_json_kind_of(const sinewi_json *json, uint32_t token) {
    if (token >= json->count) {
        return SINEWI_JSON_ABSENT;
    }
    switch (json->text[token_at(json, token)->start]) {
    case '{': return SINEWI_JSON_OBJECT;
    case '[': return SINEWI_JSON_ARRAY;
    case '"': return SINEWI_JSON_STRING;
    case 't':
    case 'f':
    case 'n': return SINEWI_JSON_WORD;
    default: return SINEWI_JSON_NUMBER;
    }
}

static bool is_string(const sinewi_json *json, uint32_t token) {
    return json->text[token_at(json, token)->start] == '"';
}

uint32_t sinewi_json_size(const sinewi_json *json, uint32_t token) {
    sinewi_json_kind kind = sinewi_json_kind_of(json, token);
    bool container = kind == SINEWI_JSON_OBJECT || kind == SINEWI_JSON_ARRAY;
    return container ? token_at(json, token)->length : 0;
}

uint32_t sinewi_json_first(const sinewi_json *json, uint32_t container) {
    return sinewi_json_size(json, container) > 0 ? container + 1 : SINEWI_JSON_NONE;
}

uint32_t sinewi_json_following(const sinewi_json *json, uint32_t container, uint32_t token) {
    uint32_t next = token_at(json, token)->next;
    return next < token_at(json, container)->next ? next : SINEWI_JSON_NONE;
}

uint32_t sinewi_json_element(const sinewi_json *json, uint32_t array, uint32_t n) {
    uint32_t token = sinewi_json_first(json, array);
    while (n-- > 0 && token != SINEWI_JSON_NONE) {
        token = sinewi_json_following(json, array, token);
    }
    return token;
}

uint32_t sinewi_json_find(const sinewi_json *json, uint32_t object, const char *key,
                          size_t length) {
    uint32_t found = SINEWI_JSON_NONE;
    if (sinewi_json_kind_of(json, object) != SINEWI_JSON_OBJECT) {
        return found;
    }
    /* This is where a reader spends its time: the bytes are compared in place, and names
     * are decoded only in a text that has an escape in a key. */
    const sinewi_json_token *tokens = json->tokens;
    uint32_t end = tokens[object].next;
    for (uint32_t t = object + 1; t < end; t = tokens[t].next) {
        bool same = tokens[t].length == length &&
                    memcmp(json->text + tokens[t].start + 1, key, length) == 0;
        if (same || (json->escaped_keys && sinewi_json_equals(json, t, key))) {
            found = t + 1;
        }
    }
    return found;
}

/* ---- strings ---- */

static uint32_t hex4(const char *at) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char b = at[i];
        uint32_t digit = b <= '9' ? (uint32_t)(b - '0') : (uint32_t)((b | 0x20) - 'a' + 10);
        value = value * 16 + digit;
    }
    return value;
}

static size_t put_utf8(char *out, uint32_t c) {
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* The character of an \u escape at `at` (behind the backslash); *used bytes of it. A half
 * of a pair alone, and U+0000, which would end a C string, become U+FFFD. */
static uint32_t unicode_escape(const char *at, const char *end, size_t *used) {
    uint32_t c = hex4(at + 1);
    *used = 5;
    if (c >= 0xD800 && c < 0xDC00 && end - at >= 11 && at[5] == '\\' && at[6] == 'u') {
        uint32_t low = hex4(at + 7);
        if (low >= 0xDC00 && low < 0xE000) {
            *used = 11;
            return 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        }
    }
    return (c >= 0xD800 && c < 0xE000) || c == 0 ? 0xFFFD : c;
}

/* Decodes one character of a string into out (room for 4); *used bytes of the source. */
static size_t decode_one(const char *at, const char *end, char *out, size_t *used) {
    if (*at != '\\') {
        out[0] = *at;
        *used = 1;
        return 1;
    }
    *used = 2;
    switch (at[1]) {
    case 'b': out[0] = '\b'; return 1;
    case 'f': out[0] = '\f'; return 1;
    case 'n': out[0] = '\n'; return 1;
    case 'r': out[0] = '\r'; return 1;
    case 't': out[0] = '\t'; return 1;
    case 'u': {
        size_t n = put_utf8(out, unicode_escape(at + 1, end, used));
        *used += 1;
        return n;
    }
    default: out[0] = at[1]; return 1;
    }
}

const char *sinewi_json_raw(const sinewi_json *json, uint32_t token, size_t *length) {
    const sinewi_json_token *t = token_at(json, token);
    *length = t->length;
    return json->text + t->start + (is_string(json, token) ? 1 : 0);
}

bool sinewi_json_equals(const sinewi_json *json, uint32_t token, const char *text) {
    size_t length, wanted = strlen(text);
    const char *at = sinewi_json_raw(json, token, &length);
    if (!is_string(json, token)) {
        return false;
    }
    if (length == wanted && memcmp(at, text, length) == 0) {
        return true; /* no name that we look for has an escape in it */
    }
    if (!memchr(at, '\\', length)) {
        return false;
    }
    const char *end = at + length;
    size_t matched = 0;
    while (at < end) {
        char piece[4];
        size_t used, n = decode_one(at, end, piece, &used);
        if (wanted - matched < n || memcmp(text + matched, piece, n) != 0) {
            return false;
        }
        matched += n;
        at += used;
    }
    return matched == wanted;
}

char *sinewi_json_string(const sinewi_json *json, uint32_t token, sinewi_arena *arena,
                         size_t *length) {
    size_t raw;
    const char *at = sinewi_json_raw(json, token, &raw);
    char *out = sinewi_arena_take(arena, raw + 1, 1); /* decoding never makes it longer */
    if (!out) {
        return NULL;
    }
    size_t size = 0;
    if (!memchr(at, '\\', raw)) {
        memcpy(out, at, raw);
        size = raw;
    } else {
        for (const char *end = at + raw; at < end;) {
            size_t used;
            char piece[4];
            size_t n = decode_one(at, end, piece, &used);
            memcpy(out + size, piece, n);
            size += n;
            at += used;
        }
    }
    out[size] = '\0';
    if (length) {
        *length = size;
    }
    return out;
}

/* ---- numbers ---- */

/* Digits of a number as an integer and a power of ten: value = mantissa * 10^exponent. */
typedef struct decimal {
    bool negative;
    bool plain;    /* neither a point nor an exponent */
    bool overflow; /* more digits than the mantissa keeps */
    uint64_t mantissa;
    long exponent;
} decimal;

#define LARGEST_EXPONENT 100000L /* far beyond any double; keeps the sums below in range */

static const char *scan_exponent(const char *at, const char *end, long *exponent) {
    bool down = false;
    if (at < end && (*at == '+' || *at == '-')) {
        down = *at++ == '-';
    }
    long value = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        value = value < LARGEST_EXPONENT ? value * 10 + (*at - '0') : value;
    }
    *exponent += down ? -value : value;
    return at;
}

static decimal scan_decimal(const char *at, const char *end) {
    decimal d = {.plain = true};
    bool fraction = false;
    if (at < end && *at == '-') {
        d.negative = true;
        at++;
    }
    for (; at < end; at++) {
        if (*at == '.') {
            fraction = true;
            d.plain = false;
        } else if (*at == 'e' || *at == 'E') {
            d.plain = false;
            scan_exponent(at + 1, end, &d.exponent);
            break;
        } else {
            uint64_t digit = (uint64_t)(*at - '0');
            bool fits = d.mantissa < UINT64_MAX / 10 ||
                        (d.mantissa == UINT64_MAX / 10 && digit <= UINT64_MAX % 10);
            fits = fits && !d.overflow;
            d.mantissa = fits ? d.mantissa * 10 + digit : d.mantissa;
            d.overflow = d.overflow || !fits;
            d.exponent += (fits ? 0 : 1) - (fraction ? 1 : 0);
        }
    }
    return d;
}

/* Exact in double where both parts are (Clinger 1990); beyond that in long double, within
 * a unit in the last place of a double, which is far below the float that we keep. */
static double scale_by_ten(uint64_t mantissa, long exponent) {
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (mantissa == 0) {
        return 0.0;
    }
    if (mantissa <= (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22) {
        return exponent < 0 ? (double)mantissa / exact[-exponent]
                            : (double)mantissa * exact[exponent];
    }
    if (exponent > 400) {
        return (double)INFINITY;
    }
    if (exponent < -400) {
        return 0.0;
    }
    long double power = 1.0L, base = 10.0L;
    for (long n = exponent < 0 ? -exponent : exponent; n > 0; n >>= 1, base *= base) {
        power = n & 1 ? power * base : power;
    }
    long double value = (long double)mantissa;
    return (double)(exponent < 0 ? value / power : value * power);
}

static decimal decimal_of(const sinewi_json *json, uint32_t token) {
    size_t length;
    const char *at = sinewi_json_raw(json, token, &length);
    return scan_decimal(at, at + length);
}

double sinewi_json_double(const sinewi_json *json, uint32_t token) {
    decimal d = decimal_of(json, token);
    double value = scale_by_ten(d.mantissa, d.exponent);
    return d.negative ? -value : value;
}

/* Nearly every number of a glTF is a few digits and nothing else. */
static bool short_whole(const sinewi_json *json, uint32_t token, uint64_t *value) {
    const sinewi_json_token *t = token_at(json, token);
    const char *digits = json->text + t->start;
    uint64_t sum = 0;
    bool plain = t->length <= 18;
    for (uint32_t i = 0; plain && i < t->length; i++) {
        unsigned digit = (unsigned)(digits[i] - '0');
        plain = digit <= 9;
        sum = sum * 10 + digit;
    }
    *value = plain ? sum : *value;
    return plain;
}

bool sinewi_json_whole(const sinewi_json *json, uint32_t token, uint64_t *value, bool *huge) {
    const double last_exact = 9007199254740992.0; /* 2^53 */
    *huge = false;
    if (sinewi_json_kind_of(json, token) != SINEWI_JSON_NUMBER) {
        return false;
    }
    if (short_whole(json, token, value)) {
        return true;
    }
    decimal d = decimal_of(json, token);
    if (d.negative && d.mantissa != 0) {
        return false;
    }
    if (d.plain) {
        *huge = d.overflow;
        *value = d.mantissa;
        return !d.overflow;
    }
    double number = scale_by_ten(d.mantissa, d.exponent);
    if (number != floor(number)) {
        return false;
    }
    *huge = number > last_exact;
    *value = *huge ? 0 : (uint64_t)number;
    return !*huge;
}

bool sinewi_json_is_true(const sinewi_json *json, uint32_t token) {
    return sinewi_json_kind_of(json, token) == SINEWI_JSON_WORD &&
           json->text[token_at(json, token)->start] == 't';
}

/* ---- pointers ---- */

/* A text that keeps its end: what does not fit is cut off in front. */
typedef struct tail {
    char *out;
    size_t size, used;
    bool cut;
} tail;

static void append(tail *t, const char *text, size_t length) {
    size_t room = t->size - 1;
    if (length > room) {
        text += length - room;
        length = room;
        t->cut = true;
    }
    if (length > room - t->used) {
        size_t drop = length - (room - t->used);
        t->used -= drop;
        t->cut = true;
        memmove(t->out, t->out + drop, t->used);
    }
    memcpy(t->out + t->used, text, length);
    t->used += length;
}

/* RFC 6901: ~ is written ~0 and / is written ~1. */
static void append_key(tail *t, const char *key, size_t length) {
    append(t, "/", 1);
    for (size_t i = 0; i < length; i++) {
        if (key[i] == '~' || key[i] == '/') {
            append(t, key[i] == '~' ? "~0" : "~1", 2);
        } else {
            append(t, &key[i], 1);
        }
    }
}

/* The element or key of a container in which a token is; *place counts those before it. */
static uint32_t child_with(const sinewi_json *json, uint32_t container, uint32_t token,
                           uint32_t *place) {
    uint32_t child = container + 1;
    for (*place = 0; token_at(json, child)->next <= token; ++*place) {
        child = token_at(json, child)->next;
    }
    return child;
}

void sinewi_json_pointer(const sinewi_json *json, uint32_t token, const char *name, char *out,
                         size_t size) {
    tail t = {out, size, 0, false};
    uint32_t at = 0, place;
    while (token < json->count && at != token) {
        uint32_t child = child_with(json, at, token, &place);
        if (json->text[token_at(json, at)->start] == '[') {
            char digits[16];
            int n = snprintf(digits, sizeof digits, "%u", place);
            append_key(&t, digits, (size_t)n);
            at = child;
        } else if (child == token) {
            break; /* a key has the pointer of its object */
        } else {
            size_t length;
            const char *key = sinewi_json_raw(json, child, &length);
            append_key(&t, key, length);
            at = child + 1;
        }
    }
    if (name) {
        append_key(&t, name, strlen(name));
    }
    out[t.used] = '\0';
    if (t.cut && out[0] != '/') { /* begin with a whole segment */
        const char *whole = strchr(out, '/');
        size_t from = whole ? (size_t)(whole - out) : t.used;
        memmove(out, out + from, t.used - from + 1);
    }
}
