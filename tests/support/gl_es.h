/* Runs a test on several versions of OpenGL ES. */
#ifndef SINEW_TESTS_GL_ES_H
#define SINEW_TESTS_GL_ES_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Mesa reads the variable once a process, before its first context; so each version has a
 * process. Where the driver is another one they are all alike. */
static inline int test_on_es_versions(int (*run)(void)) {
    static const char *const versions[] = {"3.0", "3.1", "3.2"};
    int worst = 0;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            setenv("MESA_GLES_VERSION_OVERRIDE", versions[i], 1);
            exit(run());
        }
        int status = 1;
        if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
            return 1;
        }
        int code = WEXITSTATUS(status);
        worst = worst && worst != 77 ? worst : code; /* a failure is more than a skip */
    }
    return worst;
}

#endif
