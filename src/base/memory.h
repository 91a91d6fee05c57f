/* Allocation through the caller's allocator, sizes that cannot overflow, arenas. */
#ifndef SINEWI_BASE_MEMORY_H
#define SINEWI_BASE_MEMORY_H

#include "sinew/base.h"

/* The given allocator with missing functions filled in by malloc's; NULL: all of it. */
sinew_allocator sinewi_allocator_or_default(const sinew_allocator *allocator);

void *sinewi_allocate(const sinew_allocator *allocator, size_t size);
void *sinewi_allocate_zeroed(const sinew_allocator *allocator, size_t count, size_t size);
void *sinewi_resize(const sinew_allocator *allocator, void *block, size_t old_size,
                    size_t new_size);
void sinewi_release(const sinew_allocator *allocator, void *block, size_t size);

/* false, and *out untouched, when the result does not fit. */
bool sinewi_multiply(size_t a, size_t b, size_t *out);
bool sinewi_add(size_t a, size_t b, size_t *out);

/* How many bytes several arenas may take together. */
typedef struct sinewi_budget {
    size_t limit;
    size_t used;
} sinewi_budget;

/* An arena: blocks that are freed together. It takes no more than its budget (NULL: no
 * limit) has left, and then remembers that in `over_limit`. */
typedef struct sinewi_arena_block sinewi_arena_block;
typedef struct sinewi_arena {
    sinew_allocator allocator;
    sinewi_arena_block *blocks;
    size_t used; /* bytes taken from the allocator */
    sinewi_budget *budget;
    bool over_limit;
    bool out_of_memory;
} sinewi_arena;

void sinewi_arena_init(sinewi_arena *arena, const sinew_allocator *allocator,
                       sinewi_budget *budget);
void sinewi_arena_free(sinewi_arena *arena);
/* Aligned to 16 bytes, not cleared; NULL when there is no memory. count 0 gives a
 * pointer that is not NULL and must not be read. */
void *sinewi_arena_take(sinewi_arena *arena, size_t count, size_t size);
void *sinewi_arena_take_zeroed(sinewi_arena *arena, size_t count, size_t size);
/* A copy with a zero behind it. */
char *sinewi_arena_text(sinewi_arena *arena, const char *text, size_t length);

#endif
