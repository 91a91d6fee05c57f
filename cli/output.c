/* Files that are written whole or not at all: to a file of its own beside the target,
 * which takes its name when everything is on disk. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700 /* realpath */

#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool tell(const char *path, const char *what) {
    command_say("%s: %s: %s", path, what, strerror(errno));
    return false;
}

static bool open_in_place(output *out, const char *path) {
    out->stream = fopen(path, "wb");
    return out->stream || tell(path, "cannot be written");
}

#define TEMPORARY_TRIES 100

/* A new, hidden file in the folder of the target. Returns -1, or its descriptor and the
 * name in out->temporary. */
static int open_temporary(output *out, mode_t mode) {
    size_t size = strlen(out->target) + 60;
    out->temporary = malloc(size);
    if (!out->temporary) {
        return -1;
    }
    const char *slash = strrchr(out->target, '/');
    int folder = slash ? (int)(slash - out->target) + 1 : 0;
    int file = -1;
    errno = EEXIST; /* several may be open at once, or left by a program that was killed */
    for (int i = 0; i < TEMPORARY_TRIES && file < 0 && errno == EEXIST; i++) {
        snprintf(out->temporary, size, "%.*s.sinew-%ld-%d.tmp", folder, out->target, (long)getpid(),
                 i);
        file = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
    }
    return file;
}

/* mode: the permissions that the target has or would get. */
static bool open_beside(output *out, mode_t mode) {
    int file = out->target ? open_temporary(out, mode) : -1;
    if (file < 0) {
        return tell(out->path, "cannot be written");
    }
    out->stream = fdopen(file, "wb");
    if (!out->stream) {
        close(file);
        unlink(out->temporary);
        return tell(out->path, "cannot be written");
    }
    return true;
}

static void forget(output *out) {
    free(out->target);
    free(out->temporary);
    *out = (output){.stream = NULL};
}

bool output_open(output *out, const char *path) {
    *out = (output){.path = path};
    if (!path || strcmp(path, "-") == 0) {
        out->stream = stdout;
        return true;
    }
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) { /* /dev/null, a pipe; a folder is an error */
        return open_in_place(out, path);
    }
    /* Through a link: the file that it leads to is replaced, the link stays. */
    out->target = exists ? realpath(path, NULL) : strdup(path);
    if (!open_beside(out, exists ? status.st_mode & 0777 : 0666)) {
        forget(out);
        return false;
    }
    return true;
}

/* Whether stdout is a pipe whose reader has seen enough, as `head` does. */
static bool reader_is_gone(void) {
    struct pollfd stdout_pipe = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return errno == EPIPE || (poll(&stdout_pipe, 1, 0) == 1 && stdout_pipe.revents & POLLERR);
}

static int close_stdout(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return EXIT_DONE;
    }
    if (reader_is_gone()) {
        return EXIT_DONE;
    }
    if (errno == 0) { /* an earlier write failed, for a reason that is forgotten */
        errno = EIO;
    }
    tell("standard output", "cannot be written");
    return EXIT_FILE;
}

int output_close(output *out) {
    if (out->stream == stdout) {
        return close_stdout();
    }
    bool failed = fflush(out->stream) != 0 || ferror(out->stream);
    failed = fclose(out->stream) != 0 || failed;
    if (!failed && out->target) {
        failed = rename(out->temporary, out->target) != 0;
    }
    if (failed) {
        tell(out->path, "cannot be written");
        if (out->temporary) {
            unlink(out->temporary);
        }
    }
    forget(out);
    return failed ? EXIT_FILE : EXIT_DONE;
}

void output_abandon(output *out) {
    if (out->stream && out->stream != stdout) {
        fclose(out->stream);
        if (out->temporary) {
            unlink(out->temporary);
        }
    }
    forget(out);
}
