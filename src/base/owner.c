#include "base/owner.h"

struct sinewi_attachment {
    sinewi_attachment *next;
    void (*release)(void *user, const void *data, size_t size);
    void *user;
    const void *data;
    size_t size;
};

sinewi_owner *sinewi_owner_create(const sinew_allocator *allocator, sinewi_budget *budget) {
    sinew_allocator chosen = sinewi_allocator_or_default(allocator);
    sinewi_owner *owner = sinewi_allocate_zeroed(&chosen, 1, sizeof *owner);
    if (owner) {
        sinewi_arena_init(&owner->arena, &chosen, budget);
    }
    return owner;
}

void sinewi_owner_free(sinewi_owner *owner) {
    if (!owner) {
        return;
    }
    for (sinewi_attachment *a = owner->attachments; a; a = a->next) {
        a->release(a->user, a->data, a->size);
    }
    sinew_allocator allocator = owner->arena.allocator;
    sinewi_arena_free(&owner->arena);
    sinewi_release(&allocator, owner, sizeof *owner);
}

bool sinewi_owner_attach(sinewi_owner *owner,
                         void (*release)(void *user, const void *data, size_t size), void *user,
                         const void *data, size_t size) {
    sinewi_attachment *attachment = sinewi_arena_take(&owner->arena, 1, sizeof *attachment);
    if (!attachment) {
        release(user, data, size);
        return false;
    }
    *attachment = (sinewi_attachment){owner->attachments, release, user, data, size};
    owner->attachments = attachment;
    return true;
}
