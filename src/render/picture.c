/* Pictures as PNG files, and PNG, JPEG and WebP files as pictures.
 *
 * What comes in is a part of somebody's model and may be broken or hostile: sizes are
 * checked before memory is taken, and both decoders report instead of ending the
 * program. */
#include "sinew/render.h"

#include "base/error.h"

#include <spng.h>

#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs FILE */
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#ifdef SINEW_WEBP
#include <webp/decode.h>
#endif

#define LARGEST_SIDE 16384u
#define MOST_PIXELS ((uint64_t)64 << 20)
/* A compressed chunk of text or profile may unpack to this much, all of them to four
 * times as much. */
#define MOST_CHUNK_BYTES ((size_t)4 << 20)
/* A progressive JPEG of more scans than this was made to keep a decoder busy. */
#define MOST_SCANS 200

/* Compression of what we write: our pictures are smooth from row to row, and this is a
 * third of the time of the usual level 6 and all filters, for half as much again. */
#define PNG_LEVEL 2
#define PNG_FILTER SPNG_FILTER_CHOICE_UP

void sinew_picture_free(sinew_picture *picture) {
    if (picture) {
        free(picture->pixels);
        memset(picture, 0, sizeof *picture);
    }
}

/* ---- writing ---- */

static bool is_opaque(const sinew_picture *picture) {
    size_t count = (size_t)picture->width * picture->height;
    for (size_t k = 0; k < count; k++) {
        if (picture->pixels[4 * k + 3] != 255) {
            return false;
        }
    }
    return true;
}

/* The colours alone; NULL: no memory. */
static uint8_t *without_alpha(const sinew_picture *picture) {
    size_t count = (size_t)picture->width * picture->height;
    uint8_t *colors = malloc(count * 3);
    for (size_t k = 0; colors && k < count; k++) {
        memcpy(colors + 3 * k, picture->pixels + 4 * k, 3);
    }
    return colors;
}

static int encode(spng_ctx *png, const sinew_picture *picture, const uint8_t *pixels,
                  uint32_t channels) {
    struct spng_ihdr header = {.width = picture->width,
                               .height = picture->height,
                               .bit_depth = 8,
                               .color_type = channels == 4 ? SPNG_COLOR_TYPE_TRUECOLOR_ALPHA
                                                           : SPNG_COLOR_TYPE_TRUECOLOR};
    size_t size = (size_t)picture->width * picture->height * channels;
    int failed = spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
    failed = failed ? failed : spng_set_option(png, SPNG_IMG_COMPRESSION_LEVEL, PNG_LEVEL);
    failed = failed ? failed : spng_set_option(png, SPNG_FILTER_CHOICE, PNG_FILTER);
    failed = failed ? failed : spng_set_ihdr(png, &header);
    failed = failed ? failed : spng_set_srgb(png, 0);
    return failed ? failed
                  : spng_encode_image(png, pixels, size, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
}

uint8_t *sinew_picture_encode_png(const sinew_picture *picture, size_t *size, sinew_error *error) {
    sinewi_error_clear(error);
    uint8_t *bytes = NULL, *colors = NULL;
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    int failed = png ? 0 : SPNG_EMEM;
    if (png && is_opaque(picture)) {
        colors = without_alpha(picture);
        failed = colors ? encode(png, picture, colors, 3) : SPNG_EMEM;
    } else if (png) {
        failed = encode(png, picture, picture->pixels, 4);
    }
    if (!failed) {
        bytes = spng_get_png_buffer(png, size, &failed);
    }
    spng_ctx_free(png);
    free(colors);
    if (!bytes) {
        sinewi_fail(error, failed == SPNG_EMEM ? SINEW_ERROR_MEMORY : SINEW_ERROR_ARGUMENT, NULL,
                    "the picture cannot be encoded: %s", spng_strerror(failed));
    }
    return bytes;
}

/* ---- reading ---- */

static sinew_result take_pixels(sinew_picture *picture, uint64_t width, uint64_t height,
                                sinew_error *error) {
    if (width == 0 || height == 0) {
        return sinewi_fail(error, SINEW_ERROR_DATA, NULL, "the picture has no pixels");
    }
    if (width > LARGEST_SIDE || height > LARGEST_SIDE || width * height > MOST_PIXELS) {
        return sinewi_fail(error, SINEW_ERROR_LIMIT, NULL,
                           "the picture is %llu x %llu, beyond %u a side or %llu pixels",
                           (unsigned long long)width, (unsigned long long)height, LARGEST_SIDE,
                           (unsigned long long)MOST_PIXELS);
    }
    picture->pixels = malloc((size_t)(width * height * 4));
    if (!picture->pixels) {
        return sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for a picture");
    }
    picture->width = (uint32_t)width;
    picture->height = (uint32_t)height;
    return SINEW_OK;
}

static sinew_result png_failed(int code, sinew_error *error) {
    return sinewi_fail(error, code == SPNG_EMEM ? SINEW_ERROR_MEMORY : SINEW_ERROR_DATA, NULL,
                       "the PNG is broken: %s", spng_strerror(code));
}

static sinew_result decode_png(spng_ctx *png, sinew_picture *picture, sinew_error *error) {
    struct spng_ihdr header;
    int failed = spng_get_ihdr(png, &header);
    if (failed) {
        return png_failed(failed, error);
    }
    sinew_result result = take_pixels(picture, header.width, header.height, error);
    if (result != SINEW_OK) {
        return result;
    }
    failed = spng_decode_image(png, picture->pixels, (size_t)header.width * header.height * 4,
                               SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
    return failed ? png_failed(failed, error) : SINEW_OK;
}

static sinew_result read_png(const uint8_t *data, size_t size, sinew_picture *picture,
                             sinew_error *error) {
    spng_ctx *png = spng_ctx_new(0);
    if (!png) {
        return sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for a picture");
    }
    /* A wrong checksum alone does not spoil a texture. */
    spng_set_crc_action(png, SPNG_CRC_USE, SPNG_CRC_DISCARD);
    spng_set_chunk_limits(png, MOST_CHUNK_BYTES, 4 * MOST_CHUNK_BYTES);
    int failed = spng_set_png_buffer(png, data, size);
    sinew_result result = failed ? png_failed(failed, error) : decode_png(png, picture, error);
    spng_ctx_free(png);
    return result;
}

/* libjpeg ends the program on an error unless its handler leaves by a jump. */
typedef struct jpeg_reader {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf out;
    char message[JMSG_LENGTH_MAX];
    uint8_t *row; /* four samples a pixel, of pictures for print */
} jpeg_reader;

static void jpeg_failed(j_common_ptr jpeg) {
    jpeg_reader *reader = jpeg->client_data;
    jpeg->err->format_message(jpeg, reader->message);
    longjmp(reader->out, 1);
}

static void jpeg_silent(j_common_ptr jpeg) {
    (void)jpeg;
}

static void jpeg_progress(j_common_ptr jpeg) {
    jpeg_reader *reader = jpeg->client_data;
    if (reader->jpeg.input_scan_number > MOST_SCANS) {
        snprintf(reader->message, sizeof reader->message, "more than %d scans", MOST_SCANS);
        longjmp(reader->out, 1);
    }
}

/* Inks to light. Adobe's programs write inks inverted, and they are who writes such
 * files. */
static void inks_to_rgba(const uint8_t *inks, uint32_t width, bool inverted, uint8_t *rgba) {
    for (uint32_t x = 0; x < width; x++) {
        uint32_t black = inverted ? inks[4 * x + 3] : 255u - inks[4 * x + 3];
        for (int k = 0; k < 3; k++) {
            uint32_t ink = inverted ? inks[4 * x + k] : 255u - inks[4 * x + k];
            rgba[4 * x + k] = (uint8_t)(ink * black / 255u);
        }
        rgba[4 * x + 3] = 255;
    }
}

static void read_jpeg_rows(jpeg_reader *reader, sinew_picture *picture) {
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    bool print = jpeg->out_color_space == JCS_CMYK;
    while (jpeg->output_scanline < jpeg->output_height) {
        uint8_t *rgba = picture->pixels + (size_t)jpeg->output_scanline * picture->width * 4;
        JSAMPROW row = print ? reader->row : rgba;
        jpeg_read_scanlines(jpeg, &row, 1);
        if (print) {
            inks_to_rgba(reader->row, picture->width, jpeg->saw_Adobe_marker, rgba);
        }
    }
}

/* What may jump is in here; all that must be freed belongs to the caller. */
static sinew_result decode_jpeg(jpeg_reader *reader, const uint8_t *data, size_t size,
                                sinew_picture *picture, sinew_error *error) {
    struct jpeg_decompress_struct *jpeg = &reader->jpeg;
    if (setjmp(reader->out)) {
        return sinewi_fail(error, SINEW_ERROR_DATA, NULL, "the JPEG is broken: %s",
                           reader->message);
    }
    jpeg_create_decompress(jpeg);
    jpeg->progress = &reader->progress;
    jpeg_mem_src(jpeg, data, (unsigned long)size);
    jpeg_read_header(jpeg, TRUE);
    bool print = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
    jpeg->out_color_space = print ? JCS_CMYK : JCS_EXT_RGBA;
    sinew_result result = take_pixels(picture, jpeg->image_width, jpeg->image_height, error);
    if (result != SINEW_OK) {
        return result;
    }
    if (print && !(reader->row = malloc((size_t)picture->width * 4))) {
        return sinewi_fail(error, SINEW_ERROR_MEMORY, NULL, "no memory for a picture");
    }
    jpeg_start_decompress(jpeg);
    read_jpeg_rows(reader, picture);
    jpeg_finish_decompress(jpeg);
    return SINEW_OK;
}

static sinew_result read_jpeg(const uint8_t *data, size_t size, sinew_picture *picture,
                              sinew_error *error) {
    jpeg_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.jpeg.err = jpeg_std_error(&reader.errors);
    reader.errors.error_exit = jpeg_failed;
    reader.errors.output_message = jpeg_silent;
    reader.progress.progress_monitor = jpeg_progress;
    reader.jpeg.client_data = &reader;
    sinew_result result = decode_jpeg(&reader, data, size, picture, error);
    jpeg_destroy_decompress(&reader.jpeg);
    free(reader.row);
    return result;
}

#ifdef SINEW_WEBP

static sinew_result read_webp(const uint8_t *data, size_t size, sinew_picture *picture,
                              sinew_error *error) {
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(data, size, &features) != VP8_STATUS_OK) {
        return sinewi_fail(error, SINEW_ERROR_DATA, NULL, "the WebP is broken");
    }
    if (features.has_animation) {
        return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED, NULL, "the WebP is a film");
    }
    sinew_result result =
        take_pixels(picture, (uint64_t)features.width, (uint64_t)features.height, error);
    if (result != SINEW_OK) {
        return result;
    }
    size_t stride = (size_t)picture->width * 4;
    if (!WebPDecodeRGBAInto(data, size, picture->pixels, stride * picture->height, (int)stride)) {
        return sinewi_fail(error, SINEW_ERROR_DATA, NULL, "the WebP is broken");
    }
    return SINEW_OK;
}

#else

static sinew_result read_webp(const uint8_t *data, size_t size, sinew_picture *picture,
                              sinew_error *error) {
    (void)data;
    (void)size;
    (void)picture;
    return sinewi_fail(error, SINEW_ERROR_UNSUPPORTED, NULL,
                       "the picture is WebP, and this build was made without libwebp");
}

#endif

static bool is_webp(const uint8_t *data, size_t size) {
    return size >= 12 && memcmp(data, "RIFF", 4) == 0 && memcmp(data + 8, "WEBP", 4) == 0;
}

sinew_result sinew_picture_decode(const uint8_t *data, size_t size, sinew_picture *picture,
                                  sinew_error *error) {
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t jpeg[3] = {0xff, 0xd8, 0xff};
    sinewi_error_clear(error);
    memset(picture, 0, sizeof *picture);
    sinew_result result;
    if (size >= sizeof png && memcmp(data, png, sizeof png) == 0) {
        result = read_png(data, size, picture, error);
    } else if (size >= sizeof jpeg && memcmp(data, jpeg, sizeof jpeg) == 0) {
        result = read_jpeg(data, size, picture, error);
    } else if (is_webp(data, size)) {
        result = read_webp(data, size, picture, error);
    } else {
        result = sinewi_fail(error, SINEW_ERROR_UNSUPPORTED, NULL,
                             "the picture is neither PNG nor JPEG nor WebP");
    }
    if (result != SINEW_OK) {
        sinew_picture_free(picture);
    }
    return result;
}
