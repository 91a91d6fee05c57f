#include "base/memory.h"

#ifdef __SANITIZE_ADDRESS__
#define SINEWI_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SINEWI_ADDRESS_SANITIZER
#endif
#endif
#ifdef SINEWI_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif
#include <stdlib.h>
#include <string.h>

static void *default_allocate(void *user, size_t size) {
    (void)user;
    return malloc(size);
}

static void *default_resize(void *user, void *block, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    return realloc(block, new_size);
}

static void default_release(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

sinew_allocator sinewi_allocator_or_default(const sinew_allocator *allocator) {
    /* All three or none: blocks of one allocator must not reach another. */
    if (allocator && allocator->allocate && allocator->resize && allocator->release) {
        return *allocator;
    }
    sinew_allocator standard = {default_allocate, default_resize, default_release, NULL};
    return standard;
}

void *sinewi_allocate(const sinew_allocator *allocator, size_t size) {
    return allocator->allocate(allocator->user, size ? size : 1);
}

void *sinewi_allocate_zeroed(const sinew_allocator *allocator, size_t count, size_t size) {
    size_t bytes;
    if (!sinewi_multiply(count, size, &bytes)) {
        return NULL;
    }
    void *block = sinewi_allocate(allocator, bytes);
    if (block) {
        memset(block, 0, bytes ? bytes : 1);
    }
    return block;
}

void *sinewi_resize(const sinew_allocator *allocator, void *block, size_t old_size,
                    size_t new_size) {
    if (!block) {
        return sinewi_allocate(allocator, new_size);
    }
    return allocator->resize(allocator->user, block, old_size ? old_size : 1,
                             new_size ? new_size : 1);
}

void sinewi_release(const sinew_allocator *allocator, void *block, size_t size) {
    if (block) {
        allocator->release(allocator->user, block, size ? size : 1);
    }
}

bool sinewi_multiply(size_t a, size_t b, size_t *out) {
    if (a != 0 && b > SIZE_MAX / a) {
        return false;
    }
    *out = a * b;
    return true;
}

bool sinewi_add(size_t a, size_t b, size_t *out) {
    if (b > SIZE_MAX - a) {
        return false;
    }
    *out = a + b;
    return true;
}

/* ---- arenas ---- */

#define ARENA_ALIGNMENT ((size_t)16)
#define ARENA_FIRST_BLOCK ((size_t)16 * 1024)
#define ARENA_LARGEST_STEP ((size_t)256 * 1024)

struct sinewi_arena_block {
    sinewi_arena_block *next;
    size_t size; /* of the whole block, header and all */
    size_t used; /* from the start of the block */
};

/* Under the address sanitizer the rest of a block is out of bounds, and so is a gap behind
 * each piece: what runs over one piece is found before it reaches the next. */
#ifdef SINEWI_ADDRESS_SANITIZER
#define ARENA_GAP ARENA_ALIGNMENT
#else
#define ARENA_GAP ((size_t)0)
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

#define ARENA_HEADER ((sizeof(sinewi_arena_block) + ARENA_ALIGNMENT - 1) & ~(ARENA_ALIGNMENT - 1))

void sinewi_arena_init(sinewi_arena *arena, const sinew_allocator *allocator,
                       sinewi_budget *budget) {
    memset(arena, 0, sizeof *arena);
    arena->allocator = sinewi_allocator_or_default(allocator);
    arena->budget = budget;
}

/* Takes bytes off the budget; false when it has not as many left. */
static bool charge(sinewi_arena *arena, size_t size) {
    sinewi_budget *budget = arena->budget;
    if (budget && (size > budget->limit || budget->used > budget->limit - size)) {
        arena->over_limit = true;
        return false;
    }
    if (budget) {
        budget->used += size;
    }
    return true;
}

void sinewi_arena_free(sinewi_arena *arena) {
    sinewi_arena_block *block = arena->blocks;
    while (block) {
        sinewi_arena_block *next = block->next;
        ASAN_UNPOISON_MEMORY_REGION(block, block->size);
        sinewi_release(&arena->allocator, block, block->size);
        block = next;
    }
    if (arena->budget) {
        arena->budget->used -= arena->used;
    }
    arena->blocks = NULL;
    arena->used = 0;
}

/* Blocks grow with the arena, so that small models stay small and large ones take few
 * blocks; a large request gets a block of its own. */
static sinewi_arena_block *add_block(sinewi_arena *arena, size_t payload) {
    size_t step = arena->used < ARENA_FIRST_BLOCK ? ARENA_FIRST_BLOCK : arena->used / 2;
    step = step > ARENA_LARGEST_STEP ? ARENA_LARGEST_STEP : step;
    size_t size;
    if (!sinewi_add(payload, ARENA_HEADER, &size)) {
        arena->out_of_memory = true;
        return NULL;
    }
    size = size < step && payload < step / 4 ? step : size;
    if (!charge(arena, size)) {
        return NULL;
    }
    sinewi_arena_block *block = sinewi_allocate(&arena->allocator, size);
    if (!block) {
        arena->out_of_memory = true;
        if (arena->budget) {
            arena->budget->used -= size;
        }
        return NULL;
    }
    block->size = size;
    block->used = ARENA_HEADER;
    ASAN_POISON_MEMORY_REGION((char *)block + ARENA_HEADER, size - ARENA_HEADER);
    arena->used += size;
    /* The block with room stays in front, so that one of exact size does not hide it. */
    if (arena->blocks &&
        arena->blocks->size - arena->blocks->used > size - ARENA_HEADER - payload) {
        block->next = arena->blocks->next;
        arena->blocks->next = block;
    } else {
        block->next = arena->blocks;
        arena->blocks = block;
    }
    return block;
}

void *sinewi_arena_take(sinewi_arena *arena, size_t count, size_t size) {
    size_t bytes;
    if (!sinewi_multiply(count, size, &bytes) ||
        !sinewi_add(bytes, ARENA_ALIGNMENT + ARENA_GAP, &bytes)) {
        arena->out_of_memory = true;
        return NULL;
    }
    bytes = (count * size + ARENA_ALIGNMENT - 1) & ~(ARENA_ALIGNMENT - 1);
    bytes = (bytes ? bytes : ARENA_ALIGNMENT) + ARENA_GAP;
    sinewi_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < bytes) {
        block = add_block(arena, bytes);
        if (!block) {
            return NULL;
        }
    }
    void *result = (char *)block + block->used;
    block->used += bytes;
    ASAN_UNPOISON_MEMORY_REGION(result, count * size);
    return result;
}

void *sinewi_arena_take_zeroed(sinewi_arena *arena, size_t count, size_t size) {
    void *block = sinewi_arena_take(arena, count, size);
    if (block) {
        memset(block, 0, count * size);
    }
    return block;
}

char *sinewi_arena_text(sinewi_arena *arena, const char *text, size_t length) {
    size_t size;
    if (!sinewi_add(length, 1, &size)) {
        return NULL;
    }
    char *copy = sinewi_arena_take(arena, size, 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}
