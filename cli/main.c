/* The sinew command: finds the command that is asked for and hands it its words. */
#include "command.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const command *const commands[] = {&command_info, &command_pose, &command_render};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static void print_overview(FILE *out) {
    fprintf(out, "Usage: sinew COMMAND FILE... [options]\n"
                 "\n"
                 "Skeletal animation and skinning of glTF 2.0 models (.gltf, .glb, .vrm).\n"
                 "\n"
                 "Commands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    }
    fprintf(out, "\n"
                 "  sinew help COMMAND    what a command does, its options, examples\n"
                 "  sinew --version       the version of this program\n"
                 "\n"
                 "Results go to standard output, messages to standard error.\n"
                 "Exit status: 0 done; 2 wrong use; 3 a file cannot be read or written, or\n"
                 "exceeds a limit; 4 the machine cannot (no OpenGL, not enough memory).\n");
}

static const command *find_command(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static int tell_unknown_command(const char *typed) {
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = commands[i]->name;
    }
    const char *near = args_nearest(typed, names, COMMAND_COUNT);
    if (near) {
        command_say("'%s' is no command; did you mean '%s'?", typed, near);
    } else {
        command_say("'%s' is no command; 'sinew --help' lists them", typed);
    }
    return EXIT_WRONG_USE;
}

/* Standard output is checked at the end: a full disk is an error, a reader that has
 * gone away is not. */
static int finish(int status) {
    output out;
    if (!output_open(&out, NULL)) {
        return EXIT_FILE;
    }
    int written = output_close(&out);
    return status == EXIT_DONE ? written : status;
}

static int help(const char *name) {
    if (!name) {
        print_overview(stdout);
        return finish(EXIT_DONE);
    }
    const command *chosen = find_command(name);
    if (!chosen) {
        return tell_unknown_command(name);
    }
    args_help(chosen, stdout);
    return finish(EXIT_DONE);
}

static int run_command(const command *chosen, int count, char **words) {
    void *options = malloc(chosen->options_size);
    if (!options) {
        return command_out_of_memory();
    }
    memcpy(options, chosen->defaults, chosen->options_size);
    unsigned operand_count = 0;
    int status = EXIT_WRONG_USE;
    switch (args_parse(chosen, count, words, options, &operand_count)) {
    case ARGS_HELP: status = help(chosen->name); break;
    case ARGS_RUN: status = chosen->run(options, (const char *const *)words, operand_count); break;
    case ARGS_WRONG: break;
    }
    free(options);
    return status;
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) {
        print_overview(stderr);
        return EXIT_WRONG_USE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return help(NULL);
    }
    if (strcmp(word, "help") == 0) {
        const char *name = argc > 2 ? argv[2] : NULL;
        return help(name && strcmp(name, "--help") != 0 ? name : NULL);
    }
    if (strcmp(word, "--version") == 0) {
        printf("sinew %s\n", sinew_version());
        return finish(EXIT_DONE);
    }
    const command *chosen = find_command(word);
    if (!chosen) {
        return tell_unknown_command(word);
    }
    return finish(run_command(chosen, argc - 2, argv + 2));
}
