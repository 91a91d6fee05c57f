/* A GL 3.3 core or an ES 3.0 context for tests: EGL, surfaceless, no display. Without one a
 * test ends with 77, skipped. EGL is loaded when it runs. Only for tests whose name begins with gl:
 * others are built without EGL's headers. */
#ifndef SINEW_TESTS_GL_CONTEXT_H
#define SINEW_TESTS_GL_CONTEXT_H

#include "sinew/gl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct test_egl {
    PFNEGLGETPROCADDRESSPROC get_proc_address;
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display;
    PFNEGLINITIALIZEPROC initialize;
    PFNEGLBINDAPIPROC bind_api;
    PFNEGLCREATECONTEXTPROC create_context;
    PFNEGLDESTROYCONTEXTPROC destroy_context;
    PFNEGLMAKECURRENTPROC make_current;
    EGLDisplay display;
} test_egl;

static test_egl test_egl_state;

static inline void test_skip(const char *why) {
    printf("skipped: %s\n", why);
    exit(77);
}

static inline void test_egl_symbol(void *library, const char *name, void *function, size_t size) {
    void *symbol = dlsym(library, name);
    if (!symbol) {
        test_skip(name);
    }
    memcpy(function, &symbol, size); /* ISO C has no cast from data to functions */
}

#define TEST_EGL_SYMBOL(library, name, function) \
    test_egl_symbol(library, name, &(function), sizeof(function))

/* Loads EGL and opens the display, once. */
static inline test_egl *test_egl_open(void) {
    test_egl *egl = &test_egl_state;
    if (egl->display) {
        return egl;
    }
    void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        test_skip("no libEGL.so.1");
    }
    TEST_EGL_SYMBOL(library, "eglGetProcAddress", egl->get_proc_address);
    TEST_EGL_SYMBOL(library, "eglInitialize", egl->initialize);
    TEST_EGL_SYMBOL(library, "eglBindAPI", egl->bind_api);
    TEST_EGL_SYMBOL(library, "eglCreateContext", egl->create_context);
    TEST_EGL_SYMBOL(library, "eglDestroyContext", egl->destroy_context);
    TEST_EGL_SYMBOL(library, "eglMakeCurrent", egl->make_current);
    egl->get_platform_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)egl->get_proc_address("eglGetPlatformDisplayEXT");
    if (!egl->get_platform_display) {
        test_skip("EGL without platforms");
    }
    egl->display = egl->get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    if (!egl->display || !egl->initialize(egl->display, NULL, NULL)) {
        test_skip("no surfaceless EGL display");
    }
    return egl;
}

static inline EGLContext test_context_of(EGLenum api, const EGLint *wish, const char *lack) {
    test_egl *egl = test_egl_open();
    EGLContext context = EGL_NO_CONTEXT;
    if (egl->bind_api(api)) {
        context = egl->create_context(egl->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wish);
    }
    if (!context || !egl->make_current(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        test_skip(lack);
    }
    return context;
}

/* A context of its own, made current. */
static inline EGLContext test_context_create(void) {
    static const EGLint wish[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  3,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE};
    return test_context_of(EGL_OPENGL_API, wish, "no GL 3.3 core context");
}

/* OpenGL ES 3.0, or what the driver has above it. */
static inline EGLContext test_context_create_es(void) {
    static const EGLint wish[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0,
                                  EGL_NONE};
    return test_context_of(EGL_OPENGL_ES_API, wish, "no GLES 3.0 context");
}

/* EGL_NO_CONTEXT: none. */
static inline void test_context_make_current(EGLContext context) {
    test_egl *egl = test_egl_open();
    egl->make_current(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

static inline void test_context_free(EGLContext context) {
    test_context_make_current(EGL_NO_CONTEXT);
    test_egl_state.destroy_context(test_egl_state.display, context);
}

static inline sinew_gl_function test_loader(const char *name) {
    return (sinew_gl_function)test_egl_state.get_proc_address(name);
}

/* Sinew in the current context; ends the test when it cannot. */
static inline sinew_gl *test_gl_create(sinew_gl_storage storage) {
    sinew_error error;
    sinew_gl_options options = {.loader = test_loader, .storage = storage, .check = true};
    sinew_gl *gl = sinew_gl_create(&options, &error);
    if (!gl) {
        printf("%s\n", error.message);
        abort();
    }
    return gl;
}

#endif
