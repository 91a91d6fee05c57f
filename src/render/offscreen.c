/* A context without a window: EGL, loaded when it is asked for.
 *
 * Platforms are asked for by name, because eglGetDisplay(EGL_DEFAULT_DISPLAY) wants an X
 * server. Each that fails leaves a line for the message, so that a person who has no
 * driver reads what was tried and what to install. */
#include "sinew/render.h"

#include "base/error.h"

#define EGL_NO_PLATFORM_SPECIFIC_TYPES 1
#define EGL_NO_X11 1
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libEGL.so.1"
#define PACKAGES "libegl1 libgl1-mesa-dri"
#define MOST_DEVICES 16

/* The functions of libEGL that are used, by their own names. */
typedef struct egl_table {
    PFNEGLGETPROCADDRESSPROC GetProcAddress;
    PFNEGLQUERYSTRINGPROC QueryString;
    PFNEGLINITIALIZEPROC Initialize;
    PFNEGLBINDAPIPROC BindAPI;
    PFNEGLCHOOSECONFIGPROC ChooseConfig;
    PFNEGLCREATECONTEXTPROC CreateContext;
    PFNEGLDESTROYCONTEXTPROC DestroyContext;
    PFNEGLCREATEPBUFFERSURFACEPROC CreatePbufferSurface;
    PFNEGLDESTROYSURFACEPROC DestroySurface;
    PFNEGLMAKECURRENTPROC MakeCurrent;
    PFNEGLGETERRORPROC GetError;
    PFNEGLGETPLATFORMDISPLAYEXTPROC GetPlatformDisplay;
    PFNEGLQUERYDEVICESEXTPROC QueryDevices; /* or NULL */
} egl_table;

/* What is asked for. */
typedef struct wanted {
    EGLenum api;
    EGLint renderable; /* the bit of a config */
    const EGLint *context;
    const char *name;
    const char *no_api, *no_context; /* for the trail */
} wanted;

static const EGLint gl_attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                       3,
                                       EGL_CONTEXT_MINOR_VERSION,
                                       3,
                                       EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                       EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                       EGL_NONE};
static const EGLint es_attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0,
                                       EGL_NONE};

static const wanted desktop_gl = {EGL_OPENGL_API,      EGL_OPENGL_BIT,
                                  gl_attributes,       "OpenGL 3.3",
                                  "no desktop OpenGL", "no OpenGL 3.3 core context"};
static const wanted es = {EGL_OPENGL_ES_API, EGL_OPENGL_ES3_BIT, es_attributes,
                          "OpenGL ES 3.0",   "no OpenGL ES",     "no OpenGL ES 3.0 context"};

struct sinew_offscreen {
    egl_table egl;
    const wanted *wish;
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; /* EGL_NO_SURFACE where the context needs none */
};

/* What failed so far, "surfaceless: ...; device 0: ...". */
typedef struct trail {
    char text[240];
    size_t length;
} trail;

static void trail_add(trail *tried, const char *platform, const char *what, EGLint code) {
    size_t room = sizeof tried->text - tried->length;
    int written = snprintf(tried->text + tried->length, room, "%s%s: %s (0x%04x)",
                           tried->length ? "; " : "", platform, what, (unsigned)code);
    if (written > 0 && (size_t)written < room) {
        tried->length += (size_t)written;
    } else {
        tried->text[tried->length] = '\0'; /* no room: whole entries only */
    }
}

/* ISO C has no cast from void * to a function pointer; POSIX says that this works. */
static sinew_gl_function symbol(void *library, const char *name) {
    void *address = dlsym(library, name);
    sinew_gl_function function;
    memcpy(&function, &address, sizeof function);
    return function;
}

static bool has_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)) != NULL; at += length) {
        bool begins = at == list || at[-1] == ' ';
        bool ends = at[length] == '\0' || at[length] == ' ';
        if (begins && ends) {
            return true;
        }
    }
    return false;
}

static sinew_result load_table(void *library, egl_table *egl, sinew_error *error) {
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {
        {"eglGetProcAddress", offsetof(egl_table, GetProcAddress)},
        {"eglQueryString", offsetof(egl_table, QueryString)},
        {"eglInitialize", offsetof(egl_table, Initialize)},
        {"eglBindAPI", offsetof(egl_table, BindAPI)},
        {"eglChooseConfig", offsetof(egl_table, ChooseConfig)},
        {"eglCreateContext", offsetof(egl_table, CreateContext)},
        {"eglDestroyContext", offsetof(egl_table, DestroyContext)},
        {"eglCreatePbufferSurface", offsetof(egl_table, CreatePbufferSurface)},
        {"eglDestroySurface", offsetof(egl_table, DestroySurface)},
        {"eglMakeCurrent", offsetof(egl_table, MakeCurrent)},
        {"eglGetError", offsetof(egl_table, GetError)},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        sinew_gl_function function = symbol(library, rows[k].name);
        if (!function) {
            sinewi_fail(error, SINEW_ERROR_GL, NULL, "%s has no %s", LIBRARY, rows[k].name);
            return SINEW_ERROR_GL;
        }
        memcpy((char *)egl + rows[k].offset, &function, sizeof function);
    }
    return SINEW_OK;
}

/* Extensions of the library itself, before there is a display. */
static sinew_result load_platforms(egl_table *egl, const char **extensions, sinew_error *error) {
    *extensions = egl->QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!*extensions || !has_word(*extensions, "EGL_EXT_platform_base")) {
        sinewi_fail(error, SINEW_ERROR_GL, NULL,
                    "%s cannot draw without a window (no EGL_EXT_platform_base): apt install %s",
                    LIBRARY, PACKAGES);
        return SINEW_ERROR_GL;
    }
    egl->GetPlatformDisplay =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)egl->GetProcAddress("eglGetPlatformDisplayEXT");
    if (has_word(*extensions, "EGL_EXT_platform_device") &&
        (has_word(*extensions, "EGL_EXT_device_base") ||
         has_word(*extensions, "EGL_EXT_device_enumeration"))) {
        egl->QueryDevices = (PFNEGLQUERYDEVICESEXTPROC)egl->GetProcAddress("eglQueryDevicesEXT");
    }
    if (!egl->GetPlatformDisplay) {
        sinewi_fail(error, SINEW_ERROR_GL, NULL, "%s has no eglGetPlatformDisplayEXT", LIBRARY);
        return SINEW_ERROR_GL;
    }
    return SINEW_OK;
}

static EGLConfig choose_config(const sinew_offscreen *offscreen) {
    const EGLint attributes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                 offscreen->wish->renderable, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (offscreen->egl.ChooseConfig(offscreen->display, attributes, &config, 1, &count) &&
        count > 0) {
        return config;
    }
    return NULL;
}

/* Makes the context current, without a surface where the display can. */
static bool make_current(sinew_offscreen *offscreen, EGLConfig config, const char *extensions) {
    const egl_table *egl = &offscreen->egl;
    offscreen->surface = EGL_NO_SURFACE;
    if (!has_word(extensions, "EGL_KHR_surfaceless_context")) {
        static const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
        offscreen->surface = egl->CreatePbufferSurface(offscreen->display, config, size);
        if (offscreen->surface == EGL_NO_SURFACE) {
            return false;
        }
    }
    return egl->MakeCurrent(offscreen->display, offscreen->surface, offscreen->surface,
                            offscreen->context) == EGL_TRUE;
}

/* The display stays initialised: EGL has one of each kind a process, and others may use
 * it. It holds no drawing of ours. */
static void release(sinew_offscreen *offscreen) {
    const egl_table *egl = &offscreen->egl;
    if (offscreen->display == EGL_NO_DISPLAY) {
        return;
    }
    egl->BindAPI(offscreen->wish->api); /* whose context is meant */
    egl->MakeCurrent(offscreen->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (offscreen->surface != EGL_NO_SURFACE) {
        egl->DestroySurface(offscreen->display, offscreen->surface);
    }
    if (offscreen->context != EGL_NO_CONTEXT) {
        egl->DestroyContext(offscreen->display, offscreen->context);
    }
    offscreen->display = EGL_NO_DISPLAY;
    offscreen->context = EGL_NO_CONTEXT;
    offscreen->surface = EGL_NO_SURFACE;
}

/* false: one more line in `tried`, and nothing is left over. */
static bool try_display(sinew_offscreen *offscreen, EGLDisplay display, const char *name,
                        trail *tried) {
    const egl_table *egl = &offscreen->egl;
    const char *failed = NULL;
    if (display == EGL_NO_DISPLAY) {
        trail_add(tried, name, "no display", egl->GetError());
        return false;
    }
    if (!egl->Initialize(display, NULL, NULL)) {
        trail_add(tried, name, "no driver", egl->GetError());
        return false;
    }
    offscreen->display = display;
    if (!egl->BindAPI(offscreen->wish->api)) {
        failed = offscreen->wish->no_api;
    } else {
        EGLConfig config = choose_config(offscreen);
        offscreen->context =
            egl->CreateContext(display, config, EGL_NO_CONTEXT, offscreen->wish->context);
        if (offscreen->context == EGL_NO_CONTEXT) {
            failed = offscreen->wish->no_context;
        } else if (!make_current(offscreen, config, egl->QueryString(display, EGL_EXTENSIONS))) {
            failed = "the context cannot be made current";
        }
    }
    if (failed) {
        trail_add(tried, name, failed, egl->GetError());
        release(offscreen);
        return false;
    }
    return true;
}

static bool try_platforms(sinew_offscreen *offscreen, const char *extensions, trail *tried) {
    const egl_table *egl = &offscreen->egl;
    if (has_word(extensions, "EGL_MESA_platform_surfaceless")) {
        EGLDisplay display =
            egl->GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
        if (try_display(offscreen, display, "surfaceless", tried)) {
            return true;
        }
    }
    EGLDeviceEXT devices[MOST_DEVICES];
    EGLint count = 0;
    if (!egl->QueryDevices || !egl->QueryDevices(MOST_DEVICES, devices, &count)) {
        count = 0;
    }
    for (EGLint k = 0; k < count; k++) {
        char name[32];
        snprintf(name, sizeof name, "device %d", (int)k);
        EGLDisplay display = egl->GetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[k], NULL);
        if (try_display(offscreen, display, name, tried)) {
            return true;
        }
    }
    if (tried->length == 0) {
        snprintf(tried->text, sizeof tried->text, "neither surfaceless nor devices");
    }
    return false;
}

static sinew_offscreen *create(const wanted *wish, sinew_error *error) {
    sinewi_error_clear(error);
    /* It is never closed: drivers leave threads and exit handlers behind. */
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        sinewi_fail(error, SINEW_ERROR_GL, NULL,
                    "%s is not there, which draws without a window: apt install %s", LIBRARY,
                    PACKAGES);
        return NULL;
    }
    sinew_offscreen *offscreen = calloc(1, sizeof *offscreen);
    if (!offscreen) {
        sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory");
        return NULL;
    }
    offscreen->wish = wish;
    trail tried = {.length = 0};
    const char *extensions = NULL;
    if (load_table(library, &offscreen->egl, error) == SINEW_OK &&
        load_platforms(&offscreen->egl, &extensions, error) == SINEW_OK) {
        if (try_platforms(offscreen, extensions, &tried)) {
            return offscreen;
        }
        sinewi_fail(error, SINEW_ERROR_GL, NULL,
                    "no %s without a window; tried %s. A driver that always works: apt install %s",
                    wish->name, tried.text, PACKAGES);
    }
    free(offscreen);
    return NULL;
}

sinew_offscreen *sinew_offscreen_create(sinew_error *error) {
    return create(&desktop_gl, error);
}

sinew_offscreen *sinew_offscreen_create_es(sinew_error *error) {
    return create(&es, error);
}

void sinew_offscreen_free(sinew_offscreen *offscreen) {
    if (offscreen) {
        release(offscreen);
        free(offscreen);
    }
}

sinew_gl_function sinew_offscreen_loader(const char *name) {
    /* The library is loaded already; asking again keeps this free of globals. */
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD);
    if (!library) {
        return NULL;
    }
    PFNEGLGETPROCADDRESSPROC get = (PFNEGLGETPROCADDRESSPROC)symbol(library, "eglGetProcAddress");
    sinew_gl_function function = get ? (sinew_gl_function)get(name) : NULL;
    if (!function) {
        function = symbol(library, name);
    }
    dlclose(library);
    return function;
}
