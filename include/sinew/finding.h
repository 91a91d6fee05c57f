/* Sinew findings: what is wrong with a file, in words that lead to the mend.
 *
 * One table of codes is shared by everything that judges a file. A finding names a
 * code, the place, what was seen, and how often; the table adds what it does to the
 * picture and how to mend it.
 */
#ifndef SINEW_FINDING_H
#define SINEW_FINDING_H

#include "sinew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_severity {
    SINEW_INFO,
    SINEW_WARNING,
    SINEW_ERROR
} sinew_severity;

/* X(name, word, severity, effect, mend). Words are stable. */
#include "sinew/finding_table.h"

typedef enum sinew_code {
#define SINEW_FINDING_NAME(name, word, severity, effect, mend) SINEW_FINDING_##name,
    SINEW_FINDING_TABLE(SINEW_FINDING_NAME)
#undef SINEW_FINDING_NAME
    SINEW_CODE_COUNT
} sinew_code;

/* A row of the table; static. */
typedef struct sinew_code_info {
    const char *word; /* "weights-zero-sum" */
    sinew_severity severity;
    const char *effect; /* a sentence: what it does to the picture */
    const char *mend;   /* a sentence: what to do */
} sinew_code_info;

#define SINEW_FINDING_EXAMPLES 4

typedef struct sinew_finding {
    sinew_code code;
    sinew_severity severity;
    const char *pointer;                       /* JSON pointer, "" for the file as a whole */
    const char *message;                       /* a sentence: what is wrong */
    uint64_t count;                            /* how often at this place, at least 1 */
    uint64_t examples[SINEW_FINDING_EXAMPLES]; /* vertex or key numbers, the first few */
    uint32_t example_count;
} sinew_finding;

/* A sink. It outlives the read that fills it, also one that fails. */
typedef struct sinew_findings {
    const sinew_finding *items;
    size_t count;
    size_t left_out; /* found after SINEW_FINDINGS_MOST were kept */
    size_t error_count;
    size_t warning_count;
    void *owner; /* internal */
} sinew_findings;

#define SINEW_FINDINGS_MOST 1000

/* NULL allocator: malloc. NULL when there is no memory. */
SINEW_API sinew_findings *sinew_findings_create(const sinew_allocator *allocator);
SINEW_API void sinew_findings_free(sinew_findings *findings);

/* Copies pointer and message (NULL: ""). findings NULL is allowed, and nothing is lost but the
 * finding when memory runs out. Returns the finding (its count is 1, it has no
 * examples) or NULL; valid until the next call. */
SINEW_API sinew_finding *sinew_findings_add(sinew_findings *findings, sinew_code code,
                                            const char *pointer, const char *message);

/* The row of a code; NULL for a code that does not exist. */
SINEW_API const sinew_code_info *sinew_code_info_of(sinew_code code);

/* "info", "warning", "error". */
SINEW_API const char *sinew_severity_word(sinew_severity severity);

#ifdef __cplusplus
}
#endif

#endif
