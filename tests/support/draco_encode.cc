// Meshes packed by Draco's own encoder, and a new that fails on demand.
#include "packed.h"

#include <draco/compression/expert_encode.h>
#include <draco/mesh/mesh.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace {

draco::DataType type_of(int component_type) {
    return component_type == 5121    ? draco::DT_UINT8
           : component_type == 5123  ? draco::DT_UINT16
           : component_type == 35670 ? draco::DT_BOOL // GL_BOOL, no type of glTF
                                     : draco::DT_FLOAT32;
}

void add_attribute(draco::Mesh *mesh, const test_draco_attribute &from) {
    draco::DataType type = type_of(from.component_type);
    int64_t stride = draco::DataTypeLength(type) * from.width;
    draco::GeometryAttribute shape;
    shape.Init(static_cast<draco::GeometryAttribute::Type>(from.kind), nullptr,
               static_cast<int8_t>(from.width), type, false, stride, 0);
    int id = mesh->AddAttribute(shape, true, mesh->num_points());
    draco::PointAttribute *made = mesh->attribute(id);
    for (uint32_t i = 0; i < mesh->num_points(); i++) {
        made->SetAttributeValue(draco::AttributeValueIndex(i),
                                static_cast<const char *>(from.values) +
                                    static_cast<size_t>(i) * static_cast<size_t>(stride));
    }
}

uint32_t left = UINT32_MAX, calls = 0;

void *allocate(size_t size) {
    calls++;
    if (left == 0) {
        return nullptr;
    }
    left -= left < UINT32_MAX ? 1 : 0;
    return std::malloc(size > 0 ? size : 1);
}

void *allocate_or_throw(size_t size) {
    void *block = allocate(size);
    if (block == nullptr) {
        throw std::bad_alloc();
    }
    return block;
}

} // namespace

void *operator new(size_t size) {
    return allocate_or_throw(size);
}
void *operator new[](size_t size) {
    return allocate_or_throw(size);
}
void *operator new(size_t size, const std::nothrow_t &) noexcept {
    return allocate(size);
}
void *operator new[](size_t size, const std::nothrow_t &) noexcept {
    return allocate(size);
}
void operator delete(void *block) noexcept {
    std::free(block);
}
void operator delete[](void *block) noexcept {
    std::free(block);
}
void operator delete(void *block, size_t) noexcept {
    std::free(block);
}
void operator delete[](void *block, size_t) noexcept {
    std::free(block);
}

extern "C" uint32_t test_new_fails_after(uint32_t count) {
    uint32_t before = calls;
    calls = 0;
    left = count;
    return before;
}

extern "C" void *test_draco_encode(const test_draco_mesh *from, size_t *size) {
    draco::Mesh mesh;
    mesh.set_num_points(from->vertex_count);
    mesh.SetNumFaces(from->triangle_count);
    for (uint32_t f = 0; f < from->triangle_count; f++) {
        draco::Mesh::Face face;
        for (uint32_t c = 0; c < 3; c++) {
            face[c] = draco::PointIndex(from->indices[3 * f + c]);
        }
        mesh.SetFace(draco::FaceIndex(f), face);
    }
    for (uint32_t a = 0; a < from->attribute_count; a++) {
        add_attribute(&mesh, from->attributes[a]);
    }
    if (from->metadata) {
        std::unique_ptr<draco::GeometryMetadata> about(new draco::GeometryMetadata());
        about->AddEntryString("made by", "a test");
        mesh.AddMetadata(std::move(about));
    }
    draco::ExpertEncoder encoder(mesh);
    encoder.SetEncodingMethod(from->edgebreaker ? draco::MESH_EDGEBREAKER_ENCODING
                                                : draco::MESH_SEQUENTIAL_ENCODING);
    encoder.SetSpeedOptions(0, 0); // as dense as it can
    for (uint32_t a = 0; a < from->attribute_count; a++) {
        if (from->attributes[a].quantisation_bits > 0) {
            encoder.SetAttributeQuantization(static_cast<int32_t>(a),
                                             from->attributes[a].quantisation_bits);
        }
    }
    draco::EncoderBuffer buffer;
    if (!encoder.EncodeToBuffer(&buffer).ok()) {
        return nullptr;
    }
    void *out = std::malloc(buffer.size());
    if (out != nullptr) {
        std::memcpy(out, buffer.data(), buffer.size());
        *size = buffer.size();
    }
    return out;
}
