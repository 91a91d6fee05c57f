/* A host that brings a GL loader of its own, made by glad as ours is. Sinew must neither
 * clash with it at the link nor call it. */
#include <sinew/gl.h>
#include <stdio.h>
#include <string.h>

int gladLoadGLContextUserPtr(void *context, void *load, void *user);
int gladLoadGLContext(void *context, void *load);
static int host_was_called;

int gladLoadGLContextUserPtr(void *context, void *load, void *user) {
    (void)context, (void)load, (void)user;
    return ++host_was_called;
}

int gladLoadGLContext(void *context, void *load) {
    return gladLoadGLContextUserPtr(context, load, NULL);
}

static sinew_gl_function no_functions(const char *name) {
    (void)name;
    return NULL;
}

int main(void) {
    sinew_gl_options options;
    sinew_error error;
    memset(&options, 0, sizeof options);
    memset(&error, 0, sizeof error);
    options.loader = no_functions;
    sinew_gl *gl = sinew_gl_create(&options, &error);
    printf("without functions: %s\n", error.message);
    return gl == NULL && error.result == SINEW_ERROR_GL && host_was_called == 0 ? 0 : 1;
}
