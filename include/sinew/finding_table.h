/* The table of findings: one row a code, in the order of the enum.
 * X(name, word, severity, effect, mend). Included by sinew/finding.h only.
 *
 * Severity error: glTF forbids it, or the picture is wrong because of it. */
#ifndef SINEW_FINDING_TABLE_H
#define SINEW_FINDING_TABLE_H

#define SINEW_FINDING_TABLE(X)                                                                     \
    X(JSON, "json", SINEW_ERROR, "Nothing of the file can be read.",                               \
      "Export the file again; if it was edited by hand, mend the JSON at the place named.")        \
    X(JSON_DEPTH, "json-depth", SINEW_ERROR, "Nothing of the file can be read.",                   \
      "Take out the nested extras, or raise the limit on depth.")                                  \
    X(GLB, "glb", SINEW_ERROR, "Nothing of the file can be read.",                                 \
      "The file is cut off or damaged: copy or export it again.")                                  \
    X(VERSION, "version", SINEW_ERROR, "The file is not glTF 2.0 and is not read.",                \
      "Export it as glTF 2.0.")                                                                    \
    X(SCHEMA, "schema", SINEW_ERROR, "The value cannot be understood.",                            \
      "Write the kind of value that glTF asks for at this place.")                                 \
    X(REFERENCE, "reference", SINEW_ERROR, "What it points to is missing from the picture.",       \
      "Point to something that exists, or take the reference out.")                                \
    X(EXTENSION, "extension-required", SINEW_ERROR, "The file cannot be shown without it.",        \
      "Export without this extension, or convert the file.")                                       \
    X(EXTENSION_USED, "extension-unknown", SINEW_INFO, "What the extension adds is left out.",     \
      "Nothing has to be done unless the picture lacks something.")                                \
    X(BUFFER, "buffer-missing", SINEW_ERROR, "The data of the buffer is missing.",                 \
      "Give the buffer a uri, or the GLB a BIN chunk.")                                            \
    X(FILE, "file-missing", SINEW_ERROR, "The data of the file is missing.",                       \
      "Put the named file beside the model.")                                                      \
    X(URI, "uri", SINEW_ERROR, "The data is not read: only files below the model's folder are.",   \
      "Move the file below the model's folder and name it by a relative path.")                    \
    X(BASE64, "base64", SINEW_ERROR, "The data of the buffer is missing.",                         \
      "Encode the data URI again.")                                                                \
    X(BOUNDS, "bounds", SINEW_ERROR, "The data would be read outside its buffer.",                 \
      "The offset, stride, count or length is wrong, or the file is cut off: export it again.")    \
    X(STRIDE, "stride", SINEW_ERROR, "Elements would overlap.",                                    \
      "Make byteStride at least as large as an element.")                                          \
    X(STRIDE_ODD, "stride-odd", SINEW_WARNING, "None here; some programs refuse the file.",        \
      "Use a byteStride that is a multiple of 4, at most 252.")                                    \
    X(ALIGNMENT, "alignment", SINEW_ERROR, "Some programs refuse the file or read it wrong.",      \
      "Move the data to a multiple of its component's size.")                                      \
    X(TYPE, "type", SINEW_ERROR, "The data cannot be used as what it is named for.",               \
      "Use a type that glTF allows for this attribute.")                                           \
    X(COUNT, "count", SINEW_ERROR, "Some elements have no data.", "Make the counts agree.")        \
    X(SPARSE, "sparse", SINEW_ERROR, "The sparse values would land at wrong places.",              \
      "Sort the sparse indices, each once and below the count of the accessor.")                   \
    X(NONFINITE, "nonfinite", SINEW_ERROR, "Vertices vanish or the whole picture turns black.",    \
      "Find where the exporter divides by zero; replace NaN and infinity.")                        \
    X(INDEX, "index", SINEW_ERROR, "Triangles would use vertices that do not exist.",              \
      "Use indices below the number of vertices.")                                                 \
    X(TRIANGLES, "triangles", SINEW_ERROR, "The last, incomplete primitive is not drawn.",         \
      "Write three indices a triangle (two a line).")                                              \
    X(ATTRIBUTES, "attributes", SINEW_ERROR, "The mesh cannot follow its joints.",                 \
      "Write JOINTS_n and WEIGHTS_n in pairs, n from 0 on without a gap.")                         \
    X(SKIN_JOINTS, "skin-joints", SINEW_ERROR, "The skin has no joints to follow.",                \
      "List every joint of the skin once.")                                                        \
    X(JOINT_RANGE, "joint-range", SINEW_ERROR,                                                     \
      "The vertex follows only its other joints; other programs tear it to the origin or crash.",  \
      "Bind the vertex to joints that the skin lists.")                                            \
    X(JOINT_RANGE_UNUSED, "joint-range-unused", SINEW_INFO,                                        \
      "None here: the weight is 0. Some programs read past their palette.",                        \
      "Write joint 0 where the weight is 0.")                                                      \
    X(WEIGHTS_NEGATIVE, "weights-negative", SINEW_ERROR,                                           \
      "The weight counts as 0; the vertex follows its other joints.",                              \
      "Normalise the weights in the modelling program.")                                           \
    X(WEIGHTS_NONFINITE, "weights-nonfinite", SINEW_ERROR,                                         \
      "The weight counts as 0; other programs lose the vertex.",                                   \
      "Paint the weights of the vertex again.")                                                    \
    X(WEIGHTS_ZERO_SUM, "weights-zero-sum", SINEW_ERROR,                                           \
      "The vertex follows the first joint that it lists; other programs draw a spike.",            \
      "Bind the vertex to at least one joint.")                                                    \
    X(WEIGHTS_SUM, "weights-sum", SINEW_WARNING,                                                   \
      "The weights are divided by their sum; other programs shrink or swell the vertex.",          \
      "Normalise the weights to a sum of 1.")                                                      \
    X(INVERSE_BIND_LAST_ROW, "inverse-bind-last-row", SINEW_ERROR,                                 \
      "The last row is taken as 0 0 0 1; if the matrix is transposed, the mesh explodes.",         \
      "Write inverse bind matrices column by column, as glTF asks.")                               \
    X(HIERARCHY, "hierarchy", SINEW_ERROR, "Where the nodes stand is not defined.",                \
      "Give every node at most one parent, and no circle.")                                        \
    X(SCENE_ROOT, "scene-root", SINEW_ERROR,                                                       \
      "The node may be drawn twice, or at the wrong place in other programs.",                     \
      "List only nodes without a parent in a scene.")                                              \
    X(MATRIX_AND_TRS, "matrix-and-trs", SINEW_ERROR,                                               \
      "The matrix counts; other programs may take the translation, rotation and scale.",           \
      "Write one of the two.")                                                                     \
    X(MATRIX_LAST_ROW, "matrix-last-row", SINEW_ERROR,                                             \
      "The last row is taken as 0 0 0 1; if the matrix is transposed, the node is misplaced.",     \
      "Write matrices column by column, as glTF asks.")                                            \
    X(QUATERNION_ZERO, "quaternion-zero", SINEW_ERROR, "It counts as no rotation.",                \
      "Write 0 0 0 1 for no rotation.")                                                            \
    X(QUATERNION_LENGTH, "quaternion-length", SINEW_WARNING,                                       \
      "It is normalised; other programs may scale the node by it.", "Normalise the rotation.")     \
    X(KEYS, "keys", SINEW_ERROR, "The clip plays wrong: only keys that increase are kept.",        \
      "Sort the keys; each time once and none negative.")                                          \
    X(CHANNEL, "channel", SINEW_ERROR, "The channel moves nothing.",                               \
      "Animate a property that the node has, each by one channel.")                                \
    X(CHANNEL_TWICE, "channel-twice", SINEW_ERROR, "The last of the channels counts.",             \
      "Drive a property by one channel of a clip.")                                                \
    X(INTERPOLATION, "interpolation", SINEW_ERROR, "The channel is left out.",                     \
      "Use STEP, LINEAR or CUBICSPLINE.")                                                          \
    X(EMPTY_CLIP, "clip-empty", SINEW_ERROR, "The animation has no content; the file is refused.", \
      "Export the clip with its channels and samplers, or take it out.")                           \
    X(IMAGE, "image", SINEW_WARNING, "The surface is drawn without this texture.",                 \
      "Put the picture where the file says, as PNG or JPEG.")                                      \
    X(CODEC, "codec", SINEW_ERROR, "The compressed data cannot be read.",                          \
      "The file is damaged, or was packed wrong: pack or export it again.")                        \
    X(CODEC_UNSUPPORTED, "codec-unsupported", SINEW_ERROR, "The compressed data cannot be read.",  \
      "Pack the file with the codec version that is named, or without compression.")               \
    X(LIMIT, "limit", SINEW_ERROR, "The file is larger than the reader was told to accept.",       \
      "Raise the limit if you trust the file.")

#endif
