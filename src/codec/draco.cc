// KHR_draco_mesh_compression by Draco. The only C++ of the project: Draco throws, so every
// call is caught; it is not built for hostile bytes, so the counts of the header are
// compared with those of the file before it may allocate by them.
#include "codec/codec_private.h"

#include <draco/compression/decode.h>
#include <draco/mesh/mesh.h>

#include <cstdio>
#include <memory>
#include <new>

namespace {

sinew_result fail(sinew_error *error, sinew_result result, const char *message) {
    if (error != nullptr && error->result == SINEW_OK) {
        error->result = result;
        error->place[0] = '\0';
        std::snprintf(error->message, sizeof error->message, "%s", message);
    }
    return result;
}

const char out_of_memory[] = "out of memory";
const char damaged[] = "the mesh packed by Draco is damaged";

// A reader of the header that cannot leave its bytes.
struct Header {
    const unsigned char *at;
    size_t left;
    bool sound = true;

    unsigned byte() {
        if (left == 0) {
            sound = false;
            return 0;
        }
        left--;
        return *at++;
    }
    uint64_t varint() {
        uint64_t value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            unsigned b = byte();
            value |= static_cast<uint64_t>(b & 0x7F) << shift;
            if ((b & 0x80) == 0) {
                return value;
            }
        }
        sound = false;
        return 0;
    }
};

// Triangles that a byte may stand for: Draco takes memory for all of them before it looks
// whether they are there. A flat regular grid, its best case, was seen to reach 146 at
// 256 x 256 cells and 522 at 1,024 x 1,024; a character has one or two.
constexpr uint64_t faces_per_byte = 1024;

// Whether the counts in the packed header are those that the file says. Versions before
// 2.2 and files with metadata put other things first; they are rare and left to Draco,
// with counts of the file that are bounded all the same.
bool is_plausible(const void *data, size_t size, const sinew_packed_mesh *expected) {
    Header header = {static_cast<const unsigned char *>(data), size};
    static const char magic[] = "DRACO";
    for (int i = 0; i < 5; i++) {
        if (header.byte() != static_cast<unsigned char>(magic[i])) {
            return false;
        }
    }
    unsigned major = header.byte(), minor = header.byte(), type = header.byte();
    unsigned method = header.byte(), flags = header.byte();
    flags |= header.byte() << 8;
    if (!header.sound || type != 1) { // 1: a triangular mesh
        return false;
    }
    if (expected->index_count / 3 > static_cast<uint64_t>(size) * faces_per_byte) {
        return false;
    }
    if (major != 2 || minor != 2 || (flags & 0x8000) != 0) {
        return true;
    }
    uint64_t faces, points;
    if (method == 0) { // sequential
        faces = header.varint();
        points = header.varint();
    } else {           // edgebreaker
        header.byte(); // kind of traversal
        points = header.varint();
        faces = header.varint();
    }
    // Vertices that no triangle uses are only kept by the sequential method.
    return header.sound && faces * 3 == expected->index_count &&
           (points <= faces * 3 || points == expected->vertex_count);
}

template <typename T>
bool copy_attribute(const draco::Mesh &mesh, const draco::PointAttribute &attribute, uint32_t width,
                    void *out) {
    T *to = static_cast<T *>(out);
    for (draco::PointIndex p(0); p < mesh.num_points(); ++p, to += width) {
        draco::AttributeValueIndex at = attribute.mapped_index(p);
        if (at.value() >= attribute.size() ||
            !attribute.ConvertValue<T>(at, static_cast<int8_t>(width), to)) {
            return false;
        }
    }
    return true;
}

bool copy_typed(const draco::Mesh &mesh, const draco::PointAttribute &attribute,
                const sinew_packed_attribute *wish, void *out) {
    switch (wish->component_type) {
    case 5120: return copy_attribute<int8_t>(mesh, attribute, wish->width, out);
    case 5121: return copy_attribute<uint8_t>(mesh, attribute, wish->width, out);
    case 5122: return copy_attribute<int16_t>(mesh, attribute, wish->width, out);
    case 5123: return copy_attribute<uint16_t>(mesh, attribute, wish->width, out);
    case 5125: return copy_attribute<uint32_t>(mesh, attribute, wish->width, out);
    case 5126: return copy_attribute<float>(mesh, attribute, wish->width, out);
    default: return false;
    }
}

} // namespace

extern "C" sinew_result sinewi_draco_open(void *, const void *data, size_t size,
                                          sinew_packed_mesh *mesh, sinew_error *error) {
    if (!is_plausible(data, size, mesh)) {
        return fail(error, SINEW_ERROR_DATA,
                    "the mesh packed by Draco is damaged, or its counts are not those of the file");
    }
    try {
        draco::DecoderBuffer buffer;
        buffer.Init(static_cast<const char *>(data), size);
        draco::Decoder decoder;
        auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
        if (!decoded.ok()) {
            return fail(error, SINEW_ERROR_DATA, damaged);
        }
        std::unique_ptr<draco::Mesh> made = std::move(decoded).value();
        mesh->vertex_count = made->num_points();
        mesh->index_count = static_cast<uint32_t>(made->num_faces()) * 3;
        mesh->handle = made.release();
        return SINEW_OK;
    } catch (const std::bad_alloc &) {
        return fail(error, SINEW_ERROR_MEMORY, out_of_memory);
    } catch (...) {
        return fail(error, SINEW_ERROR_DATA, damaged);
    }
}

extern "C" sinew_result sinewi_draco_attribute(void *, const sinew_packed_mesh *mesh,
                                               const sinew_packed_attribute *wish, void *out,
                                               sinew_error *error) {
    try {
        const draco::Mesh &from = *static_cast<const draco::Mesh *>(mesh->handle);
        const draco::PointAttribute *attribute = from.GetAttributeByUniqueId(wish->id);
        if (attribute == nullptr) {
            return fail(error, SINEW_ERROR_DATA,
                        "the mesh packed by Draco has no attribute of this id");
        }
        // No type of glTF, and Draco would read bytes as bool that are neither 0 nor 1.
        if (attribute->data_type() == draco::DT_BOOL) {
            return fail(
                error, SINEW_ERROR_DATA,
                "an attribute packed by Draco is of truth values, which glTF does not have");
        }
        return copy_typed(from, *attribute, wish, out) ? SINEW_OK
                                                       : fail(error, SINEW_ERROR_DATA, damaged);
    } catch (const std::bad_alloc &) {
        return fail(error, SINEW_ERROR_MEMORY, out_of_memory);
    } catch (...) {
        return fail(error, SINEW_ERROR_DATA, damaged);
    }
}

extern "C" sinew_result sinewi_draco_indices(void *, const sinew_packed_mesh *mesh, uint32_t *out,
                                             sinew_error *error) {
    try {
        const draco::Mesh &from = *static_cast<const draco::Mesh *>(mesh->handle);
        for (draco::FaceIndex f(0); f < from.num_faces(); ++f) {
            for (int corner = 0; corner < 3; corner++) {
                *out++ = from.face(f)[corner].value();
            }
        }
        return SINEW_OK;
    } catch (...) {
        return fail(error, SINEW_ERROR_DATA, damaged);
    }
}

extern "C" void sinewi_draco_close(void *, sinew_packed_mesh *mesh) {
    delete static_cast<draco::Mesh *>(mesh->handle);
    mesh->handle = nullptr;
}
