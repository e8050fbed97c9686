// SPDX-License-Identifier: Apache-2.0

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

#include "internal.h"

static cairo_status_t append(void *closure, const unsigned char *data, unsigned int length) {
  SpecimenBytes *bytes = closure;
  uint8_t *grown = realloc(bytes->data, bytes->count + length);
  if (!grown) return CAIRO_STATUS_NO_MEMORY;
  memcpy(grown + bytes->count, data, length);
  bytes->data = grown;
  bytes->count += length;
  return CAIRO_STATUS_SUCCESS;
}

static int is_opaque(const SpecimenCanvas *canvas, const uint8_t *pixels, int stride) {
  for (int y = 0; y < canvas->height; y++) {
    for (int x = 0; x < canvas->width; x++) {
      if (pixels[(size_t)y * stride + 4 * x + 3] != 255) return 0;
    }
  }
  return 1;
}

/// What a PNG file has so far. On the heap, so that it survives libpng's way out of an error.
typedef struct {
  SpecimenBytes bytes;
} PNGFile;

static void write_png(png_structp png, png_bytep data, size_t count) {
  if (append(&((PNGFile *)png_get_io_ptr(png))->bytes, data, (unsigned int)count) != CAIRO_STATUS_SUCCESS) {
    png_error(png, "no memory");
  }
}

static void flush_png(png_structp png) { (void)png; }

/// Cairo gives out RGBA files at zlib's level 6, which takes most of the time in which a picture is drawn. What is opaque
/// is written as RGB at level 1, with one filter for all rows.
static SpecimenBytes opaque_png(SpecimenCanvas *canvas, const uint8_t *pixels, int stride) {
  PNGFile *file = calloc(1, sizeof *file);
  if (!file) return (SpecimenBytes){NULL, 0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info) goto done;
  if (setjmp(png_jmpbuf(png))) {
    free(file->bytes.data);
    file->bytes = (SpecimenBytes){NULL, 0};
    goto done;
  }
  png_set_write_fn(png, file, write_png, flush_png);
  png_set_IHDR(
    png, info, (png_uint_32)canvas->width, (png_uint_32)canvas->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
    PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, 1);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  png_write_info(png, info);
  png_set_bgr(png);
  png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (int y = 0; y < canvas->height; y++) png_write_row(png, pixels + (size_t)y * stride);
  png_write_end(png, NULL);
done:
  if (png) png_destroy_write_struct(&png, info ? &info : NULL);
  const SpecimenBytes bytes = file->bytes;
  free(file);
  return bytes;
}

SpecimenBytes specimen_png(SpecimenCanvas *canvas) {
  int stride;
  const uint8_t *pixels = specimen_pixels(canvas, &stride);
  if (is_opaque(canvas, pixels, stride)) return opaque_png(canvas, pixels, stride);
  SpecimenBytes bytes = {NULL, 0};
  if (cairo_surface_write_to_png_stream(canvas->surface, append, &bytes) != CAIRO_STATUS_SUCCESS) {
    free(bytes.data);
    return (SpecimenBytes){NULL, 0};
  }
  return bytes;
}

void specimen_bytes_free(SpecimenBytes bytes) { free(bytes.data); }

/// libjpeg's way out of an error; its default one ends the process.
typedef struct {
  struct jpeg_error_mgr manager;
  jmp_buf escape;
} JPEGFailure;

static void fail(j_common_ptr info) { longjmp(((JPEGFailure *)info->err)->escape, 1); }

SpecimenBytes specimen_jpeg(SpecimenCanvas *canvas, int32_t quality) {
  int stride;
  uint8_t *pixels = specimen_pixels(canvas, &stride);
  uint8_t *volatile row = malloc(3 * (size_t)canvas->width);
  // libjpeg replaces these two while it grows its buffer; on the heap they survive the jump.
  unsigned char **data = calloc(1, sizeof *data);
  unsigned long *count = calloc(1, sizeof *count);
  struct jpeg_compress_struct info;
  JPEGFailure failure;
  SpecimenBytes bytes = {NULL, 0};
  if (!row || !data || !count) goto done;
  info.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = fail;
  if (setjmp(failure.escape)) {
    free(*data);
    *data = NULL;
    jpeg_destroy_compress(&info);
    goto done;
  }
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, data, count);
  info.image_width = (JDIMENSION)canvas->width;
  info.image_height = (JDIMENSION)canvas->height;
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    const uint8_t *from = pixels + (size_t)info.next_scanline * stride;
    for (int x = 0; x < canvas->width; x++) {
      row[3 * x] = from[4 * x + 2];
      row[3 * x + 1] = from[4 * x + 1];
      row[3 * x + 2] = from[4 * x];
    }
    JSAMPROW rows[1] = {row};
    jpeg_write_scanlines(&info, rows, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  bytes.data = *data;
  bytes.count = *count;
done:
  free(row);
  free(data);
  free(count);
  return bytes;
}

int32_t specimen_jpeg_round_trip(SpecimenCanvas *canvas, int32_t quality) {
  const SpecimenBytes bytes = specimen_jpeg(canvas, quality);
  if (!bytes.data) return 0;
  int stride;
  uint8_t *pixels = specimen_pixels(canvas, &stride);
  uint8_t *volatile row = malloc(3 * (size_t)canvas->width);
  struct jpeg_decompress_struct info;
  JPEGFailure failure;
  volatile int32_t done = 0;
  info.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = fail;
  if (row && !setjmp(failure.escape)) {
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes.data, bytes.count);
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_RGB;
    jpeg_start_decompress(&info);
    while (info.output_scanline < info.output_height) {
      uint8_t *to = pixels + (size_t)info.output_scanline * stride;
      JSAMPROW rows[1] = {row};
      jpeg_read_scanlines(&info, rows, 1);
      for (int x = 0; x < canvas->width; x++) {
        to[4 * x] = row[3 * x + 2];
        to[4 * x + 1] = row[3 * x + 1];
        to[4 * x + 2] = row[3 * x];
        to[4 * x + 3] = 255;
      }
    }
    jpeg_finish_decompress(&info);
    done = 1;
  }
  if (row) jpeg_destroy_decompress(&info);
  free(row);
  specimen_bytes_free(bytes);
  cairo_surface_mark_dirty(canvas->surface);
  return done;
}
