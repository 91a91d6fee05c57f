/* What a loaded model stands on: one arena, and the blocks that it views in place
 * (mapped files), all let go together. */
#ifndef SINEWI_BASE_OWNER_H
#define SINEWI_BASE_OWNER_H

#include "base/memory.h"

typedef struct sinewi_attachment sinewi_attachment;

typedef struct sinewi_owner {
    sinewi_arena arena;
    sinewi_attachment *attachments;
} sinewi_owner;

/* budget: as for arenas; it must live as long as the owner takes memory. NULL when there
 * is no memory. */
sinewi_owner *sinewi_owner_create(const sinew_allocator *allocator, sinewi_budget *budget);
void sinewi_owner_free(sinewi_owner *owner);

/* Calls release(user, data, size) when the owner is freed. When there is no memory to
 * remember it, it calls it at once and returns false. */
bool sinewi_owner_attach(sinewi_owner *owner,
                         void (*release)(void *user, const void *data, size_t size), void *user,
                         const void *data, size_t size);

#endif
