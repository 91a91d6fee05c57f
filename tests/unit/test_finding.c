/* finding: one sound table, and a sink that keeps what it is given. */
#include "sinew/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void every_row_says_all_it_should(void **state) {
    (void)state;
    for (int a = 0; a < SINEW_CODE_COUNT; a++) {
        const sinew_code_info *row = sinew_code_info_of((sinew_code)a);
        assert_non_null(row);
        for (const char *c = row->word; *c; c++) {
            assert_true((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '-');
        }
        assert_true(row->effect[strlen(row->effect) - 1] == '.');
        assert_true(row->mend[strlen(row->mend) - 1] == '.');
        for (int b = 0; b < a; b++) {
            assert_string_not_equal(row->word, sinew_code_info_of((sinew_code)b)->word);
        }
    }
    assert_null(sinew_code_info_of(SINEW_CODE_COUNT));
}

static void a_sink_copies_counts_and_ends(void **state) {
    (void)state;
    sinew_findings *sink = sinew_findings_create(NULL);
    char pointer[] = "/nodes/1";
    assert_non_null(sinew_findings_add(sink, SINEW_FINDING_KEYS, pointer, "bad keys"));
    memset(pointer, 'x', sizeof pointer - 1);
    assert_string_equal(sink->items[0].pointer, "/nodes/1");
    assert_int_equal(sink->items[0].severity, SINEW_ERROR);
    for (int i = 0; i < SINEW_FINDINGS_MOST; i++) {
        sinew_findings_add(sink, SINEW_FINDING_WEIGHTS_SUM, "/a", "b");
    }
    assert_int_equal(sink->count, SINEW_FINDINGS_MOST);
    assert_int_equal(sink->left_out, 1);
    assert_int_equal(sink->error_count, 1);
    assert_int_equal(sink->warning_count, SINEW_FINDINGS_MOST);
    assert_null(sinew_findings_add(NULL, SINEW_FINDING_KEYS, "", ""));
    sinew_findings_free(sink);
    sinew_findings_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_says_all_it_should),
        cmocka_unit_test(a_sink_copies_counts_and_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
